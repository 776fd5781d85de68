// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/path/learned_map.h"

#include "core/numeric/procrustes.h"
#include "core/numeric/psd_projection.h"

#include <Eigen/QR>

#include <algorithm>
#include <cmath>

namespace lambdascope::metric {

namespace {

/// Subspace iteration: width of the subspace, of which two directions are wanted, and its steps. Each path point goes
/// on where the one before ended.
constexpr Eigen::Index kDirections = 6;
constexpr int kSubspaceSteps = 12;

/// Without a map before: the entry of largest size of each axis is positive, so that a run repeats itself.
void fixSigns(Eigen::MatrixX2d& points) {
    for (Eigen::Index axis = 0; axis < 2 && points.rows() > 0; ++axis) {
        Eigen::Index largest = 0;
        points.col(axis).cwiseAbs().maxCoeff(&largest);
        if (points(largest, axis) < 0) {
            points.col(axis) = -points.col(axis);
        }
    }
}

} // namespace

std::optional<Eigen::MatrixX2d> LearnedMap::eigenPlane(const Eigen::MatrixXd& metric, StopCheck& stopCheck) const {
    const Eigen::Index d = metric.rows();
    const EigenSystem system = symmetricEigenSystem(metric, stopCheck);
    if (!system.succeeded) {
        return std::nullopt;
    }
    Eigen::MatrixX2d points = Eigen::MatrixX2d::Zero(m_triplets.rows(), 2);
    for (Eigen::Index axis = 0; axis < std::min<Eigen::Index>(2, d); ++axis) {
        const Eigen::Index column = d - 1 - axis;
        const double length = std::sqrt(std::max(system.values[column], 0.0));
        points.col(axis) = m_triplets.paddedRows().leftCols(d) * (length * system.vectors.col(column));
    }
    return points;
}

Eigen::MatrixX2d LearnedMap::principalPlane(const Eigen::MatrixXd& weights) {
    const Eigen::Index d = weights.rows();
    const Eigen::Index width = std::min(kDirections, d);
    const auto x = m_triplets.paddedRows().leftCols(d);
    const Eigen::VectorXd roots = weights.col(0).cwiseSqrt();
    // Any start will do that is orthogonal to no direction of the data; this one repeats itself.
    Eigen::MatrixXd directions = Eigen::MatrixXd::NullaryExpr(d, width, [](Eigen::Index row, Eigen::Index column) {
        return std::sin(static_cast<double>((row + 1) * (2 * column + 3)));
    });
    if (m_directions.rows() == d) {
        directions.leftCols(m_directions.cols()) = m_directions;
    }
    Eigen::MatrixXd image(m_triplets.rows(), width);
    for (int step = 0; step < kSubspaceSteps; ++step) {
        const Eigen::HouseholderQR<Eigen::MatrixXd> qr(directions);
        directions = qr.householderQ() * Eigen::MatrixXd::Identity(d, width);
        image.noalias() = x * (roots.asDiagonal() * directions);
        directions.noalias() = roots.asDiagonal() * (x.transpose() * image);
    }
    // Rayleigh and Ritz: the two longest axes of the image of the last orthonormal directions.
    Eigen::MatrixX2d points = Eigen::MatrixX2d::Zero(m_triplets.rows(), 2);
    const EigenSystem system = symmetricEigenSystem(image.transpose() * image, true);
    if (!system.succeeded) {
        return points;
    }
    const Eigen::Index axes = std::min<Eigen::Index>(2, width);
    const Eigen::MatrixXd ritz = system.vectors.rightCols(axes).rowwise().reverse();
    points.leftCols(axes) = image * ritz;
    m_directions = directions * ritz;
    return points;
}

std::shared_ptr<const Embedding> LearnedMap::embed(const Eigen::MatrixXd& metric, StopCheck& stopCheck) {
    const bool isColumn = m_triplets.structure() == Structure::Diagonal;
    std::optional<Eigen::MatrixX2d> plane = isColumn ? principalPlane(metric) : eigenPlane(metric, stopCheck);
    if (!plane) {
        return nullptr;
    }
    Eigen::MatrixX2d& points = *plane;
    if (m_previous.rows() == points.rows() && m_previous.squaredNorm() > 0) {
        points = (points * bestTurn(points, m_previous)).eval();
    } else {
        fixSigns(points);
    }
    m_previous = points;

    auto embedding = std::make_shared<Embedding>();
    embedding->coordinates.reserve(static_cast<std::size_t>(2 * points.rows()));
    for (Eigen::Index row = 0; row < points.rows(); ++row) {
        embedding->coordinates.push_back(static_cast<float>(points(row, 0)));
        embedding->coordinates.push_back(static_cast<float>(points(row, 1)));
    }
    embedding->classes = m_data.labels();
    embedding->classNames = m_data.classNames();
    embedding->xLabel = isColumn ? "first principal component of weighted features" : "first direction of Lx";
    embedding->yLabel = isColumn ? "second principal component of weighted features" : "second direction of Lx";
    return embedding;
}

} // namespace lambdascope::metric
