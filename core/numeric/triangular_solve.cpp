// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/numeric/triangular_solve.h"

#include <algorithm>
#include <armadillo>

namespace lambdascope {

void solveLowerInPlace(const ColumnBlock& lower, SymmetricBlock x) {
    constexpr Eigen::Index kBlock = 64;
    const Eigen::Index n = lower.rows();
    const char plain = 'N';
    const double minusOne = -1;
    const double one = 1;
    const auto stride = static_cast<arma::blas_int>(lower.outerStride());
    const auto xStride = static_cast<arma::blas_int>(x.outerStride());
    const auto columns = static_cast<arma::blas_int>(x.cols());
    for (Eigen::Index at = 0; at < n && columns > 0; at += kBlock) {
        const Eigen::Index size = std::min(kBlock, n - at);
        if (at > 0) {
            const auto rows = static_cast<arma::blas_int>(size);
            const auto above = static_cast<arma::blas_int>(at);
            arma::blas::gemm(&plain, &plain, &rows, &columns, &above, &minusOne, lower.data() + at, &stride, x.data(),
                             &xStride, &one, x.data() + at, &xStride);
        }
        auto part = x.middleRows(at, size);
        lower.block(at, at, size, size).triangularView<Eigen::Lower>().solveInPlace(part);
    }
}

} // namespace lambdascope
