// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>

#include <cstdint>
#include <span>

namespace lambdascope::pu {

/// How well values f separate samples whose classes are known; the predicted class is the sign of f. NaN where a
/// measure has no denominator.
struct PuMeasures {
    double precision = 0;
    double recall = 0;
    double f = 0; ///< 2 precision · recall / (precision + recall); 0 when nothing true is found
    double error = 0;
    double auc = 0; ///< areaUnderCurve() of f
};
/// O(n log n).
[[nodiscard]] PuMeasures measureAgainst(const Eigen::VectorXd& values, std::span<const std::int8_t> truth);

/// The PU estimate of the share of wrong signs, 2π FNR + P_U(f > 0) − π, which needs no truth [P, (2)].
[[nodiscard]] double zeroOneRisk(const Eigen::VectorXd& onPositives, const Eigen::VectorXd& onUnlabeled, double prior);
/// −π mean_P f + mean_U max(0, f, (1+f)/2): the empirical risk with the double hinge [P, (3)].
[[nodiscard]] double doubleHingeRisk(const Eigen::VectorXd& onPositives, const Eigen::VectorXd& onUnlabeled,
                                     double prior);

} // namespace lambdascope::pu
