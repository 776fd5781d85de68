// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/metric/inspect/item_geometry.h"
#include "core/metric/problem/loss_totals.h"
#include "core/metric/screening/primal_dual_pair.h"
#include "core/metric/screening/range_rule.h"
#include "core/metric/screening/screening_observer.h"

#include <optional>

namespace lambdascope::metric {

/// Follows one item through the λ ranges of a lane (see RangeStore) as its path is walked: which reference holds it
/// fixed. Judges by the ball of `bound`, by itself, from the definition of H; at most one eigen-decomposition per path
/// point at which the item is free.
class RangeProvenance final : public ScreeningObserver {
  public:
    RangeProvenance(const ItemGeometry& probe, BoundKind bound, double gamma)
        : m_probe(probe), m_bound(bound), m_gamma(gamma) {}

    /// What holds the item at the λ seen last.
    struct Holder {
        MetricPoint point; ///< M₀
        double lambda = 0; ///< λ₀
        double gap = 0;
        LossTotals totals;
        DualPull dual; ///< empty for none
        Lifetime lifetime;
    };
    void checked(const ScreeningCheck& check) override;
    [[nodiscard]] const std::optional<Holder>& holder() const { return m_holder; }

  private:
    const ItemGeometry& m_probe;
    BoundKind m_bound;
    double m_gamma;
    std::optional<Holder> m_holder;
};

} // namespace lambdascope::metric
