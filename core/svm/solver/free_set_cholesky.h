// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/svm/solver/free_set_factor.h"
#include "core/svm/solver/free_set_system.h"

namespace lambdascope::svm {

/// Solves exactly, by a factor of Q_SS that is carried along from step to step.
class FreeSetCholesky final : public FreeSetSystem {
  public:
    FreeSetCholesky(const SvmProblem& problem, FreeSetFactor& factor)
        : m_problem(problem), m_factor(factor), m_products(nullptr, 0, 0) {}

    [[nodiscard]] double cost(const std::vector<SampleIndex>& samples, double members) const override;
    bool prepare(const std::vector<SampleIndex>& samples, StopCheck& stopCheck) override;
    bool solve(const std::vector<Eigen::Index>& open, Eigen::VectorXd& b, Eigen::VectorXd& image,
               StopCheck& stopCheck) override;
    void multiply(const Eigen::VectorXd& change, Eigen::VectorXd& image) override;

  private:
    const SvmProblem& m_problem;
    FreeSetFactor& m_factor;
    std::vector<SampleIndex> m_samples;
    WorkspaceMatrix::Matrix m_products; ///< Q among the free samples, lower triangle
};

} // namespace lambdascope::svm
