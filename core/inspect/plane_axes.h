// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/data/dataset.h"
#include "core/inspect/decision_plane.h"

#include <Eigen/Core>

#include <string>
#include <vector>

namespace lambdascope {

/// One feature of all rows, as long as there are rows. O(rows), sparse rows O(values).
[[nodiscard]] Eigen::VectorXd featureColumn(const Dataset& data, Eigen::Index feature);

/// Mean of each feature, as long as there are features. O(values).
[[nodiscard]] Eigen::VectorXd featureMeans(const Dataset& data);

/// The two features in which the classes lie furthest apart for their spread: those with the largest
/// (μ₊ − μ₋)² / σ², the one with the smaller number first. `y` holds ±1, or numbers: then they are those with the
/// largest correlation with them. At least two features. O(values).
[[nodiscard]] PlaneAxes separatingAxes(const Dataset& data, const Eigen::VectorXd& y);

/// `axes` with what they leave open chosen. Errors: BadUsage when they are not two different features of the data.
[[nodiscard]] Result<PlaneAxes> chosenAxes(const Dataset& data, const Eigen::VectorXd& y, const PlaneAxes& axes);

/// Names of all features: those of the data, or "x₁", "x₂", …
[[nodiscard]] std::vector<std::string> featureTitles(const Dataset& data);

/// Why no plane can be drawn, in words; empty when one can. `isPrecomputed`: the kernel's values are the data;
/// `hasTarget`: one feature is enough, whose plane is that with a number to fit.
[[nodiscard]] std::string planeObstacle(const Dataset& data, bool isPrecomputed, bool hasTarget = false);

/// A plane with axes, labels, the rectangle round the samples, and fewer cells the dearer a kernel makes them. Without
/// a feature upwards whoever draws it fills in what is there.
[[nodiscard]] DecisionPlane planeFrame(const Dataset& data, const PlaneAxes& axes, bool isLinear);

/// The middles of the cells as rows with all features, those without an axis at their means; of a plane without a
/// feature upwards the middles of its columns.
[[nodiscard]] DenseRows planePlaces(const Dataset& data, const DecisionPlane& plane);

} // namespace lambdascope
