// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace lambdascope::triplets {

/// Ways of taking a Newton step: on a working set, over whole product sets.
enum class NewtonKind : std::size_t { WorkingSet, WholeSets };

/// Something per kind of Newton step.
template <class T>
struct PerKind {
    std::array<T, 2> values{};

    [[nodiscard]] T& operator[](NewtonKind kind) { return values[static_cast<std::size_t>(kind)]; }
    [[nodiscard]] const T& operator[](NewtonKind kind) const { return values[static_cast<std::size_t>(kind)]; }

    void transfer(auto& archive) {
        auto& [each] = *this;
        archive(each);
    }
};

/// Something of each method.
template <class T>
struct PerMethod {
    T gradient{};
    T newton{};

    void transfer(auto& archive) {
        auto& [ofGradient, ofNewton] = *this;
        archive(ofGradient, ofNewton);
    }
};

/// Work of a Newton step as far as the size of its systems tells, in the units of counted_work.h: of the one at hand
/// and of one after it at the same λ. Infinite for a kind that is not to be had.
struct StepGuess {
    double first = 0;
    double next = 0;
};
using NewtonGuess = PerKind<StepGuess>;

/// What is known of Newton steps of a kind.
struct StepRecord {
    double worth = 0; ///< work over the guess, smoothed; a lower bound where the step was given up; 0 when unknown
    double fall = 0;  ///< by how much it lowers the logarithm of the gap, smoothed; 0 when unknown
    double mean = 0;  ///< of that over the steps of a λ, smoothed over λ; 0 when unknown

    void transfer(auto& archive) {
        auto& [overGuess, perStep, ofAllSteps] = *this;
        archive(overGuess, perStep, ofAllSteps);
    }
};

/// What is known of the work of the methods at the λ so far.
struct MethodRecord {
    double gradientWork = 0;   ///< of a λ by projected gradient, smoothed; 0 when unknown
    double gradientFall = 0;   ///< of the logarithm of the gap there
    double gradientGrowth = 1; ///< of that work from λ to λ, smoothed
    double endingGain = 0;     ///< fall per work of it after a Newton step over that expected of a λ; 0 when unknown
    double endingShare = 0;    ///< logarithm of the gap share where that began, smoothed
    PerKind<StepRecord> newton;
    double evaluationWork = 0; ///< of one sum over all triplets
    bool wasNewton = false;
    NewtonKind kind = NewtonKind::WorkingSet; ///< of Newton where it was used last
    std::int64_t sinceGradient = 0;           ///< λ since one began with projected gradient
    double spent = 0;                         ///< work of all λ, each less by a tenth than the next one
    double lost = 0;                          ///< the same of what trials took over what was expected without them
    double halfLost = 0; ///< by the first one of two at the last λ, no part of `lost` yet; 0 without one

    void transfer(auto& archive) {
        auto& [ofGradient, itsFall, growth, ending, itsShare, steps, ofEvaluation, isNewton, lastKind, since, all, loss,
               half] = *this;
        archive(ofGradient, itsFall, growth, ending, itsShare, steps, ofEvaluation, isNewton, lastKind, since, all,
                loss, half);
    }
};

/// Chooses at each λ of a path between projected gradient and Newton steps, and between both kinds of Newton step. It
/// asks counted work and no clock, so that the same run makes the same choices.
///
/// * What a method has left to do is the logarithm of the gap over the gap to reach, divided by how much a step lowers
///   that, times the work of a step. A Newton step is expected to take the guess from the size of its systems times
///   what such guesses were off by at earlier λ, and to lower the gap as those before. Projected gradient is expected
///   to go on as at the last λ and at this one so far; after a Newton step faster, by the factor seen there before. So
///   a λ may begin with one method and end with the other.
/// * Newton steps often lower the gap little while they find out which triplets lie between the edges of the loss, and
///   much then. So a kind that does worse than at earlier λ is not given up for a dozen steps.
/// * A λ begins with the method of the λ before, unless clearly less work is expected of the other one. Projected
///   gradient, of which nothing can be guessed where it is not used, is tried now and then if somewhat more is.
/// * A method that is not in use, or a kind of Newton step of which nothing is known, is on trial. A trial loses what
///   the λ takes over what was expected without it, but no more than its own work. What trials lose in all is limited
///   to a share of the work of the last λ, or to what the next trial is expected to save. A Newton step on trial that
///   would lose more is given up, unless little is left of it. A method whose trial did not lose is used from the next
///   λ on.
/// * A Newton step on a working set begins with the dual variables that the last one left. After projected gradient
///   there are none, so that the first step takes more work and lowers the gap less. Where such a trial lost, a second
///   one follows at the next λ if less is expected of it, whatever earlier ones lost. Nothing is learned from the work
///   of the first one, nor from a fall of the gap that was too small, but what both lose counts against later ones. In
///   all, trials lose at most four times that limit. The second one is followed even if it lost a little.
class MethodChoice {
  public:
    /// At a new λ. `chooses`: else every step is Newton's.
    MethodChoice(const MethodRecord& record, bool chooses) : m_record(record), m_chooses(chooses) { grow(); }

    /// Decides on the next step, `gapShare` being the gap over what it has to come down to, after so much work at this
    /// λ.
    void decide(double gapShare, double work, const NewtonGuess& guess);
    [[nodiscard]] bool takesNewton() const { return m_step.isNewton; }
    [[nodiscard]] NewtonKind kind() const { return m_step.kind; }
    /// Whether projected gradient is to take the step after all, before a part of it of work `next`.
    [[nodiscard]] bool givesUpNewton(double work, double next);
    /// Projected gradient takes the step, after so much work at this λ: Newton was given up or found nothing better.
    void gradientTakesOver(double work);
    /// The record after this λ, that took so much work.
    [[nodiscard]] MethodRecord finished(double work) const;

  private:
    struct Step {
        bool isKnown = false; ///< there was one
        bool isNewton = false;
        NewtonKind kind = NewtonKind::WorkingSet;
        double guess = 0;
        double logShare = 0;
        double work = 0;     ///< at its beginning
        double gradient = 0; ///< expected work of projected gradient instead
    };

    void grow();
    void noteStep(double logShare, double work);
    void noteNewton(double fall, double logShare, double work);
    void noteGradient(MethodRecord& record, double work) const;
    [[nodiscard]] double fallOf(NewtonKind kind) const;
    [[nodiscard]] double workOf(NewtonKind kind, double guess) const;
    [[nodiscard]] double gradientRate() const;
    [[nodiscard]] double leftByGradient(double logShare, bool isEnding) const;
    [[nodiscard]] double leftByNewton(NewtonKind kind, const StepGuess& guess, double logShare, bool isAlone) const;
    [[nodiscard]] bool isTooLong(double newton, double gradient) const;
    [[nodiscard]] bool isFirstOfTwo(NewtonKind kind) const;
    [[nodiscard]] double risk(double gain, NewtonKind kind) const;
    [[nodiscard]] double spared(double gradient) const;
    [[nodiscard]] double lossOf(const Step& step, double gradient) const;
    [[nodiscard]] bool prefersNewton(const Step& next, double newton, double gradient) const;

    MethodRecord m_record;
    bool m_chooses;
    Step m_step;
    double m_firstLogShare = 0;
    PerMethod<double> m_expected; ///< at the beginning
    bool m_beganWithNewton = false;
    bool m_usedNewton = false;
    bool m_hasAdvanced = false;  ///< Newton, at this λ
    bool m_hasTried = false;     ///< a Newton step, at this λ
    bool m_isTrial = false;      ///< of projected gradient after Newton
    bool m_isGivenUp = false;    ///< Newton, at this λ
    PerKind<int> m_steps;        ///< of a kind that found something, at this λ
    PerKind<double> m_falls;     ///< in these
    PerKind<int> m_failures;     ///< steps of a kind in a row that found nothing, at this λ
    double m_fallBefore = 0;     ///< fall that was expected of the last one of these
    double m_gradientWork = 0;   ///< before Newton
    double m_gradientFall = 0;   ///< in that
    double m_lastRate = 0;       ///< of the last step of that
    double m_sinceNewton = 0;    ///< work of projected gradient since the last Newton step, at this λ
    double m_gradientNeeded = 0; ///< by it where Newton took over
    double m_endingWork = 0;     ///< by projected gradient after Newton
    double m_endingFall = 0;
    double m_endingShare = 0; ///< of the gap where that began, in the logarithm; 0 before
    double m_trialWork = 0;   ///< by Newton where it is on trial
    double m_budget = 0;      ///< for the Newton step at hand
};

} // namespace lambdascope::triplets
