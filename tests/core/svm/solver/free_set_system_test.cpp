// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/solver/free_set_cg.h"
#include "core/svm/solver/free_set_cholesky.h"
#include "tests/core/svm/small_svms.h"

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include <memory>

namespace lambdascope::svm {
namespace {

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

void expectProducts(FreeSetSystem& system, const Face& face) {
    const Eigen::VectorXd change = face.wave(1);
    Eigen::VectorXd image;
    system.multiply(change, image);
    EXPECT_LE((image - face.q * change).norm(), 1e-12 * (face.q.norm() * change.norm() + 1e-300));
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
