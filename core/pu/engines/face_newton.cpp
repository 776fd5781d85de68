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
    const Eigen::VectorXd change = system.completeOrthogonalDecomposition().solve(right);
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

} // namespace lambdascope::pu
