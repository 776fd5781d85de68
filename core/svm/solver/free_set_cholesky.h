// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/svm/solver/face_factor.h"
#include "core/svm/solver/face_system.h"

namespace lambdascope::svm {

/// Solves exactly, by a factor of Q_SS that is carried along from step to step.
class FreeSetCholesky final : public FaceSystem {
  public:
    FreeSetCholesky(const SvmProblem& problem, FaceFactor& factor)
        : m_problem(problem), m_factor(factor), m_products(nullptr, 0, 0) {}

    [[nodiscard]] double cost(const std::vector<SampleIndex>& samples, double members) const override;
    bool prepare(const std::vector<SampleIndex>& samples, WorkPoll& poll) override;
    bool solve(const std::vector<Eigen::Index>& open, Eigen::VectorXd& b, Eigen::VectorXd& image,
               WorkPoll& poll) override;
    void multiply(const Eigen::VectorXd& change, Eigen::VectorXd& image) override;

  private:
    const SvmProblem& m_problem;
    FaceFactor& m_factor;
    std::vector<SampleIndex> m_samples;
    MatrixRoom::Matrix m_products; ///< Q among the free samples, lower triangle
};

} // namespace lambdascope::svm
