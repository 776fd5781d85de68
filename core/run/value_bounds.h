// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

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
    /// Of the sum of several problems' values, added up in this order.
    static ValueBounds sumOf(const std::vector<ValueBounds>& parts) {
        ValueBounds sum{0, 0, 0};
        double size = 0;
        for (const ValueBounds& part : parts) {
            sum.lower += part.lower;
            sum.upper += part.upper;
            sum.rounding += part.rounding;
            size += std::abs(part.lower) + std::abs(part.upper);
        }
        const double adding = static_cast<double>(parts.size()) * std::numeric_limits<double>::epsilon() * size;
        return std::isfinite(size) ? ValueBounds{sum.lower - adding, sum.upper + adding, sum.rounding + adding}
                                   : ValueBounds();
    }
    [[nodiscard]] bool hasLower() const { return std::isfinite(lower); }
};

} // namespace lambdascope
