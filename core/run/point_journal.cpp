// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/point_journal.h"

#include "core/common/clocks.h"

namespace lambdascope {

namespace {

constexpr double kSecondsPerEvent = 0.02;
constexpr double kSampleGrowth = 0.1;

} // namespace

bool PointJournal::wants(std::int64_t iteration) const {
    return iteration >= m_nextSample || wallSeconds() - m_lastEvent >= kSecondsPerEvent;
}

void PointJournal::iteration(std::int64_t iteration, double objective, double gap, double tolerance,
                             std::int64_t active, double cpu) {
    m_lastEvent = wallSeconds();
    m_nextSample = iteration + 1 + static_cast<std::int64_t>(kSampleGrowth * static_cast<double>(iteration));
    Iterated event;
    event.pointIndex = m_pointIndex;
    event.iteration = iteration;
    event.objective = objective;
    event.optimality = {OptimalityKind::DualityGap, gap};
    event.tolerance = tolerance;
    event.activeItems = active;
    event.cpu = cpu;
    m_context.publish(event);
}

void PointJournal::check(const Check& check) {
    Screened event;
    event.pointIndex = m_pointIndex;
    event.check = check.number;
    event.iteration = check.iteration;
    event.fixedLow = check.fixedLow;
    event.fixedHigh = check.fixedHigh;
    event.total = m_items;
    event.rate = static_cast<double>(check.fixedLow + check.fixedHigh) / static_cast<double>(m_items);
    event.optimality = check.gap;
    event.radius = check.radius;
    event.cpu = check.cpu;
    m_context.publish(event);
}

} // namespace lambdascope
