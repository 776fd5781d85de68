// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/svm/solver/dual_iterate.h"

namespace lambdascope::svm {

/// Linear kernel: w itself is kept, so that a move costs the nonzeros of one sample, all samples see it, and kernel
/// rows are never made.
class LinearSpace final : public DualIterate {
  public:
    using DualIterate::DualIterate;

    void widen(StopCheck&) override { m_members.pop_back(); }
    SweepOutcome sweep(std::vector<std::int32_t>& visit, const ShrinkLimits& limits, RandomStream& random,
                       StopCheck& stopCheck) override;
    double move(const std::vector<std::int32_t>& positions, const Eigen::VectorXd& targets,
                StopCheck& stopCheck) override;
    [[nodiscard]] double squaredNorm() const override;
    [[nodiscard]] Eigen::VectorXd margins() const override;
    [[nodiscard]] double margin(std::int32_t position) const override;
    void refresh(StopCheck& stopCheck) override;
    [[nodiscard]] Eigen::VectorXd weights() const override { return m_w; }

  protected:
    void narrowed(const std::vector<std::int32_t>&) override {}
    void loaded(const SolvedSvm& start, double scale) override { m_w = scale * start.weights; }

  private:
    /// Products of one sample with w, on average.
    [[nodiscard]] std::int64_t operationsPerVisit() const;

    Eigen::VectorXd m_w;
};

} // namespace lambdascope::svm
