// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triplets/path/path_problem.h"
#include "core/triplets/solver/point_solver.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace lambdascope {
struct PreparationInput;
}

namespace lambdascope::triplets {

/// A solution (M, α) of λ₀ as an approximate one of smaller λ: sM with a scale s ≥ 1, and dual variables ρα, 0 ≤ ρ ≤ 1.
/// With N = ‖M‖², A = Σ α τ, G = γ Σ α²/w and K = ‖[Σ α H − S]₊‖²
///
///     P_λ(sM) = L(s) + (λ/2) s² N,    D_λ(ρα) = ρ A − ½ ρ² (G + K/λ),
///
/// so that the gap is a closed form in λ wherever the loss L(s) at sM is known. L is convex: between two scales where
/// it was summed, its chord lies above it. Besides α = α(M), the dual variables that the solution's gap was measured
/// with are tried with ρ = 1. All coefficients are rounded to the safe side, so that what at() and reach() claim holds
/// for M as it stands.
class FixedSolution {
  public:
    /// Of a solution with its sums; that of one without claims nothing. O(d³).
    FixedSolution(const SolvedPoint& solved, double gamma, StopCheck& stopCheck);

    /// Takes the sums at `scale` · M, by an engine. False when stopped. One evaluation of all items.
    bool addScale(double scale, Engine& engine, StopCheck& stopCheck);

    /// The pair with the smallest gap at one λ ≤ λ₀.
    struct Pair {
        double scale = 1;     ///< s
        double loss = 0;      ///< at least L(s)
        double primal = 0;    ///< at least P_λ(sM)
        double dual = 0;      ///< at most D_λ(ρα)
        double dualScale = 1; ///< ρ
        std::size_t side = 0; ///< which dual variables
    };
    [[nodiscard]] Pair at(double lambda) const;

    /// A λ ≤ λ₀ so that at each λ' from there to λ₀ the gap of at(λ') is at most ε times the dual value, and P_λ'(sM)
    /// at most 1 + ε times the optimum. λ₀ when the solution itself is not as good as that; 0 when it is so for all λ.
    ///
    /// With s, ρ and the dual variables fixed the condition is a quadratic in λ, which holds between its roots: from
    /// the best pair at a λ to its root, and on from the best pair there.
    [[nodiscard]] double reach(double epsilon) const;

    /// The scale that would be best at λ, as far as the sums so far tell: of a loss that falls as it does at M and has
    /// the curvature of the chord to the first scale beyond.
    [[nodiscard]] double wantedScale(double lambda) const;
    [[nodiscard]] double largestScale() const { return m_scales.empty() ? 1 : m_scales.back().scale; }

  private:
    /// The loss at a scale, or more.
    struct Scale {
        double scale = 1;
        double loss = 0;
    };
    /// Dual variables: D_λ(ρα) ≥ ρ linear − ½ ρ² (square + pull/λ), where ρ = 1 unless it `scales`.
    struct DualSide {
        double linear = 0;
        double square = 0;
        double pull = 0;
        bool scales = false;

        [[nodiscard]] double bestScale(double lambda) const;
        [[nodiscard]] double value(double lambda, double rho) const;
    };
    void addDuals(const SolvedPoint& solved, double gamma, StopCheck& stopCheck);
    void choosePrimal(double lambda, Pair& pair) const;
    [[nodiscard]] bool holds(double lambda, const Pair& pair, double epsilon) const;
    /// The smaller root of the quadratic of a pair, with some room; λ when there is none below.
    [[nodiscard]] double rootBelow(double lambda, const Pair& pair, double epsilon) const;

    const SolvedPoint& m_solved;
    double m_gamma;
    double m_squaredNorm = 0; ///< at least N
    double m_slope = 0;       ///< −L'(1)
    std::vector<Scale> m_scales;
    std::vector<DualSide> m_duals;
};

/// FixedSolution::reach, with the loss at a few scales where they are expected to be worth it: a few evaluations of all
/// items. λ₀ when stopped.
[[nodiscard]] double reachOf(const SolvedPoint& solved, double gamma, double epsilon, Engine& engine,
                             StopCheck& stopCheck);

/// The λ of the ε-approximation path of `problem`: each is the reach of the solution before for a little less than ε,
/// so that other solutions of the same λ reach as far. A solution that does not reach beyond its own λ is left by a
/// fixed small step. Walked by a solver of its own, on the engine of `solver` (but `pairs` for `triplets`), and with
/// screening if a lane screens there, so that all lanes get the same λ; it ends by the stop rule, at the smallest λ or
/// with the most points. Nothing when stopped.
[[nodiscard]] std::optional<std::vector<double>> approximationPath(const PathProblem& problem,
                                                                   const SolverConfig& solver,
                                                                   const std::vector<Lane>& lanes,
                                                                   const PreparationInput& input);

} // namespace lambdascope::triplets
