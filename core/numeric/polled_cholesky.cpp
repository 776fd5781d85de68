// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/numeric/polled_cholesky.h"

#include <Eigen/Cholesky>

#include <algorithm>

namespace lambdascope {

CholeskyOutcome choleskyInPlace(Eigen::MatrixXd& a, WorkPoll& poll) {
    constexpr Eigen::Index kBlock = 64;
    const Eigen::Index n = a.rows();
    for (Eigen::Index at = 0; at < n; at += kBlock) {
        const Eigen::Index size = std::min(kBlock, n - at);
        const Eigen::Index left = n - at - size;
        auto corner = a.block(at, at, size, size);
        const Eigen::LLT<Eigen::MatrixXd> factor(corner);
        if (factor.info() != Eigen::Success) {
            return CholeskyOutcome::NotPositive;
        }
        corner.triangularView<Eigen::Lower>() = factor.matrixL();
        if (left > 0) {
            auto below = a.block(at + size, at, left, size);
            corner.triangularView<Eigen::Lower>().transpose().solveInPlace<Eigen::OnTheRight>(below);
            a.bottomRightCorner(left, left).selfadjointView<Eigen::Lower>().rankUpdate(below, -1);
        }
        if (poll.spend(size * left * left)) {
            return CholeskyOutcome::Stopped;
        }
    }
    return CholeskyOutcome::Done;
}

} // namespace lambdascope
