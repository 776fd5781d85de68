// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/stop_check.h"
#include "core/numeric/error_bound.h"

#include <Eigen/Core>

namespace lambdascope {

/// The split A = [A]₊ + [A]₋ of a symmetric matrix into its projections on the cones of positive and negative
/// semidefinite matrices.
struct PsdSplit {
    Eigen::MatrixXd factor;   ///< d × r, [A]₊ = factor · factorᵀ, r = number of positive eigenvalues
    Eigen::MatrixXd positive; ///< [A]₊, symmetric to the last bit
    Bounded positiveNorm;     ///< ‖[A]₊‖_F
    Bounded negativeNorm;     ///< ‖[A]₋‖_F
    double trace = 0;         ///< of [A]₊
    double error = 0;         ///< bound on ‖computed [A]₊ − exact [A]₊‖_F
    bool isFinite = true;     ///< false when A was not finite or the decomposition failed; nothing else is then valid
};

/// Splits the symmetric matrix `a`; only its lower triangle is read. Cost O(d³).
[[nodiscard]] PsdSplit splitPsd(const Eigen::MatrixXd& a);

/// ‖[A]₊‖_F², from eigenvalues alone: some four times cheaper than splitPsd.
[[nodiscard]] Bounded positivePartSquaredNorm(const Eigen::MatrixXd& a);

struct EigenSystem;

/// The split from a decomposition at hand, with eigenvectors.
[[nodiscard]] PsdSplit splitPsd(const EigenSystem& system);

/// ‖[A]₊‖_F² from a decomposition, with or without vectors.
[[nodiscard]] Bounded positivePartSquaredNorm(const EigenSystem& system);

/// Eigenvalues in rising order, eigenvectors in the columns of `vectors`.
struct EigenSystem {
    Eigen::VectorXd values;
    Eigen::MatrixXd vectors; ///< empty when only the values were asked for
    bool succeeded = false;
};

enum class EigenMethod {
    Automatic, ///< whichever is faster for the size (tests/benchmarks/eigen_benchmark.cpp)
    Eigen,     ///< tridiagonal QR of the Eigen library
    Lapack,    ///< LAPACK's divide and conquer, dsyevd
};

/// Bound on the norm of the errors of all eigenvalues of a decomposition.
[[nodiscard]] double eigenvalueError(const EigenSystem& system);

/// Eigen-decomposition of a symmetric matrix, of which the lower triangle is read.
[[nodiscard]] EigenSystem symmetricEigenSystem(const Eigen::MatrixXd& a, bool withVectors,
                                               EigenMethod method = EigenMethod::Automatic);

/// The same and the split for matrices of any size: large ones are decomposed in a thread of its own, so that the call
/// ends within some 5 ms of the moment at which `stopCheck` says stop (see callAbandonably()). Not `succeeded`, and not
/// `isFinite`, when it did.
[[nodiscard]] EigenSystem symmetricEigenSystem(const Eigen::MatrixXd& a, StopCheck& stopCheck, bool withVectors = true);
[[nodiscard]] PsdSplit splitPsd(const EigenSystem& system, StopCheck& stopCheck);
[[nodiscard]] PsdSplit splitPsd(const Eigen::MatrixXd& a, StopCheck& stopCheck);

} // namespace lambdascope
