// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/config/field_table.h"
#include "core/data/data_config.h"
#include "core/ordinal/problem/ordinal_config.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lambdascope {
class PreparedProblem;
struct PreparationInput;
} // namespace lambdascope

namespace lambdascope::ordinal {

const FieldTable<ProblemConfig>& problemFields();
const FieldTable<SolverConfig>& solverFields();
const FieldTable<PathConfig>& pathFields();
const FieldTable<LaneConfig>& laneFields();

/// Rules between fields.
void crossCheck(const OrdinalConfig& config, const DataConfig& data, std::vector<Fault>& faults);

/// What a lane asks for that a Gram matrix of a fixed rank cannot give; `key` is the lane's, with a dot.
[[nodiscard]] std::optional<Fault> screeningAtRank(const LaneConfig& lane, const std::string& key);

/// Checks data and comparisons against the problem and prepares; see Family::prepare.
Result<std::shared_ptr<const PreparedProblem>> prepare(const std::shared_ptr<const OrdinalConfig>& config,
                                                       const PreparationInput& input);

} // namespace lambdascope::ordinal
