// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/stop_check.h"
#include "core/ordinal/problem/comparison.h"
#include "core/ordinal/problem/loss_model.h"
#include "core/ordinal/problem/points.h"

#include <Eigen/Core>

namespace lambdascope::ordinal {

/// Where an object that had no part in an embedding belongs.
struct Placement {
    Eigen::RowVectorXd point; ///< 1 × p
    double loss = 0;          ///< mean loss of its answers there
    double error = 0;         ///< share of its answers that are violated there
};

/// Places a new object among fixed points X (n × p) by its own answers: comparisons in which the id n stands for it.
/// Minimizes their mean loss over the p coordinates by L-BFGS, from the objects it was called close to and their mean;
/// the best end wins. `answers` must not be empty; ids are in {0, …, n}. O(np + starts · iterations · answers · p).
/// Worth nothing once `stopCheck` asked to stop.
[[nodiscard]] Placement placeObject(const Points& x, const WeightedComparisons& answers, const ModelSpec& model,
                                    StopCheck& stopCheck);

} // namespace lambdascope::ordinal
