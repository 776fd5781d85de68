// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/path/learned_map.h"
#include "tests/core/metric/small_experiments.h"

#include <gtest/gtest.h>

namespace lambdascope::metric {
namespace {

double distance(const Embedding& map, std::size_t i, std::size_t j) {
    return std::hypot(map.coordinates[2 * i] - map.coordinates[2 * j],
                      map.coordinates[2 * i + 1] - map.coordinates[2 * j + 1]);
}

TEST(LearnedMap, ShowsLearnedDistancesExactlyInTwoDimensions) {
    const SmallShape shape{.name = "plane", .features = 2};
    const TripletSet set = smallTriplets(shape, 1);
    const auto data = smallData(shape, 1);
    const Eigen::MatrixXd m = randomPoint(set, 2).matrix;
    LearnedMap map(set, *data);
    StopCheck never;
    const auto embedding = map.embed(m, never);
    ASSERT_EQ(embedding->coordinates.size(), 2 * data->labels().size());
    EXPECT_EQ(embedding->classes, data->labels());
    for (std::size_t i = 1; i < data->labels().size(); ++i) {
        const Eigen::VectorXd delta =
            (data->dense().row(static_cast<Eigen::Index>(i)) - data->dense().row(0)).transpose();
        EXPECT_NEAR(distance(*embedding, i, 0), std::sqrt(delta.dot(m * delta)), 1e-5);
    }
}

TEST(LearnedMap, ShowsDistancesOfADiagonalMetricExactlyInTwoDimensions) {
    const SmallShape shape{.name = "plane", .features = 2, .structure = Structure::Diagonal};
    const TripletSet set = smallTriplets(shape, 1);
    const auto data = smallData(shape, 1);
    LearnedMap map(set, *data);
    StopCheck never;
    for (const Eigen::Vector2d& m : {Eigen::Vector2d(0, 0), Eigen::Vector2d(0, 2), Eigen::Vector2d(3, 0.5)}) {
        const auto embedding = map.embed(m, never);
        for (std::size_t i = 1; i < data->labels().size(); ++i) {
            const Eigen::VectorXd delta =
                (data->dense().row(static_cast<Eigen::Index>(i)) - data->dense().row(0)).transpose();
            EXPECT_NEAR(distance(*embedding, i, 0), std::sqrt(delta.cwiseAbs2().dot(m)), 1e-5);
        }
    }
}

TEST(LearnedMap, ShowsTheTwoLongestAxesOfWeightedFeatures) {
    const SmallShape shape{.name = "space", .features = 12, .structure = Structure::Diagonal};
    const TripletSet set = smallTriplets(shape, 1);
    const auto data = smallData(shape, 1);
    LearnedMap map(set, *data);
    StopCheck never;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const Eigen::MatrixXd m = randomPoint(set, seed).matrix;
        const auto embedding = map.embed(m, never);
        double shown = 0;
        for (const float value : embedding->coordinates) {
            shown += static_cast<double>(value) * static_cast<double>(value);
        }
        const Eigen::MatrixXd weighted = set.paddedRows().leftCols(12) * m.col(0).cwiseSqrt().asDiagonal();
        const Eigen::VectorXd values = symmetricEigenSystem(weighted.transpose() * weighted, false).values;
        EXPECT_NEAR(shown, values.tail(2).sum(), 0.01 * values.sum());
        EXPECT_LE(shown, values.tail(2).sum() * (1 + 1e-5));
    }
}

TEST(LearnedMap, DoesNotFlipWhenEigenvectorsDo) {
    const SmallShape shape{.name = "plain"};
    const TripletSet set = smallTriplets(shape, 1);
    const auto data = smallData(shape, 1);
    LearnedMap map(set, *data);
    StopCheck never;
    Eigen::MatrixXd m = Eigen::MatrixXd::Zero(3, 3);
    std::shared_ptr<const Embedding> previous;
    for (int step = 0; step <= 40; ++step) {
        // The two leading eigenvalues cross half way.
        m(0, 0) = 1 + 0.02 * (step - 20);
        m(1, 1) = 1 - 0.02 * (step - 20);
        const auto embedding = map.embed(m, never);
        if (previous) {
            for (std::size_t c = 0; c < embedding->coordinates.size(); ++c) {
                EXPECT_NEAR(embedding->coordinates[c], previous->coordinates[c], 0.15);
            }
        }
        previous = embedding;
    }
}

TEST(LearnedMap, WorksInOneDimensionAndForTheZeroMatrix) {
    const SmallShape shape{.name = "line", .features = 1};
    const TripletSet set = smallTriplets(shape, 1);
    const auto data = smallData(shape, 1);
    LearnedMap map(set, *data);
    StopCheck never;
    const auto nothing = map.embed(Eigen::MatrixXd::Zero(1, 1), never);
    EXPECT_EQ(distance(*nothing, 0, 1), 0);
    const auto line = map.embed(Eigen::MatrixXd::Identity(1, 1), never);
    for (std::size_t i = 0; i < data->labels().size(); ++i) {
        EXPECT_EQ(line->coordinates[2 * i + 1], 0.0F);
    }
    EXPECT_NEAR(distance(*line, 0, 1), std::abs(data->dense()(0, 0) - data->dense()(1, 0)), 1e-5);
}

} // namespace
} // namespace lambdascope::metric
