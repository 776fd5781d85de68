// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/numeric/classical_scaling.h"
#include "core/ordinal/path/embedding_frames.h"
#include "core/ordinal/solver/trial.h"
#include "tests/core/ordinal/small_sets.h"

#include <Eigen/QR>
#include <gtest/gtest.h>

#include <cmath>

namespace lambdascope::ordinal {
namespace {

using Map = Eigen::Matrix<double, Eigen::Dynamic, 2, Eigen::RowMajor>;

Map mapOf(const std::vector<float>& coordinates) {
    Map map(static_cast<Eigen::Index>(coordinates.size() / 2), 2);
    for (std::size_t k = 0; k < coordinates.size(); ++k) {
        map(static_cast<Eigen::Index>(k / 2), static_cast<Eigen::Index>(k % 2)) = static_cast<double>(coordinates[k]);
    }
    return map;
}

/// Correlation of an axis of one picture with the same axis of another: negative when it was mirrored.
double axisCorrelation(const Map& a, const Map& b, Eigen::Index axis) {
    const Eigen::VectorXd x = a.col(axis).array() - a.col(axis).mean();
    const Eigen::VectorXd y = b.col(axis).array() - b.col(axis).mean();
    return x.dot(y) / (x.norm() * y.norm());
}

Eigen::MatrixXd randomTurn(Eigen::Index p, std::uint64_t seed) {
    const Eigen::MatrixXd random = randomPoints(p, p, 1, seed);
    return Eigen::HouseholderQR<Eigen::MatrixXd>(random).householderQ();
}

TEST(EmbeddingFrames, NeverMirrorAnAxisFromEpochToEpoch) {
    for (const Eigen::Index p : {2, 3, 6}) {
        for (const std::uint64_t seed : {1, 2, 3}) {
            const Points truth = randomPoints(40, p, 1, 100 + seed);
            const ComparisonSet set = randomComparisons(truth, 2000, seed);
            const Objective objective(set, {});
            SolverConfig config;
            config.method = MethodKind::SvrgSbb;
            Trial trial(config, objective, p, seed, 0);
            EmbeddingFrames frames({}, {});
            Map before;
            for (int epoch = 0; epoch < 25; ++epoch) {
                StopCheck stopCheck;
                trial.advance(stopCheck);
                const auto frame = frames.frame(trial.state().x);
                ASSERT_NE(frame, nullptr);
                const Map now = mapOf(frame->coordinates);
                for (Eigen::Index axis = 0; epoch > 0 && axis < 2; ++axis) {
                    EXPECT_GT(axisCorrelation(before, now, axis), 0)
                        << "p = " << p << ", seed " << seed << ", epoch " << epoch << ", axis " << axis;
                }
                before = now;
            }
        }
    }
}

TEST(EmbeddingFrames, ATurnedOrMirroredEmbeddingGivesTheSamePicture) {
    for (const Eigen::Index p : {2, 4}) {
        Points x = randomPoints(30, p, 1, 7);
        for (Eigen::Index axis = 0; axis < p; ++axis) {
            x.col(axis) *= 4.0 / static_cast<double>(1 + axis); // axes of different lengths
        }
        EmbeddingFrames frames({}, {});
        const Map first = mapOf(frames.frame(x)->coordinates);
        for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6}) {
            const Map turned = mapOf(frames.frame(x * randomTurn(p, seed))->coordinates);
            EXPECT_LT((turned - first).norm(), 1e-4 * first.norm()) << "p = " << p << ", seed " << seed;
        }
        const Map mirrored = mapOf(frames.frame(-x)->coordinates);
        EXPECT_LT((mirrored - first).norm(), 1e-4 * first.norm());
    }
}

TEST(EmbeddingFrames, ShowTheReferenceInTheSameFrameAndSpread) {
    const Points truth = randomPoints(25, 2, 3, 11);
    const Points learned = 0.2 * truth * randomTurn(2, 5);
    EmbeddingFrames frames({}, truth);
    std::shared_ptr<const Embedding> frame;
    for (int k = 0; k < 3; ++k) { // the first one may look back at nothing
        frame = frames.frame(learned);
    }
    EXPECT_EQ(frame->classes.size(), 25u);
    const Map both = mapOf(frame->coordinates);
    ASSERT_EQ(both.rows(), 50);
    // The same shape: every object lies where it is known to be.
    EXPECT_LT((both.topRows(25) - both.bottomRows(25)).norm(), 1e-4 * both.norm());
}

TEST(EmbeddingFrames, LeaveReferencesOfManyObjectsOut) {
    const Eigen::Index n = EmbeddingFrames::kMostReferences + 1;
    const Points many = randomPoints(n, 2, 1, 3);
    EmbeddingFrames frames({}, many);
    EXPECT_EQ(frames.frame(many)->coordinates.size(), static_cast<std::size_t>(2 * n));
    EmbeddingFrames none({}, {});
    EXPECT_EQ(none.frame(many.topRows(9))->coordinates.size(), 18u);
}

} // namespace
} // namespace lambdascope::ordinal
