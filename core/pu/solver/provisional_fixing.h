// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/pu/engines/pu_engine.h"

#include <span>
#include <vector>

namespace lambdascope::pu {

/// Samples that rest while others move: those whose s the solution of the last λ has proven, as long as their scores
/// say the same at the new one (the active warm start, see PointSolver). Nothing is proven of them at this λ, so that
/// nobody may screen before all have been looked at; but they need not move for the others to have room, since s of the
/// last optimum is feasible at every λ.
class ProvisionalFixing {
  public:
    ProvisionalFixing() = default;
    explicit ProvisionalFixing(std::vector<Decision> decisions) : m_decisions(std::move(decisions)) {}

    /// Wakes those whose z = a + b is not inside what their decision says; how many were woken. `scores` are those of
    /// the unlabeled samples. O(n).
    std::int64_t wake(std::span<const double> scores, double bias, double epsilon);
    void clear() { m_decisions.clear(); }

    [[nodiscard]] bool isEmpty() const { return m_decisions.empty(); }
    /// Of all unlabeled samples; Keep where one is awake.
    [[nodiscard]] std::span<const Decision> decisions() const { return m_decisions; }
    [[nodiscard]] std::int64_t count() const;

  private:
    std::vector<Decision> m_decisions;
};

} // namespace lambdascope::pu
