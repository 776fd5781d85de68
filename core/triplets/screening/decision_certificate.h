// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/numeric/error_bound.h"
#include "core/triplets/problem/metric_point.h"
#include "core/triplets/screening/region.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace lambdascope::triplets {

/// Whether `inner` lies in `outer`, for sure. O(d²).
[[nodiscard]] bool liesIn(const Sphere& inner, const Sphere& outer);

/// At which points the screening decisions hold, not at the optimum alone. A rule decides an item for every M ⪰ 0 of
/// its region, so at any such M the item has no loss (R̂) or a linear one (L̂), and the sums over all items are those
/// over the ones that are left with what the decided ones contribute as constants (withScreened()).
class DecisionCertificate {
  public:
    /// A check decided items by these regions.
    void add(std::span<const Region> regions);
    /// Items were decided by other means: nothing is known of other points.
    void spoil() { m_isKnown = false; }

    /// Whether no ball decided anything, as far as is known.
    [[nodiscard]] bool isEmpty() const { return m_isKnown && m_balls.empty(); }
    /// Whether all decisions hold at the point, within its error.
    [[nodiscard]] bool holdsAt(const MetricPoint& point) const { return m_isKnown && holdsFrom(0, point); }
    /// The same for those of the last check.
    [[nodiscard]] bool lastHoldsAt(const MetricPoint& point) const { return m_isKnown && holdsFrom(m_last, point); }

  private:
    [[nodiscard]] bool holdsFrom(std::size_t first, const MetricPoint& point) const;

    bool m_isKnown = true;
    std::vector<Sphere> m_balls;
    std::size_t m_last = 0; ///< first ball of the last check
};

inline bool liesIn(const Sphere& inner, const Sphere& outer) {
    if (!(outer.radius >= 0) || inner.centre.size() != outer.centre.size()) {
        return false;
    }
    const double distance = (inner.centre - outer.centre).norm();
    const double rounding = roundingFactor(static_cast<double>(outer.centre.size()) + 16);
    return (distance + inner.radius) * (1 + rounding) <= outer.radius;
}

inline void DecisionCertificate::add(std::span<const Region> regions) {
    m_last = m_balls.size();
    for (const Region& region : regions) {
        if (std::isfinite(region.sphere.radius)) { // else it decided nothing
            m_balls.push_back(region.sphere);
        }
    }
}

inline bool DecisionCertificate::holdsFrom(std::size_t first, const MetricPoint& point) const {
    const Sphere around{point.matrix, point.matrixError()};
    return std::all_of(m_balls.begin() + static_cast<std::ptrdiff_t>(first), m_balls.end(),
                       [&](const Sphere& ball) { return liesIn(around, ball); });
}

} // namespace lambdascope::triplets
