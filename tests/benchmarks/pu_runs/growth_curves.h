// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/pu/problem/pu_problem.h"

#include <memory>
#include <string>
#include <vector>

namespace lambdascope::benchmarks {

/// A set of tens of thousands of rows, of which one class is positive.
struct GrowthSet {
    std::string name;
    std::string file; ///< under the shared data
    std::string labels;
    std::string positive;
};
[[nodiscard]] const std::vector<GrowthSet>& growthSets();
[[nodiscard]] bool hasData(const GrowthSet& set);
/// Its first `unlabeled` samples, γ = 1/d; null when the data are not there, or fewer.
[[nodiscard]] std::shared_ptr<const pu::PuProblem> growthProblem(const GrowthSet& set, pu::SampleIndex unlabeled);

/// Curves like figures 4 to 7 of [P]: time, F-measure and memory against the number of unlabeled samples, both kernels,
/// 100 labelled positives, λ = 0.01, each number of samples from nothing. The published method makes kernel values
/// each time, as its memory is linear in n; it and the interior-point method are left out where they take too long.
void printGrowth(const GrowthSet& set);

} // namespace lambdascope::benchmarks
