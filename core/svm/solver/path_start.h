// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/svm/solver/point_solver.h"

namespace lambdascope::svm {

/// What the loss alone chooses: α = Cs that is optimal at w = 0, among all if it were for no kernel. With φ(b) = Σ ωᵢ
/// max(0, tᵢ − yᵢb), whose least value is at some kink yᵢtᵢ (b = 0 without a free bias), samples whose kink lies on one
/// side of it are at a bound: L where yᵢ(yᵢtᵢ − b) > 0, R where it is below. Those at that very kink share what is left
/// of yᵀs = 0, all positive ones the same part of ω, all negative ones too. O(n log n).
struct LossAlone {
    Eigen::VectorXd s;
    double kink = 0;          ///< b
    double clearance = 0;     ///< distance from it to the nearest kink beside it; infinite without any
    bool isPinned = false;    ///< some at that kink are strictly between their bounds, or there is no free bias
    std::vector<bool> atKink; ///< by sample
};
[[nodiscard]] LossAlone lossAlone(const SvmProblem& problem);

/// With a balance s that is α = sω/Σω, for C ≥ s/Σω.
/// α = Cs of lossAlone() with its w: feasible, and for C ≤ C_min the optimum where no samples share a kink (two classes
/// without a free bias: α = Cω [S, lemma 9]).
[[nodiscard]] SolvedSvm bottomPoint(const SvmProblem& problem, double c, StopCheck& stopCheck);
/// 1 / max (Qω)ᵢ over samples with ωᵢ > 0, of two classes without a free bias, from the bottom point at any C; infinite
/// when no margin is positive.
[[nodiscard]] double smallestC(const SolvedSvm& bottom, const SvmProblem& problem);

/// Where a path begins that has no closed form: up to C_min the solution is C/C_min times that at C_min.
///
/// As C → 0 the loss alone counts, so that α = Cs with s that is optimal for it, and of all those the one that makes
/// Σ sz shortest, whatever C. With g = Φ(x)ᵀΣ sz the kink of a sample is at yt − Cg, and α stays Cs as long as each
/// kink stays on its side of b: with Λ the samples whose kink may not pass b upwards (y = 1 in R, y = −1 in L, and
/// those between their bounds), Υ those whose may not pass it downwards,
///   max over Λ of (yt − Cg) ≤ min over Υ of (yt − Cg).
/// The left side less the right is convex in C, so that Newton's steps from above end at the largest such C. For two
/// classes and a free bias that is 2 / (max₁ g − min₂ g), over the class of less weight and over the support of the
/// other (times y of the first).
/// With one class C_min is 1/Σω, below which no α is feasible: α = Cω there.
struct PathStart {
    double cMin = 0;  ///< as exact as the solution; infinite when w = 0 is optimal at every C
    SolvedSvm solved; ///< at cMin
};
/// Solves at a C small enough, to a relative gap of 1e-9. O(n) kernel rows and the solve.
[[nodiscard]] PathStart pathStart(const SvmProblem& problem, StopCheck& stopCheck, RunContext& context);

} // namespace lambdascope::svm
