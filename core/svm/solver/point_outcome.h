// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/run_context.h"
#include "core/svm/solver/point_screening.h"

#include <cstdint>
#include <span>
#include <vector>

namespace lambdascope::svm {

struct PointSettings {
    double tolerance = 1e-6; ///< gap ≤ tolerance · primal
    std::int64_t maxSweeps = 100000;
    bool shrinks = true;
    std::vector<BoundKind> bounds;
    ScheduleKind schedule = ScheduleKind::Every;
    std::int64_t screenEvery = 10; ///< sweeps between two dynamic screenings, of ScheduleKind::Every
    bool keepsRanges = true;       ///< of ScheduleKind::Auto: what BT1 decides is kept for larger C, where that pays
    double beyond = 1.3;           ///< DT: C_b = beyond · C
    /// A solution that is known only tells how far the iterate is from it, whenever a look is due, and for nothing: the
    /// limit of all balls round those iterates. With ScheduleKind::Every; 0 sweeps between two looks before the first
    /// too.
    bool knowsDistance = false;
    /// Steps over more free samples iterate with rounded kernel values; those over fewer may.
    std::size_t largestFactored = 3000;
    /// Proximal steps are for linear kernels of at most so many features: systems of more take long to factor.
    std::int64_t mostProximalFeatures = 1500;
    int threads = 1; ///< for steps on large faces; the bits do not depend on it
};

/// Where the CPU time of one path point went, in seconds, and what work that was. The three times add up to the time of
/// solving and screening together.
struct CpuLedger {
    double rule = 0;   ///< making regions and judging samples
    double images = 0; ///< products of all samples with z_ŝ, and solutions beyond C for DT
    double other = 0;  ///< the rest: descent, catching up, proof
    std::int64_t updates = 0;
    /// Floating-point operations, roughly: of sweeps, steps on faces, margins, and everything that screening takes.
    double operations = 0;
};

/// Everything one solve leaves behind.
struct PointOutcome {
    Termination termination = Termination::Converged;
    SolvedSvm solved;
    Eigen::VectorXd alphaLow; ///< what doubles leave of α where it was refined (AccuratePoints); empty for nothing
    std::int64_t sweeps = 0;
    Bounded primal;
    Bounded dual;
    SampleCounts setCounts;     ///< samples certainly in R and in L at the optimum, as near as the solution can tell
    SampleCounts pathScreened;  ///< on arrival
    SampleCounts finalScreened; ///< by all checks before the point was solved
    std::int64_t carried = 0;   ///< decisions taken over from smaller C, in pathScreened
    std::int64_t checks = 0;
    double cpuSolve = 0;
    double cpuScreen = 0;
    CpuLedger ledger;
    double wallBeside = 0; ///< seconds of it that are no part of solving
};

/// One evaluation of the rules, as it was made.
struct ScreeningCheck {
    std::int32_t check = 0; ///< 0 is the path screening
    std::int64_t sweep = 0;
    const ScreeningReference& reference;
    std::span<const Decision> decisions; ///< of all samples after the check
};

/// Looks on while a point is solved. Costs a virtual call per check and changes nothing.
class ScreeningObserver {
  public:
    virtual ~ScreeningObserver() = default;
    virtual void checked(const ScreeningCheck& check) = 0;
};

} // namespace lambdascope::svm
