// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/learned_map.h"

#include "core/numeric/psd_projection.h"

#include <Eigen/SVD>

#include <algorithm>
#include <cmath>

namespace lambdascope::metric {

namespace {

/// The orthogonal 2 × 2 matrix R that makes ‖points R − target‖_F least.
Eigen::Matrix2d bestTurn(const Eigen::MatrixX2d& points, const Eigen::MatrixX2d& target) {
    const Eigen::Matrix2d product = points.transpose() * target;
    const Eigen::JacobiSVD<Eigen::Matrix2d> svd(product, Eigen::ComputeFullU | Eigen::ComputeFullV);
    return svd.matrixU() * svd.matrixV().transpose();
}

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

std::shared_ptr<const Embedding> LearnedMap::embed(const Eigen::MatrixXd& metric) {
    const Eigen::Index d = metric.rows();
    const EigenSystem system = symmetricEigenSystem(metric, true);
    if (!system.succeeded) {
        return nullptr;
    }
    Eigen::MatrixX2d points = Eigen::MatrixX2d::Zero(m_triplets.rows(), 2);
    for (Eigen::Index axis = 0; axis < std::min<Eigen::Index>(2, d); ++axis) {
        const Eigen::Index column = d - 1 - axis;
        const double length = std::sqrt(std::max(system.values[column], 0.0));
        points.col(axis) = m_triplets.paddedRows().leftCols(d) * (length * system.vectors.col(column));
    }
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
    embedding->xLabel = "first direction of Lx";
    embedding->yLabel = "second direction of Lx";
    return embedding;
}

} // namespace lambdascope::metric
