// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/metric/loss_totals.h"
#include "core/run/run_context.h"

#include <cstdint>

namespace lambdascope::metric {

/// Tells the listeners of a run what happens while a point is solved.
class PointJournal {
  public:
    PointJournal(RunContext& context, std::int32_t pointIndex, TripletIndex triplets)
        : m_context(context), m_pointIndex(pointIndex), m_triplets(triplets) {}

    /// Whether an Iterated event is due: displays cannot show more than fifty a second, and convergence curves need
    /// points evenly spread over the logarithm of the iteration, however fast a point is solved.
    [[nodiscard]] bool wants(std::int64_t iteration) const;
    void iteration(std::int64_t iteration, double objective, double gap, double tolerance, TripletIndex active,
                   double cpu);
    void check(std::int32_t check, std::int64_t iteration, const ScreenedPart& screened, double gap, double radius,
               double cpu);

  private:
    RunContext& m_context;
    std::int32_t m_pointIndex;
    TripletIndex m_triplets;
    double m_lastEvent = 0;
    std::int64_t m_nextSample = 0;
};

} // namespace lambdascope::metric
