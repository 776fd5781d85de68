// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/lane_measures.h"

#include "core/common/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string_view>

namespace lambdascope {

void RecordKeeper::publish(const RunEvent& event) noexcept {
    try {
        auto found = std::find_if(m_records.begin(), m_records.end(),
                                  [&](const RunRecord& record) { return record.id() == event.run; });
        if (found == m_records.end()) {
            m_records.emplace_back(event.run);
            found = std::prev(m_records.end());
        }
        if (const auto* point = std::get_if<PointFinished>(&event.body)) {
            PointFinished slim = *point;
            slim.embedding.reset();
            slim.solution.reset();
            found->apply({event.run, event.sequence, std::move(slim)});
        } else {
            found->apply(event);
        }
    } catch (...) {
        // Out of memory: the table will lack rows; files and library have them.
        return;
    }
}

/// Measures on the unlabeled rows that a solution was made with, which papers on learning from them report.
constexpr std::array<std::string_view, 4> kOfUnlabeled = {"f_measure", "precision", "recall", "auc"};

std::optional<double> meanOf(const std::vector<double>& values) {
    if (values.empty()) {
        return std::nullopt;
    }
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::string endingText(const RunRecord& lane) {
    if (lane.state() == RunRecord::State::Failed) {
        return "failed";
    }
    return lane.termination() ? std::string(terminationName(*lane.termination()))
                              : std::string(recordStateName(lane.state()));
}

std::optional<std::string> troubleOf(const RunRecord& lane) {
    const auto points = static_cast<std::int64_t>(lane.finishedPointCount());
    const std::string count = groupedText(points) + (points == 1 ? " point" : " points");
    if (lane.termination() == Termination::NumericalTrouble) {
        return "ended by numerical trouble after " + count;
    }
    const std::vector<double> objective = columnByRole(lane, ColumnRole::Objective);
    const bool hasNone = !objective.empty() && std::none_of(objective.begin(), objective.end(),
                                                            [](double value) { return std::isfinite(value); });
    return hasNone ? std::optional("the objective is no number at any of " + count) : std::nullopt;
}

std::optional<double> LaneResult::value(const std::string& key) const {
    const auto found =
        std::find_if(measures.begin(), measures.end(), [&](const LaneMeasure& measure) { return measure.key == key; });
    return found == measures.end() ? std::nullopt : std::optional(found->value);
}

LaneResult laneResult(const RunRecord& lane, const RunRecord* baseline) {
    LaneResult result;
    result.lane = lane.start().laneName;
    result.ended = endingText(lane);
    result.failure = lane.failure();
    result.points = static_cast<std::int64_t>(lane.finishedPointCount());
    const auto add = [&result](const std::string& key, std::optional<double> value) {
        if (value && std::isfinite(*value)) {
            result.measures.push_back({key, *value});
        }
    };
    const auto last = [&lane](std::size_t column) -> std::optional<double> {
        const std::size_t count = lane.finishedPointCount();
        return count > 0 ? std::optional(lane.points()[count - 1].values.at(column)) : std::nullopt;
    };
    add("points", static_cast<double>(result.points));
    add("cpu", lane.cpuSolve() + lane.cpuScreen());
    add("cpu_solve", lane.cpuSolve());
    add("cpu_screen", lane.cpuScreen());
    add("cpu_ratio", baseline != nullptr ? totalCpuRatio(lane, *baseline) : std::nullopt);
    add("wall", lane.wall());
    add("path_rate", meanOf(columnByRole(lane, ColumnRole::PathRate)));
    add("final_rate", meanOf(columnByRole(lane, ColumnRole::FinalRate)));
    add("after_rate", meanOf(columnByRole(lane, ColumnRole::AfterRate)));
    if (const std::vector<double> iterations = columnByRole(lane, ColumnRole::Iterations); !iterations.empty()) {
        add("iterations", std::accumulate(iterations.begin(), iterations.end(), 0.0));
    }
    if (const auto column = lane.columnWithRole(ColumnRole::Objective)) {
        add("objective", last(*column));
    }
    const std::vector<ColumnDescription>& columns = lane.start().columns;
    for (std::size_t k = 0; k < columns.size(); ++k) {
        const bool isOfUnlabeled =
            std::find(kOfUnlabeled.begin(), kOfUnlabeled.end(), columns[k].key) != kOfUnlabeled.end();
        if (isMeasure(columns[k].role) || isOfUnlabeled) {
            add(columns[k].key, last(k));
        }
    }
    return result;
}

std::vector<LaneResult> laneResults(const std::vector<RunRecord>& lanes) {
    const std::vector<const RunRecord*> pointers = pointersTo(lanes);
    std::vector<LaneResult> results;
    for (const RunRecord& lane : lanes) {
        results.push_back(laneResult(lane, baselineOf(lane, pointers)));
    }
    return results;
}

bool isTimeMeasure(const std::string& key) {
    static constexpr std::array<std::string_view, 5> kTimes = {"cpu", "cpu_solve", "cpu_screen", "cpu_ratio", "wall"};
    return std::find(kTimes.begin(), kTimes.end(), key) != kTimes.end();
}

} // namespace lambdascope
