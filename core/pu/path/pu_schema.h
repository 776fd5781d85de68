// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/config/field_table.h"
#include "core/data/data_config.h"
#include "core/pu/problem/pu_config.h"

#include <memory>
#include <vector>

namespace lambdascope {
class PreparedProblem;
struct PreparationInput;
} // namespace lambdascope

namespace lambdascope::pu {

const FieldTable<ProblemConfig>& problemFields();
const FieldTable<SolverConfig>& solverFields();
const FieldTable<PathConfig>& pathFields();
const FieldTable<LaneConfig>& laneFields();

/// Rules between fields.
void crossCheck(const PuConfig& config, const DataConfig& data, std::vector<Fault>& faults);

/// Checks the data against the problem and prepares; see Family::prepare.
Result<std::shared_ptr<const PreparedProblem>> prepare(const std::shared_ptr<const PuConfig>& config,
                                                       const PreparationInput& input);

} // namespace lambdascope::pu
