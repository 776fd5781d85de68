// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/metric/engines/engine.h"
#include "core/metric/problem/triplet_set.h"
#include "core/metric/solver/point_solver.h"

#include <vector>

namespace lambdascope::metric {

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
bool sumTop(const PairTable& table, const std::vector<double>& weights, const Eigen::MatrixXd& linear, WorkPoll& poll,
            LambdaMaxSolution& top, std::vector<double>& values);

/// Computes the LambdaMaxSolution by pairs, O(pairs d + rows d²); `linear` is S, empty for none. Unfinished when `poll`
/// asked to stop; so is topPoint.
[[nodiscard]] LambdaMaxSolution lambdaMaxSolution(const TripletSet& triplets, double gamma, WorkPoll& poll,
                                                  const Eigen::MatrixXd& linear = {});

/// The closed-form optimum at `lambda` ≥ λ_max, as the start and first reference of a path. Sums by `engine`.
[[nodiscard]] SolvedPoint topPoint(const LambdaMaxSolution& top, double lambda, double gamma, Engine& engine,
                                   WorkPoll& poll);

} // namespace lambdascope::metric
