// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/experiment/data_preview.h"

#include "core/common/number_text.h"
#include "core/config/field_table.h"
#include "ui/session/count_text.h"

namespace lambdascope {

namespace {

constexpr int kRest = 250; ///< ms without a new request before reading begins

QString describe(const DatasetFacts& data) {
    if (data.rows == 0) { // "none": comparisons from a file need no more
        return QObject::tr("no table of data");
    }
    QString text =
        (data.features == 1 ? QObject::tr("%1 rows × %2 feature") : QObject::tr("%1 rows × %2 features"))
            .arg(QString::fromStdString(groupedText(data.rows)), QString::fromStdString(groupedText(data.features)));
    if (data.isLabelled) {
        text +=
            ", " + countText(static_cast<int>(data.classNames.size()), QObject::tr("class"), QObject::tr("classes"));
    } else if (data.hasTargets) {
        text += QObject::tr(", a number to fit in each");
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
    stopAll(); // what is still being read is not what is asked for
    m_requested = resolvedData;
    m_places = places;
    m_profile = {};
    setState(State::Loading, tr("Reading …"));
    m_rest.start();
}

void DataPreview::hurry() {
    if (m_state == State::Empty) {
        return;
    }
    if (!m_rest.isActive()) { // read before: the file may have changed since
        m_profile = {};
        setState(State::Loading, tr("Reading …"));
    }
    m_rest.stop();
    launch();
}

void DataPreview::retry() {
    if (m_state == State::Failed && m_current == nullptr) {
        m_rest.start();
    }
}

void DataPreview::clear() {
    m_rest.stop();
    stopAll();
    m_profile = {};
    setState(State::Empty, tr("No data chosen."));
}

void DataPreview::stopAll() {
    m_current.reset();
    m_jobs.stopAll();
}

void DataPreview::launch() {
    stopAll();
    start(ProfileExtent::Head);
}

void DataPreview::start(ProfileExtent extent) {
    m_current = m_jobs.start([config = dataFields().readResolved(m_requested), places = m_places,
                              extent](const std::stop_token& stop) -> Result<DataProfile> {
        return profileData(config, places, extent, {}, stop);
    });
}

void DataPreview::takeFinished() {
    const auto job = m_jobs.takeFinished();
    if (job == nullptr || job != m_current) {
        return; // taken by an earlier call, or stale
    }
    m_current.reset();
    if (job->result()) {
        m_profile = std::move(*job->result());
    } else {
        m_profile = {};
        m_profile.fault = job->result().error();
    }
    if (m_profile.fault) {
        m_error = *m_profile.fault;
        const QString text =
            QString::fromStdString(m_error.faults.empty() ? m_error.message : m_error.faults.front().text());
        if (m_state != State::Failed || text != m_summary) {
            setState(State::Failed, text);
        }
        if (!m_profile.isWhole) {
            start(ProfileExtent::Whole); // there may be more to mend
        }
    } else if (m_profile.isWhole) {
        setState(State::Ready, describe(factsOf(*m_profile.dataset)));
    } else {
        start(ProfileExtent::Whole);
        setState(State::Loading, tr("Reading … %1").arg(QString::fromStdString(profileSentence(m_profile))));
    }
}

void DataPreview::setState(State state, const QString& summary) {
    m_state = state;
    m_summary = summary;
    Q_EMIT changed();
}

} // namespace lambdascope
