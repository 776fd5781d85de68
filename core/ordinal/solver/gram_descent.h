// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/stop_check.h"
#include "core/numeric/psd_projection.h"
#include "core/ordinal/problem/objective.h"
#include "core/ordinal/problem/points.h"

#include <Eigen/Core>

namespace lambdascope::ordinal {

/// The largest number of objects the convex method takes: it keeps n² numbers and decomposes an n × n matrix per step.
constexpr ObjectIndex kMostGramObjects = 3000;

/// F as a function of the Gram matrix G = XXᵀ, d²(i,j) = G_ii + G_jj − 2 G_ij: convex for GNMDS, CKL's share and STE.
/// `gradient` (may be null) gets the symmetric n × n gradient. O(|Q| + n²).
ObjectiveValue evaluateGram(const Objective& objective, const Eigen::MatrixXd& gram, Eigen::MatrixXd* gradient,
                            StopCheck& stopCheck);

/// The centred positive semidefinite matrix nearest to a symmetric one: [J G J]₊, J = I − 11ᵀ/n, with its factor. Not
/// finite when `stopCheck` asked to stop. O(n³).
[[nodiscard]] PsdSplit projectedGram(const Eigen::MatrixXd& gram, StopCheck& stopCheck);

/// X of the p longest axes of G = L Lᵀ, where the columns of L are orthogonal in rising order of length, as a split has
/// them: XXᵀ is nearest to G among the matrices of that rank.
[[nodiscard]] Points longestAxes(const Eigen::MatrixXd& factor, Eigen::Index p);

} // namespace lambdascope::ordinal
