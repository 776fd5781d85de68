// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pu/engines/face_newton.h"

#include <Eigen/QR>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace lambdascope::pu {

std::vector<SampleIndex> fractionalSamples(const Eigen::VectorXd& s, std::span<const SampleIndex> members) {
    std::vector<SampleIndex> face;
    std::copy_if(members.begin(), members.end(), std::back_inserter(face),
                 [&s](SampleIndex u) { return s(u) != std::floor(s(u)); });
    return face;
}

namespace {

double stepBy(const Eigen::VectorXd& change, std::span<const SampleIndex> face, Eigen::VectorXd& s) {
    double length = 1;
    std::size_t blocked = face.size();
    for (std::size_t k = 0; k < face.size(); ++k) {
        const double by = change(static_cast<Eigen::Index>(k));
        const double value = s(face[k]);
        const double room = by > 0 ? std::floor(value) + 1 - value : value - std::floor(value);
        if (std::abs(by) * length > room) {
            length = room / std::abs(by);
            blocked = k;
        }
    }
    if (!std::isfinite(length) || !change.allFinite()) {
        return 0;
    }
    for (std::size_t k = 0; k < face.size(); ++k) {
        const double by = length * change(static_cast<Eigen::Index>(k));
        double& value = s(face[k]);
        const double low = std::floor(value);
        value = k == blocked ? (by > 0 ? low + 1 : low) : std::clamp(quantized(value + by), low, low + 1);
    }
    return length;
}

} // namespace

double stepOnFace(std::span<const SampleIndex> face, const Eigen::MatrixXd& products, const Eigen::VectorXd& distances,
                  Eigen::VectorXd& s) {
    const Eigen::Index count = std::ssize(face);
    Eigen::MatrixXd system = Eigen::MatrixXd::Zero(count + 1, count + 1);
    Eigen::VectorXd right = Eigen::VectorXd::Zero(count + 1);
    system.topLeftCorner(count, count) = products;
    right.head(count) = distances;
    const double size = system.diagonal().maxCoeff();
    system.row(count).head(count).setConstant(size);
    system.col(count).head(count).setConstant(size);
    return stepBy(system.completeOrthogonalDecomposition().solve(right), face, s);
}

double stepOnFaceOfRows(std::span<const SampleIndex> face, const Eigen::MatrixXd& rows,
                        const Eigen::VectorXd& distances, Eigen::VectorXd& s) {
    const Eigen::Index count = std::ssize(face);
    const Eigen::Index d = rows.cols();
    // The system is W C Wᵀ with W = [X 1 0; 0 0 1] = QR. Its solution of least norm is Q (R C Rᵀ)⁺ Qᵀ of the right
    // side.
    Eigen::MatrixXd span = Eigen::MatrixXd::Zero(count + 1, d + 2);
    span.topLeftCorner(count, d) = rows;
    span.col(d).head(count).setOnes();
    span(count, d + 1) = 1;
    Eigen::MatrixXd core = Eigen::MatrixXd::Identity(d + 2, d + 2);
    core(d, d) = core(d + 1, d + 1) = 0;
    core(d, d + 1) = core(d + 1, d) = rows.rowwise().squaredNorm().maxCoeff();
    const Eigen::HouseholderQR<Eigen::MatrixXd> factor(span);
    const Eigen::MatrixXd upper = factor.matrixQR().topRows(d + 2).triangularView<Eigen::Upper>();
    Eigen::VectorXd change = Eigen::VectorXd::Zero(count + 1);
    change.head(count) = distances;
    change.applyOnTheLeft(factor.householderQ().adjoint());
    change.head(d + 2) =
        (upper * core * upper.transpose()).completeOrthogonalDecomposition().solve(change.head(d + 2)).eval();
    change.tail(count - d - 1).setZero();
    change.applyOnTheLeft(factor.householderQ());
    return stepBy(change, face, s);
}

} // namespace lambdascope::pu
