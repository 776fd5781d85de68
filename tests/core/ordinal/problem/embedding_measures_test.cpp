// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ordinal/problem/object_relations.h"
#include "core/ordinal/problem/retrieval.h"
#include "tests/core/ordinal/small_sets.h"

#include <Eigen/LU>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace lambdascope::ordinal {
namespace {

TEST(Retrieval, MeasuresARankingByHand) {
    Points objects(4, 1);
    objects << 1, 2, 3, 4;
    Points query(1, 1);
    query << 0;
    StopCheck stopCheck;
    // Ranking of classes: 7, 5, 7, 5. Precision at the hits of 5: 1/2 and 2/4.
    const RetrievalMeasures found = rankByDistance(query, {5}, objects, {7, 5, 7, 5}, 3, stopCheck);
    EXPECT_DOUBLE_EQ(found.meanAveragePrecision, (0.5 + 0.5) / 2);
    EXPECT_DOUBLE_EQ(found.precision, 1.0 / 3);
    EXPECT_DOUBLE_EQ(found.recall, 0.5);
    EXPECT_DOUBLE_EQ(rankByDistance(query, {7}, objects, {7, 5, 7, 5}, 4, stopCheck).recall, 1);
    EXPECT_TRUE(std::isnan(rankByDistance(query, {9}, objects, {7, 5, 7, 5}, 3, stopCheck).meanAveragePrecision));
}

TEST(OutOfSampleMap, SolvesTheKernelRidgeEquations) {
    const DenseRows rows = randomPoints(20, 3, 1, 1);
    const DenseRows queries = randomPoints(6, 3, 1, 2);
    const Points x = randomPoints(20, 2, 1, 3);
    const double gamma = 0.4;
    const double ridge = 0.05;
    StopCheck stopCheck;
    const OutOfSampleMap map(rows, queries, gamma, ridge, stopCheck);
    ASSERT_TRUE(map.isUsable());
    const auto kernel = [&](const auto& a, const auto& b) { return std::exp(-gamma * (a - b).squaredNorm()); };
    Eigen::MatrixXd k(20, 20);
    Eigen::MatrixXd cross(6, 20);
    for (int i = 0; i < 20; ++i) {
        for (int j = 0; j < 20; ++j) {
            k(i, j) = kernel(rows.row(i), rows.row(j)) + (i == j ? ridge : 0);
        }
        for (int q = 0; q < 6; ++q) {
            cross(q, i) = kernel(queries.row(q), rows.row(i));
        }
    }
    const Eigen::RowVectorXd mean = x.colwise().mean();
    const Eigen::MatrixXd centred = x.rowwise() - mean;
    const Eigen::MatrixXd expected = (cross * k.fullPivLu().solve(centred)).rowwise() + mean;
    EXPECT_LE((map.map(x) - expected).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(OutOfSampleMap, GivesBackTheRowsThemselvesForASmallRidge) {
    const DenseRows rows = randomPoints(15, 4, 1, 1);
    const Points x = randomPoints(15, 3, 1, 3);
    StopCheck stopCheck;
    const OutOfSampleMap map(rows, rows, std::nullopt, 1e-10, stopCheck);
    ASSERT_TRUE(map.isUsable());
    EXPECT_LE((map.map(x) - x).cwiseAbs().maxCoeff(), 1e-5);
}

constexpr std::size_t kAll = 1'000'000;

bool speaksOf(const PointRelations::Relation& r, ObjectIndex o) {
    return r.nearFrom == o || r.nearTo == o || r.farFrom == o || r.farTo == o;
}

TEST(ObjectRelations, AreTheComparisonsThatSpeakOfTheObject) {
    for (const std::uint64_t seed : {1, 2, 3}) {
        const Points truth = randomPoints(15, 3, 1, seed);
        const Points x = randomPoints(15, 3, 1, seed + 50);
        const ComparisonSet train = randomComparisons(truth, 300, seed);
        const ComparisonSet test = randomComparisons(truth, 100, seed + 9);
        for (ObjectIndex o = 0; o < 15; ++o) {
            StopCheck stopCheck;
            const PointRelations found = relationsOf(o, x, train, test, kAll, stopCheck);
            std::int64_t expected = 0;
            for (const ComparisonSet* set : {&train, &test}) {
                for (const Comparison& c : set->items()) {
                    expected += c.i == o || c.j == o || c.l == o || c.k == o ? 1 : 0;
                }
            }
            EXPECT_EQ(static_cast<std::int64_t>(found.relations.size()), expected);
            EXPECT_EQ(found.training.holding + found.training.violated + found.heldOut.holding + found.heldOut.violated,
                      expected);
            std::int64_t violated = 0;
            for (const auto& r : found.relations) {
                EXPECT_TRUE(speaksOf(r, o));
                const double near = (x.row(r.nearFrom) - x.row(r.nearTo)).squaredNorm();
                const double far = (x.row(r.farFrom) - x.row(r.farTo)).squaredNorm();
                EXPECT_EQ(r.holds, near < far);
                EXPECT_EQ(r.holds, r.room > 0);
                violated += r.holds ? 0 : 1;
            }
            EXPECT_EQ(violated, found.training.violated + found.heldOut.violated);
            EXPECT_EQ(violated, found.drawnViolated);
        }
    }
}

TEST(ObjectRelations, ErrorsOfAllObjectsAddUpToThatOfTheSet) {
    const Points truth = randomPoints(12, 2, 1, 4);
    const Points x = randomPoints(12, 2, 1, 40);
    const ComparisonSet train = randomComparisons(truth, 400, 4, true, false); // weighted triplets
    const ComparisonSet none({}, 12);
    StopCheck stopCheck;
    double wrong = 0;
    for (ObjectIndex o = 0; o < 12; ++o) {
        const PointRelations found = relationsOf(o, x, train, none, kAll, stopCheck);
        double weight = 0;
        for (std::size_t q = 0; q < train.items().size(); ++q) {
            const Comparison& c = train.items()[q];
            weight += c.i == o || c.j == o || c.k == o ? train.relativeWeight(q) : 0;
        }
        wrong += found.training.error * weight;
        EXPECT_TRUE(std::isnan(found.heldOut.error));
    }
    // Each triplet speaks of three objects.
    const double whole = violatedShare(train, x, stopCheck) * static_cast<double>(train.size());
    EXPECT_NEAR(wrong, 3 * whole, 1e-9 * whole);
}

TEST(ObjectRelations, DrawHalfViolatedOnesAndFillTheRoom) {
    const Points truth = randomPoints(10, 2, 1, 6);
    const Points x = randomPoints(10, 2, 1, 60);
    const ComparisonSet train = randomComparisons(truth, 2000, 6);
    const ComparisonSet none({}, 10);
    StopCheck stopCheck;
    const PointRelations all = relationsOf(3, x, train, none, kAll, stopCheck);
    ASSERT_GT(all.training.violated, 40);
    ASSERT_GT(all.training.holding, 40);
    const PointRelations few = relationsOf(3, x, train, none, 40, stopCheck);
    EXPECT_EQ(few.relations.size(), 40u);
    EXPECT_EQ(few.drawnViolated, 20);
    EXPECT_EQ(few.training.violated, all.training.violated); // counts are of all
    for (std::size_t k = 0; k < few.relations.size(); ++k) {
        EXPECT_EQ(few.relations[k].holds, k >= 20);
    }
    std::set<std::array<std::int32_t, 4>> different;
    for (const auto& r : few.relations) {
        different.insert({r.nearFrom, r.nearTo, r.farFrom, r.farTo});
    }
    EXPECT_GT(different.size(), 30u);
    // Where nothing is violated, what holds takes all of the room.
    const PointRelations good = relationsOf(3, truth, train, none, 40, stopCheck);
    EXPECT_EQ(good.training.violated, 0);
    EXPECT_EQ(good.relations.size(), 40u);
    EXPECT_EQ(good.drawnViolated, 0);
    EXPECT_EQ(good.training.error, 0);
}

} // namespace
} // namespace lambdascope::ordinal
