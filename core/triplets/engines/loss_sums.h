// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/numeric/error_bound.h"
#include "core/triplets/problem/triplet_set.h"

#include <cmath>

namespace lambdascope::triplets {

/// Running sums of a loop over rows of triplets: a row has one anchor and one same-class neighbour.
struct LossSums {
    explicit LossSums(double smoothingWidth) : smoothing(smoothingWidth), inverse(1 / smoothingWidth) {}

    double smoothing;
    double inverse; ///< 1 / smoothing
    CompensatedSum loss;
    CompensatedSum alpha;
    CompensatedSum squares;
    double magnitude = 0;    ///< Σ of the absolute terms of the loss, for its error
    double longestChain = 0; ///< most additions behind a term of these sums, for their error
    TripletIndex triplets = 0;
    std::int64_t rows = 0;   ///< rows of triplets, and entries of anchors' lists of other-class neighbours
    std::int64_t inRows = 0; ///< triplets visited in whole rows
    std::int64_t packed = 0; ///< places for triplets visited in groups of four

    /// Of some rows: Σ α, Σ α², Σ α (1 + z_ij) and Σ α z_il.
    void add(double alphaSum, double squareSum, double alphaEdge, double alphaOther) {
        // Σ ℓ = Σ α (1 − t) − s/2 Σ α², 1 − t = 1 + z_ij − z_il; distances are not negative.
        loss.add(alphaEdge - alphaOther - 0.5 * smoothing * squareSum);
        alpha.add(alphaSum);
        squares.add(squareSum);
        magnitude += std::abs(alphaEdge) + std::abs(alphaOther) + 0.5 * smoothing * squareSum;
    }
};

} // namespace lambdascope::triplets
