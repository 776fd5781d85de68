// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/record/run_record.h"
#include "core/run/path_runner.h"

#include <functional>
#include <string>
#include <vector>

namespace lambdascope {

/// A lane as it could have been run, for what is told of records.
struct LaneSpec {
    enum class End { Finished, Running, Stopped, OutOfTime, Interrupted, Failed };

    std::string name;
    bool isBaseline = false;
    int points = 48;
    int planned = 48;
    double cpu = 1;       ///< seconds of solving per point
    double screen = 1e-4; ///< seconds of screening per point; 0: the lane judges nothing
    double arrival = 0;   ///< screening rates
    double solved = 0;
    int notConverged = 0;                              ///< of the points, the first ones
    Termination openEnd = Termination::IterationLimit; ///< of those
    End end = End::Finished;
    std::string noun = "triplets";
    double objective = 1;
    std::vector<double> errors = {};    ///< of the points on held-out rows, on a path over p; empty: no such column
    double stopError = 0;               ///< at which the path, over epochs, was to end
    double measure = 0;                 ///< of held-out rows after each epoch, which the view is on; 0: no such column
    std::vector<double> fMeasures = {}; ///< of the points, which the view is on; empty: no such column
    std::function<double(int)> cpuAt = {}; ///< of a point, in place of `cpu`
    std::string group = {};                ///< of lanes; see LaneRunConfig
    std::string oracle = {};               ///< the lane whose sets it knows
    std::vector<std::string> bounds = {};  ///< that its experiment names
    int repeats = 1;                       ///< how often each point was timed
    double spread = 0;                     ///< of these times, from the median to a quartile, as a share of the median
    bool judgesAfterwards = false;         ///< with the finished solution, all items
    std::string beginsWith = {};           ///< kActiveStartFact
};

inline RunRecord laneRecord(const LaneSpec& spec) {
    RunRecord record(RunIdSource::next());
    std::int64_t sequence = 0;
    const auto apply = [&](RunEventBody body) { record.apply({record.id(), sequence++, std::move(body)}); };
    RunStarted start;
    start.laneName = spec.name;
    start.laneGroup = spec.group;
    start.isBaseline = spec.isBaseline;
    start.itemNoun = spec.noun;
    start.axisLabel = "λ";
    start.facts = Json::object();
    if (!spec.oracle.empty()) {
        start.facts["oracle"] = spec.oracle;
    }
    if (!spec.beginsWith.empty()) {
        start.facts["begins_with"] = spec.beginsWith;
    }
    start.columns = {{"index", "Point", "", ColumnRole::Index, true},
                     {"loss", "Training loss", "", ColumnRole::Objective, false},
                     {"path_rate", "Screening rate (on arrival)", "", ColumnRole::PathRate, false},
                     {"final_rate", "Screening rate (before solved)", "", ColumnRole::FinalRate, false},
                     {"cpu_solve", "CPU time, solving", "s", ColumnRole::CpuSolve, false},
                     {"cpu_screen", "CPU time, screening", "s", ColumnRole::CpuScreen, false}};
    if (!spec.errors.empty()) {
        start.axisLabel = "p";
        start.columns.push_back({"error", "Error on held-out comparisons", "", ColumnRole::HeldOutError, false});
    }
    start.experiment = {{"run", {{"timing_repeats", spec.repeats}}},
                        {"lanes", {{{"name", spec.name}, {"bounds", spec.bounds}}}}};
    if (spec.stopError > 0) {
        start.axisKey = start.axisLabel = "epoch";
        start.experiment["path"] = {{"stop_error", spec.stopError}};
    }
    if (spec.measure > 0) {
        start.axisKey = "epoch";
        start.columns.push_back({"map", "MAP of held-out rows", "", ColumnRole::HeldOutMeasure, false});
        start.experiment["view"] = "quality/map";
    }
    if (!spec.fMeasures.empty()) {
        start.columns.push_back({"f_measure", "F-measure (unlabeled)", "", ColumnRole::Other, false});
        start.experiment["view"] = "quality/f_measure";
    }
    if (spec.judgesAfterwards) {
        start.columns.push_back({"after_rate", "Share known (afterwards)", "", ColumnRole::AfterRate, false});
    }
    for (const char* key : {"cpu_solve_q1", "cpu_solve_q3", "cpu_screen_q1", "cpu_screen_q3"}) {
        if (spec.repeats > 1) {
            start.columns.push_back({key, "", "s", ColumnRole::Other, false});
        }
    }
    apply(start);
    for (int i = 0; i < spec.points; ++i) {
        apply(PointStarted{i, 100.0 / (i + 1), spec.planned});
        if (spec.screen > 0) {
            apply(Screened{.pointIndex = i, .total = 1000, .cpu = spec.screen});
        }
        PointFinished point;
        point.index = i;
        point.axisValue = spec.errors.empty() ? 100.0 / (i + 1) : i + 1;
        point.termination = i < spec.notConverged ? spec.openEnd : Termination::Converged;
        point.decidableItems = 1000;
        const double cpu = spec.cpuAt ? spec.cpuAt(i) : spec.cpu;
        point.values = {double(i), spec.objective, spec.arrival, spec.solved, cpu, spec.screen};
        if (spec.judgesAfterwards) {
            point.values.push_back(1);
        }
        for (const double time : {cpu, spec.screen}) {
            for (const double share : {1 - spec.spread, 1 + spec.spread}) {
                if (spec.repeats > 1) {
                    point.values.push_back(share * time);
                }
            }
        }
        if (spec.measure > 0) {
            point.values.push_back(spec.measure);
        }
        if (!spec.fMeasures.empty()) {
            point.values.push_back(spec.fMeasures[static_cast<std::size_t>(i)]);
        }
        if (!spec.errors.empty()) {
            point.values.push_back(spec.errors[static_cast<std::size_t>(i)]);
        }
        apply(point);
    }
    switch (spec.end) {
    case LaneSpec::End::Running: apply(PointStarted{spec.points, 1, spec.planned}); break;
    case LaneSpec::End::Interrupted:
        apply(PointStarted{spec.points, 1, spec.planned});
        record.markInterrupted();
        break;
    case LaneSpec::End::Failed: apply(RunFailed{"it broke\nin a second line"}); break;
    default:
        const Termination how = spec.end == LaneSpec::End::Stopped     ? Termination::StoppedByUser
                                : spec.end == LaneSpec::End::OutOfTime ? Termination::TimeLimit
                                                                       : Termination::PathEnded;
        apply(RunFinished{how, spec.points, record.cpuSolve(), record.cpuScreen(), 0});
    }
    return record;
}

} // namespace lambdascope
