// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/problem/kernel_matrix.h"

#include "core/common/number_text.h"
#include "core/data/data_faults.h"
#include "core/numeric/blocked_cholesky.h"
#include "core/numeric/error_bound.h"

#include <cmath>
#include <string>

namespace lambdascope::svm {

namespace {

std::string place(Eigen::Index i, Eigen::Index j) {
    return "row " + std::to_string(i + 1) + ", column " + std::to_string(j + 1);
}

Failure notPositive(const std::string& why) {
    return dataFault("data.source",
                     "the kernel matrix is not positive semidefinite" + why +
                         ", so that it belongs to no feature space and nothing can be proven",
                     "Write it with all digits, or add a small multiple of the identity.");
}

/// Whether all entries are finite, symmetric, and not negative on the diagonal.
Result<void> checkEntries(const Eigen::MatrixXd& matrix, StopCheck& stopCheck) {
    for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
        for (Eigen::Index j = 0; j <= i; ++j) {
            if (!std::isfinite(matrix(i, j)) || !std::isfinite(matrix(j, i))) {
                return dataFault("data.source",
                                 "the kernel matrix holds " + shortText(matrix(i, j)) + " in " + place(i, j),
                                 "Give finite numbers.");
            }
            if (matrix(i, j) != matrix(j, i)) {
                return dataFault("data.source",
                                 "the kernel matrix is not symmetric: " + exactText(matrix(i, j)) + " in " +
                                     place(i, j) + ", " + exactText(matrix(j, i)) + " in " + place(j, i),
                                 "Give K(x, x') = K(x', x).");
            }
        }
        if (matrix(i, i) < 0) {
            return dataFault("data.source",
                             "the kernel matrix holds " + shortText(matrix(i, i)) + " in " + place(i, i) +
                                 ", but K(x, x) is never negative",
                             "Check the columns: no label may be among them.");
        }
        if (stopCheck.spend(20 * (i + 1))) { // most of them are far apart in memory
            break;
        }
    }
    return {};
}

/// The lower triangle of diag(K)^−½ K diag(K)^−½, each entry off by 4u at most, with ones on the diagonal also where K
/// has zeros. Errors: an entry that is larger than those of its row and column on the diagonal allow.
Result<void> scaleToUnitDiagonal(Eigen::MatrixXd& matrix, StopCheck& stopCheck) {
    const Eigen::VectorXd roots = matrix.diagonal().cwiseSqrt();
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) {
        for (Eigen::Index i = j + 1; i < matrix.rows(); ++i) {
            double& entry = matrix(i, j);
            entry = entry == 0 ? 0 : entry / roots(i) / roots(j);
            if (!(std::abs(entry) <= 1 + 8 * kUnitRoundoff)) {
                return notPositive(": the value in " + place(i, j) +
                                   " is larger than the diagonal of its row and column allows");
            }
        }
        if (stopCheck.spend(10 * (matrix.rows() - j))) {
            break;
        }
    }
    matrix.diagonal().setOnes();
    return {};
}

} // namespace

Result<double> kernelMatrixRidge(const Dataset& data, StopCheck& stopCheck) {
    const Eigen::Index n = data.rows();
    if (data.features() != n) {
        return dataFault("data.source",
                         "a precomputed kernel needs one column per row, but the data have " + groupedText(n) +
                             " rows and " + groupedText(data.features()) + " columns",
                         "Give the whole kernel matrix, or choose another kernel.");
    }
    Eigen::MatrixXd matrix = data.toDense();
    if (auto checked = checkEntries(matrix, stopCheck); !checked) {
        return Failure{checked.error()};
    }
    if (stopCheck.isStopped()) {
        return 0.0;
    }
    if (auto scaled = scaleToUnitDiagonal(matrix, stopCheck); !scaled) {
        return Failure{scaled.error()};
    }
    const auto size = static_cast<double>(n);
    // The residual of a factorization by blocks, ‖ |R|ᵀ|R| ‖ ≤ n, and what scaling changed.
    const double residual = 2.02 * size * roundingFactor(size + 1) + 8 * size * kUnitRoundoff;
    const double shift = 1.01 * size * roundingFactor(size + 1);
    const auto isPositive = [&](double diagonal) {
        Eigen::MatrixXd factor = matrix;
        factor.diagonal().setConstant(diagonal);
        return choleskyInPlace(factor, stopCheck) != CholeskyOutcome::NotPositive;
    };
    if (isPositive(1 - residual)) {
        return 0.0;
    }
    if (!isPositive(1 + shift)) {
        return notPositive("");
    }
    return shift + residual;
}

} // namespace lambdascope::svm
