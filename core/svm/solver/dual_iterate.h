// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/random_stream.h"
#include "core/common/stop_check.h"
#include "core/svm/problem/svm_problem.h"
#include "core/svm/screening/solved_svm.h"

#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace lambdascope::svm {

/// Which samples one sweep of coordinate descent leaves out from now on: those at a bound whose slope points further
/// out than any slope of the sweep before (the shrinking of LIBLINEAR).
struct ShrinkLimits {
    double highest = 0; ///< shrinks αᵢ = 0 when fᵢ − tᵢ is above; infinite for no shrinking
    double lowest = 0;  ///< shrinks αᵢ = Cωᵢ when fᵢ − tᵢ is below
};

/// What one sweep did.
struct SweepOutcome {
    std::int64_t updates = 0;    ///< coordinates that moved
    std::int64_t operations = 0; ///< floating-point operations of its steps, roughly
    double gain = 0;             ///< of the dual value
    double slack = 0; ///< Σ αᵢ(fᵢ − tᵢ) + Cωᵢ max(0, tᵢ − fᵢ), each before its update or all at the end
    double highest = 0; ///< largest projected slope
    double lowest = 0;  ///< smallest projected slope
};

/// α and everything that depends on it linearly, kept up to date while single αᵢ move. Only the members of the current
/// level see the moves: narrow() goes down to fewer members, whose data then lie together, and widen() comes back,
/// catching up on what the others missed.
///
/// All margins are exact up to marginError() ‖zᵢ‖.
class DualIterate {
  public:
    explicit DualIterate(const SvmProblem& problem) : m_problem(problem) {}
    virtual ~DualIterate() = default;
    DualIterate(const DualIterate&) = delete;
    DualIterate& operator=(const DualIterate&) = delete;

    /// Takes over a solution, at one level of all samples, for solving at `c`. Bounded samples stay at their bounds;
    /// free ones keep their α when C rises, and are scaled with it when it falls [DeCoste and Wagstaff 2000, alpha
    /// seeding]. O(n) and a move of the bounded samples or of the free ones, whichever are fewer. With a free bias all
    /// are scaled, which keeps yᵀα = 0; with a balance, those farthest from where they would stay then make up for it.
    /// When `stopCheck` asks to stop, margins are of no use.
    void load(const SolvedSvm& start, double c, StopCheck& stopCheck);

    [[nodiscard]] const SvmProblem& problem() const { return m_problem; }
    [[nodiscard]] double c() const { return m_c; }
    [[nodiscard]] double upper(SampleIndex i) const { return m_c * m_problem.weights()(i); } ///< Cωᵢ
    [[nodiscard]] double bias() const { return m_bias; }                                     ///< 0 without a free one
    void setBias(double bias) { m_bias = bias; }
    [[nodiscard]] double norm() const { return m_norm; } ///< upper bound of ‖w‖
    [[nodiscard]] const Eigen::VectorXd& alpha() const { return m_alpha; }
    [[nodiscard]] std::span<const SampleIndex> members() const { return m_members.back(); }
    [[nodiscard]] std::size_t depth() const { return m_members.size(); }

    /// One more level, of the members at these positions (ascending) of the current level.
    void narrow(const std::vector<std::int32_t>& positions);
    /// Back to the level above. When `stopCheck` asks to stop, margins are of no use.
    virtual void widen(StopCheck& stopCheck) = 0;
    /// One sweep over the members at `visit`, whose order may change; shrunk ones are taken out of it. Where the order
    /// matters, `random` chooses it. Ends early when `stopCheck` asks to stop.
    virtual SweepOutcome sweep(std::vector<std::int32_t>& visit, const ShrinkLimits& limits, RandomStream& random,
                               StopCheck& stopCheck) = 0;
    /// Sets α of the members at some positions, to values within the bounds; of the first of them only when `stopCheck`
    /// asks to stop. What the dual value gains.
    virtual double move(const std::vector<std::int32_t>& positions, const Eigen::VectorXd& targets,
                        StopCheck& stopCheck) = 0;
    /// ‖w‖², at one level of all samples.
    [[nodiscard]] virtual double squaredNorm() const = 0;
    /// zᵢᵀw of the members, in their order: margins but for a free bias.
    [[nodiscard]] virtual Eigen::VectorXd margins() const = 0;
    /// The one of the member at a position.
    [[nodiscard]] virtual double margin(std::int32_t position) const = 0;
    /// Makes all margins anew from α, at one level of all samples, so that only fresh rounding is in them.
    virtual void refresh(StopCheck& stopCheck) = 0;
    /// w for linear kernels; empty for others.
    [[nodiscard]] virtual Eigen::VectorXd weights() const { return {}; }
    /// Operations of everything but the steps of sweeps since the last call: moves, catching up, rows gathered, passes.
    [[nodiscard]] double takeOperations() { return std::exchange(m_operations, 0); }

    [[nodiscard]] double marginError() const;
    /// The part of it that refresh() can take back, but for the rounding of one sum.
    [[nodiscard]] double drift() const { return m_drift; }
    /// ‖w‖ is known to be at most `norm` now: keeps error bounds from growing with the length of the way.
    void noteNorm(double norm) { m_norm = norm; }

  protected:
    /// New level has been pushed; `positions` are those in the level above.
    virtual void narrowed(const std::vector<std::int32_t>& positions) = 0;
    /// Brings yᵀα to the balance after scaling: too much is taken off the samples of the largest margins, and what is
    /// missing is given to those of the smallest.
    void rebalanceLoaded(StopCheck& stopCheck);
    /// m_alpha and the members are set; margins are `scale` times those of the start.
    virtual void loaded(const SolvedSvm& start, double scale) = 0;
    /// Books the rounding of `count` moves of α of the lengths `moved` = Σ |Δ|‖z‖ together.
    void book(std::int64_t count, double moved);
    void count(double operations) { m_operations += operations; }
    /// Counts them, and asks to stop every so many.
    void spend(std::int64_t operations, StopCheck& stopCheck) {
        count(static_cast<double>(operations));
        (void)stopCheck.spend(operations);
    }

    const SvmProblem& m_problem;
    double m_c = 0;
    double m_bias = 0; ///< the free one
    Eigen::VectorXd m_alpha;
    std::vector<std::vector<SampleIndex>> m_members; ///< one per level
    double m_norm = 0;                               ///< upper bound of ‖w‖
    double m_drift = 0;                              ///< rounding piled up in margins or w, per ‖zᵢ‖
    double m_operations = 0;                         ///< beside those of steps
};

[[nodiscard]] std::unique_ptr<DualIterate> makeSpace(const SvmProblem& problem);

} // namespace lambdascope::svm
