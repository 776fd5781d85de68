// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/data_source.h"
#include "core/data/neighbours.h"
#include "core/metric/family.h"
#include "core/metric/path/held_out_test.h"
#include "tests/core/metric/small_experiments.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace lambdascope::metric {
namespace {

std::shared_ptr<const Dataset> halfOf(const std::string& source, double subset, std::uint64_t seed = 1) {
    DataConfig config;
    config.source = source;
    config.subset = subset;
    config.seed = seed;
    auto data = loadDataset(config, {});
    EXPECT_TRUE(data) << (data ? "" : data.error().describe());
    return *data;
}

TripletSet tripletsOf(const Dataset& data) {
    return *TripletSet::build(data.toDense(), *classNeighbours(data, 2));
}

/// The same by sorting all distances, computed from the definition.
double plainError(const Dataset& training, const Eigen::MatrixXd& metric, std::size_t k) {
    const DenseRows x = training.toDense();
    const DenseRows test = training.heldOut()->toDense();
    int wrong = 0;
    for (Eigen::Index i = 0; i < test.rows(); ++i) {
        std::vector<std::pair<double, std::size_t>> nearest;
        for (Eigen::Index j = 0; j < x.rows(); ++j) {
            const Eigen::RowVectorXd away = test.row(i) - x.row(j);
            nearest.emplace_back(away * metric * away.transpose(), static_cast<std::size_t>(j));
        }
        std::sort(nearest.begin(), nearest.end());
        std::vector<int> votes(training.classNames().size());
        for (std::size_t n = 0; n < k; ++n) {
            ++votes[static_cast<std::size_t>(training.labels()[nearest[n].second])];
        }
        const int most = *std::max_element(votes.begin(), votes.end());
        std::size_t winner = 0;
        while (votes[static_cast<std::size_t>(training.labels()[nearest[winner].second])] != most) {
            ++winner;
        }
        wrong += training.labels()[nearest[winner].second] != training.heldOut()->labels()[static_cast<std::size_t>(i)];
    }
    return static_cast<double>(wrong) / static_cast<double>(test.rows());
}

TEST(HeldOutTest, AgreesWithTheDefinition) {
    for (const std::string source : {"iris", "wine", "breast-cancer"}) {
        const auto data = halfOf(source, 0.6, 3);
        const TripletSet triplets = tripletsOf(*data);
        StopCheck stopCheck;
        for (const std::int64_t k : {1, 4, 10}) {
            const HeldOutTest test(triplets, *data, k);
            ASSERT_EQ(test.rows(), data->heldOut()->rows());
            for (std::uint64_t seed = 1; seed <= 3; ++seed) {
                const MetricPoint point = randomPoint(triplets, seed);
                EXPECT_DOUBLE_EQ(test.error(point.matrix, stopCheck),
                                 plainError(*data, point.matrix, static_cast<std::size_t>(k)))
                    << source << " k " << k << " seed " << seed;
            }
        }
    }
}

TEST(HeldOutTest, ADiagonalAsAColumnIsTheSameMetric) {
    const auto data = halfOf("wine", 0.5);
    const TripletSet triplets = tripletsOf(*data);
    const HeldOutTest test(triplets, *data, 3);
    StopCheck stopCheck;
    Eigen::MatrixXd diagonal = Eigen::VectorXd::LinSpaced(triplets.features(), 0, 2);
    const Eigen::MatrixXd full = diagonal.col(0).asDiagonal();
    EXPECT_EQ(test.error(diagonal, stopCheck), test.error(full, stopCheck));
}

TEST(HeldOutTest, HasNoAnswerWithoutHeldOutRowsOrWhenStopped) {
    StopCheck stopCheck;
    const auto whole = halfOf("iris", 1);
    EXPECT_EQ(whole->heldOut(), nullptr);
    const TripletSet all = tripletsOf(*whole);
    const HeldOutTest none(all, *whole, 10);
    EXPECT_EQ(none.rows(), 0);
    EXPECT_TRUE(std::isnan(none.error(Eigen::MatrixXd::Identity(4, 4), stopCheck)));

    const auto half = halfOf("iris", 0.5);
    const TripletSet triplets = tripletsOf(*half);
    StopCheck stopped([] { return true; });
    EXPECT_TRUE(std::isnan(HeldOutTest(triplets, *half, 10).error(Eigen::MatrixXd::Identity(4, 4), stopped)));
}

TEST(HeldOutTest, MoreNeighboursThanRowsGiveTheLargestClass) {
    const auto data = halfOf("wine", 0.5);
    const TripletSet triplets = tripletsOf(*data);
    const HeldOutTest test(triplets, *data, 100000);
    StopCheck stopCheck;
    const auto& labels = data->heldOut()->labels();
    std::vector<int> sizes(3);
    for (const std::int32_t label : data->labels()) {
        ++sizes[static_cast<std::size_t>(label)];
    }
    const auto largest = std::max_element(sizes.begin(), sizes.end()) - sizes.begin();
    const auto right = std::count(labels.begin(), labels.end(), static_cast<std::int32_t>(largest));
    const auto rows = static_cast<double>(labels.size());
    EXPECT_DOUBLE_EQ(test.error(Eigen::MatrixXd::Identity(13, 13), stopCheck),
                     (rows - static_cast<double>(right)) / rows);
}

} // namespace
} // namespace lambdascope::metric
