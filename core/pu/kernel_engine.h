// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/pu/pu_engine.h"

namespace lambdascope::pu {

/// The piecewise quadratic that the dual value is along raising s by δ at one sample and lowering it by δ at another:
/// slope minus ηδ, and less by 2ε from where either passes s = 1.
struct PairStep {
    double slope = 0;     ///< at δ = 0, > 0
    double curvature = 0; ///< η = ‖φᵢ − φⱼ‖²
    double raised = 0;    ///< sᵢ
    double lowered = 0;   ///< sⱼ
    double epsilon = 0;

    struct Move {
        double length = 0; ///< δ, a multiple of the quantum that keeps both within [0, 2]
        double gain = 0;   ///< of the dual value
    };
    /// The best δ. [P, table I]: the four cases are the pieces between s = 0, 1 and 2 of either sample.
    [[nodiscard]] Move best() const;
};

/// Pair steps, for any kernel (rows of the linear one are made each time): the sample that may be raised at the largest
/// slope, with the one whose lowering gains most to second order [Fan, Chen, Lin 2005]; scores of all visited samples
/// are kept; samples that cannot be part of a violating pair are put aside and looked at again before success is
/// declared.
class KernelEngine final : public PuEngine {
  public:
    KernelEngine(const PuProblem& problem, bool shrinks) : PuEngine(problem), m_shrinks(shrinks) {}

    void load(double epsilon, const SolvedPu& start) override;
    EngineRun run(std::int64_t steps, double target, WorkPoll& poll) override;
    void update(WorkPoll& poll) override;
    void updateAll(WorkPoll& poll) override;
    void refresh(WorkPoll& poll) override;
    void fix(std::span<const Verdict> verdicts, WorkPoll& poll) override;
    [[nodiscard]] std::int64_t visited() const override { return static_cast<std::int64_t>(m_active.size()); }
    [[nodiscard]] double bytes() const override;

  private:
    struct Pick {
        std::int32_t raise = -1; ///< positions in m_active
        std::int32_t lower = -1;
        double highest = 0;
        double lowest = 0;
        [[nodiscard]] double violation() const { return raise < 0 || lower < 0 ? 0.0 : highest - lowest; }
    };

    /// Visits exactly these samples from now on; their scores must be up to date.
    void visit(std::vector<SampleIndex> samples);
    /// Slopes at which the sample at a position may be raised and lowered.
    void setSlopes(std::size_t position);
    [[nodiscard]] Pick pick() const;
    [[nodiscard]] std::int32_t partnerOf(std::int32_t raise, const double* row) const;
    /// Moves the pair and updates all visited scores; the next pick.
    Pick move(std::int32_t raise, std::int32_t lower, double length, const double* raiseRow, const double* lowerRow);
    void shrink(const Pick& extremes);
    /// Adds what the others missed since the base to the scores of `samples`, not visited ones.
    void catchUp(std::span<const SampleIndex> samples, WorkPoll& poll);
    /// Rows of the linear kernel are rounded products, while the scores it loads come from ω: what all moves together
    /// can owe to that, per ‖φ‖, as Σ|Δs|‖φ‖ is at most the largest norm of a difference.
    [[nodiscard]] double rowDoubt() const;
    void store(); ///< visited scores → m_scores
    void rebase();

    bool m_shrinks;
    std::vector<SampleIndex> m_active; ///< visited samples
    std::vector<double> m_activeScores;
    std::vector<double> m_up;   ///< score + this is the slope of raising; −∞ when s = 2
    std::vector<double> m_down; ///< score + this is the slope of lowering; ∞ when s = 0
    std::vector<double> m_diagonal;
    Eigen::VectorXd m_baseS; ///< when all scores were up to date
    Eigen::VectorXd m_baseScores;
    std::int64_t m_sinceShrink = 0;
    std::int64_t m_sinceLook = 0;
    double m_gained = 0;           ///< of the dual value, since the last look whether anything is gained at all
    std::vector<double> m_scratch; ///< rows of the linear kernel
    std::vector<double> m_otherScratch;
};

} // namespace lambdascope::pu
