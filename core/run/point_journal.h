// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/run_context.h"

#include <cstdint>

namespace lambdascope {

/// Tells the listeners of a run what happens while a point is solved.
class PointJournal {
  public:
    PointJournal(RunContext& context, std::int32_t pointIndex, std::int64_t items)
        : m_context(context), m_pointIndex(pointIndex), m_items(items) {}

    /// Whether an Iterated event is due: displays cannot show more than fifty a second, and convergence curves need
    /// points evenly spread over the logarithm of the iteration, however fast a point is solved.
    [[nodiscard]] bool wants(std::int64_t iteration) const;
    /// An Iterated event, with the duality gap.
    void iteration(std::int64_t iteration, double objective, double gap, double tolerance, std::int64_t active,
                   double cpu);

    /// One evaluation of the rules.
    struct Check {
        std::int32_t number = 0;
        std::int64_t iteration = 0;
        std::int64_t fixedLow = 0;
        std::int64_t fixedHigh = 0;
        double gap = 0;
        double radius = 0;
        double cpu = 0;
    };
    void check(const Check& check);

  private:
    RunContext& m_context;
    std::int32_t m_pointIndex;
    std::int64_t m_items;
    double m_lastEvent = 0;
    std::int64_t m_nextSample = 0;
};

} // namespace lambdascope
