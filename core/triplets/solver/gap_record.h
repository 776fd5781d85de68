// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/numeric/error_bound.h"
#include "core/triplets/problem/metric_point.h"
#include "core/triplets/screening/primal_dual_pair.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace lambdascope::triplets {

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
    /// The problem changed: iterations without progress are counted from here.
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
    /// Whether the gap has not improved for kPatience iterations and is within kNearError times its rounding error.
    [[nodiscard]] bool isStuck(std::int64_t iteration) const;

  private:
    /// The gap has to fall below this share of the best one to count as progress.
    static constexpr double kWorthwhile = 0.999;
    /// Iterations without progress after which no more is expected, if the gap is near its rounding error.
    static constexpr std::int64_t kPatience = 500;
    /// Gap over the bound of its rounding error below which rounding may hide progress.
    static constexpr double kNearError = 100;

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

inline void GapRecord::keepDual(const Bounded& dual, const LossTotals& totals) {
    if (std::isfinite(dual.value) && (!m_hasDual || dual.lower() > m_dual.lower())) {
        m_dual = dual;
        m_dualPull = {totals.pull, totals.pullError};
        m_hasDual = true;
    }
}

inline void GapRecord::setPrimal(const Bounded& primal) {
    m_primal = primal;
    m_gap = m_primal - m_dual;
    m_bound = std::max(m_gap.value, 0.0) + m_gap.error;
}

inline void GapRecord::keep(const MetricPoint& point, std::int64_t iteration) {
    if (m_bound < m_bestBound * kWorthwhile) {
        m_bestIteration = iteration;
    }
    m_bestBound = m_bound;
    m_bestPrimal = m_primal;
    m_bestPoint = point;
}

inline bool GapRecord::isStuck(std::int64_t iteration) const {
    return iteration - m_bestIteration > kPatience && m_bestBound <= kNearError * m_gap.error;
}

} // namespace lambdascope::triplets
