// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/run/decision_plane.h"
#include "core/svm/prepared_svm.h"

#include <Eigen/Core>

namespace lambdascope::svm {

/// One feature of all rows, as long as there are rows. O(rows), sparse rows O(values).
[[nodiscard]] Eigen::VectorXd featureColumn(const Dataset& data, Eigen::Index feature);

/// Mean of each feature, as long as there are features. O(values).
[[nodiscard]] Eigen::VectorXd featureMeans(const Dataset& data);

/// The two features in which the classes lie furthest apart for their spread: those with the largest
/// (μ₊ − μ₋)² / σ², the one with the smaller number first. `y` holds ±1. At least two features. O(values).
[[nodiscard]] PlaneAxes separatingAxes(const Dataset& data, const Eigen::VectorXd& y);

/// `axes` with what they leave open chosen. Errors: BadUsage when they are not two different features of the data.
[[nodiscard]] Result<PlaneAxes> chosenAxes(const PreparedSvm& prepared, const PlaneAxes& axes);

/// Names of all features: those of the data, or "x₁", "x₂", …
[[nodiscard]] std::vector<std::string> featureTitles(const Dataset& data);

/// Why no plane can be drawn, in words; empty when one can.
[[nodiscard]] std::string planeObstacle(const PreparedSvm& prepared);

} // namespace lambdascope::svm
