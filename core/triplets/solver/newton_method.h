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
/// Of the triplets only those near the edges of the loss matter for a while (WorkingSet). Their dual problem is smooth,
/// strongly concave and has a box: each step solves (s I + B Bᵀ) Δ = ∇D over the α that are free to move, what leaves
/// the box being held at its edge (DualCurvature), and searches the arc α + tΔ, clipped to the box, for a higher D
/// [Bertsekas 1982]. Then one visit to all triplets says whether M(α) is better there too; if not, the segment to it is
/// searched (a set of triplets that keeps its α is right near M), and the working set grows. D(α) is a dual value of
/// the whole problem in any case.
///
/// The α are kept from set to set and from λ to λ: at a point that is known to some accuracy only, α = α(⟨M, H⟩) would
/// be off by 1/s times that.
///
/// Where the triplets are product sets, and less work is expected of it than of a system over those between the edges,
/// a step is one of ConeNewton.
///
/// With `chooses` it is projected gradient where that is expected to be less work (MethodChoice).
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
    /// Of a step from so many free triplets at the point.
    [[nodiscard]] double workOfSystem(std::int64_t free) const;
    bool givesUp(double next);
    /// Methods are chosen by what is left to do after screening: work counts in steps of projected gradient on what is
    /// left, times one on all. It takes about as many of these whatever was screened.
    [[nodiscard]] double workHere() const {
        return m_workOfSteps + m_scale * (m_objective.ledger().work - m_workBefore);
    }
    [[nodiscard]] double scale() const;
    /// An evaluation of what is left, about.
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
    std::vector<std::size_t> m_free; ///< positions of the α that are free to move
    MetricPoint m_first;             ///< where the λ began
    bool m_hasLeftFirst = false;
    MethodMemory m_memory;
    bool m_hasDual = false; ///< m_state is what the last advance() left
    std::int64_t m_iterations = 0;
    std::int64_t m_gradientTurns = 0;     ///< still to take before Newton is tried again
    MethodRecord m_record;                ///< of the λ before
    std::optional<MethodChoice> m_choice; ///< made when the first step is due
    double m_scale = 1;       ///< of the work of the step at hand: an evaluation of all over one of what is left
    double m_workBefore = 0;  ///< counted when that began, or the last one ended
    double m_workOfSteps = 0; ///< scaled, of those before
};

/// The method that `kind` stands for: projected gradient too where the engine has no triplets to pick from.
[[nodiscard]] std::unique_ptr<InnerMethod<ReducedState>> makeInnerMethod(ReducedObjective& objective, MethodKind kind,
                                                                         double lambda, ThreadTeam& team);

} // namespace lambdascope::triplets
