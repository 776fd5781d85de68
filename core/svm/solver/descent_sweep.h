// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/svm/solver/dual_iterate.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lambdascope::svm {

/// One coordinate of the dual as a sweep sees it.
struct Coordinate {
    double alpha;
    double upper;
    double diagonal; ///< Qᵢᵢ
};

/// Exact minimization along αᵢ with slope g = fᵢ − tᵢ: clip(α − g/Qᵢᵢ). A zero vector has f = 0 and wants the bound
/// that its threshold tells.
[[nodiscard]] inline double bestAlong(const Coordinate& coordinate, double slope) {
    return coordinate.diagonal > 0 ? std::clamp(coordinate.alpha - slope / coordinate.diagonal, 0.0, coordinate.upper)
                                   : (slope < 0 ? coordinate.upper : 0.0);
}

/// A sweep of dual coordinate descent [Hsieh et al. 2008, algorithms 1 and 3] over the members at `visit`.
/// `coordinate(k)`, `slope(k)` = f − t and `move(k, target, change)` are those of the member at position k; `move` sets
/// α to `target` and returns the operations it took.
template <class CoordinateAt, class SlopeAt, class Move>
SweepOutcome descentSweep(std::vector<std::int32_t>& visit, const ShrinkLimits& limits, StopCheck& stopCheck,
                          std::int64_t operationsPerVisit, CoordinateAt coordinate, SlopeAt slopeAt, Move move) {
    SweepOutcome outcome;
    outcome.highest = -std::numeric_limits<double>::infinity();
    outcome.lowest = std::numeric_limits<double>::infinity();
    std::size_t kept = 0;
    std::size_t at = 0;
    std::int64_t operations = 0; // since the last question
    for (; at < visit.size(); ++at) {
        const std::int32_t k = visit[at];
        const Coordinate here = coordinate(k);
        const double slope = slopeAt(k);
        operations += operationsPerVisit;
        if ((here.alpha <= 0 && slope > limits.highest) || (here.alpha >= here.upper && slope < limits.lowest)) {
            continue; // shrunk
        }
        visit[kept++] = k;
        outcome.slack += here.alpha * slope + here.upper * std::max(0.0, -slope);
        const double projected = here.alpha <= 0            ? std::min(slope, 0.0)
                                 : here.alpha >= here.upper ? std::max(slope, 0.0)
                                                            : slope;
        outcome.highest = std::max(outcome.highest, projected);
        outcome.lowest = std::min(outcome.lowest, projected);
        if (projected != 0) {
            const double target = bestAlong(here, slope);
            const double change = target - here.alpha;
            if (change != 0) {
                outcome.gain -= change * (slope + 0.5 * here.diagonal * change);
                ++outcome.updates;
                operations += move(k, target, change);
            }
        }
        if (operations > StopCheck::kOperationsPerQuestion / 8) {
            outcome.operations += operations;
            const bool isStopped = stopCheck.spend(operations);
            operations = 0;
            if (isStopped) {
                ++at;
                break;
            }
        }
    }
    outcome.operations += operations;
    visit.erase(std::copy(visit.begin() + static_cast<std::ptrdiff_t>(at), visit.end(),
                          visit.begin() + static_cast<std::ptrdiff_t>(kept)),
                visit.end());
    return outcome;
}

} // namespace lambdascope::svm
