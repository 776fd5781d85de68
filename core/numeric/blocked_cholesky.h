// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/stop_check.h"
#include "core/common/thread_team.h"

#include <Eigen/Core>

namespace lambdascope {

enum class CholeskyOutcome {
    Done,
    NotPositive, ///< the matrix is not positive definite, as far as rounding can tell
    Stopped,     ///< `stopCheck` asked to stop
};

/// Replaces the lower triangle of `a` by L, A = LLᵀ, by blocks, asking `stopCheck` between them. O(n³/3); only the
/// lower triangle is read. Without Done the triangle holds nothing of use. The bits do not depend on `team`.
[[nodiscard]] CholeskyOutcome choleskyInPlace(Eigen::Ref<Eigen::MatrixXd> a, StopCheck& stopCheck,
                                              ThreadTeam* team = nullptr);

/// x := A⁻¹x from that factor. O(n²).
void solveByCholesky(const Eigen::Ref<const Eigen::MatrixXd>& factor, Eigen::VectorXd& x);

/// The same by blocks, asking `stopCheck` between them; x holds nothing of use when that says stop.
void solveByCholesky(const Eigen::Ref<const Eigen::MatrixXd>& factor, Eigen::VectorXd& x, StopCheck& stopCheck);

} // namespace lambdascope
