// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/field_table.h"
#include "core/run/family.h"
#include "core/svm/problem/svm_config.h"

#include <memory>
#include <vector>

namespace lambdascope::svm {

const FieldTable<ProblemConfig>& problemFields();
const FieldTable<SolverConfig>& solverFields();
const FieldTable<PathConfig>& pathFields();
const FieldTable<LaneConfig>& laneFields();

/// Rules between fields of problem, path and data, and what lanes may have there.
void checkFields(const SvmConfig& config, const DataConfig& data, std::vector<Fault>& faults);
/// All rules between fields: those and that oracles are lanes that know.
void crossCheck(const SvmConfig& config, const DataConfig& data, std::vector<Fault>& faults);

/// Checks the data against the problem and prepares a PreparedSvm; see Family::prepare.
Result<std::shared_ptr<const PreparedProblem>> prepare(const std::shared_ptr<const SvmConfig>& config,
                                                       const PreparationInput& input);

} // namespace lambdascope::svm
