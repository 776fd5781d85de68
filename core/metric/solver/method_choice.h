// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace lambdascope::metric {

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

/// Work of Newton at a λ as far as the size of its systems tells, in the units of counted_work.h; infinite for a kind
/// that is not to be had.
using NewtonGuess = PerKind<double>;

/// What is known of the work of the methods at the λ so far.
struct MethodRecord {
    double gradientWork = 0;   ///< of projected gradient, smoothed; 0 when unknown
    double gradientGrowth = 1; ///< of that from λ to λ, smoothed
    /// Work of Newton over the guess, smoothed; 0 when unknown. At least so much where it was given up.
    PerKind<double> worth;
    double evaluationWork = 0; ///< of one sum over all triplets
    bool wasNewton = false;
    NewtonKind kind = NewtonKind::WorkingSet; ///< of Newton where it was used last
    std::int64_t sinceGradient = 0;           ///< λ since projected gradient was used
    PerMethod<std::int64_t> losses;           ///< trials of each in a row that did not pay

    void transfer(auto& archive) {
        auto& [ofGradient, growth, ofNewton, ofEvaluation, isNewton, lastKind, since, lost] = *this;
        archive(ofGradient, growth, ofNewton, ofEvaluation, isNewton, lastKind, since, lost);
    }
};

/// Which of two methods a λ begins with, which kind of Newton step that takes, and whether the other takes over there,
/// from counted work alone: no clock is asked, so that the same run makes the same choices.
///
/// Newton is expected to take the guess for the λ at hand times what guesses were worth at earlier ones, and the kind
/// of which less is expected is the one. Projected gradient is expected to take what it took last, growing as it grew.
/// The other method is tried when less work is expected of it; projected gradient, of which nothing is guessed, now and
/// then when somewhat more is. A trial has a budget, so that a wrong guess costs about the work of one λ, and the more
/// trials did not pay, the more the next has to promise: projected gradient ends early when the gap falls too slowly,
/// Newton before a step that is too much.
class MethodChoice {
  public:
    /// At a new λ.
    MethodChoice(const MethodRecord& record, const NewtonGuess& guess);

    [[nodiscard]] bool beginsWithNewton() const { return m_beginsWithNewton; }
    [[nodiscard]] NewtonKind kind() const { return m_kind; }
    /// Whether Newton is to take over from projected gradient after so much work; `gapShare` is the gap over what it
    /// has to come down to, now and at the beginning.
    [[nodiscard]] bool givesUpGradient(double work, double gapShare, double firstGapShare);
    /// Whether projected gradient is to take over from Newton after so much work, before a step of `next`.
    [[nodiscard]] bool givesUpNewton(double work, double next);
    /// The record after this λ, that took so much work, `gradientWork` of it before Newton, if that was used.
    [[nodiscard]] MethodRecord finished(double work, double gradientWork, bool usedNewton) const;

  private:
    void setKind(const NewtonGuess& guess);
    void noteNewton(MethodRecord& record, double work, bool isWhole) const;
    void noteGradient(MethodRecord& record, double work) const;
    [[nodiscard]] double expectedGradient() const;

    MethodRecord m_record;
    NewtonKind m_kind = NewtonKind::WorkingSet;
    double m_guess = 0;          ///< of that kind; 0 when there is none
    double m_expectedNewton = 0; ///< 0 when unknown
    double m_expectedGradient = 0;
    bool m_beginsWithNewton = false;
    double m_givenUp = 0;      ///< work that projected gradient would have taken
    double m_newtonSpent = 0;  ///< on Newton before it was given up
    double m_newtonNeeded = 0; ///< by it at least
};

} // namespace lambdascope::metric
