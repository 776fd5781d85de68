// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/data_preview.h"

#include "core/common/number_text.h"
#include "ui/session/count_text.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <new>
#include <optional>
#include <thread>

namespace lambdascope {

namespace {

constexpr int kRest = 250; ///< ms without a new request before reading begins

QString describe(const Dataset& data) {
    QString text = QObject::tr("%1 rows × %2 features")
                       .arg(QString::fromStdString(groupedText(data.rows())),
                            QString::fromStdString(groupedText(data.features())));
    if (data.isLabelled()) {
        text +=
            ", " + countText(static_cast<int>(data.classNames().size()), QObject::tr("class"), QObject::tr("classes"));
    } else {
        text += QObject::tr(", no labels");
    }
    return data.isSparse() ? text + QObject::tr(", sparse") : text;
}

Result<std::shared_ptr<const Dataset>> loadGuarded(const DataConfig& config, const DataPlaces& places,
                                                   const std::stop_token& stop) {
    try {
        return loadDataset(config, places, {}, stop);
    } catch (const std::bad_alloc&) {
        return Failure{plainError(ErrorCode::OutOfMemory, "there is not enough memory for these data")};
    } catch (const std::exception& exception) {
        return Failure{plainError(ErrorCode::Internal, exception.what())};
    }
}

} // namespace

/// One reading. `result` is written by the thread before it posts itself back.
class DataPreview::Job {
  public:
    std::optional<Result<std::shared_ptr<const Dataset>>> result;
    std::atomic<bool> isDone = false;
    std::jthread thread;
};

DataPreview::DataPreview(QObject* parent) : QObject(parent), m_summary(tr("No data chosen.")) {
    m_rest.setSingleShot(true);
    m_rest.setInterval(kRest);
    connect(&m_rest, &QTimer::timeout, this, &DataPreview::launch);
}

DataPreview::~DataPreview() {
    for (const auto& job : m_jobs) {
        job->thread.request_stop();
    }
    m_jobs.clear(); // joins
}

void DataPreview::request(const Json& resolvedData, const DataPlaces& places) {
    const bool isSame = m_state != State::Empty && resolvedData == m_requested && places.folders == m_places.folders &&
                        places.bundled == m_places.bundled;
    if (isSame) {
        return;
    }
    m_requested = resolvedData;
    m_places = places;
    m_dataset.reset();
    setState(State::Loading, tr("Reading …"));
    m_rest.start();
}

void DataPreview::clear() {
    m_rest.stop();
    stopAll();
    m_dataset.reset();
    setState(State::Empty, tr("No data chosen."));
}

void DataPreview::stopAll() {
    m_current.reset();
    for (const auto& job : m_jobs) {
        job->thread.request_stop(); // joined when it reports back, so the window does not wait
    }
}

void DataPreview::launch() {
    stopAll();
    const auto job = std::make_shared<Job>();
    m_current = job;
    m_jobs.push_back(job);
    const DataConfig config = dataFields().readResolved(m_requested);
    job->thread = std::jthread([this, raw = job.get(), config, places = m_places](const std::stop_token& stop) {
        raw->result = loadGuarded(config, places, stop);
        raw->isDone.store(true, std::memory_order_release);
        QMetaObject::invokeMethod(this, "takeFinished", Qt::QueuedConnection);
    });
}

void DataPreview::takeFinished() {
    const auto done = std::find_if(m_jobs.begin(), m_jobs.end(),
                                   [](const auto& job) { return job->isDone.load(std::memory_order_acquire); });
    if (done == m_jobs.end()) {
        return; // an earlier call took it
    }
    const std::shared_ptr<Job> job = *done;
    m_jobs.erase(done);
    job->thread.join();
    if (job != m_current) {
        return; // stale
    }
    m_current.reset();
    if (*job->result) {
        m_dataset = job->result->value();
        setState(State::Ready, describe(*m_dataset));
    } else {
        m_error = job->result->error();
        const QString text =
            QString::fromStdString(m_error.faults.empty() ? m_error.message : m_error.faults.front().text());
        setState(State::Failed, text);
    }
}

void DataPreview::setState(State state, const QString& summary) {
    m_state = state;
    m_summary = summary;
    Q_EMIT changed();
}

} // namespace lambdascope
