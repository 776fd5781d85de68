// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/point_journal.h"

#include "core/common/clocks.h"

namespace lambdascope::metric {

namespace {

constexpr double kSecondsPerEvent = 0.02;
constexpr double kSampleGrowth = 0.1;

} // namespace

bool PointJournal::wants(std::int64_t iteration) const {
    return iteration >= m_nextSample || wallSeconds() - m_lastEvent >= kSecondsPerEvent;
}

void PointJournal::iteration(std::int64_t iteration, double objective, double gap, double tolerance,
                             TripletIndex active, double cpu) {
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

void PointJournal::check(std::int32_t check, std::int64_t iteration, const ScreenedPart& screened, double gap,
                         double radius, double cpu) {
    Screened event;
    event.pointIndex = m_pointIndex;
    event.check = check;
    event.iteration = iteration;
    event.fixedLow = screened.zero;
    event.fixedHigh = screened.linear;
    event.total = m_triplets;
    event.rate = static_cast<double>(event.fixedLow + event.fixedHigh) / static_cast<double>(event.total);
    event.optimality = gap;
    event.radius = radius;
    event.cpu = cpu;
    m_context.publish(event);
}

} // namespace lambdascope::metric
