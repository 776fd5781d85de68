// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/svm/path/path_plan.h"
#include "core/svm/path/prepared_svm.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace lambdascope::svm {

// The steps of a preparation, in their order, for those who need them one by one.

/// Checks the kernel, reads weights of samples, and makes what all lanes share of `parts.data`: features with a bias,
/// and the rows of a kernel. Errors: InvalidData, Stopped.
Result<void> takeRows(const SvmConfig& config, const PreparationInput& input, StopCheck& stopCheck,
                      PreparedParts& parts);
/// The rows that a problem is of: those with a bias where there are any.
[[nodiscard]] FeatureRows featuresOf(const PreparedParts& parts);
/// The value of the constant feature is appended to all rows.
void addBias(const Dataset& data, double bias, PreparedParts& parts);
/// Classes as ±1 and factors of C, or both sides of the tube; `positive` is the number of a class. Of no use when
/// stopped.
[[nodiscard]] std::unique_ptr<SvmProblem> makeProblem(const ProblemConfig& config, std::int32_t positive,
                                                      const PreparedParts& parts, StopCheck& stopCheck);
/// C_min of `parts.problem`, which may be infinite, with its solution. Errors: Stopped.
Result<void> findStart(const SvmConfig& config, const PreparationInput& input, StopCheck& stopCheck,
                       PreparedParts& parts);
/// Why w = 0 is optimal at every C, where C_min is infinite.
[[nodiscard]] Failure noPath(const SvmProblem& problem, const ProblemConfig& config);
/// The values of C, from C_min on. Errors: Stopped, and InvalidData as checkShares() has them.
Result<std::vector<double>> planPath(const SvmConfig& config, const PreparationInput& input,
                                     std::span<const PathProblem> problems, double cMin);
[[nodiscard]] Failure stoppedPreparing();

} // namespace lambdascope::svm
