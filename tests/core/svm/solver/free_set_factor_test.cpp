// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/random_stream.h"
#include "core/data/dataset.h"
#include "core/svm/solver/free_set_factor.h"
#include "tests/core/svm/small_svms.h"

#include <Eigen/Cholesky>
#include <gtest/gtest.h>

#include <numeric>

namespace lambdascope::svm {
namespace {

constexpr Eigen::Index kSamples = 90;

/// An RBF problem on random samples; every tenth twice when asked for.
struct RandomProblem {
    explicit RandomProblem(bool hasTwins) {
        RandomStream random(3, "samples of the face factor");
        x.resize(kSamples, 4);
        y.resize(kSamples);
        for (Eigen::Index i = 0; i < kSamples; ++i) {
            y(i) = i % 3 == 0 ? -1 : 1;
            for (Eigen::Index f = 0; f < x.cols(); ++f) {
                x(i, f) = hasTwins && i % 10 == 9 ? x(i - 1, f) : random.normal();
            }
        }
        const KernelFunction kernel{.kind = KernelKind::Rbf, .gamma = 0.3};
        auto made = std::make_shared<KernelRows>(kernel, FeatureRows(x), 1e8);
        StopCheck never;
        made->fill(never);
        problem = std::make_unique<SvmProblem>(FeatureRows(x), y, Eigen::VectorXd::Ones(kSamples), made);
    }
    [[nodiscard]] Eigen::MatrixXd products(const std::vector<SampleIndex>& samples) const {
        const auto size = static_cast<Eigen::Index>(samples.size());
        Eigen::MatrixXd q(size, size);
        for (Eigen::Index r = 0; r < size; ++r) {
            const SampleIndex i = samples[static_cast<std::size_t>(r)];
            for (Eigen::Index c = 0; c < size; ++c) {
                const SampleIndex j = samples[static_cast<std::size_t>(c)];
                q(r, c) = y(i) * y(j) * problem->rows().row(i).values[j];
            }
        }
        return q;
    }

    DenseRows x;
    Eigen::VectorXd y;
    std::unique_ptr<SvmProblem> problem;
};

/// Sets of samples, each a few changes from the one before.
std::vector<std::vector<SampleIndex>> wanderingSets(int changes) {
    RandomStream random(7, "sets of the face factor");
    std::vector<bool> isIn(kSamples);
    for (Eigen::Index i = 0; i < kSamples; ++i) {
        isIn[static_cast<std::size_t>(i)] = random.uniform() < 0.6;
    }
    std::vector<std::vector<SampleIndex>> sets;
    for (int step = 0; step < 12; ++step) {
        sets.emplace_back();
        for (SampleIndex i = 0; i < kSamples; ++i) {
            if (isIn[static_cast<std::size_t>(i)]) {
                sets.back().push_back(i);
            }
        }
        for (int change = 0; change < changes; ++change) {
            const auto i = static_cast<std::size_t>(random.uniform() * kSamples);
            isIn[i] = !isIn[i];
        }
    }
    return sets;
}

Eigen::VectorXd solveWith(FreeSetFactor& factor, const RandomProblem& random, const std::vector<SampleIndex>& samples,
                          const Eigen::VectorXd& b) {
    std::vector<Eigen::Index> places(samples.size());
    std::iota(places.begin(), places.end(), Eigen::Index{0});
    Eigen::VectorXd x = b;
    Eigen::VectorXd image;
    StopCheck never;
    const Eigen::MatrixXd products = random.products(samples);
    EXPECT_TRUE(factor.solve(samples, products, places, x, image, never));
    EXPECT_LE((products * x - image).norm(), 1e-12 * products.norm() * x.norm());
    return x;
}

class FreeSetFactorSets : public testing::TestWithParam<int> {};

TEST_P(FreeSetFactorSets, SolvesEachSetAsAFactorOfItsOwnWould) {
    const RandomProblem random(false);
    FreeSetFactor factor(*random.problem, 1);
    RandomStream numbers(1, "right sides");
    for (const std::vector<SampleIndex>& samples : wanderingSets(GetParam())) {
        Eigen::VectorXd b(static_cast<Eigen::Index>(samples.size()));
        std::generate(b.begin(), b.end(), [&] { return numbers.normal(); });
        const Eigen::VectorXd x = solveWith(factor, random, samples, b);
        const Eigen::VectorXd expected = random.products(samples).llt().solve(b);
        EXPECT_LE((x - expected).norm(), 1e-8 * expected.norm());
    }
}

TEST_P(FreeSetFactorSets, HasTheSameBitsOnTwoThreads) {
    const RandomProblem random(false);
    FreeSetFactor one(*random.problem, 1);
    FreeSetFactor two(*random.problem, 2);
    for (const std::vector<SampleIndex>& samples : wanderingSets(GetParam())) {
        const Eigen::VectorXd b = Eigen::VectorXd::Ones(static_cast<Eigen::Index>(samples.size()));
        EXPECT_EQ(solveWith(one, random, samples, b), solveWith(two, random, samples, b));
    }
}

INSTANTIATE_TEST_SUITE_P(Changes, FreeSetFactorSets, testing::Values(1, 3, 40));

TEST_P(FreeSetFactorSets, CarriesProductsFromSetToSet) {
    const RandomProblem random(false);
    FreeSetFactor factor(*random.problem, 2);
    StopCheck never;
    for (std::vector<SampleIndex> samples : wanderingSets(GetParam())) {
        for (int repeat = 0; repeat < 2; ++repeat) { // the same set, and then a part of it
            const Eigen::MatrixXd carried = factor.productsAmong(samples, never);
            const Eigen::MatrixXd fresh = random.products(samples);
            for (Eigen::Index c = 0; c < fresh.cols(); ++c) {
                const Eigen::Index below = fresh.rows() - c; // either triangle of a kernel is rounded on its own
                EXPECT_LE((carried.col(c).tail(below) - fresh.col(c).tail(below)).cwiseAbs().maxCoeff(), 1e-14);
            }
            std::erase_if(samples, [](SampleIndex i) { return i % 5 == 0; });
        }
    }
}

TEST(FreeSetFactor, SolvesWithTwinsWhoseProductsAreSingular) {
    const RandomProblem random(true);
    FreeSetFactor factor(*random.problem, 1);
    for (const std::vector<SampleIndex>& samples : wanderingSets(4)) {
        const Eigen::MatrixXd q = random.products(samples);
        const Eigen::VectorXd b = q * Eigen::VectorXd::Ones(q.rows()); // has a solution all the same
        const Eigen::VectorXd x = solveWith(factor, random, samples, b);
        EXPECT_LE((q * x - b).norm(), 1e-4 * b.norm());
    }
}

} // namespace
} // namespace lambdascope::svm
