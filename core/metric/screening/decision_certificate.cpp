// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/screening/decision_certificate.h"

#include "core/numeric/error_bound.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::metric {

bool liesIn(const Sphere& inner, const Sphere& outer) {
    if (!(outer.radius >= 0) || inner.centre.size() != outer.centre.size()) {
        return false;
    }
    const double distance = (inner.centre - outer.centre).norm();
    const double rounding = roundingFactor(static_cast<double>(outer.centre.size()) + 16);
    return (distance + inner.radius) * (1 + rounding) <= outer.radius;
}

void DecisionCertificate::add(std::span<const Region> regions) {
    m_last = m_balls.size();
    for (const Region& region : regions) {
        if (std::isfinite(region.sphere.radius)) { // else it decided nothing
            m_balls.push_back(region.sphere);
        }
    }
}

bool DecisionCertificate::holdsFrom(std::size_t first, const MetricPoint& point) const {
    const Sphere around{point.matrix, point.matrixError()};
    return std::all_of(m_balls.begin() + static_cast<std::ptrdiff_t>(first), m_balls.end(),
                       [&](const Sphere& ball) { return liesIn(around, ball); });
}

} // namespace lambdascope::metric
