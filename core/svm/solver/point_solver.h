// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/svm/solver/free_set_factor.h"
#include "core/svm/solver/point_outcome.h"
#include "core/svm/solver/rounded_products.h"

#include <memory>

namespace lambdascope::svm {

/// Solves one C: screens with the solution at another C, sweeps over what is left, screens again every so many sweeps
/// (GAP), and proves the result on all samples.
///
/// The gap is summed sample by sample, Σ αᵢ(fᵢ − tᵢ) + Cωᵢ max(0, tᵢ − fᵢ): each term is ≥ 0, so nothing cancels, and
/// rounding of a margin only counts where a sample is not at the bound where it belongs.
class PointSolver {
  public:
    PointSolver(const SvmProblem& problem, PointSettings settings);
    ~PointSolver();

    /// Solves at `c` from `start` (at any C). The seed of `context` and `index` choose the order of sweeps. On a stop
    /// the outcome says so and holds a point without a proof. What `known`, a solution at this C, proves of the samples
    /// by the ball of its gap is taken over on nobody's account, and nothing is screened beside it: the limit of what
    /// screening can save.
    PointOutcome solve(double c, const SolvedSvm& start, std::int32_t index, RunContext& context,
                       const SolvedSvm* known = nullptr);

    void observe(ScreeningObserver* observer) { m_observer = observer; }

    /// What a later point depends on besides its start.
    void transfer(StateArchive& archive);

  private:
    const SvmProblem& m_problem;
    PointSettings m_settings;
    std::unique_ptr<DualIterate> m_space;
    FreeSetFactor m_factor;
    RoundedProducts m_products;
    std::unique_ptr<PointSolver> m_beyondSolver; ///< of DT
    ScreeningObserver* m_observer = nullptr;
};

/// Fills in everything that follows from α, margins and C: norms, sums and the gap. O(n).
void completeSolved(const SvmProblem& problem, SolvedSvm& solved);

/// A feasible α at `c` with everything that follows from it; with a balance s, α becomes as near to Σ yα = s as it may
/// have been. A kernel row for each α that is not 0. When `stopCheck` asks to stop, margins are of no use.
[[nodiscard]] SolvedSvm solvedAt(const SvmProblem& problem, double c, Eigen::VectorXd alpha, StopCheck& stopCheck);

/// Samples off the edge f = t at the bound where they belong, by a completed point.
[[nodiscard]] SampleCounts setCountsOf(const SvmProblem& problem, const SolvedSvm& solved);

/// Primal and dual value of a completed point.
[[nodiscard]] Bounded primalValue(const SolvedSvm& solved);
[[nodiscard]] Bounded dualValue(const SolvedSvm& solved);
/// What gaps are measured by: the primal value, or ½‖w‖² where that is larger, as with one class, whose optimum is
/// −½‖w‖²; at least SvmProblem::leastSize().
[[nodiscard]] double sizeOf(const SvmProblem& problem, const SolvedSvm& solved);

} // namespace lambdascope::svm
