// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/random_stream.h"
#include "core/data/gather_rows.h"
#include "core/data/missing_values.h"
#include "core/data/principal_axes.h"
#include "core/data/row_selection.h"
#include "core/data/scaling.h"
#include "core/data/split.h"
#include "tests/core/data/data_files.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lambdascope::test {

namespace {

RawData random(Eigen::Index rows, Eigen::Index features, std::uint64_t seed) {
    RandomStream stream(seed);
    RawData data;
    data.dense.resize(rows, features);
    for (Eigen::Index i = 0; i < rows; ++i) {
        for (Eigen::Index c = 0; c < features; ++c) {
            data.dense(i, c) = stream.normal() * static_cast<double>(c + 1) + 3;
        }
    }
    return data;
}

RawData sparse(const RawData& dense) {
    RawData data;
    data.sparse = dense.dense.sparseView(0, 0);
    data.sparse.makeCompressed();
    data.isSparse = true;
    data.labels = dense.labels;
    return data;
}

DenseRows someRows() {
    DenseRows rows(4, 3);
    rows << 0, 2, 0, //
        1, 0, 3,     //
        0, 0, 0,     //
        4, 5, 6;
    return rows;
}

} // namespace

TEST(Scaling, MinMaxSpansMinusOneToOne) {
    RawData data = random(50, 4, 1);
    data.dense.col(2).setConstant(7);
    ASSERT_TRUE(scaleFeatures(data, Scaling::MinMax).has_value());
    for (const Eigen::Index c : {0, 1, 3}) {
        EXPECT_EQ(data.dense.col(c).minCoeff(), -1);
        EXPECT_EQ(data.dense.col(c).maxCoeff(), 1);
    }
    EXPECT_EQ(data.dense.col(2).cwiseAbs().maxCoeff(), 0);
}

TEST(Scaling, OtherRowsGetTheSameChange) {
    for (const Scaling scaling : {Scaling::MinMax, Scaling::Standardize, Scaling::UnitNorm, Scaling::None}) {
        RawData data = random(40, 3, 5);
        RawData others;
        others.dense = data.dense.topRows(7); // known rows, so that the change can be compared
        others.dense.row(6) *= 100;           // beyond the extremes of the others
        ASSERT_TRUE(scaleFeatures(data, scaling, {}, &others).has_value());
        EXPECT_TRUE(others.dense.topRows(6) == data.dense.topRows(6));
        if (scaling == Scaling::MinMax) {
            EXPECT_GT(others.dense.row(6).cwiseAbs().maxCoeff(), 1);
        }
    }
}

TEST(Subset, HandsBackTheRowsThatItLeavesOut) {
    for (const bool isSparse : {false, true}) {
        RawData data = random(30, 4, 6);
        for (int i = 0; i < 30; ++i) {
            data.labels.codes.push_back(i % 3 + 1); // the first class has no row and goes
            data.rowNames.push_back(std::to_string(i));
        }
        data.labels.names = {"none", "a", "b", "c"};
        const RawData before = data;
        if (isSparse) {
            data = sparse(before);
            data.rowNames = before.rowNames;
        }
        const RawData others = keepSubset(data, 0.7, 1);
        ASSERT_EQ(data.rows() + others.rows(), 30);
        EXPECT_EQ(others.labels.names, data.labels.names);
        for (Eigen::Index i = 0; i < others.rows(); ++i) {
            const int row = std::stoi(others.rowNames[static_cast<std::size_t>(i)]);
            EXPECT_EQ(std::count(data.rowNames.begin(), data.rowNames.end(), std::to_string(row)), 0);
            const Eigen::RowVectorXd values =
                isSparse ? Eigen::RowVectorXd(others.sparse.row(i)) : Eigen::RowVectorXd(others.dense.row(i));
            EXPECT_TRUE(values == before.dense.row(row));
            const auto code = static_cast<std::size_t>(others.labels.codes[static_cast<std::size_t>(i)]);
            EXPECT_EQ(others.labels.names[code], before.labels.names[static_cast<std::size_t>(row % 3 + 1)]);
        }
    }
}

TEST(Subset, HandsBackASpreadOfVeryManyRows) {
    RawData data = random(9000, 1, 7);
    const RawData others = keepSubset(data, 0.1, 1);
    EXPECT_EQ(data.rows(), 900);
    EXPECT_LE(others.rows(), static_cast<Eigen::Index>(kMostHeldOutRows));
    EXPECT_GE(others.rows(), static_cast<Eigen::Index>(kMostHeldOutRows / 2));
    EXPECT_EQ(keepSubset(data, 1, 1).rows(), 0);
}

TEST(Scaling, StandardizeGivesMeanZeroAndDeviationOne) {
    RawData data = random(60, 3, 2);
    data.dense.col(1).setConstant(0.1);
    ASSERT_TRUE(scaleFeatures(data, Scaling::Standardize).has_value());
    for (const Eigen::Index c : {0, 2}) {
        EXPECT_NEAR(data.dense.col(c).mean(), 0, 1e-14);
        EXPECT_NEAR(data.dense.col(c).squaredNorm() / 60, 1, 1e-13);
    }
    EXPECT_EQ(data.dense.col(1).cwiseAbs().maxCoeff(), 0);
}

TEST(Scaling, UnitNormGivesLengthOneAndKeepsZerosAndSparseness) {
    RawData dense = random(20, 5, 3);
    dense.dense.row(4).setZero();
    RawData thin = sparse(dense);
    ASSERT_TRUE(scaleFeatures(dense, Scaling::UnitNorm).has_value());
    ASSERT_TRUE(scaleFeatures(thin, Scaling::UnitNorm).has_value());
    EXPECT_TRUE(thin.isSparse);
    EXPECT_LT((DenseRows(thin.sparse) - dense.dense).cwiseAbs().maxCoeff(), 1e-15);
    for (Eigen::Index i = 0; i < 20; ++i) {
        EXPECT_NEAR(dense.dense.row(i).norm(), i == 4 ? 0 : 1, 1e-15);
    }
}

TEST(Scaling, SurvivesTheLargestAndSmallestNumbers) {
    constexpr double kHuge = std::numeric_limits<double>::max();
    constexpr double kTiny = std::numeric_limits<double>::denorm_min();
    for (const Scaling scaling : {Scaling::MinMax, Scaling::Standardize, Scaling::UnitNorm}) {
        RawData data;
        data.dense.resize(3, 3);
        data.dense << kHuge, kTiny, 0, -kHuge, -kTiny, 5, 0, 0, 5;
        ASSERT_TRUE(scaleFeatures(data, scaling).has_value());
        EXPECT_TRUE(data.dense.allFinite());
        EXPECT_LT(data.dense.cwiseAbs().maxCoeff(), 2);
    }
}

TEST(Scaling, ByFeatureMakesSparseDataDenseUpToALimit) {
    const RawData dense = random(10, 3, 4);
    RawData small = sparse(dense);
    RawData same = dense;
    ASSERT_TRUE(scaleFeatures(small, Scaling::MinMax).has_value());
    ASSERT_TRUE(scaleFeatures(same, Scaling::MinMax).has_value());
    EXPECT_EQ(small.dense, same.dense);
    RawData large;
    large.isSparse = true;
    large.sparse.resize(20'000, 10'000);
    const auto result = scaleFeatures(large, Scaling::Standardize);
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().faults.at(0).key, "data.scale");
    EXPECT_TRUE(scaleFeatures(large, Scaling::UnitNorm).has_value());
}

TEST(MissingValues, WithoutAnyValueOfAFeatureAreReported) {
    RawData data;
    data.dense.resize(2, 2);
    data.dense << 1, std::nan(""), 2, std::nan("");
    RawData rows = data;
    EXPECT_FALSE(resolveMissing(data, MissingPolicy::Mean, "f").has_value());
    EXPECT_FALSE(resolveMissing(rows, MissingPolicy::DropRows, "f").has_value());
}

TEST(MissingValues, InLabelsDropTheRowOrAreReported) {
    RawData data;
    data.dense.setOnes(3, 1);
    data.labels = {{0, -1, 1}, {"u", "v"}};
    RawData filled = data;
    EXPECT_FALSE(resolveMissing(filled, MissingPolicy::Mean, "f").has_value());
    ASSERT_TRUE(resolveMissing(data, MissingPolicy::DropRows, "f").has_value());
    EXPECT_EQ(data.labels.codes, (Codes{0, 1}));
}

TEST(RowSelection, KeepsTheSameRowsDenseAndSparse) {
    RawData dense = random(9, 4, 5);
    dense.dense.col(1).setZero();
    dense.dense.row(3).setZero();
    dense.labels = {{0, 1, 2, 0, 1, 2, 0, 1, 2}, {"a", "b", "c"}};
    dense.rowNames = {"r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8"};
    RawData thin = sparse(dense);
    const DenseRows before = dense.dense;
    const std::vector<std::size_t> rows = {0, 3, 5, 6, 8};
    keepRows(dense, rows);
    keepRows(thin, rows);
    ASSERT_EQ(dense.rows(), 5);
    ASSERT_EQ(thin.sparse.rows(), 5);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        EXPECT_EQ(dense.dense.row(static_cast<Eigen::Index>(i)), before.row(static_cast<Eigen::Index>(rows[i])));
    }
    EXPECT_EQ(DenseRows(thin.sparse), dense.dense);
    EXPECT_EQ(dense.labels.names, (Words{"a", "c"})); // no b is left
    EXPECT_EQ(dense.labels.codes, (Codes{0, 0, 1, 0, 1}));
    EXPECT_EQ(dense.rowNames, (Words{"r0", "r3", "r5", "r6", "r8"}));
}

TEST(Split, GivesEachClassItsShareAndEachRowOnePart) {
    std::vector<std::int32_t> labels;
    for (int i = 0; i < 103; ++i) {
        labels.push_back(i < 60 ? 0 : i < 102 ? 1 : 2);
    }
    const Split split = stratifiedSplit(labels.size(), labels, 0.7, 5, true);
    std::vector<std::size_t> all = split.first;
    all.insert(all.end(), split.second.begin(), split.second.end());
    std::sort(all.begin(), all.end());
    for (std::size_t i = 0; i < all.size(); ++i) {
        ASSERT_EQ(all[i], i);
    }
    std::vector<int> counts(3, 0);
    for (const std::size_t row : split.first) {
        ++counts[static_cast<std::size_t>(labels[row])];
    }
    EXPECT_EQ(counts, (std::vector<int>{42, 29, 1})); // 42, 29.4, at least one
    EXPECT_TRUE(std::is_sorted(split.first.begin(), split.first.end()));
    EXPECT_EQ(split, stratifiedSplit(labels.size(), labels, 0.7, 5, true));
    EXPECT_NE(split, stratifiedSplit(labels.size(), labels, 0.7, 6, true));
}

TEST(Split, LeavesSomethingInTheRestWhenAsked) {
    const std::vector<std::int32_t> labels = {0, 0, 0, 1, 1, 1};
    EXPECT_EQ(stratifiedSplit(6, labels, 0.99, 1, true).second.size(), 2U);
    EXPECT_TRUE(stratifiedSplit(6, labels, 0.99, 1, false).second.empty());
    EXPECT_EQ(stratifiedSplit(10, {}, 0.25, 1, true).first.size(), 3U); // 2.5 rounds up
}

TEST(PrincipalAxes, OtherRowsAreProjectedAlike) {
    RawData data = random(30, 5, 8);
    RawData others;
    others.dense = data.dense.topRows(4);
    data.featureNames = others.featureNames = {"a", "b", "c", "d", "e"};
    ASSERT_TRUE(projectOnPrincipalAxes(data, 3, {}, &others).has_value());
    EXPECT_EQ(others.featureNames, (std::vector<std::string>{"PC1", "PC2", "PC3"}));
    EXPECT_LT((others.dense - data.dense.topRows(4)).norm(), 1e-12 * data.dense.norm());
}

TEST(PrincipalAxes, AreOrthogonalAndKeepDistancesWhenAllAreKept) {
    for (const auto& [rows, features] : {std::pair<int, int>{40, 6}, {5, 12}}) {
        RawData data = random(rows, features, 6);
        const DenseRows before = data.dense;
        const std::int64_t order = std::min(rows, features);
        ASSERT_TRUE(projectOnPrincipalAxes(data, order, {}).has_value());
        EXPECT_EQ(data.dense.cols(), order);
        const Eigen::MatrixXd covariance = data.dense.transpose() * data.dense;
        EXPECT_LT((covariance - Eigen::MatrixXd(covariance.diagonal().asDiagonal())).norm(), 1e-9 * covariance.norm());
        for (Eigen::Index c = 0; c + 1 < order; ++c) {
            EXPECT_GE(covariance(c, c) + 1e-9, covariance(c + 1, c + 1));
        }
        for (Eigen::Index i = 1; i < rows; ++i) {
            EXPECT_NEAR((data.dense.row(i) - data.dense.row(0)).norm(), (before.row(i) - before.row(0)).norm(), 1e-9);
        }
    }
}

TEST(PrincipalAxes, FindThePlaneOfFlatData) {
    RawData data = random(30, 2, 7);
    const Eigen::MatrixXd turn = Eigen::MatrixXd::Random(2, 5);
    data.dense = (data.dense * turn).eval();
    ASSERT_TRUE(projectOnPrincipalAxes(data, 3, {}).has_value());
    EXPECT_LT(data.dense.col(2).cwiseAbs().maxCoeff(), 1e-6);
    EXPECT_NE(data.notes.back().find("100 %"), std::string::npos);
}

TEST(PrincipalAxes, RejectTooManyDimensionsAndStop) {
    RawData data = random(4, 3, 8);
    const auto tooMany = projectOnPrincipalAxes(data, 4, {});
    ASSERT_FALSE(tooMany.has_value());
    EXPECT_EQ(tooMany.error().faults.at(0).key, "data.pca");
    std::stop_source stop;
    stop.request_stop();
    const auto stopped = projectOnPrincipalAxes(data, 2, stop.get_token());
    ASSERT_FALSE(stopped.has_value());
    EXPECT_EQ(stopped.error().code, ErrorCode::Stopped);
}

TEST(PickedRows, AreCopiesInTheOrderAskedForWithRepeats) {
    const DenseRows dense = someRows();
    const SparseRows sparse(dense.sparseView());
    const std::vector<std::size_t> rows{3, 0, 2, 3};
    DenseRows expected(4, 3);
    expected << 4, 5, 6, //
        0, 2, 0,         //
        0, 0, 0,         //
        4, 5, 6;
    EXPECT_EQ(gatherRows(dense, rows), expected);
    const SparseRows picked = gatherRows(sparse, rows);
    EXPECT_TRUE(picked.isCompressed());
    EXPECT_EQ(picked.nonZeros(), 7);
    EXPECT_EQ(DenseRows(picked), expected);
}

TEST(PickedRows, MayBeNone) {
    const DenseRows dense = someRows();
    const SparseRows sparse(dense.sparseView());
    const std::vector<std::int32_t> none;
    EXPECT_EQ(gatherRows(dense, none).rows(), 0);
    EXPECT_EQ(gatherRows(sparse, none).rows(), 0);
    EXPECT_EQ(gatherRows(sparse, none).cols(), 3);
}

} // namespace lambdascope::test
