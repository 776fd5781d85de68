// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/inspect/inspection_cache.h"

#include "core/inspect/decision_recorder.h"
#include "core/store/lane_audit.h"

#include <algorithm>

namespace lambdascope {

namespace {

/// Lenses kept open; each may hold hundreds of megabytes on large problems.
constexpr std::size_t kOpenLenses = 3;

Failure notReproduced(const std::string& message, const std::string& remedy) {
    return Failure{singleFault(ErrorCode::InvalidData, {{}, message, remedy, {}})};
}

Result<void> checkData(const RunRecord& record, const DatasetFacts& data) {
    const Json& facts = record.start().facts;
    const std::string stored = facts.isObject() ? facts.value("content_sha256", std::string()) : std::string();
    if (stored.empty() || stored == data.contentSha256) {
        return {};
    }
    return notReproduced("the data have changed since this run", "Restore the data file, or run the experiment again.");
}

/// Has the lane computed where its run has stored points.
Result<void> placeAt(RunLens& lens, const StoredPath& stored) {
    const auto axis = storedAxis(stored, lens.lane());
    return axis ? lens.computeAt(*axis) : Failure{axis.error()};
}

/// Compares the path as computed again with what is stored.
Result<void> checkPath(const RunLens& lens, const StoredPath& stored) {
    const PathCheck check = comparePath(stored, lens.lane().columns, lens.path());
    return check.wrong == 0
               ? Result<void>()
               : notReproduced("computed again, this run comes out differently: " + check.wrongExamples.front(),
                               "It was made by another version; run the experiment again.");
}

} // namespace

Result<DecisionHistory> recordedDecisions(RunLens& lens, const RunRecord& record, const RunLens::Progress& progress,
                                          const std::stop_token& stop) {
    const StoredPath stored = storedPath(record);
    if (auto placed = placeAt(lens, stored); !placed) {
        return Failure{placed.error()};
    }
    auto history = askLens(lens, &DecisionRecorder::decisions, progress, stop);
    if (history && history->points() > 0) {
        if (auto checked = checkPath(lens, stored); !checked) {
            return Failure{checked.error()};
        }
    }
    return history;
}

Result<std::unique_ptr<ExperimentRunner>> prepareAgain(const LensLane& lane, const std::stop_token& stop) {
    const RunRecord& record = *lane.record;
    auto experiment = validateExperiment(record.start().experiment, *lane.catalog);
    if (!experiment) {
        return Failure{experiment.error()};
    }
    ExperimentOptions options;
    options.places = lane.places;
    auto runner = std::make_unique<ExperimentRunner>(std::move(*experiment), *lane.family, std::move(options));
    if (auto prepared = runner->prepare({}, stop); !prepared) {
        return Failure{prepared.error()};
    }
    if (auto checked = checkData(record, factsOf(runner->dataset())); !checked) {
        return Failure{checked.error()};
    }
    return runner;
}

Result<void> InspectionCache::prepare(const LensLane& lane, const std::stop_token& stop) {
    const std::string key = lane.record->start().experiment.dump();
    if (m_runner != nullptr && m_experiment == key) {
        return {};
    }
    m_lenses.clear();
    m_runner.reset();
    auto runner = prepareAgain(lane, stop);
    if (!runner) {
        return Failure{runner.error()};
    }
    m_runner = std::move(*runner);
    m_experiment = key;
    return {};
}

Result<void> InspectionCache::bringToFront(const std::string& lane) {
    const auto known =
        std::find_if(m_lenses.begin(), m_lenses.end(), [&](const Open& open) { return open.lane == lane; });
    if (known != m_lenses.end()) {
        std::rotate(m_lenses.begin(), known, std::next(known));
        return {};
    }
    const std::vector<std::string>& names = m_runner->laneNames();
    const auto at = std::find(names.begin(), names.end(), lane);
    auto lens = at == names.end() ? nullptr : m_runner->makeLens(static_cast<std::size_t>(at - names.begin()));
    if (lens == nullptr) {
        const std::string obstacle = m_runner->lensObstacle();
        return notReproduced(obstacle.empty() ? "the experiment has no lane " + lane : obstacle, "Choose another run.");
    }
    m_lenses.push_front({lane, std::move(lens), false});
    if (m_lenses.size() > kOpenLenses) {
        m_lenses.pop_back();
    }
    return {};
}

Result<RunLens*> InspectionCache::lensFor(const LensLane& lane, bool isToBeOpen, const RunLens::Progress& progress,
                                          const std::stop_token& stop) {
    const RunRecord& record = *lane.record;
    if (auto prepared = prepare(lane, stop); !prepared) {
        return Failure{prepared.error()};
    }
    if (auto found = bringToFront(record.start().laneName); !found) {
        return Failure{found.error()};
    }
    Open& open = m_lenses.front();
    if (isToBeOpen && !open.isOpen) {
        const StoredPath stored = storedPath(record);
        if (auto placed = placeAt(*open.lens, stored); !placed) {
            return Failure{placed.error()};
        }
        if (auto opened = open.lens->open(0, progress, stop); !opened) {
            return Failure{opened.error()};
        }
        if (auto checked = checkPath(*open.lens, stored); !checked) {
            return Failure{checked.error()};
        }
        open.isOpen = true;
    }
    return open.lens.get();
}

} // namespace lambdascope
