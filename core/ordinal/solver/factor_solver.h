// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/numeric/error_bound.h"
#include "core/ordinal/problem/points.h"
#include "core/ordinal/solver/factored_gram.h"
#include "core/run/run_context.h"
#include "core/run/termination.h"
#include "core/triplets/problem/path_config.h"

#include <cstdint>
#include <vector>

namespace lambdascope::ordinal {

/// What one λ hands to the next.
struct FactorPoint {
    Points factor;              ///< L, whose columns are orthogonal, in rising order of length, as a PsdSplit has them
    std::vector<double> alphas; ///< of the largest lower bound met
    Points polar;               ///< its Y
    double curvature = 1;       ///< of the lower bound, along steps of α

    void transfer(auto& archive) {
        auto& [l, alpha, y, ofAlpha] = *this;
        archive(l, alpha, y, ofAlpha);
    }
};

/// Where a path begins.
struct FactorTop {
    double lambdaMax = 0; ///< 0 when G = 0 is the solution for every λ
    Points factor;        ///< of the rank's best approximation of [Σ w H]₊, as a PsdSplit has it
};

/// With all comparisons in the linear part of the loss, as at large λ, the best G of rank p is N/λ, N being the matrix
/// of that rank nearest to [Σ w H]₊: λ_max is where the first comparison leaves that part, max_c ⟨N, H_c⟩/(τ − γ). N is
/// found to a relative 1e-4 or so, and λ_max with it; nothing rests on either. Unfinished when `stopCheck` asked to
/// stop.
[[nodiscard]] FactorTop factorTop(const FactoredGram& problem, Eigen::Index rank, std::uint64_t seed,
                                  StopCheck& stopCheck);

/// The solution at `lambda` where it is at least λ_max, of that rank or less.
[[nodiscard]] FactorPoint topPoint(const FactoredGram& problem, const FactorTop& top, Eigen::Index rank, double lambda);

struct FactorSettings {
    double tolerance = 1e-6;
    triplets::ToleranceKind toleranceKind = triplets::ToleranceKind::Relative;
    std::int64_t maxIterations = 100000;
    bool wantsBound = true; ///< false: L alone, without a lower bound
};

struct FactorOutcome {
    Termination termination = Termination::NotProven;
    FactorPoint point;
    std::int64_t iterations = 0;
    std::int64_t evaluations = 0; ///< of P and ∇P
    Bounded primal;               ///< P(L)
    Bounded dual;                 ///< the largest D(α, Y) met
    double loss = 0;
    double gap = 0; ///< upper bound of P(L) − optimum, rounding included
};

/// Minimizes P(L) at `lambda` by L-BFGS from `start`, of the hinge through smoothed ones of falling width, and climbs
/// the lower bound by turns with that (BoundClimb), from the α of the start or of L. Both go on until a turn gains next
/// to nothing of the gap, or of the tolerance.
///
/// No gradient leads away from columns of L that have vanished: those get a little noise, by `seed`, before the first
/// step and where the value settles, until that helps no more.
///
/// Converged: the gap is within the tolerance. NotProven: both have settled, and it is not.
[[nodiscard]] FactorOutcome solveFactored(const FactoredGram& problem, double lambda, const FactorPoint& start,
                                          std::int32_t pointIndex, const FactorSettings& settings, std::uint64_t seed,
                                          RunContext& context);

} // namespace lambdascope::ordinal
