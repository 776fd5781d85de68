// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/random_stream.h"
#include "core/svm/solver/pair_descent.h"

#include <gtest/gtest.h>

#include <numeric>

namespace lambdascope::svm {
namespace {

constexpr Eigen::Index kMembers = 600; // more than one block
constexpr double kUpper = 0.7;

/// Members with random features, some of them twice, one the zero vector.
struct Members {
    Members() {
        RandomStream random(5, "members of the pair descent");
        Eigen::MatrixXd x(kMembers, 6);
        for (Eigen::Index i = 0; i < kMembers; ++i) {
            y(i) = random.uniform() < 0.5 ? -1 : 1;
            for (Eigen::Index f = 0; f < x.cols(); ++f) {
                x(i, f) = i % 50 == 49 ? x(i - 1, f) : random.normal();
            }
            alpha(i) = std::clamp(random.normal(), 0.0, kUpper);
        }
        x.row(17).setZero();
        kernel = x * x.transpose();
        diagonal = kernel.diagonal().array();
        images = kernel * (y * alpha).matrix();
        visit.resize(kMembers);
        std::iota(visit.begin(), visit.end(), 0);
    }
    [[nodiscard]] double dual(const Eigen::ArrayXd& at) const {
        const Eigen::VectorXd signedAlpha = y * at;
        return at.sum() - 0.5 * signedAlpha.dot(kernel * signedAlpha);
    }
    /// What the best step along one coordinate gains.
    [[nodiscard]] double gainAlong(Eigen::Index i) const {
        const double slope = y(i) * images(i) - 1;
        const double step =
            diagonal(i) > 0 ? std::clamp(-slope / diagonal(i), -alpha(i), kUpper - alpha(i)) : kUpper - alpha(i);
        return -step * (slope + 0.5 * diagonal(i) * step);
    }

    Eigen::ArrayXd y = Eigen::ArrayXd(kMembers);
    Eigen::ArrayXd alpha = Eigen::ArrayXd(kMembers);
    Eigen::ArrayXd diagonal;
    Eigen::MatrixXd kernel;
    Eigen::VectorXd images;
    std::vector<std::int32_t> visit;
};

PairDescent descentOf(Members& members) {
    return {members.y,    members.diagonal, members.images, members.alpha, Eigen::ArrayXd::Constant(kMembers, kUpper),
            members.visit};
}

TEST(PairDescent, StartsWithTheCoordinateThatGainsMost) {
    Members members;
    const PairDescent descent = descentOf(members);
    for (Eigen::Index i = 0; i < kMembers; ++i) {
        EXPECT_LE(members.gainAlong(i), members.gainAlong(descent.best()) * (1 + 1e-12)) << i;
    }
}

TEST(PairDescent, GainsWhatItSaysAndNoLessThanOneCoordinateAlone) {
    Members members;
    const Members before = members;
    PairDescent descent = descentOf(members);
    Eigen::ArrayXd last = before.alpha;
    for (int taken = 0; taken < 200; ++taken) {
        const Eigen::Index first = descent.best();
        ASSERT_GE(first, 0);
        PairStep step = descent.plan(members.kernel.col(first).data());
        const double single = -std::clamp(-(members.y(first) * members.images(first) - 1) / members.diagonal(first),
                                          -last(first), kUpper - last(first));
        EXPECT_GE(step.gain, single * (members.y(first) * members.images(first) - 1) -
                                 0.5 * members.diagonal(first) * single * single - 1e-9);
        descent.take(step, members.kernel.col(first).data(),
                     step.second >= 0 ? members.kernel.col(step.second).data() : nullptr);
        EXPECT_NEAR(before.dual(descent.alpha()) - before.dual(last), step.gain, 1e-8);
        EXPECT_GE(descent.alpha().minCoeff(), 0);
        EXPECT_LE(descent.alpha().maxCoeff(), kUpper);
        last = descent.alpha();
    }
    EXPECT_LE((members.images - before.kernel * (members.y * last).matrix()).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(PairDescent, LeavesThoseThatAreNotVisitedWhereTheyAre) {
    Members members;
    std::erase_if(members.visit, [](std::int32_t k) { return k % 2 == 0; });
    const Eigen::ArrayXd start = members.alpha;
    PairDescent descent = descentOf(members);
    for (int taken = 0; taken < 100 && descent.best() >= 0; ++taken) {
        const Eigen::Index first = descent.best();
        PairStep step = descent.plan(members.kernel.col(first).data());
        descent.take(step, members.kernel.col(first).data(),
                     step.second >= 0 ? members.kernel.col(step.second).data() : nullptr);
    }
    for (Eigen::Index i = 0; i < kMembers; i += 2) {
        EXPECT_EQ(descent.alpha()(i), start(i));
    }
    EXPECT_NE((descent.alpha() - start).cwiseAbs().maxCoeff(), 0);
}

} // namespace
} // namespace lambdascope::svm
