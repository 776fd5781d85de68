// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/metric/problem/metric_point.h"
#include "core/metric/screening/primal_dual_pair.h"
#include "core/numeric/error_bound.h"

#include <cstdint>
#include <limits>

namespace lambdascope::metric {

/// What one solve knows of its duality gap: the largest dual value D met, the gap P − D at the iterate, and the iterate
/// where it was smallest.
class GapRecord {
  public:
    /// Keeps the larger of two dual values, by their lower ends, and the Σ α H that belongs to it.
    void keepDual(const Bounded& dual, const LossTotals& totals);
    /// P at the iterate.
    void setPrimal(const Bounded& primal);
    /// The iterate becomes the best one, whatever its gap.
    void keep(const MetricPoint& point, std::int64_t iteration);
    /// The problem changed: patience begins anew.
    void beginAnew(std::int64_t iteration) { m_bestIteration = iteration; }

    [[nodiscard]] const Bounded& primal() const { return m_primal; }
    [[nodiscard]] const Bounded& dual() const { return m_dual; }
    /// Of the dual variables of dual().
    [[nodiscard]] const DualPull& dualPull() const { return m_dualPull; }
    [[nodiscard]] const Bounded& gap() const { return m_gap; }
    /// Upper bound of the gap at the iterate.
    [[nodiscard]] double bound() const { return m_bound; }
    [[nodiscard]] bool isBest() const { return m_bound < m_bestBound; }
    [[nodiscard]] const MetricPoint& bestPoint() const { return m_bestPoint; }
    [[nodiscard]] const Bounded& bestPrimal() const { return m_bestPrimal; }
    [[nodiscard]] double bestBound() const { return m_bestBound; }
    /// No better gap for long, and the best one is so small that rounding has the last word.
    [[nodiscard]] bool isStuck(std::int64_t iteration) const;

  private:
    Bounded m_primal;
    Bounded m_dual;
    DualPull m_dualPull;
    bool m_hasDual = false;
    Bounded m_gap;
    double m_bound = std::numeric_limits<double>::infinity();
    MetricPoint m_bestPoint;
    Bounded m_bestPrimal;
    double m_bestBound = std::numeric_limits<double>::infinity();
    std::int64_t m_bestIteration = 0;
};

} // namespace lambdascope::metric
