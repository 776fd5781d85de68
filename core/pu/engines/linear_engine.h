// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/pu/engines/newton_system.h"
#include "core/pu/engines/pu_engine.h"

namespace lambdascope::pu {

/// The linear kernel without rows: Newton's method on the primal in (ω, b) with both hinges of the loss rounded off
/// over a width μ that falls,
///   ½‖ω‖² − ωᵀT − m b + Σ H_μ(z+ε) + H_μ(z−ε),   T = (m/p)Σ_P x − Σ_fixed s x,   z = xᵀω + b.
/// s = H_μ'(z+ε) + H_μ'(z−ε) is dual feasible where b is optimal and fractional only within μ/2 of a kink, so that the
/// violation is at most about μ. A pass costs O(n d), besides the system of its step (NewtonSystem).
class LinearEngine final : public PuEngine {
  public:
    explicit LinearEngine(const PuProblem& problem);

    void load(double epsilon, const SolvedPu& start) override;
    /// A step is a pass of Newton's method over the members.
    EngineRun run(std::int64_t steps, double target, StopCheck& stopCheck) override;
    void update(StopCheck&) override {}
    void updateAll(StopCheck& stopCheck) override;
    void refresh(StopCheck& stopCheck) override;
    void fix(std::span<const Decision> decisions, StopCheck& stopCheck) override;
    [[nodiscard]] Eigen::VectorXd weights() const override { return m_weights; }
    [[nodiscard]] double bytes() const override;

  private:
    struct Gradient {
        Eigen::VectorXd weights;
        double bias = 0;
        double size = 0; ///< of what was summed up
    };
    /// A member whose z lies within μ/2 of −ε or ε.
    struct Kink {
        std::int32_t position;
        double at;
    };

    /// z of the members for m_weights and m_bias.
    /// Operations of a product of each of `samples` with a vector.
    [[nodiscard]] double productWork(std::size_t samples) const {
        return 2 * static_cast<double>(samples) * m_rows.meanEntries();
    }
    /// Of a Newton step over the present kinks.
    [[nodiscard]] double newtonWork() const;
    void evaluate(StopCheck& stopCheck);
    void findKinks(double width);
    [[nodiscard]] Gradient gradientAt(double width, StopCheck& stopCheck) const;
    /// The best b for the weights as they are, without rounding off.
    void bestBias();
    /// Where the minimizer goes when the width becomes `width`, as long as the kinks stay the same ones.
    void predict(double width, StopCheck& stopCheck);
    /// xᵢᵀxⱼ among samples.
    [[nodiscard]] Eigen::MatrixXd productsAmong(const std::vector<SampleIndex>& samples) const;
    /// A row per sample.
    [[nodiscard]] Eigen::MatrixXd rowsOf(const std::vector<SampleIndex>& samples) const;
    /// Moves the samples of fractional s right to their kinks, as far as s stays between whole numbers: a step of
    /// Newton's method of the dual on its face.
    void polish(StopCheck& stopCheck);
    /// Minimizes for the width `width`; Newton steps done.
    std::int64_t minimize(double width, std::int64_t most, StopCheck& stopCheck);
    [[nodiscard]] NewtonSystem::Step newtonStep(double width, const Gradient& gradient, StopCheck& stopCheck) const;
    /// Best step length along (dz, the quadratic part), by bisection on the slope.
    [[nodiscard]] double lengthAlong(const Eigen::VectorXd& dz, double width, double slope, double curvature) const;
    /// s from z, exactly feasible, and ω, scores and drift from s.
    void makeDual(double width, StopCheck& stopCheck);
    void scoresFromS(StopCheck& stopCheck);

    [[nodiscard]] double kinkSlope(double z, double width) const;

    FeatureRows m_rows;
    Eigen::VectorXd m_target;  ///< T
    ExactSum m_mass;           ///< of the members
    Eigen::VectorXd m_weights; ///< of s
    Eigen::VectorXd m_iterate; ///< ω of Newton's method
    double m_bias = 0;
    double m_width = 0;
    std::vector<Kink> m_kinks;
    Eigen::VectorXd m_z; ///< by position
};

} // namespace lambdascope::pu
