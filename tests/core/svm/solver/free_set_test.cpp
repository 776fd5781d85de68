// SPDX-License-Identifier: GPL-3.0-or-later
// Systems of the free samples: the factor that is carried along, and those that solve with it.
#include "core/common/random_stream.h"
#include "core/data/dataset.h"
#include "core/svm/solver/free_set_cg.h"
#include "core/svm/solver/free_set_cholesky.h"
#include "core/svm/solver/free_set_factor.h"
#include "core/svm/solver/rounded_products.h"
#include "tests/core/svm/small_svms.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include <memory>
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

/// By place.
Eigen::MatrixXd heldKernel(const RandomProblem& random, const RoundedProducts& products) {
    Eigen::MatrixXd held(products.size(), products.size());
    for (SampleIndex i = 0; i < kSamples; ++i) {
        for (SampleIndex j = 0; j < kSamples; ++j) {
            if (products.placeOf(i) >= 0 && products.placeOf(j) >= 0) {
                held(products.placeOf(i), products.placeOf(j)) = random.problem->rows().row(i).values[j];
            }
        }
    }
    return held;
}

TEST_P(FreeSetFactorSets, RoundedValuesAreThoseOfTheSetsThatAreHeld) {
    const RandomProblem random(false);
    RoundedProducts products(*random.problem);
    RandomStream numbers(1, "vectors");
    StopCheck never;
    for (const std::vector<SampleIndex>& samples : wanderingSets(GetParam())) {
        ASSERT_TRUE(products.hold(samples, never));
        EXPECT_EQ(products.missing(samples), 0U);
        EXPECT_LE(static_cast<double>(products.size()), static_cast<double>(samples.size()) / 0.85 + 1);
        const Eigen::MatrixXd kernel = heldKernel(random, products);
        Eigen::VectorXd x(products.size());
        std::generate(x.begin(), x.end(), [&] { return numbers.normal(); });
        EXPECT_LE((products.multiply(x) - kernel * x).norm(), 2e-6 * kernel.norm() * x.norm());
        // What the factor leaves is positive semidefinite, and d is at least its diagonal.
        const Eigen::MatrixXd factor = products.factor().leftCols(products.size()).cast<double>().transpose();
        EXPECT_GT(products.rank(), 0);
        const Eigen::MatrixXd left = kernel - factor * factor.transpose();
        EXPECT_GE(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(left).eigenvalues()(0), -1e-5);
        EXPECT_GE((products.rest() - left.diagonal()).minCoeff(), -1e-6);
        EXPECT_LT(left.trace(), 0.95 * kernel.trace());
    }
}

/// Every second sample of a problem as if it were free, and Q among them from its definition.
struct Face {
    Face(const SmallSvm& svm, const KernelFunction& kernel) {
        for (SampleIndex i = 0; i < svm.problem->size(); i += 2) {
            samples.push_back(i);
        }
        const auto size = std::ssize(samples);
        q.resize(size, size);
        for (Eigen::Index k = 0; k < size; ++k) {
            for (Eigen::Index l = 0; l < size; ++l) {
                const SampleIndex i = samples[static_cast<std::size_t>(k)];
                const SampleIndex j = samples[static_cast<std::size_t>(l)];
                q(k, l) = static_cast<double>(exactProduct(svm, kernel, i, j));
            }
            if (k % 3 != 1) {
                open.push_back(k);
            }
        }
    }
    [[nodiscard]] Eigen::VectorXd wave(double phase) const {
        return Eigen::VectorXd::NullaryExpr(
            q.rows(), [phase](Eigen::Index k) { return std::sin(phase + 2.5 * static_cast<double>(k)); });
    }
    /// The step on all samples that is x on the open ones.
    [[nodiscard]] Eigen::VectorXd padded(const Eigen::VectorXd& x, const std::vector<Eigen::Index>& on) const {
        Eigen::VectorXd whole = Eigen::VectorXd::Zero(q.rows());
        whole(on) = x;
        return whole;
    }

    std::vector<SampleIndex> samples;
    std::vector<Eigen::Index> open;
    Eigen::MatrixXd q;
};

/// What a step x along the pull b gains.
double gainOf(const Eigen::VectorXd& b, const Eigen::VectorXd& x, const Eigen::MatrixXd& q) {
    return b.dot(x) - 0.5 * x.dot(q * x);
}

template <class Check>
void forEachFace(bool isLinear, Check check) {
    for (const SmallShape& shape : smallShapes()) {
        for (const KernelFunction& kernel : smallKernels()) {
            const auto svm = smallSvm(shape, kernel, 4);
            if (svm->problem->isLinear() || !isLinear) {
                SCOPED_TRACE(shape.name + ", " + kernelName(kernel));
                check(*svm->problem, Face(*svm, kernel));
            }
        }
    }
}

void expectProducts(FreeSetSystem& system, const Face& face, double rounding = 1e-12) {
    const Eigen::VectorXd change = face.wave(1);
    Eigen::VectorXd image;
    system.multiply(change, image);
    EXPECT_LE((image - face.q * change).norm(), rounding * (face.q.norm() * change.norm() + 1e-300));
}

TEST(FreeSetSystem, ConjugateGradientsGainMoreThanOneStepAndSayWhatTheyMove) {
    forEachFace(true, [](const SvmProblem& problem, const Face& face) {
        FreeSetCg system(problem);
        StopCheck never;
        ASSERT_TRUE(system.prepare(face.samples, never));
        expectProducts(system, face);
        const Eigen::VectorXd b = face.wave(2)(face.open);
        Eigen::VectorXd x = b;
        Eigen::VectorXd image;
        const Eigen::VectorXd diagonal = face.q.diagonal()(face.open);
        if (!system.solve(face.open, x, image, never)) {
            EXPECT_EQ(diagonal.cwiseAbs().maxCoeff(), 0); // nothing to solve
            return;
        }
        EXPECT_LE((image - face.q * face.padded(x, face.open)).norm(), 1e-10 * (face.q.norm() * x.norm() + 1e-300));
        const Eigen::MatrixXd among = face.q(face.open, face.open);
        const Eigen::VectorXd along = (diagonal.array() > 0).select(b.array() / diagonal.array(), 0.0);
        const double length = b.dot(along) / along.dot(among * along);
        EXPECT_GE(gainOf(b, x, among), (1 - 1e-9) * gainOf(b, length * along, among));
        EXPECT_GT(b.dot(x), 0);
    });
}

TEST(FreeSetSystem, AFactorSolves) {
    constexpr double kWellConditioned = 1e6;
    int solved = 0;
    forEachFace(false, [&solved](const SvmProblem& problem, const Face& face) {
        FreeSetFactor factor(problem, 1);
        FreeSetCholesky system(problem, factor);
        StopCheck never;
        ASSERT_TRUE(system.prepare(face.samples, never));
        expectProducts(system, face);
        // The second set enters and leaves by the border of the first.
        const std::vector<Eigen::Index> next(face.open.begin() + 1, face.open.end());
        for (const std::vector<Eigen::Index>& open : {face.open, next}) {
            const Eigen::MatrixXd among = face.q(open, open);
            const Eigen::VectorXd sizes = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(among).eigenvalues();
            const bool isWellConditioned = sizes(sizes.size() - 1) < kWellConditioned * sizes(0);
            const Eigen::VectorXd b = face.wave(2)(open);
            Eigen::VectorXd x = b;
            Eigen::VectorXd image;
            if (!system.solve(open, x, image, never)) {
                EXPECT_FALSE(isWellConditioned);
                continue;
            }
            const Eigen::VectorXd whole = face.padded(x, open);
            EXPECT_LE((image - face.q * whole).norm(), 1e-9 * (face.q.norm() * x.norm() + 1e-300));
            EXPECT_GE(b.dot(x), 0);
            if (isWellConditioned) {
                ++solved;
                EXPECT_LE((among * x - b).norm(), 1e-6 * b.norm());
            }
        }
    });
    EXPECT_GT(solved, 20);
}

/// What the best step gains that may be balanced.
double mostGain(const Eigen::VectorXd& b, const Eigen::MatrixXd& q, const Eigen::VectorXd& y, bool isBalanced) {
    const Eigen::LLT<Eigen::MatrixXd> factor(q);
    Eigen::VectorXd x = factor.solve(b);
    if (isBalanced) {
        const Eigen::VectorXd toY = factor.solve(y);
        x -= y.dot(x) / y.dot(toY) * toY;
    }
    return gainOf(b, x, q);
}

TEST(FreeSetSystem, RoundedGradientsGainNearlyAllThereIsAndKeepTheBalance) {
    int solved = 0;
    forEachFace(false, [&solved](const SvmProblem& problem, const Face& face) {
        if (problem.isLinear()) {
            return; // without rows
        }
        RoundedProducts products(problem);
        FreeSetKernelCg system(problem, products);
        StopCheck never;
        ASSERT_TRUE(system.prepare(face.samples, never));
        expectProducts(system, face, 1e-6);
        const Eigen::VectorXd y = problem.y()(face.samples);
        const Eigen::MatrixXd among = face.q(face.open, face.open);
        const Eigen::VectorXd sizes = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(among).eigenvalues();
        const bool isWellConditioned = sizes(sizes.size() - 1) < 1e4 * sizes(0);
        for (const bool isBalanced : {false, true}) {
            const Eigen::VectorXd b = face.wave(2)(face.open);
            Eigen::VectorXd x = b;
            Eigen::VectorXd image;
            if (!(isBalanced ? system.solveBalanced(face.open, y, 0, x, image, never)
                             : system.solve(face.open, x, image, never))) {
                EXPECT_FALSE(isWellConditioned);
                continue;
            }
            EXPECT_LE((image - face.q * face.padded(x, face.open)).norm(),
                      1e-4 * (face.q.norm() * x.norm() + b.norm()));
            if (isBalanced) {
                EXPECT_LE(std::abs(y(face.open).dot(x)), 1e-10 * x.cwiseAbs().sum());
            }
            if (isWellConditioned) {
                ++solved;
                const double most = mostGain(b, among, y(face.open), isBalanced);
                EXPECT_GE(gainOf(b, x, among), (1 - 1e-4) * most);
            }
        }
    });
    EXPECT_GT(solved, 40);
}

TEST(FreeSetSystem, RoundedGradientsStopWhereManyWouldLeaveTheBox) {
    const KernelFunction kernel{.kind = KernelKind::Rbf, .gamma = 0.3};
    const auto svm = smallSvm({.name = "plain", .rows = 200, .features = 12}, kernel, 4);
    const Face face(*svm, kernel);
    RoundedProducts products(*svm->problem);
    FreeSetKernelCg system(*svm->problem, products);
    StopCheck never;
    ASSERT_TRUE(system.prepare(face.samples, never));
    Eigen::VectorXd image;
    const auto leftOf = [&](const FaceBox& box) { // of the pull
        system.stayWithin(box);
        const Eigen::VectorXd b = face.wave(2)(face.open);
        Eigen::VectorXd x = b;
        EXPECT_TRUE(system.solve(face.open, x, image, never));
        return (b - face.q(face.open, face.open) * x).norm() / b.norm();
    };
    const Eigen::VectorXd far = Eigen::VectorXd::Constant(face.q.rows(), 1e6);
    EXPECT_LT(leftOf({-far, far, 0}), 1e-3);
    EXPECT_FALSE(system.isHalfWay());
    EXPECT_GT(leftOf({-1e-9 * far, 1e-9 * far, 0}), 1e-3);
    EXPECT_TRUE(system.isHalfWay());
    EXPECT_GT(leftOf({-far, far, 1e9}), 1e-3); // good enough
    EXPECT_FALSE(system.isHalfWay());
}

TEST(FreeSetSystem, EitherStopsWhenAsked) {
    forEachFace(true, [](const SvmProblem& problem, const Face& face) {
        FreeSetFactor factor(problem, 1);
        FreeSetCholesky factored(problem, factor);
        FreeSetCg conjugate(problem);
        for (FreeSetSystem* system :
             {static_cast<FreeSetSystem*>(&factored), static_cast<FreeSetSystem*>(&conjugate)}) {
            StopCheck never;
            ASSERT_TRUE(system->prepare(face.samples, never));
            StopCheck stopping([] { return true; });
            (void)stopping.ask();
            Eigen::VectorXd x = face.wave(2)(face.open);
            Eigen::VectorXd image;
            EXPECT_FALSE(system->solve(face.open, x, image, stopping));
        }
    });
}

} // namespace
} // namespace lambdascope::svm
