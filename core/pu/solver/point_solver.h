// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/pu/engines/pu_engine.h"
#include "core/pu/problem/pu_config.h"
#include "core/run/run_context.h"

#include <memory>
#include <span>
#include <vector>

namespace lambdascope::pu {

struct PointSettings {
    double tolerance = 1e-6;
    ToleranceKind toleranceKind = ToleranceKind::Gap;
    std::int64_t maxSteps = 100'000'000;
    bool shrinks = true;
    bool screens = false;
    double screenFall = 0.2; ///< screens again when the violation has fallen to this share
    /// But not where counted work says that the steps left cannot pay for it; and what the solution at the last λ has
    /// proven rests at first.
    bool isAuto = false;
};

/// Everything one solve leaves behind.
struct PointOutcome {
    Termination termination = Termination::Converged;
    SolvedPu solved;
    std::int64_t steps = 0;
    std::int64_t kernelValues = 0; ///< read to keep scores up to date
    double operations = 0;         ///< floating-point operations, roughly, of steps, looks and screening
    SampleCounts
        setCounts; ///< samples whose σ is certainly 0, c₂/2, c₂ at the optimum, as near as the solution can tell
    SampleCounts pathScreened;  ///< on arrival
    SampleCounts finalScreened; ///< by all checks before the point was solved
    SampleCounts afterScreened; ///< and by judging with the finished solution, where isAuto
    std::int64_t checks = 0;    ///< evaluations of the rules before the point was solved
    double cpuSolve = 0;
    double cpuScreen = 0;
    double bytes = 0; ///< largest amount held by the solver and its kernel rows
};

/// One evaluation of the rules, as it was made.
struct ScreeningCheck {
    std::int32_t check = 0; ///< counted from 0
    std::int64_t steps = 0; ///< 0: on arrival, which may be left out where isAuto
    double gap = 0;         ///< in the units of PuProblem
    double radius = 0;      ///< √gap, rounded up
    const PuView& view;
    std::span<const Decision> decisions; ///< of all unlabeled samples after the check
    bool isAfterwards = false;           ///< made with the finished solution, too late to save anything
};

/// Looks on while a point is solved. Costs a virtual call per check and changes nothing.
class ScreeningObserver {
  public:
    virtual ~ScreeningObserver() = default;
    virtual void checked(const ScreeningCheck& check) = 0;
};

/// Solves one λ from any feasible point: screens with that point's gap, works, screens again whenever the violation has
/// fallen enough, and proves the result on all samples. Screened samples stay in the problem as constants; few ones
/// that would cost more to take out than they cost in the steps left stay where they are, decided nevertheless.
///
/// Where isAuto, they begin instead with the samples that the ball of the last λ has left open and those that its
/// scores, or those to expect from the last two solutions, contradict at this λ (the active warm start of [Ndiaye et
/// al. 2017]); the others join before anything is screened or proven.
class PointSolver {
  public:
    PointSolver(const PuProblem& problem, PointSettings settings);

    /// `start` must be feasible for the problem (movedTo() makes it so). On a stop the outcome says so.
    PointOutcome solve(double lambda, const SolvedPu& start, std::int32_t index, RunContext& context);

    void observe(ScreeningObserver* observer) { m_observer = observer; }

  private:
    const PuProblem& m_problem;
    PointSettings m_settings;
    std::unique_ptr<PuEngine> m_engine;
    ScreeningObserver* m_observer = nullptr;
};

[[nodiscard]] std::vector<SampleIndex> allUnlabeled(const PuProblem& problem);
/// A completed point as it is judged; `all` are its unlabeled samples.
[[nodiscard]] PuView viewOf(const PuProblem& problem, const SolvedPu& solved, std::span<const SampleIndex> all);

/// Decisions on all unlabeled samples that a completed point alone gives.
[[nodiscard]] SampleCounts setCountsOf(const PuProblem& problem, const SolvedPu& solved,
                                       std::vector<Decision>* decisions = nullptr);

} // namespace lambdascope::pu
