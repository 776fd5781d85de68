// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/runs/kept_runs.h"

#include "ui/session/runs/run_collection.h"

#include <utility>

namespace lambdascope {

namespace {

constexpr int kRestBeforeReading = 250; // ms

} // namespace

KeptRuns::KeptRuns(RunCollection& runs, std::shared_ptr<RunLibrary> library, QObject* parent)
    : QObject(parent), m_runs(runs), m_library(std::move(library)) {
    m_rest.setSingleShot(true);
    m_rest.setInterval(kRestBeforeReading);
    connect(&m_rest, &QTimer::timeout, this, &KeptRuns::read);
    connect(&runs, &RunCollection::runsAdded, this, &KeptRuns::refreshSoon);
    connect(&runs, &RunCollection::runsRemoved, this, &KeptRuns::refreshSoon);
    refreshSoon();
}

void KeptRuns::refreshSoon() {
    if (m_library != nullptr && !m_rest.isActive()) {
        m_rest.start();
    }
}

void KeptRuns::read() {
    std::map<LibraryRunId, RunId> shown;
    for (const RunId id : m_runs.ids()) {
        if (const auto kept = m_library->keptRun(id)) {
            shown[*kept] = id;
        }
    }
    m_jobs.start([library = m_library, shown = std::move(shown)](const std::stop_token&) -> Result<Lists> {
        auto experiments = library->experiments();
        if (!experiments) {
            return Failure{std::move(experiments).error()};
        }
        Lists lists;
        for (LibraryExperiment& experiment : *experiments) {
            bool isOfSession = false;
            for (const LibraryRun& run : experiment.runs) {
                if (const auto found = shown.find(run.id); found != shown.end()) {
                    lists.ofSession[found->second] = experiment;
                    isOfSession = true;
                }
            }
            if (!isOfSession) {
                lists.kept.push_back(std::move(experiment));
            }
        }
        return lists;
    });
}

void KeptRuns::takeFinished() {
    const auto job = m_jobs.takeFinished();
    if (job == nullptr) {
        return;
    }
    // What cannot be read is told where somebody opens it.
    m_lists = job->result() ? std::move(*job->result()) : Lists();
    Q_EMIT changed();
}

} // namespace lambdascope
