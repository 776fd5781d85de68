// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>

namespace lambdascope::metric {

/// What is known of the work of two methods at the last λ, in the units of counted_work.h. 0 where it is not known.
struct MethodRecord {
    /// Of Newton where it was not the first one in a row, with the guess for that λ; or at least so much.
    struct Newton {
        double work = 0;
        double guess = 0;
    };

    double gradientWork = 0;      ///< of projected gradient, smoothed; of the last λ that it finished
    std::array<Newton, 2> newton; ///< on working sets, and over whole product sets
    double meanWork = 0;          ///< of the last λ, whatever the method
    double evaluationWork = 0;    ///< of one sum over all triplets
    bool wasNewton = false;
    bool tookWholeSets = false; ///< that Newton was the one over whole product sets
    std::int64_t pause = 0;     ///< λ to go before the other method may be tried again
};

/// Which of two methods a λ begins with, and whether the other takes over there, from counted work alone: no clock is
/// asked, so that the same run makes the same choices.
///
/// The work of a method is expected to be that of the last λ where it was used; Newton's changes with the guess from
/// the number of triplets between the edges. The other method is tried when less work is expected of it. A trial has a
/// budget, so that a wrong guess costs about the work of one λ: projected gradient ends early when the gap
/// falls too slowly, Newton before a system that is too large; the next trial waits for some λ.
class MethodChoice {
  public:
    /// At a new λ. `newtonGuess` is the work of Newton as far as the size of its systems tells, 0 when nothing does.
    MethodChoice(const MethodRecord& record, double newtonGuess, bool takesWholeSets);

    [[nodiscard]] bool beginsWithNewton() const { return m_beginsWithNewton; }
    /// Whether Newton is to take over from projected gradient after so much work; `gapShare` is the gap over what it
    /// has to come down to, now and at the beginning.
    [[nodiscard]] bool givesUpGradient(double work, double gapShare, double firstGapShare);
    /// Whether projected gradient is to take over from Newton after so much work, before a step of `next`.
    [[nodiscard]] bool givesUpNewton(double work, double next);
    /// The record after this λ, that took so much work, `gradientWork` of it before Newton, if that was used.
    [[nodiscard]] MethodRecord finished(double work, double gradientWork, bool usedNewton) const;

  private:
    void noteNewton(MethodRecord& record, double work) const;
    void noteGradient(MethodRecord& record, double work) const;

    MethodRecord m_record;
    double m_guess = 0;
    bool m_takesWholeSets = false;
    bool m_follows = false;      ///< Newton of this kind was used at the last λ
    bool m_isKnown = false;      ///< Newton of this kind was used before
    double m_expectedNewton = 0; ///< 0 when unknown
    double m_expectedGradient = 0;
    double m_first = 1;        ///< how much more work the first Newton in a row is
    double m_budget = 0;       ///< of Newton where it follows projected gradient
    double m_givenUp = 0;      ///< work that projected gradient would have taken
    double m_newtonSpent = 0;  ///< on Newton before it was given up
    double m_newtonNeeded = 0; ///< by it at least
    bool m_beginsWithNewton = false;
};

} // namespace lambdascope::metric
