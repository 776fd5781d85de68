// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/numeric/psd_projection.h"

#include "core/common/abandonable_call.h"
#include "core/numeric/psd_factor.h"

#include <Eigen/Eigenvalues>

#include <armadillo>
#include <memory>

namespace lambdascope {

namespace {

/// From these sizes on LAPACK's divide and conquer was faster than Eigen's QR iteration (eigen_benchmark: with vectors
/// Eigen needs 0.6 of LAPACK's time at d = 24, 0.8 at 100 and as much at 200; values alone 1.06 at 19, 1.3 at 200).
constexpr Eigen::Index kLapackVectorsFrom = 200;
constexpr Eigen::Index kLapackValuesFrom = 19;

/// Both methods are backward stable: the computed decomposition is exact for A + E, ‖E‖ ≤ p(d) u ‖A‖ with a small
/// polynomial p; d times this constant is far above what tests ever saw (numeric tests measure the residual).
constexpr double kEigenErrorFactor = 10;

/// Up to here a decomposition takes a tenth of a second at most, and is not worth a thread.
constexpr Eigen::Index kSmall = 800;

EigenSystem solveByEigen(const Eigen::MatrixXd& a, bool withVectors) {
    Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(a, withVectors ? Eigen::ComputeEigenvectors
                                                                         : Eigen::EigenvaluesOnly);
    EigenSystem system;
    system.succeeded = solver.info() == Eigen::Success;
    system.values = solver.eigenvalues();
    if (withVectors && system.succeeded) {
        system.vectors = solver.eigenvectors();
    }
    return system;
}

/// Through Armadillo, on Eigen's memory; eig_sym works on a copy of its own.
EigenSystem solveByLapack(const Eigen::MatrixXd& a, bool withVectors) {
    EigenSystem system;
    const auto n = static_cast<arma::uword>(a.rows());
    system.values.resize(a.rows());
    const arma::mat matrix(const_cast<double*>(a.data()), n, n, false, true);
    arma::vec values(system.values.data(), n, false, true);
    if (!withVectors) {
        system.succeeded = arma::eig_sym(values, matrix);
        return system;
    }
    system.vectors.resize(a.rows(), a.cols());
    arma::mat vectors(system.vectors.data(), n, n, false, true);
    system.succeeded = arma::eig_sym(values, vectors, matrix, "dc");
    return system;
}

} // namespace

EigenSystem symmetricEigenSystem(const Eigen::MatrixXd& a, bool withVectors, EigenMethod method) {
    if (!a.allFinite()) {
        return {};
    }
    if (method == EigenMethod::Automatic) {
        const Eigen::Index from = withVectors ? kLapackVectorsFrom : kLapackValuesFrom;
        method = a.rows() >= from ? EigenMethod::Lapack : EigenMethod::Eigen;
    }
    return method == EigenMethod::Lapack ? solveByLapack(a, withVectors) : solveByEigen(a, withVectors);
}

double eigenvalueError(const EigenSystem& system) {
    return kEigenErrorFactor * static_cast<double>(system.values.size()) * kUnitRoundoff * system.values.norm();
}

PsdSplit splitPsd(const Eigen::MatrixXd& a) {
    return splitPsd(symmetricEigenSystem(a, true));
}

PsdSplit splitPsd(const EigenSystem& system) {
    PsdSplit split;
    if (!system.succeeded) {
        split.isFinite = false;
        return split;
    }
    const Eigen::Index d = system.values.size();
    Eigen::Index firstPositive = 0;
    while (firstPositive < d && system.values[firstPositive] <= 0) {
        ++firstPositive;
    }
    const Eigen::Index rank = d - firstPositive;
    const auto positive = system.values.tail(rank);
    split.factor = system.vectors.rightCols(rank) * positive.cwiseSqrt().asDiagonal();
    split.positive.setZero(d, d);
    if (rank > 0) {
        split.positive.selfadjointView<Eigen::Lower>().rankUpdate(split.factor);
        split.positive.triangularView<Eigen::StrictlyUpper>() = split.positive.transpose();
    }
    split.trace = positive.sum();
    split.error = eigenvalueError(system);
    split.positiveNorm = {positive.norm(), split.error};
    split.negativeNorm = {system.values.head(firstPositive).norm(), split.error};
    return split;
}

Bounded positivePartSquaredNorm(const Eigen::MatrixXd& a) {
    return positivePartSquaredNorm(symmetricEigenSystem(a, false));
}

Bounded positivePartSquaredNorm(const EigenSystem& system) {
    if (!system.succeeded) {
        return {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()};
    }
    const double norm = system.values.cwiseMax(0.0).norm();
    const double error = eigenvalueError(system);
    return Bounded{norm, error} * Bounded{norm, error};
}

EigenSystem symmetricEigenSystem(const Eigen::MatrixXd& a, StopCheck& stopCheck, bool withVectors) {
    const Eigen::Index n = a.rows();
    if (n <= kSmall) {
        return stopCheck.spend(n * n * n * (withVectors ? 9 : 2) / 4) ? EigenSystem{}
                                                                      : symmetricEigenSystem(a, withVectors);
    }
    struct Owned {
        Eigen::MatrixXd matrix;
        EigenSystem system;
    };
    const auto owned = std::make_shared<Owned>();
    owned->matrix = a.selfadjointView<Eigen::Lower>();
    const auto decompose = [owned, withVectors] { owned->system = symmetricEigenSystem(owned->matrix, withVectors); };
    return callAbandonably(decompose, stopCheck) ? std::move(owned->system) : EigenSystem{};
}

PsdSplit splitPsd(const EigenSystem& system, StopCheck& stopCheck) {
    const Eigen::Index n = system.values.size();
    if (n <= kSmall) {
        return splitPsd(system);
    }
    struct Owned {
        EigenSystem system;
        PsdSplit split;
    };
    const auto owned = std::make_shared<Owned>(Owned{system, {}});
    PsdSplit stopped;
    stopped.isFinite = false;
    return callAbandonably([owned] { owned->split = splitPsd(owned->system); }, stopCheck) ? std::move(owned->split)
                                                                                           : stopped;
}

PsdSplit splitPsd(const Eigen::MatrixXd& a, StopCheck& stopCheck) {
    return splitPsd(symmetricEigenSystem(a, stopCheck), stopCheck);
}

std::optional<MatrixValues> psdFactor(const MatrixValues& matrix) {
    const Eigen::Map<const Eigen::MatrixXd> m(matrix.data(), matrix.rows(), matrix.cols());
    const EigenSystem system = symmetricEigenSystem(Eigen::MatrixXd(m), true);
    if (!system.succeeded) {
        return std::nullopt;
    }
    const Eigen::Index rank = (system.values.array() > eigenvalueError(system)).count();
    Eigen::MatrixXd factor(rank, m.cols());
    for (Eigen::Index r = 0; r < rank; ++r) {
        const Eigen::Index column = m.cols() - 1 - r; // eigenvalues rise
        factor.row(r) = std::sqrt(system.values(column)) * system.vectors.col(column).transpose();
        Eigen::Index largest = 0;
        factor.row(r).cwiseAbs().maxCoeff(&largest);
        if (factor(r, largest) < 0) {
            factor.row(r) *= -1;
        }
    }
    return MatrixValues(factor);
}

} // namespace lambdascope
