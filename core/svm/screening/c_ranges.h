// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/svm/screening/region.h"
#include "core/svm/screening/solved_svm.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace lambdascope::svm {

/// Decisions on all samples that hold on intervals of C, each from a C that a path has passed up to an end: what some
/// earlier solution has decided by BT1, to be judged again only when the interval ends. Five bytes per sample.
struct DecisionRanges {
    explicit DecisionRanges(std::size_t samples = 0) : ends(samples, 0), decisions(samples, Decision::Keep) {}

    std::vector<float> ends; ///< the largest C, rounded down; 0 where nothing is decided
    std::vector<Decision> decisions;
    double from = 0; ///< the C at which the newest was made: all hold from there on

    [[nodiscard]] Decision at(SampleIndex i, double c) const {
        const auto place = static_cast<std::size_t>(i);
        return c >= from && c <= static_cast<double>(ends[place]) ? decisions[place] : Decision::Keep;
    }

    void transfer(auto& archive) {
        auto& [largest, known, first] = *this;
        archive(largest, known, first);
    }
};

/// How far up the path BT1 of one solution at C₀ decides a sample as it does at some C ≥ C₀. With u = C/C₀ − 1 its
/// centre is (1 + u/2) w₀ and its squared radius ¼‖w₀‖²u² + (1 + u) gap₀, so that a sample of margin f₀ stays decided
/// until
///   (f₀ − t + ½f₀u)² = ‖z‖² (¼‖w₀‖²u² + (1 + u) gap₀),
/// a quadratic equation. Its root is only where to look: an end is proven by judging the sample there anew, with all
/// padding. What lies between two C of the same decision is decided alike, since the radius is convex in C for
/// gap₀ ≤ ‖w₀‖², and what padding adds to it is convex as well.
class RangeRule {
  public:
    /// Both must outlive it, and c ≥ C₀ > 0.
    RangeRule(const SvmProblem& problem, const SolvedSvm& reference, double c);

    /// False where nothing is known to be convex, or C is not above C₀: no sample has an end then.
    [[nodiscard]] bool isUsable() const { return m_here.has_value(); }
    /// A C up to which BT1 of the reference decides sample i as at c; at most kFarthest C₀. 0 when it does not decide
    /// it at c, or not beyond. O(1).
    [[nodiscard]] float end(SampleIndex i, Decision& decision) const;

    static constexpr double kFarthest = 1e6;

  private:
    [[nodiscard]] BallRegion regionAt(double c) const;
    [[nodiscard]] double root(double margin, double threshold, double norm) const;

    const SvmProblem& m_problem;
    const SolvedSvm& m_reference;
    double m_c;
    std::optional<BallRegion> m_here; ///< at c
};

/// What BT1 of a solution at C₀ decides of each sample at all C = t C₀ with t in [low, high], 0 < low ≤ high, with a
/// free bias. At t its ball has the centre ½(1 + t) w₀ and the radius r² = ¼‖w₀‖²(t − 1)² + t gap₀ + what yᵀα owes.
/// Over [low, high] scores of the centre are linear in t, what is owed rises, and the rest of r² is convex: the larger
/// radius at both ends, and one bracket for all scores between those at both ends, hold at every t between. O(n) on
/// average.
[[nodiscard]] std::vector<Decision> decisionsOverC(const SvmProblem& problem, const SolvedSvm& reference, double low,
                                                   double high);

} // namespace lambdascope::svm
