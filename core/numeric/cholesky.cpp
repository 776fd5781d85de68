// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/numeric/cholesky.h"

#include <armadillo>
#include <limits>
#include <utility>

namespace lambdascope {

namespace {

/// Row-major A is Aᵀ to BLAS: `transposed` gives A Aᵀ, otherwise AᵀA.
void addProducts(const RowBlock& a, bool transposed, double factor, Eigen::MatrixXd& sum) {
    if (a.size() == 0) {
        return;
    }
    const char lower = 'L';
    const char trans = transposed ? 'T' : 'N';
    const auto size = static_cast<arma::blas_int>(transposed ? a.rows() : a.cols());
    const auto depth = static_cast<arma::blas_int>(transposed ? a.cols() : a.rows());
    const auto stride = static_cast<arma::blas_int>(a.outerStride());
    const double one = 1;
    arma::blas::syrk(&lower, &trans, &size, &depth, &factor, a.data(), &stride, &one, sum.data(), &size);
}

} // namespace

void addRowProducts(const RowBlock& a, double factor, Eigen::MatrixXd& sum) {
    addProducts(a, true, factor, sum);
}

void addColumnProducts(const RowBlock& a, double factor, Eigen::MatrixXd& sum) {
    addProducts(a, false, factor, sum);
}

bool Cholesky::compute(Eigen::MatrixXd matrix) {
    m_factor = std::move(matrix);
    char lower = 'L';
    auto size = static_cast<arma::blas_int>(m_factor.rows());
    arma::blas_int info = 0;
    if (size > 0) {
        arma::lapack::potrf(&lower, &size, m_factor.data(), &size, &info);
    }
    m_succeeded = info == 0;
    return m_succeeded;
}

Eigen::VectorXd Cholesky::solve(const Eigen::VectorXd& right) const {
    if (!m_succeeded) {
        return Eigen::VectorXd::Constant(right.size(), std::numeric_limits<double>::quiet_NaN());
    }
    Eigen::VectorXd solution = right;
    const auto lower = m_factor.triangularView<Eigen::Lower>();
    lower.solveInPlace(solution);
    lower.transpose().solveInPlace(solution);
    return solution;
}

} // namespace lambdascope
