// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/numeric/symmetric_products.h"

#include <armadillo>

namespace lambdascope {

namespace {

/// sum += factor · C Cᵀ ('N') or CᵀC ('T') for the column-major C that begins at `data`.
void addProducts(const double* data, Eigen::Index stride, char transposed, Eigen::Index depth, double factor,
                 SymmetricBlock& sum) {
    if (depth == 0 || sum.rows() == 0) {
        return;
    }
    const char lower = 'L';
    const auto size = static_cast<arma::blas_int>(sum.rows());
    const auto sumStride = static_cast<arma::blas_int>(sum.outerStride());
    const auto dataStride = static_cast<arma::blas_int>(stride);
    const auto terms = static_cast<arma::blas_int>(depth);
    const double one = 1;
    arma::blas::syrk(&lower, &transposed, &size, &terms, &factor, data, &dataStride, &one, sum.data(), &sumStride);
}

} // namespace

void addRowProducts(const RowBlock& a, double factor, SymmetricBlock sum) {
    addProducts(a.data(), a.outerStride(), 'T', a.cols(), factor, sum);
}

void addRowProducts(const ColumnBlock& a, double factor, SymmetricBlock sum) {
    addProducts(a.data(), a.outerStride(), 'N', a.cols(), factor, sum);
}

void addColumnProducts(const RowBlock& a, double factor, SymmetricBlock sum) {
    addProducts(a.data(), a.outerStride(), 'N', a.rows(), factor, sum);
}

} // namespace lambdascope
