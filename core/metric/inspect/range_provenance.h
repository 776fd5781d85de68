// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/metric/inspect/item_geometry.h"
#include "core/metric/problem/metric_point.h"
#include "core/metric/screening/range_rule.h"
#include "core/metric/screening/screening_observer.h"

#include <optional>

namespace lambdascope::metric {

/// Follows one item through the λ ranges of a lane (see RangeStore) as its path is walked: which reference holds it
/// fixed. Judges by itself, from the definition of H; O(d²) per path point at which the item is free.
class RangeProvenance final : public ScreeningObserver {
  public:
    RangeProvenance(const ItemGeometry& probe, double gamma) : m_probe(probe), m_gamma(gamma) {}

    /// What holds the item at the λ seen last.
    struct Holder {
        MetricPoint point; ///< M₀
        double lambda = 0; ///< λ₀
        double gap = 0;
        Lifetime lifetime;
    };
    void checked(const ScreeningCheck& check) override;
    [[nodiscard]] const std::optional<Holder>& holder() const { return m_holder; }

  private:
    const ItemGeometry& m_probe;
    double m_gamma;
    std::optional<Holder> m_holder;
};

} // namespace lambdascope::metric
