// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/solver/gap_record.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::metric {

namespace {

/// A gap that is better by less does not count as progress.
constexpr double kWorthwhile = 0.999;
/// Iterations without progress after which rounding is taken to have the last word, if the gap is near its error.
constexpr std::int64_t kPatience = 500;
/// Gap over its own error bound below which rounding rules.
constexpr double kNearError = 100;

} // namespace

void GapRecord::keepDual(const Bounded& dual, const LossTotals& totals) {
    if (std::isfinite(dual.value) && (!m_hasDual || dual.lower() > m_dual.lower())) {
        m_dual = dual;
        m_dualPull = {totals.pull, totals.pullError};
        m_hasDual = true;
    }
}

void GapRecord::setPrimal(const Bounded& primal) {
    m_primal = primal;
    m_gap = m_primal - m_dual;
    m_bound = std::max(m_gap.value, 0.0) + m_gap.error;
}

void GapRecord::keep(const MetricPoint& point, std::int64_t iteration) {
    if (m_bound < m_bestBound * kWorthwhile) {
        m_bestIteration = iteration;
    }
    m_bestBound = m_bound;
    m_bestPrimal = m_primal;
    m_bestPoint = point;
}

bool GapRecord::isStuck(std::int64_t iteration) const {
    return iteration - m_bestIteration > kPatience && m_bestBound <= kNearError * m_gap.error;
}

} // namespace lambdascope::metric
