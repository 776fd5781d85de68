// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triplets/inspect/item_geometry.h"
#include "core/triplets/screening/range_rule.h"
#include "core/triplets/solver/point_solver.h"

#include <optional>
#include <vector>

namespace lambdascope::triplets {

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
    SolvedPoint m_path;
    DualPull m_gapDual;
    DualPoint m_dual;
    BoundReference m_reference;
    std::vector<Region> m_regions;
};

/// Follows one item through the λ ranges of a lane (see RangeStore) as its path is walked: which reference holds it
/// fixed. Judges by the ball of `bound`, by itself, from the definition of H; at most one eigen-decomposition per path
/// point at which the item is free.
class RangeProvenance final : public ScreeningObserver {
  public:
    RangeProvenance(const ItemGeometry& probe, BoundKind bound, double gamma)
        : m_probe(probe), m_bound(bound), m_gamma(gamma) {}

    /// What holds the item at the λ seen last.
    struct Holder {
        SolvedPoint reference; ///< M₀ at λ₀
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

} // namespace lambdascope::triplets
