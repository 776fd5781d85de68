// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/numeric/blocked_cholesky.h"

#include "core/numeric/symmetric_products.h"

#include <Eigen/Cholesky>

#include <algorithm>

namespace lambdascope {

CholeskyOutcome choleskyInPlace(Eigen::Ref<Eigen::MatrixXd> a, StopCheck& stopCheck, ThreadTeam* team) {
    constexpr Eigen::Index kBlock = 96;
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
            addRowProducts(ColumnBlock(below), -1, a.bottomRightCorner(left, left), team, &stopCheck);
        }
        if (stopCheck.isStopped() || stopCheck.spend(size * size * left)) {
            return CholeskyOutcome::Stopped;
        }
    }
    return CholeskyOutcome::Done;
}

void solveByCholesky(const Eigen::Ref<const Eigen::MatrixXd>& factor, Eigen::VectorXd& x, StopCheck& stopCheck) {
    constexpr Eigen::Index kBlock = 128;
    const Eigen::Index n = factor.rows();
    const auto corner = [&](Eigen::Index at, Eigen::Index size) { return factor.block(at, at, size, size); };
    for (Eigen::Index at = 0; at < n && !stopCheck.isStopped(); at += kBlock) {
        const Eigen::Index size = std::min(kBlock, n - at);
        const Eigen::Index left = n - at - size;
        auto part = x.segment(at, size);
        corner(at, size).triangularView<Eigen::Lower>().solveInPlace(part);
        x.tail(left).noalias() -= factor.block(at + size, at, left, size) * part;
        (void)stopCheck.spend(2 * size * (left + size));
    }
    for (Eigen::Index at = (n - 1) / kBlock * kBlock; at >= 0 && !stopCheck.isStopped(); at -= kBlock) {
        const Eigen::Index size = std::min(kBlock, n - at);
        const Eigen::Index left = n - at - size;
        auto part = x.segment(at, size);
        part.noalias() -= factor.block(at + size, at, left, size).transpose() * x.tail(left);
        const auto lower = corner(at, size).triangularView<Eigen::Lower>();
        lower.transpose().solveInPlace(part);
        (void)stopCheck.spend(2 * size * (left + size));
    }
}

void solveByCholesky(const Eigen::Ref<const Eigen::MatrixXd>& factor, Eigen::VectorXd& x) {
    const auto lower = factor.triangularView<Eigen::Lower>();
    lower.solveInPlace(x);
    lower.transpose().solveInPlace(x);
}

} // namespace lambdascope
