// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/work_poll.h"
#include "core/numeric/psd_projection.h"

#include <Eigen/Core>

namespace lambdascope::metric {

/// Projections on the cone of feasible M, for either structure, told by shape (see structure.h): eigenvalues of a
/// d × d matrix, entries of a d × 1 column. A column is split without any error in O(d). Decompositions of large
/// matrices ask `poll`, where there is one, and end at once when it says so: the split is not finite then, the norm not
/// a number.

/// Splits `a` into its projections on the cone and on its polar. For a column, `factor` is the column √[a]₊, and
/// `trace` the sum of [a]₊ as rounded.
[[nodiscard]] PsdSplit splitByCone(const Eigen::MatrixXd& a, WorkPoll* poll = nullptr);

/// ‖[A]₊‖_F², cheaper than the split.
[[nodiscard]] Bounded squaredNormInCone(const Eigen::MatrixXd& a, WorkPoll* poll = nullptr);

} // namespace lambdascope::metric
