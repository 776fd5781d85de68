// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/dataset.h"
#include "core/svm/solver/free_set_system.h"

namespace lambdascope::svm {

/// For the linear kernel: Q = ZZᵀ with the rows yᵢxᵢ of Z is never formed. Conjugate gradients, scaled by the diagonal,
/// until the residual has shrunk enough; each iteration passes twice over the rows of the free samples, which are
/// copied to lie together. Cost O(iterations · nonzeros).
class FreeSetCg final : public FreeSetSystem {
  public:
    explicit FreeSetCg(const SvmProblem& problem) : m_problem(problem) {}

    [[nodiscard]] double cost(const std::vector<SampleIndex>& samples, double members) const override;
    bool prepare(const std::vector<SampleIndex>& samples, StopCheck& stopCheck) override;
    bool solve(const std::vector<Eigen::Index>& open, Eigen::VectorXd& b, Eigen::VectorXd& image,
               StopCheck& stopCheck) override;
    void multiply(const Eigen::VectorXd& change, Eigen::VectorXd& image) override;

  private:
    [[nodiscard]] std::int64_t operationsPerProduct() const;

    const SvmProblem& m_problem;
    DenseRows m_dense; ///< the xᵢ, of dense features
    SparseRows m_sparse;
    Eigen::VectorXd m_y;
    Eigen::VectorXd m_diagonal;
    Eigen::VectorXd m_signed; ///< change times y
    Eigen::VectorXd m_w;
};

} // namespace lambdascope::svm
