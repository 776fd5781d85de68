// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/metric/cone_projection.h"
#include "core/metric/projected_gradient.h"
#include "core/metric/working_set.h"

namespace lambdascope::metric {

/// Semismooth Newton on a working set, safeguarded by projected gradient.
///
/// Of the triplets only those near the edges of the loss matter for a while (WorkingSet). Within such a set the method
/// solves the normal map F(S) = ∇f(M) + τ(S − M) = 0, M = [S]₊ [Robinson 1992; Pieper 2015]: with V the derivative of
/// the projection and 𝓗 the Hessian of the loss, E = V Δ solves, by conjugate gradients in the basis of S,
///     (τ (I − V) + λV + V^½ 𝓗 V^½) w = −V^½ F,  E = V^½ w,
/// and S + tΔ is searched for a lower value. The negative part of S is what the linearization of the projection depends
/// on, so τ follows the curvature met, and where a Newton step is short a projected gradient step renews S. Then one
/// visit to all triplets says whether the step holds there too; if not, the segment to it is searched (a set of
/// triplets that keeps its α is right near M), and the working set grows.
///
/// With `patience` > 0 that many steps of plain projected gradient come first, unless the last λ needed more.
class NewtonMethod final : public InnerMethod<ReducedState> {
  public:
    NewtonMethod(ReducedObjective& objective, const TripletSet& triplets, double lambda, std::int64_t patience);

    void start(MetricPoint point, ReducedState state, const MethodMemory& memory) override;
    void restart(ReducedState state) override { m_gradient.restart(std::move(state)); }
    void scaleStep(double factor) override { m_gradient.scaleStep(factor); }
    StepOutcome advance() override;

    [[nodiscard]] const MetricPoint& point() const override { return m_gradient.point(); }
    [[nodiscard]] const ReducedState& state() const override { return m_gradient.state(); }
    [[nodiscard]] MethodMemory memory() const override;
    [[nodiscard]] std::int64_t lastIterations() const override { return m_iterations; }

  private:
    enum class Step { Taken, Short, None, Stopped };

    [[nodiscard]] bool isGradientTurn();
    StepOutcome gradientTurns();
    WorkingSet::Outcome collect();
    StepOutcome descend();
    Step gradientStep();
    Step newtonStep();
    [[nodiscard]] bool direction(const Eigen::MatrixXd& residual, Eigen::MatrixXd& step, Eigen::MatrixXd& image);
    [[nodiscard]] bool project(const Eigen::MatrixXd& matrix, ConeProjection& projection);
    [[nodiscard]] bool isGoodEnough() const;
    StepOutcome proveStep();

    ReducedObjective& m_objective;
    double m_lambda;
    std::int64_t m_patience;
    ProjectedGradient<ReducedObjective> m_gradient;
    WorkingSet m_set;
    ConeProjection m_cone; ///< S and M of the working set's problem
    ConeProjection m_trialCone;
    WorkingSet::State m_state; ///< at M
    WorkingSet::State m_trialState;
    MethodMemory m_memory;
    double m_tau = 0;
    std::int64_t m_iterations = 0;
    std::int64_t m_gradientSteps = 0; ///< taken at this λ
    std::int64_t m_gradientTurns = 0; ///< still to take before Newton is tried again
};

} // namespace lambdascope::metric
