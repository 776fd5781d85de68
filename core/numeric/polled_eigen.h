// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/work_poll.h"
#include "core/numeric/psd_projection.h"

#include <Eigen/Core>

namespace lambdascope {

/// Eigen-decomposition of a symmetric matrix of which the lower triangle is read, A = V Λ Vᵀ with eigenvalues in rising
/// order, that can be stopped half-way. Small matrices go to symmetricEigenSystem(); large ones are brought to
/// tridiagonal form by reflections and then solved by implicit QL steps (Golub and Van Loan, 8.3), whose rotations are
/// saved up and turn V a few rows at a time, and `poll` is asked between columns, blocks and rows. O(n³), 1.6
/// times the time of LAPACK's divide and conquer, which cannot be stopped, at n = 2,000. Not `succeeded` when `poll`
/// asked to stop, when A is not finite, or when the steps do not converge. Without vectors it costs a fifth.
[[nodiscard]] EigenSystem polledEigenSystem(const Eigen::MatrixXd& a, WorkPoll& poll, bool withVectors = true);

/// The same without the short cut for small matrices.
[[nodiscard]] EigenSystem tridiagonalEigenSystem(const Eigen::MatrixXd& a, WorkPoll& poll, bool withVectors = true);

/// The split from a decomposition, see splitPsd(), asking `poll` between blocks of columns when it is large. Not finite
/// when it asked to stop.
[[nodiscard]] PsdSplit polledSplitPsd(const EigenSystem& system, WorkPoll& poll);

/// The split of A itself.
[[nodiscard]] PsdSplit polledSplitPsd(const Eigen::MatrixXd& a, WorkPoll& poll);

} // namespace lambdascope
