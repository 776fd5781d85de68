// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/pu/engines/pu_engine.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>
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
    [[nodiscard]] std::int64_t count() const {
        return std::ssize(m_decisions) - std::count(m_decisions.begin(), m_decisions.end(), Decision::Keep);
    }

  private:
    std::vector<Decision> m_decisions;
};

inline std::int64_t ProvisionalFixing::wake(std::span<const double> scores, double bias, double epsilon) {
    constexpr std::size_t kBlock = 256;
    double states[kBlock]; // by the scores; no decision between them
    std::int64_t woken = 0;
    for (std::size_t from = 0; from < m_decisions.size(); from += kBlock) {
        const std::size_t count = std::min(kBlock, m_decisions.size() - from);
        const double* const score = scores.data() + from;
        for (std::size_t k = 0; k < count; ++k) { // without branches
            const double z = score[k] + bias;
            const double inside = ((z > -epsilon) & (z < epsilon)) ? 1 : 9;
            const double below = z < -epsilon ? 0 : inside;
            states[k] = z > epsilon ? 2 : below;
        }
        Decision* const decision = m_decisions.data() + from;
        for (std::size_t k = 0; k < count; ++k) {
            const bool isWrong = (decision[k] != Decision::Keep) & (static_cast<double>(decision[k]) != states[k]);
            decision[k] = isWrong ? Decision::Keep : decision[k];
            woken += isWrong ? 1 : 0;
        }
    }
    return woken;
}

} // namespace lambdascope::pu
