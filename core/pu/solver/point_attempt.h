// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/pu/engines/kernel_engine.h"
#include "core/pu/solver/gap_cache.h"
#include "core/pu/solver/point_solver.h"
#include "core/pu/solver/provisional_fixing.h"
#include "core/pu/solver/sample_decisions.h"
#include "core/pu/solver/screening_cost_model.h"
#include "core/pu/solver/stopping_rule.h"
#include "core/run/point_journal.h"

#include <limits>
#include <memory>
#include <vector>

namespace lambdascope::pu {

/// What an attempt works with.
struct SolverParts {
    const PuProblem& problem;
    const PointSettings& settings;
    PuEngine& engine;
    ScreeningObserver* observer;
};

/// One solve, with what it keeps on the way.
class PointAttempt {
  public:
    PointAttempt(const SolverParts& parts, double lambda, const SolvedPu& start, std::int32_t index,
                 RunContext& context);

    PointOutcome run();

  private:
    void begin(double wanted);
    PointOutcome iterate(double wanted);
    void work(double wanted);
    [[nodiscard]] bool isOpenAmongMembers(double wanted);
    /// How far the next optimal biases may be from the ones found now.
    [[nodiscard]] double nextReach() const;

    bool beginAtRest(double wanted);
    bool findResting(double wanted);
    bool restingPays(double ahead);
    bool wakeSome();
    [[nodiscard]] std::span<const double> unlabeledOf(const Eigen::VectorXd& scores) const;

    /// At this λ so far.
    [[nodiscard]] double operations() const;
    [[nodiscard]] bool isAffordable(double ofLook) const;
    [[nodiscard]] double operationsInVain() const;
    void screenOnTheWay(double wanted);
    void lookNow(double wanted);
    bool screenNow(double wanted);
    bool isHopeless(const PuView& view, double wanted);
    std::int32_t show(double gap, double radius, const PuView& view);
    void note(std::int32_t number, double gap, double radius, double cpu);
    void judgeSolution();
    void noteTrend();

    bool turnToPairs();
    void refix();
    void publish();
    void conclude();
    void noteBytes();
    PointOutcome finish(Termination termination);

    SolverParts m_parts;
    const PuProblem& m_problem;
    const PointSettings& m_settings;
    PuEngine* m_engine;
    std::unique_ptr<KernelEngine> m_pairs; ///< instead of the linear kernel's engine where that gets no further
    double m_lambda;
    const SolvedPu& m_start;
    double m_epsilon;
    RunContext& m_context;
    StopCheck m_stopCheck;
    PointJournal m_journal;
    double m_cpuStart;
    double m_cpuWatching = 0; ///< being watched is no part of solving
    PointOutcome m_outcome;
    StoppingRule m_rule;
    SampleDecisions m_decisions;
    ProvisionalFixing m_resting; ///< while there are any nothing is screened
    int m_rests = 0;
    double m_lastViolation = std::numeric_limits<double>::infinity(); ///< at the last screening
    double m_inVain; ///< operations of looks that decided nothing, of the path so far
    ScreeningCostModel m_work;
    GapCache m_look;
    double m_reached = 0;             ///< violation among the members
    std::int64_t m_earlierValues = 0; ///< kernel values that another engine has read before
    bool m_hasStalled = false;
    bool m_isFresh = false;
};

} // namespace lambdascope::pu
