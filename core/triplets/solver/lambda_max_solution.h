// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triplets/engines/engine.h"
#include "core/triplets/problem/comparison_set.h"
#include "core/triplets/problem/triplet_set.h"
#include "core/triplets/solver/point_solver.h"

#include <vector>

namespace lambdascope::triplets {

/// The optimum for large λ in closed form: with H₀ = Σ H over all triplets (of the shape of the structure), M*(λ) =
/// [H₀]₊/λ while all triplets lie in the linear part of the loss, that is for λ ≥ λ_max = max_t ⟨H_t, [H₀]₊⟩/(1 − γ).
/// With a linear term ⟨M, S⟩, H₀ − S takes the place of H₀: all α are 1 there, and M* = [Σ α H − S]₊/λ.
struct LambdaMaxSolution {
    Eigen::MatrixXd sum; ///< H₀ − S
    PsdSplit split;      ///< of H₀
    double lambdaMax = 0;
};

/// What every path top begins with: fills `sum` = Σ weights[p] δ_p δ_pᵀ − S and `split` of `top`, and values[p] =
/// δ_pᵀ [sum]₊ δ_p for each pair. `linear` is S, empty for none. False when stopped. O(pairs d + rows d²).
bool sumTop(const PairTable& table, const std::vector<double>& weights, const Eigen::MatrixXd& linear,
            StopCheck& stopCheck, LambdaMaxSolution& top, std::vector<double>& values);

/// Computes the LambdaMaxSolution by pairs, O(pairs d + rows d²); `linear` is S, empty for none. Unfinished when
/// `stopCheck` asked to stop; so is topPoint.
[[nodiscard]] LambdaMaxSolution lambdaMaxSolution(const TripletSet& triplets, double gamma, StopCheck& stopCheck,
                                                  const Eigen::MatrixXd& linear = {});

/// The optimum for large λ of a general problem with linear term S (empty for none).
///
/// At M = 0 every margin is 0, so α_c = w_c clip(τ_c/γ, 0, 1): w_c for comparisons and for lower bounds of at least γ,
/// 0 for upper bounds, something between for lower bounds below γ. With N = [Σ α_c H_c − S]₊ and s_c = ⟨N, H_c⟩,
/// M*(λ) = N/λ as long as no α leaves its end: s_c/λ ≤ τ_c − γ where α_c = w_c and s_c/λ ≥ τ_c where α_c = 0. That is
/// for λ ≥ λ_max = max(max s_c/(τ_c − γ), max −s_c/−τ_c). Items between the ends move at every finite λ; they do not
/// enter λ_max, and where there are such items N/λ is only nearly optimal (topPoint tells its gap).
///
/// λ_max is 0 when N = 0 (then M = 0 is optimal for every λ), or when only items between the ends pull at M.
/// Unfinished when `stopCheck` asked to stop.
[[nodiscard]] LambdaMaxSolution comparisonLambdaMax(const ComparisonSet& set, const Eigen::MatrixXd& linear,
                                                    double gamma, StopCheck& stopCheck);

/// The closed-form optimum at `lambda` ≥ λ_max, as the start and first reference of a path. Sums by `engine`.
[[nodiscard]] SolvedPoint topPoint(const LambdaMaxSolution& top, double lambda, double gamma, Engine& engine,
                                   StopCheck& stopCheck);

} // namespace lambdascope::triplets
