// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace lambdascope {

/// What a solution proves about the optimal value of its problem, whoever else solves it.
struct ValueBounds {
    double lower = -std::numeric_limits<double>::infinity(); ///< the optimal value is at least that
    double upper = std::numeric_limits<double>::infinity();  ///< and at most that
    double rounding = 0; ///< how far a computed primal or dual value may lie from the exact one

    /// From a primal value that is exact up to `rounding` and an upper bound of its duality gap; nothing is known from
    /// values that are no numbers.
    static ValueBounds from(double primal, double rounding, double gap) {
        const double lower = primal - rounding - gap;
        return std::isfinite(lower) && std::isfinite(rounding) ? ValueBounds{lower, primal + rounding, rounding}
                                                               : ValueBounds();
    }
    /// Both hold.
    [[nodiscard]] ValueBounds with(const ValueBounds& other) const {
        return {std::max(lower, other.lower), std::min(upper, other.upper), std::max(rounding, other.rounding)};
    }
    [[nodiscard]] bool hasLower() const { return std::isfinite(lower); }
};

} // namespace lambdascope
