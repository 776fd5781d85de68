// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/runs/kept_runs.h"

#include "ui/session/runs/run_collection.h"

#include <algorithm>
#include <set>

namespace lambdascope {

namespace {

constexpr int restBeforeReading = 250; // ms

} // namespace

KeptRuns::KeptRuns(RunCollection& runs, std::shared_ptr<RunLibrary> library, QObject* parent)
    : QObject(parent), m_runs(runs), m_library(std::move(library)) {
    m_rest.setSingleShot(true);
    m_rest.setInterval(restBeforeReading);
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
    std::set<LibraryRunId> shown;
    for (const RunId id : m_runs.ids()) {
        if (const auto kept = m_library->keptRun(id)) {
            shown.insert(*kept);
        }
    }
    m_jobs.start([library = m_library,
                  shown = std::move(shown)](const std::stop_token&) -> Result<std::vector<LibraryExperiment>> {
        auto experiments = library->experiments();
        if (experiments) {
            std::erase_if(*experiments, [&shown](const LibraryExperiment& experiment) {
                return std::any_of(experiment.runs.begin(), experiment.runs.end(),
                                   [&shown](const LibraryRun& run) { return shown.contains(run.id); });
            });
        }
        return experiments;
    });
}

void KeptRuns::takeFinished() {
    const auto job = m_jobs.takeFinished();
    if (job == nullptr) {
        return;
    }
    // What cannot be read is told where somebody opens it.
    m_experiments = job->result() ? std::move(*job->result()) : std::vector<LibraryExperiment>();
    Q_EMIT changed();
}

} // namespace lambdascope
