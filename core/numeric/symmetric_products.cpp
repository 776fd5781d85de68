// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/numeric/symmetric_products.h"

#include <cblas.h>

#include <algorithm>
#include <armadillo>

namespace lambdascope {

namespace {

/// Columns of a panel: wide enough for matrix products at full speed, narrow enough to be shared evenly.
constexpr Eigen::Index kPanel = 128;
/// Operations below which waking another thread costs more than it saves.
constexpr double kWorthSharing = 2e6;

/// C, of which C Cᵀ ('N', C has a row per row of the sum) or CᵀC ('T', a column) is added; stored by columns.
struct Factor {
    const double* data = nullptr;
    Eigen::Index stride = 0;
    char transposed = 'N';
    Eigen::Index depth = 0;

    /// Where what belongs to row `at` of the sum begins.
    [[nodiscard]] const double* from(Eigen::Index at) const { return data + (transposed == 'N' ? at : at * stride); }
};

/// Columns [begin, end) of the lower triangle: a triangle on the diagonal, and the rectangle below.
void addPanel(const Factor& a, double factor, Eigen::Index begin, Eigen::Index end, SymmetricBlock& sum) {
    const char lower = 'L';
    const char mirrored = a.transposed == 'N' ? 'T' : 'N';
    const auto width = static_cast<arma::blas_int>(end - begin);
    const auto below = static_cast<arma::blas_int>(sum.rows() - end);
    const auto sumStride = static_cast<arma::blas_int>(sum.outerStride());
    const auto stride = static_cast<arma::blas_int>(a.stride);
    const auto depth = static_cast<arma::blas_int>(a.depth);
    const double one = 1;
    double* corner = sum.data() + begin * sum.outerStride() + begin;
    arma::blas::syrk(&lower, &a.transposed, &width, &depth, &factor, a.from(begin), &stride, &one, corner, &sumStride);
    if (below > 0) {
        arma::blas::gemm(&a.transposed, &mirrored, &below, &width, &depth, &factor, a.from(end), &stride, a.from(begin),
                         &stride, &one, corner + width, &sumStride);
    }
}

void addProducts(const Factor& a, double factor, SymmetricBlock& sum, ThreadTeam* team,
                 StopCheck* stopCheck = nullptr) {
    const Eigen::Index size = sum.rows();
    if (a.depth == 0 || size == 0) {
        return;
    }
    const auto panel = [&](std::int64_t at, std::size_t /*worker*/) {
        addPanel(a, factor, at * kPanel, std::min(size, (at + 1) * kPanel), sum);
    };
    const std::int64_t panels = (size + kPanel - 1) / kPanel;
    const double work = static_cast<double>(size) * static_cast<double>(size * a.depth);
    const auto shouldStop = [&] { return stopCheck != nullptr && stopCheck->spend(2 * kPanel * size * a.depth); };
    if (team != nullptr && work > kWorthSharing) {
        (void)team->forEachBlock(panels, panel, shouldStop);
        return;
    }
    for (std::int64_t at = 0; at < panels; ++at) {
        panel(at, 0);
        if (shouldStop()) {
            return;
        }
    }
}

} // namespace

void addRowProducts(const RowBlock& a, double factor, SymmetricBlock sum, ThreadTeam* team) {
    addProducts({a.data(), a.outerStride(), 'T', a.cols()}, factor, sum, team);
}

void addRowProducts(const ColumnBlock& a, double factor, SymmetricBlock sum, ThreadTeam* team, StopCheck* stopCheck) {
    addProducts({a.data(), a.outerStride(), 'N', a.cols()}, factor, sum, team, stopCheck);
}

void addColumnProducts(const RowBlock& a, double factor, SymmetricBlock sum, ThreadTeam* team) {
    addProducts({a.data(), a.outerStride(), 'N', a.rows()}, factor, sum, team);
}

void setProduct(const ColumnBlock& a, Transposed ofA, const ColumnBlock& b, Transposed ofB, SymmetricBlock c) {
    const Eigen::Index depth = ofA == Transposed::Yes ? a.rows() : a.cols();
    if (c.size() == 0 || depth == 0) {
        c.setZero();
        return;
    }
    const auto number = [](Eigen::Index n) { return static_cast<arma::blas_int>(n); };
    const char first = ofA == Transposed::Yes ? 'T' : 'N';
    const char second = ofB == Transposed::Yes ? 'T' : 'N';
    const arma::blas_int rows = number(c.rows());
    const arma::blas_int columns = number(c.cols());
    const arma::blas_int inner = number(depth);
    const arma::blas_int strideOfA = number(a.outerStride());
    const arma::blas_int strideOfB = number(b.outerStride());
    const arma::blas_int strideOfC = number(c.outerStride());
    const double one = 1;
    const double none = 0;
    arma::blas::gemm(&first, &second, &rows, &columns, &inner, &one, a.data(), &strideOfA, b.data(), &strideOfB, &none,
                     c.data(), &strideOfC);
}

void multiplySymmetric(const ColumnBlock& lower, const Eigen::Ref<const Eigen::VectorXd>& x,
                       Eigen::Ref<Eigen::VectorXd> y) {
    // OpenBLAS 0.3.21 reads some numbers behind y with its kernels for old processors (Prescott, Core2, Barcelona),
    // which it also takes for processors that it does not know.
    constexpr Eigen::Index kReadBehind = 16;
    Eigen::VectorXd roomy = Eigen::VectorXd::Zero(x.size() + kReadBehind);
    const auto size = static_cast<blasint>(x.size());
    if (size > 0) {
        const auto stride = static_cast<blasint>(lower.outerStride());
        cblas_dsymv(CblasColMajor, CblasLower, size, 1, lower.data(), stride, x.data(), 1, 1, roomy.data(), 1);
    }
    y = roomy.head(x.size());
}

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
