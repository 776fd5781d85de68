// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/pu/engines/pu_values.h"

#include <utility>

namespace lambdascope::pu {

/// How much work a point still needs, by what its samples and the steps so far tell, and so whether screening can pay.
/// Work is counted in steps of two over all members.
class ScreeningCostModel {
  public:
    static constexpr double kLooking = 64;  ///< operations of a look at the gap, per sample
    static constexpr double kJudging = 256; ///< of judging by it, which sorts all kinks twice

    /// One step of the solver in steps of two.
    void setStepCost(double cost) { m_stepCost = cost; }

    /// Takes over how many steps of two samples on the wrong side of a kink need, and the violation before the first
    /// step, from some members, evenly drawn. Whether the work left is too little to pay for a look at all of them, or
    /// next to nothing is decided of some by the gap that they let expect. O(128).
    bool isHopeless(const PuView& view, std::int64_t steps, double violation, double wanted);
    /// The same first look when no step has been made: the work of the whole point. O(128).
    double ahead(const PuView& view, double wanted);
    /// Work of a point that may be expected at most after one that took so many steps; 0: nothing is known of it.
    [[nodiscard]] double mostAfter(std::int64_t steps) const;
    /// Operations of ahead(), and of isHopeless() at most, with so many members.
    [[nodiscard]] static double operationsOfAhead(std::size_t members);
    [[nodiscard]] static double operationsOfIsHopeless(std::size_t members);
    /// The violation before the first step, among all members.
    void begin(double violation) { m_firstViolation = violation; }
    [[nodiscard]] double firstViolation() const { return m_firstViolation; }
    /// Operations that the first looks have taken since they were last asked for.
    [[nodiscard]] double takeOperations() { return std::exchange(m_operations, 0); }

    /// Work left when so many steps have led to `violation`, until it is `wanted`.
    [[nodiscard]] double left(std::int64_t steps, double violation, double wanted) const;
    /// Whether work pays for judging all members, of which this share is visited.
    [[nodiscard]] static bool paysForJudging(double work, double visitedShare);
    /// Whether work pays for letting this share of the members rest at first.
    [[nodiscard]] static bool paysForResting(double work, double share);
    /// Whether work pays for taking this share of the members out.
    [[nodiscard]] static bool paysForFixing(double work, double share);

  private:
    struct Draw;
    void expect(const PuView& all, std::int64_t steps, double wanted);

    double m_stepCost = 1;
    double m_firstViolation = -1;      ///< −1: not known
    double m_pairsWrong = 0;           ///< steps that samples on the wrong side of a kink need, with those before
    std::int64_t m_expectedSteps = -1; ///< when that was counted
    double m_expectedWanted = 0;
    double m_operations = 0;
};

} // namespace lambdascope::pu
