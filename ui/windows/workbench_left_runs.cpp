// SPDX-License-Identifier: GPL-3.0-or-later
// What the workbench does with runs that were left before they ended.
#include "core/families.h"
#include "core/record/run_record.h"
#include "core/store/run_folder.h"
#include "core/store/run_library.h"
#include "ui/windows/workbench.h"

#include <algorithm>
#include <iterator>

namespace lambdascope {

namespace {

const QString goOnSource = QStringLiteral("run");
const QString leftSource = QStringLiteral("left");
constexpr int kLeftLooked = 20; ///< experiments among which a left one is looked for

} // namespace

void Workbench::goOn(const LeftRun& left) {
    const auto library = m_controller.library();
    Result<Json> document = Json();
    DataPlaces places = m_document.places();
    if (!left.folder.empty()) {
        auto summary = readRunSummary(left.folder);
        document = summary ? Result<Json>(summary->value("experiment", Json())) : Failure{summary.error()};
        places.folders.insert(places.folders.begin(), left.folder);
    } else if (library != nullptr) {
        document = library->experimentDocument(LibraryExperimentId{left.experiment});
    }
    if (!document) {
        report(document.error(), goOnSource);
        return;
    }
    const auto experiment = validateExperiment(*document, m_catalog);
    if (!experiment) {
        report(experiment.error(), goOnSource);
        return;
    }
    Q_EMIT noticeSettled(leftSource);
    retireLeft(left);
    if (!m_document.isModified()) {
        m_document.load(*document);
    }
    m_controller.start({*experiment, std::move(places), {}, std::nullopt, left});
}

void Workbench::retireLeft(const LeftRun& left) {
    const auto library = m_controller.library();
    std::vector<RunId> shown;
    if (!left.folder.empty()) {
        std::copy_if(m_runs.ids().begin(), m_runs.ids().end(), std::back_inserter(shown),
                     [&](RunId id) { return m_runs.display(id).folder == left.folder; });
    } else if (library != nullptr) {
        const auto kept = library->experiment(LibraryExperimentId{left.experiment});
        for (const RunId id : m_runs.ids()) {
            const auto place = library->keptRun(id);
            if (kept && place && std::any_of(kept->runs.begin(), kept->runs.end(), [&](const LibraryRun& run) {
                    return run.id == *place;
                })) {
                shown.push_back(id);
                library->forget(id); // or else removing it here would remove it there
            }
        }
    }
    if (!shown.empty()) {
        m_runs.remove(shown);
    }
}

std::optional<LeftRun> Workbench::leftRunOf(RunId lane) const {
    const RunRecord* record = m_runs.record(lane);
    const bool isLeft = record != nullptr && (record->state() == RunRecord::State::Interrupted ||
                                              record->termination() == Termination::StoppedByUser);
    if (!isLeft) {
        return std::nullopt;
    }
    if (const auto& folder = m_runs.display(lane).folder; !folder.empty()) {
        return LeftRun{0, folder};
    }
    const auto library = m_controller.library();
    const auto place = library ? library->keptRun(lane) : std::nullopt;
    const auto experiments = place ? library->experiments() : Result(std::vector<LibraryExperiment>());
    for (const LibraryExperiment& experiment : experiments ? *experiments : std::vector<LibraryExperiment>()) {
        if (std::any_of(experiment.runs.begin(), experiment.runs.end(),
                        [&](const LibraryRun& run) { return run.id == *place; })) {
            return LeftRun{experiment.id.value, {}};
        }
    }
    return std::nullopt;
}

std::optional<LeftRun> Workbench::leftRunOf(const std::vector<RunId>& lanes,
                                            const std::optional<LibraryExperiment>& kept) const {
    if (kept) {
        return isLeft(*kept) ? std::optional(LeftRun{kept->id.value, {}}) : std::nullopt;
    }
    for (const RunId lane : lanes) {
        if (auto left = leftRunOf(lane)) {
            return left;
        }
    }
    return std::nullopt;
}

void Workbench::goOnWith(std::optional<RunId> lane) {
    if (const auto known = lane ? leftRunOf(*lane) : std::nullopt) {
        goOn(*known);
        return;
    }
    const auto left = leftRuns(m_controller.library().get(), kLeftLooked);
    if (!left) {
        report(left.error(), goOnSource);
    } else if (left->empty()) {
        Q_EMIT noticed(
            {Severity::Information, tr("No run waits to go on: all of the newest ones have ended."), {}, leftSource});
    } else {
        goOn({left->front().experiment, {}});
    }
}

void Workbench::offerLeftRun() {
    const auto left = leftRuns(m_controller.library().get(), 1);
    if (left && !left->empty() && !left->front().wasStopped) {
        Q_EMIT noticed({Severity::Information,
                        left->front().text,
                        tr("Its finished points are kept."),
                        leftSource,
                        {tr("Go on"), tr("Show")}});
    }
}

void Workbench::takeAction(const QString& source, int action) {
    if (takeCertificateAction(source) || takeFigureAction(source) || source != leftSource) {
        return;
    }
    const auto left = leftRuns(m_controller.library().get(), kLeftLooked);
    if (!left || left->empty()) {
        return;
    }
    if (action == 0) {
        goOn({left->front().experiment, {}});
    } else {
        openLibraryExperiment(left->front().experiment);
    }
}

} // namespace lambdascope
