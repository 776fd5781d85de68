// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/metric/screening/primal_dual_pair.h"
#include "core/metric/screening/screening_observer.h"

#include <vector>

namespace lambdascope::metric {

/// A check with copies of all it refers to, so that it can be looked at afterwards. Memory: eight d × d matrices and
/// the regions.
class RecordedCheck {
  public:
    explicit RecordedCheck(const ScreeningCheck& check);
    RecordedCheck(const RecordedCheck&) = delete;
    RecordedCheck& operator=(const RecordedCheck&) = delete;

    [[nodiscard]] std::int32_t check() const { return m_check; }
    [[nodiscard]] std::int64_t iteration() const { return m_iteration; }
    [[nodiscard]] const BoundReference& reference() const { return m_reference; }
    [[nodiscard]] const std::vector<Region>& regions() const { return m_regions; }

  private:
    std::int32_t m_check;
    std::int64_t m_iteration;
    MetricPoint m_point;
    LossTotals m_totals;
    MetricPoint m_pathPoint;
    LossTotals m_pathTotals;
    DualPull m_pathDual;
    DualPull m_gapDual;
    DualPoint m_dual;
    BoundReference m_reference;
    std::vector<Region> m_regions;
};

} // namespace lambdascope::metric
