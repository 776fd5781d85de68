// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/config/field_table.h"
#include "core/data/data_config.h"
#include "core/metric/problem/metric_config.h"

#include <memory>
#include <vector>

namespace lambdascope {
class PreparedProblem;
struct PreparationInput;
} // namespace lambdascope

namespace lambdascope::metric {

const FieldTable<ProblemConfig>& problemFields();
const FieldTable<SolverConfig>& solverFields();
const FieldTable<PathConfig>& pathFields();
const FieldTable<LaneConfig>& laneFields();

/// Rules between fields.
void crossCheck(const MetricConfig& config, const DataConfig& data, std::vector<Fault>& faults);

/// Checks the data against the problem and prepares; see Family::prepare.
Result<std::shared_ptr<const PreparedProblem>> prepare(const std::shared_ptr<const MetricConfig>& config,
                                                       const PreparationInput& input);

} // namespace lambdascope::metric
