// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/svm/solver/dual_iterate.h"

#include <memory>

namespace lambdascope::svm {

/// Kernels other than the linear one: yᵢfᵢ of the members is kept, and a move adds a kernel row to it. Below the first
/// level rows are gathered to the members once, when they are first used, so that moves run over contiguous numbers.
class KernelSpace final : public DualIterate {
  public:
    explicit KernelSpace(const SvmProblem& problem) : DualIterate(problem) {}

    void widen(StopCheck& stopCheck) override;
    /// Steps of PairDescent, a share of those visited; the order is that of their gains. With a free bias steps over
    /// pairs that keep yᵀα = 0, and b becomes the middle of what the last pair leaves open.
    SweepOutcome sweep(std::vector<std::int32_t>& visit, const ShrinkLimits& limits, RandomStream& random,
                       StopCheck& stopCheck) override;
    double move(const std::vector<std::int32_t>& positions, const Eigen::VectorXd& targets,
                StopCheck& stopCheck) override;
    [[nodiscard]] double squaredNorm() const override;
    [[nodiscard]] Eigen::VectorXd margins() const override;
    [[nodiscard]] double margin(std::int32_t position) const override;
    void refresh(StopCheck& stopCheck) override;
    /// Of a linear kernel, which has rows where there is a free bias. O(nonzeros).
    [[nodiscard]] Eigen::VectorXd weights() const override;

    /// Of the steps of one sweep, for each member, at least.
    [[nodiscard]] static constexpr double leastOperationsPerMember() { return kLeastSteps * kOperationsPerMember; }

    /// Bytes that gathered rows of all levels may take together; beyond it rows are gathered each time.
    static constexpr double kGatheredBytes = 1e9;

  protected:
    void narrowed(const std::vector<std::int32_t>& positions) override;
    void loaded(const SolvedSvm& start, double scale) override;

  private:
    struct Level {
        Eigen::VectorXd image; ///< yᵢfᵢ of the members
        Eigen::ArrayXd y;
        Eigen::ArrayXd diagonal;                     ///< Kᵢᵢ
        Eigen::ArrayXd thresholds;                   ///< tᵢ
        std::vector<std::int32_t> above;             ///< positions of the members in the level above
        Eigen::VectorXd alpha;                       ///< α when the level below was entered
        std::vector<std::unique_ptr<double[]>> rows; ///< gathered rows by position, made on first use
    };

    struct MemberRow {
        const double* values = nullptr;
        std::shared_ptr<const double[]> owner; ///< null when the level or the store keeps it
    };

    /// Steps of one sweep: these, or this share of those visited.
    static constexpr std::int64_t kLeastSteps = 32;
    static constexpr std::int64_t kStepShare = 16;
    /// Of a step, roughly, where a kernel row is as long as the members are many.
    static constexpr std::int64_t kOperationsPerMember = 8;
    /// Rows that one pass over an image adds: it is memory that holds such passes up.
    static constexpr std::size_t kRowsTogether = 4;

    /// Steps of one sweep over so many, and operations of a step.
    [[nodiscard]] static std::int64_t stepsFor(const std::vector<std::int32_t>& visit);
    [[nodiscard]] std::int64_t operationsPerStep() const;
    SweepOutcome balancedSweep(std::vector<std::int32_t>& visit, const ShrinkLimits& limits, StopCheck& stopCheck);
    /// Moves a free member so that yᵀα = 0 but for its own rounding, or several where none has the room. What the dual
    /// value gains.
    double rebalance(StopCheck& stopCheck);
    /// Lowers yᵀα by `excess` through members with room on that side, whether at a bound or not. What the dual value
    /// gains.
    double spread(double excess, StopCheck& stopCheck);
    /// Gathers rows with factors and adds them to an image, so many in one pass.
    class RowSum;
    /// Σ (α − α of before) yⱼKᵢⱼ over all j, for the samples `missed`: the moves they have not seen.
    Eigen::VectorXd movesSince(const Eigen::VectorXd& before, const std::vector<SampleIndex>& missed,
                               StopCheck& stopCheck);
    /// Kernel row of the member at a position of the current level, over its members; in `scratch` when there is no
    /// room to keep it.
    MemberRow memberRow(std::int32_t position, std::vector<double>& scratch);
    /// Takes those out of `visit` that are beyond the limits; slack and extreme slopes of the others.
    void shrink(std::vector<std::int32_t>& visit, const ShrinkLimits& limits, SweepOutcome& outcome);
    /// A kernel row is passed over.
    void spendRow(StopCheck& stopCheck);
    void gather(SampleIndex i, std::span<const SampleIndex> to, double* out) const;

    std::vector<Level> m_levels;
    std::vector<double> m_firstScratch;
    std::vector<double> m_secondScratch;
    double m_gathered = 0; ///< bytes
};

} // namespace lambdascope::svm
