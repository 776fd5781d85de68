// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/record/run_record.h"

#include <optional>
#include <string>
#include <vector>

namespace lambdascope {

/// One value per finished point: the sum of all columns with this role (PathFixed and FinalFixed may have several).
/// Empty when no column has it.
[[nodiscard]] std::vector<double> columnByRole(const RunRecord& record, ColumnRole role);

/// One value per finished point of the column at `column` of start().columns.
[[nodiscard]] std::vector<double> columnValues(const RunRecord& record, std::size_t column);

/// One value of a path shared by two runs.
struct AxisValue {
    std::int32_t index = 0;
    double axisValue = 0;
    double value = 0;
};

/// Per path index that both have finished: (cpuSolve + cpuScreen of `record`) / (the same of `baseline`). Points where
/// the baseline used no measurable time are left out.
[[nodiscard]] std::vector<AxisValue> cpuRatio(const RunRecord& record, const RunRecord& baseline);

/// Total CPU of `record` over that of `baseline`, both summed over the path indices that both have finished; nothing
/// when there is no such index or no time was measured.
[[nodiscard]] std::optional<double> totalCpuRatio(const RunRecord& record, const RunRecord& baseline);

/// CPU seconds of one kind of work, one value per finished point.
struct CpuPart {
    std::string key;   ///< of its column
    std::string label; ///< for people
    std::vector<double> seconds;
};
/// What the CPU time of a run went to: its columns of role CpuPart, or solving and screening when it has none. Parts
/// add up to the CPU time of the point.
[[nodiscard]] std::vector<CpuPart> cpuLedger(const RunRecord& record);

/// Per path index that both have finished: CPU of `record` over that of `baseline`, both summed from the first one on.
[[nodiscard]] std::vector<AxisValue> cumulativeCpuRatio(const RunRecord& record, const RunRecord& baseline);

/// The first point from which on `record` has used no more CPU than `baseline` up to each later point: where screening
/// has earned back what it costs. `value` is the cumulative ratio there; nothing when it has not (yet).
[[nodiscard]] std::optional<AxisValue> breakEven(const RunRecord& record, const RunRecord& baseline);

/// Items left to the solver per finished point: ItemsTotal − Σ PathFixed after path screening, and
/// ItemsTotal − Σ FinalFixed after the last one.
struct ActiveCounts {
    std::vector<double> afterPathScreening;
    std::vector<double> afterLastScreening;
};
/// Empty vectors when the family screens nothing.
[[nodiscard]] ActiveCounts activeCounts(const RunRecord& record);

/// Whether a rule was evaluated before a point was solved.
[[nodiscard]] bool hasChecks(const RunRecord& record);
/// Whether the lane has judged items at least once, if only with a finished solution.
[[nodiscard]] bool screens(const RunRecord& record);

/// The rates of the column with `role` (PathRate or FinalRate) at each finished point, as columnByRole; NaN where no
/// look was made up to that stage and nothing was screened without one. What a look would have screened is not known
/// there, and 0 would speak ill of the bounds.
[[nodiscard]] std::vector<double> ratesWhereLooked(const RunRecord& record, ColumnRole role);

/// The lane whose sets an oracle lane knows (core/run/known_lane.h); empty for all other lanes.
[[nodiscard]] std::string oracleSource(const RunRecord& record);
/// Of `lanes`, those of one experiment, the oracle that knows the sets of `record`: the limit of what screening can
/// save there; null when none does.
[[nodiscard]] const RunRecord* oracleOf(const RunRecord& record, const std::vector<const RunRecord*>& lanes);

/// The lane of the group of `record` whose RunStarted says isBaseline, among lanes of one experiment; null when none
/// does.
[[nodiscard]] const RunRecord* baselineOf(const RunRecord& record, const std::vector<const RunRecord*>& lanes);
[[nodiscard]] std::vector<const RunRecord*> pointersTo(const std::vector<RunRecord>& lanes);

/// The records that a list of events draws, one per run, in order of first appearance.
[[nodiscard]] std::vector<RunRecord> recordsOf(const std::vector<RunEvent>& events);

} // namespace lambdascope
