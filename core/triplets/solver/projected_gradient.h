// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/clocks.h"
#include "core/common/stop_check.h"
#include "core/triplets/problem/cone.h"
#include "core/triplets/problem/counted_work.h"
#include "core/triplets/solver/cpu_ledger.h"
#include "core/triplets/solver/inner_method.h"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <deque>
#include <optional>
#include <utility>

namespace lambdascope::triplets {

/// Step length of projected gradient as in [T, §7]: ½ |⟨ΔX,ΔG⟩/⟨ΔG,ΔG⟩ + ⟨ΔX,ΔX⟩/⟨ΔX,ΔG⟩|, the mean of the two steps of
/// [Barzilai and Borwein 1988]. Nothing when the curvature ⟨ΔX,ΔG⟩ is not positive or anything is not finite: the two
/// quotients then say nothing about the function.
[[nodiscard]] inline std::optional<double> barzilaiBorweinStep(const Eigen::MatrixXd& deltaX,
                                                               const Eigen::MatrixXd& deltaG) {
    const double xx = deltaX.squaredNorm();
    const double gg = deltaG.squaredNorm();
    const double xg = deltaX.cwiseProduct(deltaG).sum();
    if (!(xg > 0) || !(gg > 0) || !(xx > 0)) {
        return std::nullopt;
    }
    const double step = 0.5 * (xg / gg + xx / xg);
    return std::isfinite(step) && step > 0 ? std::optional(step) : std::nullopt;
}

/// A smooth convex function of M ⪰ 0. `State` holds value and gradient at a point and whatever else an evaluation
/// yields; evaluate() returns false when `stopCheck` asked to stop.
template <class F>
concept SmoothFunction = requires(F f, const MetricPoint& point, typename F::State& state) {
    { f.evaluate(point, state) } -> std::same_as<bool>;
    { f.stopCheck() } -> std::same_as<StopCheck&>;
    { state.value } -> std::convertible_to<double>;
    { state.gradient } -> std::convertible_to<const Eigen::MatrixXd&>;
};

/// Projected gradient M ← [M − η ∇f(M)]₊ with the step of [T, §7] (barzilaiBorweinStep). One call, one step; the loop
/// around it, its checks and its stop rules are the caller's.
///
/// Safeguards: the step stays in (0, 1/λ], 1/λ being the longest that λ-strong convexity allows (and the step at which
/// the iterate is M_λ(α)); a step is halved until f(M⁺) ≤ max of the last ten values − σ/η ‖M⁺ − M‖²
/// [Grippo, Lampariello, Lucidi 1986], which keeps the non-monotone method from diverging.
template <SmoothFunction F>
class ProjectedGradient final : public InnerMethod<typename F::State> {
  public:
    using State = typename F::State;

    ProjectedGradient(F& function, double lambda, CpuLedger& ledger)
        : m_function(function), m_longestStep(1 / lambda), m_ledger(ledger) {}

    void start(MetricPoint point, State state, const MethodMemory& memory) override {
        m_point = std::move(point);
        m_step = memory.step > 0 ? std::min(memory.step, m_longestStep) : m_longestStep;
        restart(std::move(state));
    }
    void restart(State state) override {
        m_state = std::move(state);
        m_recent.assign(1, m_state.value);
    }
    void refresh(State state) override {
        m_state = std::move(state);
        remember();
    }
    void scaleStep(double factor) override { m_step = std::min(m_step * factor, m_longestStep); }

    [[nodiscard]] const MetricPoint& point() const override { return m_point; }
    [[nodiscard]] const State& state() const override { return m_state; }
    [[nodiscard]] double step() const { return m_step; }
    [[nodiscard]] MethodMemory memory() const override {
        MethodMemory memory;
        memory.step = m_step;
        return memory;
    }

    /// Keeps the step.
    void moveTo(MetricPoint point, State state) override {
        m_point = std::move(point);
        restart(std::move(state));
    }

    StepOutcome advance() override {
        const double worst = *std::max_element(m_recent.begin(), m_recent.end());
        for (int attempt = 0; attempt < kAttempts; ++attempt) {
            PsdSplit split = project(m_point.matrix - m_step * m_state.gradient);
            if (!split.isFinite) {
                if (m_function.stopCheck().isStopped()) {
                    return StepOutcome::Stopped;
                }
                m_step *= kStrongCut;
                continue;
            }
            MetricPoint trial = MetricPoint::fromSplit(std::move(split));
            const Eigen::MatrixXd move = trial.matrix - m_point.matrix;
            const double distance = move.norm();
            if (distance <= 4 * kUnitRoundoff * m_point.matrix.norm()) {
                return StepOutcome::Stalled;
            }
            if (!m_function.evaluate(trial, m_trialState)) {
                return StepOutcome::Stopped;
            }
            const double value = m_trialState.value;
            if (std::isfinite(value) && m_trialState.gradient.allFinite()) {
                const double room = kRoundingRoom * kUnitRoundoff * std::abs(worst);
                if (value <= worst - kDecrease / m_step * distance * distance + room) {
                    accept(std::move(trial), move);
                    return StepOutcome::Advanced;
                }
                m_step *= kCut;
            } else {
                m_step *= kStrongCut;
            }
        }
        return StepOutcome::Stalled;
    }

  private:
    static constexpr int kAttempts = 80;
    static constexpr double kCut = 0.5;
    static constexpr double kStrongCut = 0.01;  ///< when the trial was not even finite
    static constexpr double kDecrease = 1e-4;   ///< usual constant of sufficient decrease
    static constexpr double kRoundingRoom = 16; ///< units of roundoff by which sums may differ
    static constexpr std::size_t kMemory = 10;

    PsdSplit project(const Eigen::MatrixXd& matrix) {
        const CpuCharge charge(m_ledger.eigen);
        ++m_ledger.eigenDecompositions;
        m_ledger.work += isDiagonal(matrix) ? 0 : work::ofEigen(matrix.rows());
        return splitByCone(matrix, &m_function.stopCheck());
    }

    void accept(MetricPoint trial, const Eigen::MatrixXd& move) {
        const auto next = barzilaiBorweinStep(move, m_trialState.gradient - m_state.gradient);
        m_step = std::min(next.value_or(2 * m_step), m_longestStep);
        m_point = std::move(trial);
        std::swap(m_state, m_trialState);
        remember();
    }

    void remember() {
        m_recent.push_back(m_state.value);
        if (m_recent.size() > kMemory) {
            m_recent.pop_front();
        }
    }

    F& m_function;
    double m_longestStep;
    CpuLedger& m_ledger;
    double m_step = 0;
    MetricPoint m_point;
    State m_state;
    State m_trialState;
    std::deque<double> m_recent;
};

} // namespace lambdascope::triplets
