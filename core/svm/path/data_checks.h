// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/data/dataset.h"
#include "core/kernel/kernel_function.h"
#include "core/numeric/feature_rows.h"
#include "core/svm/problem/svm_config.h"

#include <cstdint>
#include <string>

namespace lambdascope::svm {

/// Number of the positive class. Errors: InvalidData (key problem.positive, or data.labels without labels) when the
/// data do not come down to two classes.
Result<std::int32_t> positiveClass(const Dataset& data, const ProblemConfig& problem);

/// Whether there are classes to tell apart: two or more, and no more than kMostParts pairs or classes. Errors:
/// InvalidData (key data.labels or problem.classes).
Result<void> checkClasses(const Dataset& data, const ProblemConfig& problem);
inline constexpr std::int64_t kMostParts = 5'000;

/// The numbers to fit, one per row: the targets of the data, else labels that are numbers. Errors: InvalidData (key
/// data.target) without any, for targets that are all the same or beyond 1e30.
Result<Eigen::VectorXd> targetsOf(const Dataset& data);

/// Whether values of the kernel on these rows are worth something, see kernelObstacle; of a precomputed one, whether
/// they are far from overflow. Errors: InvalidData (key problem.kernel). O(values).
Result<void> checkKernel(const KernelFunction& kernel, const FeatureRows& features);

/// Whether the memory budget holds at least one kernel row. Errors: InvalidData (key
/// problem.kernel_memory).
Result<void> checkKernelMemory(const Dataset& data, const ProblemConfig& problem);
/// Whether every class has samples of a weight above 0, one weight per row. Errors: InvalidData (key
/// problem.weights).
Result<void> checkWeightOfClasses(const Dataset& data, const Eigen::VectorXd& weights);
/// Whether both classes have samples of a weight above 0, one weight per row. Errors: InvalidData (key
/// problem.weights).
Result<void> checkWeightOfClasses(const Dataset& data, std::int32_t positive, const Eigen::VectorXd& weights);
/// Whether there are no more folds than rows of the smaller class (`fewest`, called `what`). Errors: InvalidData (key
/// problem.folds).
Result<void> checkFolds(std::int64_t fewest, const std::string& what, const ProblemConfig& problem);
/// Rows of the smaller of both classes.
[[nodiscard]] std::int64_t rowsOfSmallerClass(const Dataset& data, std::int32_t positive);

} // namespace lambdascope::svm
