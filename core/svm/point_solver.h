// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/run_context.h"
#include "core/svm/face_factor.h"
#include "core/svm/point_screening.h"

#include <memory>
#include <span>
#include <vector>

namespace lambdascope::svm {

struct PointSettings {
    double tolerance = 1e-6; ///< gap ≤ tolerance · primal
    std::int64_t maxSweeps = 100000;
    bool shrinks = true;
    std::vector<BoundKind> bounds;
    std::int64_t screenEvery = 10; ///< sweeps between two dynamic screenings
    double beyond = 1.3;           ///< DT: C_b = beyond · C
    int threads = 1;               ///< for steps on large faces; the bits do not depend on it
};

/// Where the CPU time of one path point went, in seconds, and what work that was. The three times add up to the time of
/// solving and screening together.
struct CpuLedger {
    double rule = 0;   ///< making regions and judging samples
    double images = 0; ///< products of all samples with z_ŝ, and solutions beyond C for DT
    double other = 0;  ///< the rest: descent, catching up, proof
    std::int64_t updates = 0;
};

/// Everything one solve leaves behind.
struct PointOutcome {
    Termination termination = Termination::Converged;
    SolvedSvm solved;
    std::int64_t sweeps = 0;
    Bounded primal;
    Bounded dual;
    SampleCounts census; ///< samples certainly in R and in L at the optimum, as near as the solution can tell
    SampleCounts pathScreened;
    SampleCounts finalScreened;
    std::int64_t checks = 0;
    double cpuSolve = 0;
    double cpuScreen = 0;
    CpuLedger ledger;
};

/// One evaluation of the rules, as it was made.
struct ScreeningCheck {
    std::int32_t check = 0; ///< 0 is the path screening
    std::int64_t sweep = 0;
    const ScreeningReference& reference;
    std::span<const Verdict> verdicts; ///< of all samples after the check
};

/// Looks on while a point is solved. Costs a virtual call per check and changes nothing.
class ScreeningWatch {
  public:
    virtual ~ScreeningWatch() = default;
    virtual void checked(const ScreeningCheck& check) = 0;
};

/// Solves one C: screens with the solution at another C, sweeps over what is left, screens again every so many sweeps
/// (GAP), and proves the result on all samples.
///
/// The gap is summed sample by sample, Σ αᵢ(fᵢ − 1) + Cωᵢ max(0, 1 − fᵢ): each term is ≥ 0, so nothing cancels, and
/// rounding of a margin only counts where a sample is not at the bound where it belongs.
class PointSolver {
  public:
    PointSolver(const SvmProblem& problem, PointSettings settings);
    ~PointSolver();

    /// Solves at `c` from `start` (at any C). `seed` and `index` choose the order of sweeps. With `screens` false the
    /// bounds rest. On a stop the outcome says so and holds a point without a proof.
    PointOutcome solve(double c, const SolvedSvm& start, std::int32_t index, RunContext& context);

    void watch(ScreeningWatch* watch) { m_watch = watch; }

  private:
    class Attempt;

    const SvmProblem& m_problem;
    PointSettings m_settings;
    std::unique_ptr<SampleSpace> m_space;
    FaceFactor m_factor;
    std::unique_ptr<PointSolver> m_beyondSolver; ///< of DT
    ScreeningWatch* m_watch = nullptr;
};

/// Fills in everything that follows from α, margins and C: norms, sums and the gap. O(n).
void completeSolved(const SvmProblem& problem, SolvedSvm& solved);

/// Primal and dual value of a completed point.
[[nodiscard]] Bounded primalValue(const SolvedSvm& solved);
[[nodiscard]] Bounded dualValue(const SolvedSvm& solved);

/// The optimum for C ≤ C_min, where every sample is at its bound [S, lemma 9]: α = Cω.
[[nodiscard]] SolvedSvm bottomPoint(const SvmProblem& problem, double c, WorkPoll& poll);
/// 1 / max (Qω)ᵢ over samples with ωᵢ > 0, from the bottom point at any C; infinite when no margin is positive.
[[nodiscard]] double smallestC(const SolvedSvm& bottom, const SvmProblem& problem);

} // namespace lambdascope::svm
