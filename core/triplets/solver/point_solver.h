// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/thread_team.h"
#include "core/run/run_context.h"
#include "core/run/termination.h"
#include "core/triplets/problem/loss_totals.h"
#include "core/triplets/problem/path_config.h"
#include "core/triplets/screening/screening_observer.h"
#include "core/triplets/solver/cpu_ledger.h"
#include "core/triplets/solver/inner_method.h"
#include "core/triplets/solver/path_extrapolation.h"
#include "core/triplets/solver/screening_schedule.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

namespace lambdascope::triplets {

/// A solved (or known) point of the path: what the next point starts from and screens with.
struct SolvedPoint {
    MetricPoint point;
    LossTotals totals; ///< over all triplets, at `point`
    double lambda = 0;
    double gap = 0; ///< upper bound of the duality gap of the full problem
    DualPull dual; ///< Σ α H of the dual variables that `gap` is measured with; empty where they are those of `totals`
    MethodMemory memory;
    ScreeningRecord screening;
    PathExtrapolation path; ///< with the solution before this one

    void transfer(auto& archive) {
        auto& [m, sums, l, bound, ofGap, known, looks, before] = *this;
        archive(m, sums, l, bound, ofGap, known, looks, before);
    }
};

/// Refers to `solved`, to its sums and dual variables where it has any.
[[nodiscard]] inline PathReference pathReference(const SolvedPoint& solved) {
    return {&solved.point, solved.lambda, solved.gap, solved.totals.pull.size() > 0 ? &solved.totals : nullptr,
            solved.dual.pull.size() > 0 ? &solved.dual : nullptr};
}

/// Everything one solve leaves behind.
struct PointOutcome {
    Termination termination = Termination::Converged;
    SolvedPoint solved;
    std::int64_t iterations = 0;
    Bounded primal; ///< P_λ(M), all triplets
    Bounded dual;   ///< largest dual value met
    double loss = 0;
    SetCounts setCounts;        ///< of the solution
    ScreenedPart pathScreened;  ///< on arrival (counts only)
    ScreenedPart finalScreened; ///< by all checks before the point was solved (counts only)
    std::int64_t checks = 0;    ///< evaluations of the rules
    double cpuSolve = 0;
    double cpuScreen = 0;
    CpuLedger ledger; ///< of cpuSolve and cpuScreen together
};

struct PointSettings {
    double gamma = 0.05; ///< smoothing of the hinge; 0 for the hinge itself
    double tolerance = 1e-6;
    ToleranceKind toleranceKind = ToleranceKind::Relative;
    std::int64_t maxIterations = 100000;
    ScheduleKind schedule = ScheduleKind::Every;
    std::int64_t screenEvery = 10; ///< of ScheduleKind::Every
    RuleKind rule = RuleKind::Sphere;
    /// Keep the λ intervals of MGB or RRPB from one solve to the next, with ScheduleKind::Every; λ must fall.
    std::optional<BoundKind> ranges = {};
    MethodKind method = MethodKind::ProjectedGradient;
    /// The limit of sphere rules, for benchmarks: the known solution (see PointSolver::solve) only tells the distances
    /// of iterates and of the bounds' centres from it, and each check judges by the balls of these radii, uncounted.
    /// With ScheduleKind::Every.
    bool knowsDistance = false;
    int threads = 1;        ///< upper limit; results do not depend on it
    bool activeSet = false; ///< projected gradient visits only triplets with a loss, between renewals

    [[nodiscard]] bool hasActiveSet() const { return activeSet && method == MethodKind::ProjectedGradient; }
    /// Whether a λ begins where the last two solutions lead to; projected gradient begins at the last one, as
    /// published [T]. (Of a hinge the smoothed ones are solved, whose widths the line does not follow.)
    [[nodiscard]] bool extrapolates() const { return method != MethodKind::ProjectedGradient && gamma > 0; }
    /// Gap at which a point of that primal value is solved.
    [[nodiscard]] double target(double primal) const {
        return toleranceKind == ToleranceKind::Absolute ? tolerance : tolerance * std::max(1.0, std::abs(primal));
    }
};

/// Solves one λ: screens with the previous solution, iterates a method on what is left, screens again every so many
/// iterations, and proves the result on all triplets. Where the settings extrapolate(), the first iteration goes to the
/// point that the last two solutions lead to, if the function is lower there, and the schedule "auto" screens there at
/// first: the ball of its gap is much smaller than that of the previous solution.
///
/// The gap that decides is that of the full problem: primal over all triplets minus the largest dual value met. (Dual
/// points of the reduced problem are feasible for the full one, with α = 1 on L̂ and 0 on R̂ [T, eq. 2.10].)
///
/// The hinge is minimized through smoothed hinges of falling width s, whose α are dual feasible for it: its gap is the
/// smoothed problem's plus s Σ α(1 − α), so s falls until that term no longer matters.
class PointSolver {
  public:
    PointSolver(Engine& engine, std::vector<std::unique_ptr<Bound>> bounds, PointSettings settings);
    ~PointSolver();

    /// Solves at `lambda`, from `start`. On a stop the outcome says so and holds the best point so far. `known`, if not
    /// null, is the solution at this λ by another lane (an oracle): the triplets that the solver's bounds decide there
    /// are left out from the start, uncounted, and nothing else is screened: the limit of what screening can save.
    PointOutcome solve(double lambda, const SolvedPoint& start, std::int32_t pointIndex, RunContext& context,
                       const SolvedPoint* known = nullptr);

    /// `observer` is shown every check from now on (null to end that).
    void observe(ScreeningObserver* observer) { m_observer = observer; }

    /// What a later λ depends on besides its start.
    void transfer(StateArchive& archive);

  private:
    class Attempt; ///< the state of one solve

    Engine& m_engine;
    std::vector<std::unique_ptr<Bound>> m_bounds;
    PointSettings m_settings;
    ThreadTeam m_team;
    ScreeningObserver* m_observer = nullptr;
    std::unique_ptr<RangeStore> m_ranges; ///< null without ranges
};

} // namespace lambdascope::triplets
