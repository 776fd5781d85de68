// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/dataset.h"
#include "core/svm/solver/free_set_system.h"
#include "core/svm/solver/rounded_products.h"

namespace lambdascope::svm {

/// For the linear kernel: Q = ZZᵀ with the rows yᵢxᵢ of Z is never formed. Conjugate gradients, scaled by the diagonal,
/// until the residual has shrunk enough; each iteration passes twice over the rows of the free samples, which are
/// copied to lie together. Cost O(iterations · nonzeros).
class FreeSetCg final : public FreeSetSystem {
  public:
    explicit FreeSetCg(const SvmProblem& problem) : m_problem(problem) {}

    [[nodiscard]] double cost(const std::vector<SampleIndex>& samples, double members) const override;
    [[nodiscard]] double readPerRound(double size) const override { return size; }
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

/// For kernels with rows, where a factorization would take too long: conjugate gradients with values rounded to single
/// precision, preconditioned by (FFᵀ + diag(d))⁻¹ of RoundedProducts over the samples at hand. Balanced steps stay in
/// yᵀx = 0 all along [Gould, Hribar, Nocedal 2001], so that they take no second solution; an excess, which can only be
/// rounding here, is left to the caller. What rounding leaves of the pull, the next step takes. Cost O(iterations ·
/// size²) and O(rank² size) once.
class FreeSetKernelCg final : public FreeSetSystem {
  public:
    FreeSetKernelCg(const SvmProblem& problem, RoundedProducts& products) : m_problem(problem), m_products(products) {}

    [[nodiscard]] double cost(const std::vector<SampleIndex>& samples, double members) const override;
    bool prepare(const std::vector<SampleIndex>& samples, StopCheck& stopCheck) override;
    bool solve(const std::vector<Eigen::Index>& open, Eigen::VectorXd& b, Eigen::VectorXd& image,
               StopCheck& stopCheck) override;
    bool solveBalanced(const std::vector<Eigen::Index>& open, const Eigen::VectorXd& y, double excess,
                       Eigen::VectorXd& b, Eigen::VectorXd& image, StopCheck& stopCheck) override;
    [[nodiscard]] bool isIterative() const override { return true; }
    void stayWithin(FaceBox box) override { m_box = std::move(box); }
    [[nodiscard]] bool isHalfWay() const override { return m_isHalfWay; }
    void multiply(const Eigen::VectorXd& change, Eigen::VectorXd& image) override;

  private:
    /// The preconditioner for these places: (FFᵀ + D)⁻¹ = D^−½ (I − S (I + SᵀS)⁻¹ Sᵀ) D^−½ with S = D^−½ F.
    bool restrictTo(const std::vector<Eigen::Index>& places, StopCheck& stopCheck);
    [[nodiscard]] Eigen::VectorXd precondition(const Eigen::VectorXd& rest) const;
    /// Looks whether a solution that has come to x need go no further, by the box; `rest` is what is left of the pull.
    bool mayEnd(const std::vector<Eigen::Index>& open, const Eigen::VectorXd& x, const Eigen::VectorXd& rest);
    bool run(const std::vector<Eigen::Index>& open, bool isBalanced, Eigen::VectorXd& b, Eigen::VectorXd& image,
             StopCheck& stopCheck);

    const SvmProblem& m_problem;
    RoundedProducts& m_products;
    std::vector<Eigen::Index> m_places; ///< of the free samples
    Eigen::VectorXd m_y;
    FaceBox m_box;
    bool m_isHalfWay = false;
    Eigen::VectorXd m_inverseRoots; ///< D^−½ of the open ones
    Eigen::MatrixXf m_scaled;       ///< Sᵀ of them
    Eigen::MatrixXd m_capacitance;  ///< Cholesky factor of I + SᵀS
};

} // namespace lambdascope::svm
