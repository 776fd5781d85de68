// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/point_screening.h"

#include "core/metric/region_maker.h"

#include <algorithm>

namespace lambdascope::metric {

bool PointScreening::decide(BoundReference reference, std::int32_t check, std::int64_t iteration,
                            ScreeningWatch* watch) {
    m_radius = std::numeric_limits<double>::infinity();
    if (reference.path.point != nullptr && !useRanges(reference.path, reference.lambda)) {
        return false;
    }
    DualPoint dual;
    const bool wantsDual =
        watch != nullptr || // who watches wants to hear of all bounds
        std::any_of(m_bounds.begin(), m_bounds.end(), [](const auto& bound) { return bound->needsDualPoint(); });
    if (wantsDual && !m_objective.dualPoint(*reference.totals, m_settings.gamma, dual)) {
        return false;
    }
    reference.dual = dual.point.matrix.size() > 0 ? &dual : nullptr;
    const std::vector<Region> regions = makeRegions(m_bounds, m_settings.rule, reference);
    for (const Region& region : regions) {
        m_radius = std::min(m_radius, region.sphere.radius);
    }
    if (!m_engine.screen(regions, m_settings.gamma, m_poll, m_objective.screened)) {
        return false;
    }
    if (watch != nullptr) {
        watch->checked({check, iteration, reference, std::span<const Region>(regions)});
    }
    return true;
}

bool PointScreening::useRanges(const PathReference& path, double lambda) {
    if (m_ranges == nullptr) {
        return true;
    }
    // What earlier references still fix, and what this one fixes for λ to come.
    RangeScreening& engine = *m_engine.ranges();
    m_ranges->moveTo(lambda);
    return engine.activateExcept(m_ranges->fixed(), m_poll, m_objective.screened) &&
           engine.screenRanges(path, lambda, m_settings.gamma, m_poll, *m_ranges, m_objective.screened);
}

} // namespace lambdascope::metric
