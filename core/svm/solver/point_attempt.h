// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/random_stream.h"
#include "core/run/point_journal.h"
#include "core/svm/solver/free_set_newton.h"
#include "core/svm/solver/point_outcome.h"
#include "core/svm/solver/screening_schedule.h"
#include "core/svm/solver/visited_samples.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

namespace lambdascope::svm {

class PointSolver;

/// What a solver keeps from point to point.
struct SolverParts {
    const SvmProblem& problem;
    const PointSettings& settings;
    DualIterate& space;
    FreeSetMemory freeSets;
    PointSolver* beyondSolver;   ///< of DT; null without it
    ScreeningObserver* observer; ///< may be null
    const SolvedSvm* known;      ///< solution at the C to be solved; null where nothing is known
};

/// One solve at one C, from its start to its proof.
class PointAttempt {
  public:
    PointAttempt(const SolverParts& parts, double c, const SolvedSvm& start, std::int32_t index, RunContext& context);
    PointOutcome run();

  private:
    /// As sizeOf() measures it.
    [[nodiscard]] double target() const {
        return m_settings.tolerance * std::max({m_primal, m_linearSum - m_dual, m_problem.leastSize()});
    }
    /// Whether nothing is left to do, as far as the reduced problem tells.
    [[nodiscard]] bool seemsDone() const { return m_gap <= m_share * target() || m_isStalled; }
    void begin();
    Termination iterate();
    struct ReducedGap {
        double value = 0;
        double upper = 0; ///< with its rounding
    };
    /// Gap of the reduced problem on the members of the current level, whose margins these are.
    [[nodiscard]] ReducedGap reducedGap(const Eigen::VectorXd& margins) const;
    /// Makes the margins of the members anew and takes the gap over.
    void measure();
    /// The gap by the margins that were measured last, and with it the primal value and a bound of the norm.
    void takeGap();
    void sumLinearTerms() {
        m_linearSum = m_problem.thresholds().dot(m_space.alpha());
        m_linearSize = m_problem.thresholds().cwiseAbs().dot(m_space.alpha());
    }
    /// ½‖w‖² = tᵀα − D, which may cancel: D is a sum of the gains of all moves, each rounded.
    void noteNorm();
    void sweep();
    /// A Newton step over the free samples, once the sweeps since the last have cost as much as it will, or in its
    /// place a proximal one. What it gains.
    double stepOnFace();
    /// A proximal step over all that are visited, once sweeps and steps since the last have cost several times as much
    /// as it will. What it gains.
    double stepByProximity();
    /// Takes over a step that gained so much.
    void tookStep(double gain);
    /// The dual value cannot tell this gain from nothing.
    [[nodiscard]] bool isRounding(double gain) const { return gain <= kUnitRoundoff * std::abs(m_dual); }
    /// Rounding is all that is left of the gap: takes away what can be taken away, or says that nothing can.
    void clearRounding();
    /// All margins anew, at the level of all samples.
    void refreshAll();
    /// Brings shrunk samples back and measures the gap of the whole reduced problem.
    void unshrink();
    /// Narrows the level to what is still visited, when that pays.
    void moveTogether();
    /// Proves the point on all samples. Nothing when the reduced problem must be solved further.
    std::optional<Termination> conclude();
    /// Margins of all samples, sums and the gap of the full problem.
    void prove();
    void takeMargins();
    void screenPath();
    /// Takes over what the known solution proves: neither time nor work of that counts.
    void takeKnown();
    /// Takes over what the distance to the known solution tells, on nobody's account either.
    bool takeDistance();
    /// Looks where a look is due before the next sweep; true when something was decided.
    bool lookAgain();
    /// What a look now is likely to decide of the undecided samples, by a draw of them and the gap at hand.
    [[nodiscard]] double likelyLater();
    void screenHere();
    [[nodiscard]] ScreeningSchedule::State scheduleState() const;
    void count(double operations) { m_outcome.ledger.operations += operations; }
    /// Of something that is no part of sweeps: for screening or not.
    void countSpace(bool isForScreening);
    void countMargins();
    /// What a sweep over so many did, and what it would have done without screening.
    void countSweep(const SweepOutcome& done, double visited);
    /// Without screening the level would hold all samples now: shrinking has not left out enough.
    [[nodiscard]] bool wouldHoldAll() const;
    void visitAll() {
        m_visited.visitAll();
        m_sweptSince = 0;
    }
    /// To the level of all samples.
    void widenToAll() {
        m_visited.widenToAll(m_stopCheck);
        countSpace(wouldHoldAll());
    }
    [[nodiscard]] static ScreeningSchedule::Terms scheduleTerms(const PointSettings& settings,
                                                                const SvmProblem& problem, std::int32_t index);
    /// Looks on arrival, unless that would not pay.
    void arrive();
    [[nodiscard]] double likelyShare() const;
    /// Judges the undecided members of the current level by all bounds, and puts those decided to their bounds.
    /// `begun` is when the look began, `judging` when all was made that it needs, in CPU seconds; returns when it
    /// ended.
    double check(ScreeningReference& reference, double begun, double judging);
    /// What a check is made from as the observer sees it: with the ball of the gap, even where no bound of the lane
    /// asks for it. Computed aside, so that the solve goes on as if nobody watched.
    struct WatchedReference {
        ScreeningReference reference;
        Eigen::VectorXd margins; ///< by sample, where `reference` looks at them
    };
    [[nodiscard]] WatchedReference watchedReference(const ScreeningReference& reference) const;
    /// Puts decided samples to their bounds and the data of the others together.
    void reduce();
    void publishCheck(double radius, double cpu);
    void publishProgress();

    SolverParts m_parts;
    const SvmProblem& m_problem;
    const PointSettings& m_settings;
    DualIterate& m_space;
    double m_c;
    const SolvedSvm& m_start;
    std::int32_t m_index;
    RunContext& m_context;
    PointJournal m_journal;
    StopCheck m_stopCheck;
    RandomStream m_random;
    PointOutcome m_outcome;
    PointScreening m_screening;
    VisitedSamples m_visited;
    ScreeningSchedule m_schedule;
    Eigen::VectorXd m_margins; ///< zᵢᵀw of the members of the current level, in their order
    bool m_isMeasured = false; ///< they are those of α as it stands, and the gap follows from them
    double m_dual = 0;
    double m_linearSum = 0;  ///< tᵀα
    double m_linearSize = 0; ///< Σ |tᵢ|αᵢ
    double m_primal = 0;
    double m_gapValue = 0;
    double m_gap = std::numeric_limits<double>::infinity();
    double m_share = 1; ///< of the target, at which the reduced problem counts as solved
    bool m_isStalled = false;
    int m_clearings = 0;        ///< times that rounding was taken away
    std::int64_t m_settled = 0; ///< decisions that the iterate has followed
    std::int64_t m_sweeps = 0;
    double m_work = 0;                                 ///< of sweeps since the last step on a face
    double m_workSinceProximal = 0;                    ///< of those and of steps on faces since the last proximal step
    std::optional<double> m_freeBefore = std::nullopt; ///< samples free when a step on the face was asked for last
    std::int64_t m_sweptSince = 0;                     ///< sweeps since all were visited
    double m_cpuStart = 0;
    double m_cpuStatistics = 0;
};

} // namespace lambdascope::svm
