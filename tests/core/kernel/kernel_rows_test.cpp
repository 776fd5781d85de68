// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/random_stream.h"
#include "core/kernel/kernel_rows.h"
#include "core/numeric/blocked_cholesky.h"
#include "tests/support/kernel_definition.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lambdascope {
namespace {

FeatureRows::Dense randomRows(Eigen::Index n, Eigen::Index d, double scale, std::uint64_t seed) {
    RandomStream random(seed, "kernel rows");
    FeatureRows::Dense x(n, d);
    for (Eigen::Index i = 0; i < x.size(); ++i) {
        x.data()[i] = random.uniform() < 0.3 ? 0.0 : scale * random.normal();
    }
    return x;
}

const std::vector<KernelFunction> kKernels = {
    {.kind = KernelKind::Linear},
    {.kind = KernelKind::Linear, .bias = 2},
    {.kind = KernelKind::Rbf, .gamma = 0.3},
    {.kind = KernelKind::Rbf, .gamma = 20, .bias = 0.1},
    {.kind = KernelKind::Polynomial, .gamma = 0.5, .degree = 2, .offset = 1},
    {.kind = KernelKind::Polynomial, .gamma = 1, .degree = 5, .offset = 0},
};

TEST(KernelRows, AreExactUpToTheirErrorDenseAndSparse) {
    for (const double scale : {1e-3, 1.0, 30.0}) {
        const FeatureRows::Dense dense = randomRows(70, 9, scale, 1);
        const FeatureRows::Sparse sparse = dense.sparseView();
        for (const KernelFunction& kernel : kKernels) {
            for (const FeatureRows& features : {FeatureRows(dense), FeatureRows(sparse)}) {
                KernelRows rows(kernel, features, 1e9);
                StopCheck never;
                ASSERT_TRUE(rows.fill(never));
                ASSERT_TRUE(rows.keepsAll());
                for (Eigen::Index i = 0; i < 70; ++i) {
                    for (Eigen::Index j = 0; j < 70; ++j) {
                        const double reach = std::sqrt(rows.diagonal()(i) * rows.diagonal()(j));
                        EXPECT_LE(
                            std::abs(rows.row(i).values[j] - kernelByDefinition<long double>(kernel, dense, i, j)),
                            rows.error() * reach);
                    }
                }
            }
        }
    }
}

TEST(KernelRows, KeepWithinTheirBudgetAndGiveTheSameBits) {
    const FeatureRows::Dense dense = randomRows(50, 4, 1, 2);
    const KernelFunction kernel{.kind = KernelKind::Rbf, .gamma = 1};
    const KernelRows few(kernel, dense, 3.5 * KernelRows::bytesPerRow(50));
    const KernelRows one(kernel, dense, KernelRows::bytesPerRow(50));
    RandomStream random(3);
    for (int step = 0; step < 500; ++step) {
        const auto i = static_cast<Eigen::Index>(random.below(50));
        const KernelRow row = few.row(i);
        const KernelRow other = one.row(i);
        EXPECT_TRUE(std::equal(row.values, row.values + 50, other.values));
        EXPECT_LE(few.bytes(), 3.5 * KernelRows::bytesPerRow(50));
    }
    EXPECT_GT(one.rowsMade(), few.rowsMade());
}

TEST(KernelRows, AreTheSameBitsHoweverManyThreadsFillThem) {
    const FeatureRows::Dense dense = randomRows(333, 7, 1, 8);
    const FeatureRows::Sparse sparse = dense.sparseView();
    for (const KernelFunction& kernel : kKernels) {
        for (const FeatureRows& features : {FeatureRows(dense), FeatureRows(sparse)}) {
            KernelRows alone(kernel, features, 1e9);
            KernelRows together(kernel, features, 1e9);
            StopCheck never;
            ThreadTeam team(3);
            ASSERT_TRUE(alone.fill(never));
            ASSERT_TRUE(together.fill(never, team));
            EXPECT_EQ(together.rowsMade(), 333);
            for (Eigen::Index i = 0; i < 333; ++i) {
                const double* row = together.row(i).values;
                EXPECT_TRUE(std::equal(row, row + 333, alone.row(i).values)) << i;
            }
        }
    }
}

TEST(KernelRows, StayValidWhileTheirHandleLives) {
    const FeatureRows::Dense dense = randomRows(10, 4, 1, 4);
    const KernelRows one({.kind = KernelKind::Rbf, .gamma = 1}, dense, KernelRows::bytesPerRow(10));
    const KernelRow first = one.row(0);
    const std::vector<double> copy(first.values, first.values + 10);
    (void)one.row(1);
    (void)one.row(2);
    EXPECT_TRUE(std::equal(copy.begin(), copy.end(), first.values));
}

TEST(KernelRows, OfAPrecomputedMatrixAreItsRows) {
    const FeatureRows::Dense x = randomRows(12, 3, 1, 5);
    const FeatureRows::Dense matrix = x * x.transpose();
    const KernelRows rows({.kind = KernelKind::Precomputed}, matrix, 1e9);
    EXPECT_EQ(rows.row(5).values, matrix.data() + 5 * 12);
    EXPECT_EQ(rows.error(), 0);
}

TEST(KernelRows, OfAPrecomputedMatrixCarryItsRidgeOnTheDiagonalAlone) {
    const FeatureRows::Dense x = randomRows(12, 3, 1, 5);
    const FeatureRows::Dense matrix = x * x.transpose();
    for (const double bias : {0.0, 2.0}) {
        const KernelFunction kernel{.kind = KernelKind::Precomputed, .bias = bias, .ridge = 1e-9};
        FeatureRows::Dense wanted = matrix.array() + bias * bias;
        wanted.diagonal() = (matrix.diagonal() * (1 + 1e-9)).array() + bias * bias;
        KernelRows all(kernel, matrix, 1e9);
        StopCheck never;
        ASSERT_TRUE(all.fill(never));
        const KernelRows few(kernel, matrix, 2 * KernelRows::bytesPerRow(12));
        for (Eigen::Index i = 0; i < 12; ++i) {
            for (Eigen::Index j = 0; j < 12; ++j) {
                EXPECT_EQ(all.row(i).values[j], wanted(i, j));
                EXPECT_EQ(few.row(i).values[j], wanted(i, j));
            }
            EXPECT_EQ(all.diagonal()(i), wanted(i, i));
        }
        EXPECT_EQ(all.error() > 0, bias > 0); // of the sum with the bias
    }
}

TEST(KernelRows, PickedOutOfAnotherStoreAreItsBitsAndMakeNoValues) {
    const FeatureRows::Dense dense = randomRows(90, 5, 1, 4);
    std::vector<Eigen::Index> picked;
    for (Eigen::Index i = 0; i < 90; ++i) {
        if (i % 3 != 1) {
            picked.push_back(i);
        }
    }
    const FeatureRows::Dense own = dense(picked, Eigen::all);
    const auto size = std::ssize(picked);
    for (const KernelFunction& kernel : kKernels) {
        for (const double wholeBudget : {1e9, 2 * KernelRows::bytesPerRow(90)}) {
            for (const double budget : {1e9, 2 * KernelRows::bytesPerRow(size)}) {
                const auto whole = std::make_shared<KernelRows>(kernel, dense, wholeBudget);
                StopCheck never;
                ASSERT_TRUE(whole->fill(never));
                KernelRows rows(whole, picked, own, budget);
                ASSERT_TRUE(rows.fill(never));
                EXPECT_EQ(rows.keepsAll(), budget == 1e9);
                EXPECT_EQ(rows.hasAllValues(), rows.keepsAll() || whole->keepsAll());
                // It is needed no longer where all was picked at once.
                EXPECT_EQ(whole.use_count(), rows.keepsAll() ? 1 : 2);
                EXPECT_EQ(rows.rows(), size);
                EXPECT_LE(rows.error(), whole->error());
                for (Eigen::Index i = 0; i < size; ++i) {
                    const KernelRow is = rows.row(i);
                    const KernelRow of = whole->row(picked[static_cast<std::size_t>(i)]);
                    for (Eigen::Index j = 0; j < size; ++j) {
                        ASSERT_EQ(is.values[j], of.values[picked[static_cast<std::size_t>(j)]]) << i << ' ' << j;
                    }
                    EXPECT_EQ(rows.diagonal()(i), is.values[i]);
                }
            }
        }
    }
}

TEST(KernelRows, StopFilling) {
    const FeatureRows::Dense dense = randomRows(600, 40, 1, 6);
    KernelRows rows({.kind = KernelKind::Rbf, .gamma = 1}, dense, 1e9);
    StopCheck stop([] { return true; });
    EXPECT_FALSE(rows.fill(stop));
}

TEST(BlockedCholesky, FactorsAndRefuses) {
    StopCheck never;
    ThreadTeam two(2);
    for (const Eigen::Index n : {1, 5, 64, 65, 200, 500}) {
        const FeatureRows::Dense x = randomRows(n, n + 3, 1, 7);
        const Eigen::MatrixXd a = Eigen::MatrixXd(x * x.transpose()) + 1e-3 * Eigen::MatrixXd::Identity(n, n);
        Eigen::MatrixXd factor = a;
        ASSERT_EQ(choleskyInPlace(factor, never), CholeskyOutcome::Done);
        const Eigen::MatrixXd lower = factor.triangularView<Eigen::Lower>();
        EXPECT_LE((lower * lower.transpose() - a).norm(), 1e-12 * a.norm());
        Eigen::MatrixXd shared = a;
        ASSERT_EQ(choleskyInPlace(shared, never, &two), CholeskyOutcome::Done);
        EXPECT_EQ(factor, shared); // to the bit
        Eigen::MatrixXd indefinite = a;
        indefinite(n - 1, n - 1) = -1;
        EXPECT_EQ(choleskyInPlace(indefinite, never), CholeskyOutcome::NotPositive);
    }
}

} // namespace
} // namespace lambdascope
