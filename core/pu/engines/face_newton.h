// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/pu/engines/pu_engine.h"

#include <span>
#include <vector>

namespace lambdascope::pu {

/// Samples whose s lies strictly between whole numbers: at the optimum their values are at a kink, z = ∓ε.
[[nodiscard]] std::vector<SampleIndex> fractionalSamples(const Eigen::VectorXd& s,
                                                         std::span<const SampleIndex> members);

/// A step of Newton's method of the dual on the face of fractional samples: to where all of them are at their kinks,
///   [K_FF 1; 1ᵀ 0][δ; −b] = [a ± ε; 0],
/// or as far as each s stays between the whole numbers it lies between. `products` is K_FF and `distances` are a ± ε,
/// up to a constant. s stay multiples of the quantum; their sum changes by rounding. The length of the step, 1 for all
/// of it; 0 when there is none. O(|F|³).
double stepOnFace(std::span<const SampleIndex> face, const Eigen::MatrixXd& products, const Eigen::VectorXd& distances,
                  Eigen::VectorXd& s);

/// The same step for K_FF = X Xᵀ from the rows X of more samples than features: all of the system lies in the d + 2
/// dimensions that the columns of X and 1 span. O(|F| d² + d³).
double stepOnFaceOfRows(std::span<const SampleIndex> face, const Eigen::MatrixXd& rows,
                        const Eigen::VectorXd& distances, Eigen::VectorXd& s);

} // namespace lambdascope::pu
