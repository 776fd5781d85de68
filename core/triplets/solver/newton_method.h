// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triplets/problem/path_config.h"
#include "core/triplets/solver/cone_newton.h"
#include "core/triplets/solver/dual_curvature.h"
#include "core/triplets/solver/method_choice.h"
#include "core/triplets/solver/projected_gradient.h"

#include <memory>
#include <utility>

namespace lambdascope::triplets {

/// Semismooth Newton on the dual problem of a working set, safeguarded by projected gradient.
///
/// Over a few steps only the α of triplets near the edges of the loss change (WorkingSet). The dual problem over these
/// α is smooth and strongly concave, with box constraints: each step solves (s I + B Bᵀ) Δ = ∇D over the free α, those
/// that would leave the box being held at its bounds (DualCurvature), and searches the arc α + tΔ, clipped to the box,
/// for a higher D [Bertsekas 1982]. Then one evaluation of all triplets tells whether M(α) improves the whole problem
/// too. If not, the segment from M to M(α) is searched (near M the α left out are right), and the working set grows.
/// D(α) is a dual value of the whole problem in any case.
///
/// The α are kept from working set to working set and from λ to λ: computed anew from an M of limited accuracy, as
/// α(⟨M, H⟩), they would be off by 1/s times the error of ⟨M, H⟩.
///
/// Where the triplets form product sets, and less work is expected of it than of the system over α, a step is one of
/// ConeNewton. With `chooses` a step is one of projected gradient where less work is expected of that (MethodChoice).
class NewtonMethod final : public InnerMethod<ReducedState> {
  public:
    NewtonMethod(ReducedObjective& objective, const PairTable& table, double lambda, bool chooses, ThreadTeam& team);

    void start(MetricPoint point, ReducedState state, const MethodMemory& memory) override;
    void restart(ReducedState state) override;
    void moveTo(MetricPoint point, ReducedState state) override {
        m_hasDual = false;
        m_hasLeftFirst = true;
        m_gradient.moveTo(std::move(point), std::move(state));
    }
    void scaleStep(double factor) override { m_gradient.scaleStep(factor); }
    StepOutcome advance() override;

    [[nodiscard]] const MetricPoint& point() const override { return m_gradient.point(); }
    [[nodiscard]] const ReducedState& state() const override { return m_gradient.state(); }
    [[nodiscard]] MethodMemory memory() const override;
    [[nodiscard]] std::optional<Bounded> dualValue(double gamma) const override;
    [[nodiscard]] const LossTotals* dualTotals() const override { return m_hasDual ? &m_state.totals : nullptr; }
    [[nodiscard]] std::int64_t lastIterations() const override { return m_iterations; }

  private:
    StepOutcome step();
    bool isGradientTurn();
    [[nodiscard]] NewtonGuess guessedWork() const;
    [[nodiscard]] std::int64_t freedom() const;
    /// Work of a step with so many free α.
    [[nodiscard]] double workOfSystem(std::int64_t free) const;
    bool givesUp(double next);
    /// Work at this λ for MethodChoice, each step's scaled by what an evaluation of all items takes over one of the
    /// items left: projected gradient takes about as many steps whatever was screened, so that its scaled work can be
    /// compared from λ to λ.
    [[nodiscard]] double workHere() const {
        return m_workOfSteps + m_scale * (m_objective.ledger().work - m_workBefore);
    }
    [[nodiscard]] double scale() const;
    /// Work of an evaluation of the items left, estimated.
    [[nodiscard]] double workOfVisit() const;
    StepOutcome gradientStep();
    StepOutcome gradientTurns();
    [[nodiscard]] double freeTriplets() const;
    StepOutcome wholeStep();
    WorkingSet::Outcome collect();
    StepOutcome descend();
    StepOutcome newtonStep();
    void setFree();
    StepOutcome searchArc(const Eigen::VectorXd& step);
    [[nodiscard]] bool isGoodEnough() const;
    StepOutcome proveStep();

    ReducedObjective& m_objective;
    bool m_chooses;
    ProjectedGradient<ReducedObjective> m_gradient;
    WorkingSet m_set;
    DualCurvature m_curvature;
    std::unique_ptr<ConeNewton> m_whole; ///< null where triplets are no product sets
    WorkingSet::State m_state;
    WorkingSet::State m_trial;
    std::vector<std::size_t> m_free; ///< positions of the free α
    MetricPoint m_first;             ///< the iterate at which this λ began
    bool m_hasLeftFirst = false;
    MethodMemory m_memory;
    bool m_hasDual = false; ///< m_state is what the last advance() left
    std::int64_t m_iterations = 0;
    std::int64_t m_gradientTurns = 0;     ///< steps of projected gradient before Newton is tried again
    MethodRecord m_record;                ///< of the λ before
    std::optional<MethodChoice> m_choice; ///< made when the first step is due
    double m_scale = 1;       ///< of the step at hand: work of an evaluation of all items over one of the items left
    double m_workBefore = 0;  ///< counted work at the end of the step before
    double m_workOfSteps = 0; ///< scaled work of the steps before
};

/// The method that `kind` stands for: projected gradient too where the engine has no triplets to pick from.
[[nodiscard]] std::unique_ptr<InnerMethod<ReducedState>> makeInnerMethod(ReducedObjective& objective, MethodKind kind,
                                                                         double lambda, ThreadTeam& team);

} // namespace lambdascope::triplets
