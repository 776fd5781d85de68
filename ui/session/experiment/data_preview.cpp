// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/experiment/data_preview.h"

#include "core/common/number_text.h"
#include "core/config/field_table.h"
#include "ui/session/count_text.h"

namespace lambdascope {

namespace {

constexpr int kRest = 250; ///< ms without a new request before reading begins

QString describe(const DatasetFacts& data) {
    QString text =
        QObject::tr("%1 rows × %2 features")
            .arg(QString::fromStdString(groupedText(data.rows)), QString::fromStdString(groupedText(data.features)));
    if (data.isLabelled) {
        text +=
            ", " + countText(static_cast<int>(data.classNames.size()), QObject::tr("class"), QObject::tr("classes"));
    } else {
        text += QObject::tr(", no labels");
    }
    return data.isSparse ? text + QObject::tr(", sparse") : text;
}

} // namespace

DataPreview::DataPreview(QObject* parent) : QObject(parent), m_summary(tr("No data chosen.")) {
    m_rest.setSingleShot(true);
    m_rest.setInterval(kRest);
    connect(&m_rest, &QTimer::timeout, this, &DataPreview::launch);
}

void DataPreview::request(const Json& resolvedData, const DataPlaces& places, bool isFresh) {
    const bool isSame = m_state != State::Empty && resolvedData == m_requested && places.folders == m_places.folders &&
                        places.bundled == m_places.bundled;
    if (isSame && !(isFresh && m_state == State::Failed)) {
        return;
    }
    m_requested = resolvedData;
    m_places = places;
    m_dataset.reset();
    setState(State::Loading, tr("Reading …"));
    m_rest.start();
}

void DataPreview::retry() {
    if (m_state == State::Failed && m_current == nullptr) {
        m_rest.start();
    }
}

void DataPreview::clear() {
    m_rest.stop();
    stopAll();
    m_dataset.reset();
    setState(State::Empty, tr("No data chosen."));
}

void DataPreview::stopAll() {
    m_current.reset();
    m_jobs.stopAll();
}

void DataPreview::launch() {
    stopAll();
    m_current = m_jobs.start([config = dataFields().readResolved(m_requested), places = m_places](
                                 const std::stop_token& stop) { return loadDataset(config, places, {}, stop); });
}

void DataPreview::takeFinished() {
    const auto job = m_jobs.takeFinished();
    if (job == nullptr || job != m_current) {
        return; // taken by an earlier call, or stale
    }
    m_current.reset();
    if (job->result()) {
        m_dataset = *job->result();
        setState(State::Ready, describe(factsOf(*m_dataset)));
    } else {
        m_error = job->result().error();
        const QString text =
            QString::fromStdString(m_error.faults.empty() ? m_error.message : m_error.faults.front().text());
        if (m_state != State::Failed || text != m_summary) {
            setState(State::Failed, text);
        }
    }
}

void DataPreview::setState(State state, const QString& summary) {
    m_state = state;
    m_summary = summary;
    Q_EMIT changed();
}

} // namespace lambdascope
