// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/honest_run.h"

#include "core/common/number_text.h"
#include "core/common/random_stream.h"
#include "core/families.h"
#include "core/inspect/decision_auditor.h"
#include "core/inspect/path_replay.h"

#include <chrono>
#include <cmath>
#include <map>
#include <thread>

namespace lambdascope::testing_support {

namespace {

/// Keeps a record of each lane.
class RecordsSink final : public EventSink {
  public:
    explicit RecordsSink(bool isSlow) : m_naps(isSlow ? 6 : 0) {}

    void publish(const RunEvent& event) noexcept override {
        m_records[event.run].apply(event);
        if (m_naps > 0 && std::holds_alternative<Iterated>(event.body)) {
            --m_naps;
            std::this_thread::sleep_for(std::chrono::milliseconds(21)); // displays are offered an event every 20 ms
        }
    }
    [[nodiscard]] const RunRecord& of(RunId run) { return m_records[run]; }

  private:
    std::map<RunId, RunRecord> m_records;
    int m_naps;
};

ExperimentOptions optionsFor(RunWishes wishes) {
    ExperimentOptions options;
    options.wishes = wishes;
    options.places.bundled = LAMBDASCOPE_TEST_SOURCE_DIR "/resources/datasets";
    return options;
}

/// Decisions of a lane that was walked before are made again, point by point.
void lookAgain(RunLens& lens, LaneCheck& check) {
    const std::vector<RecomputedPoint> before = lens.path();
    const auto again = askLens(lens, &DecisionAuditor::audit, 0, RunLens::Progress(), std::stop_token());
    if (!again) {
        check.surprises.push_back("a second audit fails: " + again.error().describe());
        return;
    }
    const AuditReport& first = check.audit.report;
    if (again->decisions != first.decisions || again->wrong != first.wrong || again->undecided != first.undecided ||
        again->smallestSlack != first.smallestSlack || again->closestItem != first.closestItem) {
        check.surprises.push_back("a second audit sees " + auditText(*again) + "; the first saw " + auditText(first));
    }
}

/// Decisions with λ ranges and the trials of embeddings depend on all points before. The solver of an SVM keeps its
/// factor of the free samples from point to point, so that the last digits of a point depend on the way there.
bool replaysFromWarmStarts(const Experiment& experiment, std::size_t lane) {
    if (experiment.family != "metric") {
        return experiment.family == "pu";
    }
    const Json& settings = experiment.document["lanes"][lane];
    const Json& solver = settings.contains("solver") ? settings["solver"] : experiment.document["solver"];
    const bool isOnPairs = solver.value("engine", "pairs") == "pairs"; // which carries decisions from λ to λ
    return !settings.value("range", false) && (!isOnPairs || settings["bounds"].empty());
}

/// Solves points of the lane again in any order, each from the warm start it had in the run.
void replayPoints(const PreparedProblem& problem, std::size_t lane, std::uint64_t seed, LaneCheck& check) {
    PathReplay replay([&] { return problem.makeTask(lane); }, seed);
    if (!replay.walk(0, {}, {}, {}, {})) {
        check.surprises.emplace_back("cannot be walked");
        return;
    }
    const std::vector<ColumnDescription>& columns = replay.description().columns;
    RandomStream random(seed, "replay");
    for (const std::size_t point : random.permutation(replay.path().size())) {
        const auto again = replay.replay(static_cast<std::int32_t>(point), {}, {}, {});
        const std::vector<double>& before = replay.path()[point].values;
        for (std::size_t c = 0; c < columns.size() && again; ++c) {
            const double value = again->values[c];
            const bool isCost = columns[c].unit == "s" || columns[c].unit == "B";
            if (!isCost && value != before[c] && !std::isnan(value)) {
                check.surprises.push_back("replayed: " + columns[c].key + " at point " + std::to_string(point) +
                                          " was " + exactText(before[c]) + ", becomes " + exactText(value));
                return;
            }
        }
    }
}

Result<LaneCheck> verifyLane(RunLens& lens, const std::string& lane, const RunRecord& record) {
    LaneCheck check;
    auto audit = auditLane(lens, lane, storedPath(record), {}, {});
    check.isAudited = static_cast<bool>(audit);
    if (audit) {
        check.audit = std::move(*audit);
        lookAgain(lens, check);
        return check;
    }
    if (audit.error().code != ErrorCode::BadUsage) {
        return Failure{audit.error()};
    }
    if (auto opened = lens.open(0, {}, {}); !opened) {
        return Failure{opened.error()};
    }
    check.audit.lane = lane;
    check.audit.path = comparePath(storedPath(record), lens.lane().columns, lens.path());
    return check;
}

} // namespace

Onlooker randomOnlooker(std::uint64_t seed) {
    RandomStream random(seed, "onlooker");
    return {random.uniform() < 0.5, random.uniform() < 0.1, 1 + static_cast<int>(random.below(3))};
}

HonestRun runAndVerify(const Validated<Experiment>& experiment, const Onlooker& onlooker) {
    HonestRun run;
    const Family& family = *findFamily(experiment->family);
    RunWishes wishes;
    wishes.embeddings = wishes.solutions = wishes.ranges = wishes.measures = onlooker.wishesForAll;
    wishes.threads = onlooker.threads;
    ExperimentRunner runner(experiment, family, optionsFor(wishes));
    run.document = runner.resolvedDocument().dump(1);
    if (const auto ready = runner.prepare(); !ready) {
        run.refusal = ready.error().describe();
        return run;
    }
    RecordsSink sink(onlooker.isSlow);
    const auto outcome = runner.run(sink);
    if (!outcome) {
        run.failures.push_back("does not run: " + outcome.error().describe());
        return run;
    }

    const auto read = readExperiment(run.document, "run.json", builtInCatalog());
    if (!read) {
        run.failures.push_back("its own document is refused: " + read.error().describe());
        return run;
    }
    const auto prepared = std::make_shared<ExperimentRunner>(*read, family, optionsFor({}));
    ExperimentRunner& again = *prepared;
    if (const auto ready = again.prepare(); !ready) {
        run.failures.push_back("cannot be prepared again: " + ready.error().describe());
        return run;
    }
    const auto problem = family.prepare(again.experiment(), again.sharedDataset(), {}, {}, {});
    for (std::size_t i = 0; i < runner.laneNames().size(); ++i) {
        const RunRecord& record = sink.of(runner.runIds()[i]);
        const LaneOutcome& ended = outcome->lanes[i];
        if (ended.error && ended.finishedPoints == 0 && !ended.error->faults.empty()) {
            ++run.unverifiable; // no point of the lane suits data and limits, and it says what to change
            continue;
        }
        if (record.state() != RunRecord::State::Finished) {
            run.failures.push_back(runner.laneNames()[i] + ": " + record.failure());
            continue;
        }
        const auto lens = again.makeLens(i);
        if (lens == nullptr) {
            ++run.unverifiable;
        } else if (auto check = verifyLane(*lens, runner.laneNames()[i], record)) {
            if (replaysFromWarmStarts(again.experiment(), i)) {
                replayPoints(**problem, i, again.experiment().run.seed, *check);
            }
            check->path = storedPath(record);
            run.lanes.push_back(std::move(*check));
        } else {
            run.failures.push_back(runner.laneNames()[i] + " cannot be verified: " + check.error().describe());
        }
    }
    run.prepared = prepared;
    return run;
}

} // namespace lambdascope::testing_support
