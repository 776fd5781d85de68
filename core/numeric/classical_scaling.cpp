// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/numeric/classical_scaling.h"

#include "core/numeric/psd_projection.h"

#include <algorithm>
#include <cmath>

namespace lambdascope {

namespace {

/// Eigenvectors have no sign of their own; this one repeats itself.
void fixSigns(Eigen::MatrixXd& points) {
    for (Eigen::Index axis = 0; axis < points.cols() && points.rows() > 0; ++axis) {
        Eigen::Index largest = 0;
        points.col(axis).cwiseAbs().maxCoeff(&largest);
        if (points(largest, axis) < 0) {
            points.col(axis) = -points.col(axis);
        }
    }
}

} // namespace

std::optional<Eigen::MatrixXd> classicalScaling(const Eigen::MatrixXd& squaredDistances, Eigen::Index dimensions,
                                                StopCheck& stopCheck) {
    const Eigen::Index n = squaredDistances.rows();
    const Eigen::VectorXd rowMeans = squaredDistances.rowwise().mean();
    const Eigen::RowVectorXd columnMeans = squaredDistances.colwise().mean();
    Eigen::MatrixXd products = squaredDistances;
    products.colwise() -= rowMeans;
    products.rowwise() -= columnMeans;
    products.array() += rowMeans.mean();
    stopCheck.ask();
    products = (-0.25 * (products + products.transpose())).eval();
    const EigenSystem system = stopCheck.ask() ? EigenSystem{} : symmetricEigenSystem(products, stopCheck);
    if (!system.succeeded || !products.allFinite()) {
        return std::nullopt;
    }
    Eigen::MatrixXd points = Eigen::MatrixXd::Zero(n, dimensions);
    for (Eigen::Index axis = 0; axis < std::min(n, dimensions); ++axis) {
        const Eigen::Index column = n - 1 - axis;
        points.col(axis) = std::sqrt(std::max(0.0, system.values(column))) * system.vectors.col(column);
    }
    fixSigns(points);
    return points;
}

Eigen::MatrixXd principalMap(const Eigen::Ref<const Eigen::MatrixXd>& points, Eigen::Index dimensions) {
    const Eigen::MatrixXd centred = points.rowwise() - points.colwise().mean();
    Eigen::MatrixXd map = Eigen::MatrixXd::Zero(points.rows(), dimensions);
    const EigenSystem system = symmetricEigenSystem(centred.transpose() * centred, true);
    if (system.succeeded) {
        const Eigen::Index axes = std::min(dimensions, points.cols());
        map.leftCols(axes) = centred * system.vectors.rightCols(axes).rowwise().reverse();
        fixSigns(map);
    }
    return map;
}

} // namespace lambdascope
