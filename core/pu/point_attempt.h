// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/pu/kernel_engine.h"
#include "core/pu/point_solver.h"
#include "core/pu/resting_samples.h"
#include "core/pu/work_estimate.h"
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
    ScreeningWatch* watch;
};

/// One solve, with what it keeps on the way.
class PointAttempt {
  public:
    PointAttempt(const SolverParts& parts, double lambda, std::int32_t index, RunContext& context);

    PointOutcome run(const SolvedPu& start);

  private:
    void begin(const SolvedPu& start, double wanted);
    PointOutcome iterate(double wanted);
    [[nodiscard]] double bearableDrift() const;
    void work(double wanted);
    [[nodiscard]] bool isOpenAmongMembers(double wanted);
    /// Optimal biases of a view; they are looked for around the last ones known.
    BiasRange biasesOf(const PuView& view);
    [[nodiscard]] BiasRange nearBiases() const;
    void noteBiases(const BiasRange& biases);

    bool beginAtRest(const SolvedPu& start, double wanted);
    bool wakeSome();
    [[nodiscard]] std::span<const double> unlabeledOf(const Eigen::VectorXd& scores) const;

    void screenNow(double wanted);
    bool isHopeless(const PuView& view, double wanted);
    std::int32_t show(double gap, double radius, const PuView& view);
    void note(std::int32_t number, double gap, double radius, double cpu);
    void judgeSolution();
    void takeVerdicts(std::span<const Verdict> found);

    bool turnToPairs();
    void refix();
    void publish();
    void conclude();
    [[nodiscard]] double absoluteTolerance() const;
    void noteBytes();
    PointOutcome finish(Termination termination);

    SolverParts m_parts;
    const PuProblem& m_problem;
    const PointSettings& m_settings;
    PuEngine* m_engine;
    std::unique_ptr<KernelEngine> m_pairs; ///< instead of the linear kernel's engine where that gets no further
    double m_lambda;
    double m_epsilon;
    RunContext& m_context;
    WorkPoll m_poll;
    PointJournal m_journal;
    double m_cpuStart;
    PointOutcome m_outcome;
    std::vector<Verdict> m_verdicts; ///< of all unlabeled samples
    SampleCounts m_counts;
    RestingSamples m_resting; ///< while there are any nothing is screened
    int m_rests = 0;
    double m_lastViolation = std::numeric_limits<double>::infinity(); ///< at the last screening
    WorkEstimate m_work;
    double m_gap = 0;                 ///< of the members after m_gapSteps steps
    std::int64_t m_gapSteps = -1;     ///< −1: not known
    BiasRange m_biases;               ///< the last ones known
    double m_biasReach = 0;           ///< how far from them the next ones are looked for first
    double m_reached = 0;             ///< violation among the members
    std::int64_t m_earlierValues = 0; ///< kernel values that another engine has read before
    bool m_hasStalled = false;
    bool m_isFresh = false;
};

} // namespace lambdascope::pu
