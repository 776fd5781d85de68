// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>

namespace lambdascope {

/// The orthogonal matrix R that makes ‖points R − target‖_F least, reflections allowed [Schönemann 1966]. Rows are
/// points; both have the same shape n × p. O(n p² + p³).
[[nodiscard]] Eigen::MatrixXd bestTurn(const Eigen::Ref<const Eigen::MatrixXd>& points,
                                       const Eigen::Ref<const Eigen::MatrixXd>& target);

/// A similarity x ↦ scale (x − from) turn + to.
struct Alignment {
    Eigen::MatrixXd turn;    ///< p × p, orthogonal
    double scale = 1;        ///< 0 when the points are all the same
    Eigen::RowVectorXd from; ///< mean of the points
    Eigen::RowVectorXd to;   ///< mean of the target
    /// ‖aligned − target‖² / ‖target − its mean‖², in [0, 1] with the best scale; 0 for the same shape. NaN when the
    /// target's points are all the same or anything is not finite.
    double distance = 0;

    [[nodiscard]] Eigen::MatrixXd applied(const Eigen::Ref<const Eigen::MatrixXd>& points) const;
};

/// The similarity that takes `points` closest to `target` in the sum of squares; without `scales` the scale is 1. The
/// narrower of the two counts as padded by zeros. O(n p² + p³).
[[nodiscard]] Alignment alignPoints(const Eigen::Ref<const Eigen::MatrixXd>& points,
                                    const Eigen::Ref<const Eigen::MatrixXd>& target, bool scales = true);

} // namespace lambdascope
