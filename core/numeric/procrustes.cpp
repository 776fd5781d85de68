// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/numeric/procrustes.h"

#include <Eigen/SVD>

#include <algorithm>
#include <cmath>
#include <limits>

namespace lambdascope {

namespace {

Eigen::MatrixXd padded(const Eigen::Ref<const Eigen::MatrixXd>& points, Eigen::Index width) {
    Eigen::MatrixXd result = Eigen::MatrixXd::Zero(points.rows(), width);
    result.leftCols(points.cols()) = points;
    return result;
}

} // namespace

Eigen::MatrixXd bestTurn(const Eigen::Ref<const Eigen::MatrixXd>& points,
                         const Eigen::Ref<const Eigen::MatrixXd>& target) {
    const Eigen::MatrixXd product = points.transpose() * target;
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(product, Eigen::ComputeFullU | Eigen::ComputeFullV);
    return svd.matrixU() * svd.matrixV().transpose();
}

Alignment alignPoints(const Eigen::Ref<const Eigen::MatrixXd>& points, const Eigen::Ref<const Eigen::MatrixXd>& target,
                      bool scales) {
    const Eigen::Index width = std::max(points.cols(), target.cols());
    Eigen::MatrixXd a = padded(points, width);
    Eigen::MatrixXd b = padded(target, width);
    Alignment result;
    result.from = a.colwise().mean();
    result.to = b.colwise().mean();
    result.turn = Eigen::MatrixXd::Identity(width, width);
    a.rowwise() -= result.from;
    b.rowwise() -= result.to;
    const double size = a.squaredNorm();
    const double targetSize = b.squaredNorm();
    if (!std::isfinite(size) || !std::isfinite(targetSize) || targetSize <= 0) {
        result.distance = std::numeric_limits<double>::quiet_NaN();
        return result;
    }
    result.turn = bestTurn(a, b);
    const Eigen::MatrixXd turned = a * result.turn;
    // trace((aR)ᵀb) is the sum of the singular values of aᵀb.
    result.scale = !scales ? 1.0 : size > 0 ? std::max(0.0, turned.cwiseProduct(b).sum()) / size : 0.0;
    result.distance = (result.scale * turned - b).squaredNorm() / targetSize;
    return result;
}

Eigen::MatrixXd Alignment::applied(const Eigen::Ref<const Eigen::MatrixXd>& points) const {
    Eigen::MatrixXd moved = padded(points, turn.rows());
    moved.rowwise() -= from;
    moved = (scale * moved * turn).eval();
    moved.rowwise() += to;
    return moved;
}

} // namespace lambdascope
