// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>

namespace lambdascope {

/// Area under the ROC curve: of all pairs of a positive sample p (y > 0) and a negative one n (y ≤ 0), the share that
/// the scores put in order,
///   Σ_p Σ_n w_p w_n ([s_p > s_n] + ½ [s_p = s_n]) / (Σ_p w_p · Σ_n w_n).
/// Ties count half. A pair counts with the product of its weights, which are ≥ 0; without any all count alike. NaN when
/// a class is missing or has no weight, and when a score is no number. O(n log n), by sorting.
[[nodiscard]] double areaUnderCurve(const Eigen::VectorXd& scores, const Eigen::VectorXd& y,
                                    const Eigen::VectorXd& weights = {});

} // namespace lambdascope
