// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/metric/problem/comparison_set.h"
#include "core/metric/solver/lambda_max_solution.h"

namespace lambdascope::metric {

/// The optimum for large λ of a general problem with linear term S (empty for none).
///
/// At M = 0 every margin is 0, so α_c = w_c clip(τ_c/γ, 0, 1): w_c for comparisons and for lower bounds of at least γ,
/// 0 for upper bounds, something between for lower bounds below γ. With N = [Σ α_c H_c − S]₊ and s_c = ⟨N, H_c⟩,
/// M*(λ) = N/λ as long as no α leaves its end: s_c/λ ≤ τ_c − γ where α_c = w_c and s_c/λ ≥ τ_c where α_c = 0. That is
/// for λ ≥ λ_max = max(max s_c/(τ_c − γ), max −s_c/−τ_c). Items between the ends move at every finite λ; they do not
/// enter λ_max, and where there are such items N/λ is only nearly optimal (topPoint tells its gap).
///
/// λ_max is 0 when N = 0 (then M = 0 is optimal for every λ), or when only items between the ends pull at M.
/// Unfinished when `poll` asked to stop.
[[nodiscard]] LambdaMaxSolution comparisonLambdaMax(const ComparisonSet& set, const Eigen::MatrixXd& linear,
                                                    double gamma, WorkPoll& poll);

} // namespace lambdascope::metric
