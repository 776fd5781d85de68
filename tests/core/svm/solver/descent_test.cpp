// SPDX-License-Identifier: GPL-3.0-or-later
// The dual while single α move, how the pairs that move are chosen, and which samples sweeps leave out.
#include "core/common/random_stream.h"
#include "core/common/state_archive.h"
#include "core/svm/solver/accurate_points.h"
#include "core/svm/solver/dual_iterate.h"
#include "core/svm/solver/pair_descent.h"
#include "core/svm/solver/rounded_products.h"
#include "tests/core/svm/small_svms.h"
#include "tests/support/kernel_definition.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lambdascope::svm {
namespace {

/// Margins of the members are those of their definition, within the stated error.
void expectExact(const SmallSvm& svm, const KernelFunction& kernel, const DualIterate& space,
                 const std::string& where) {
    const std::vector<long double> exact = exactMargins(svm, kernel, space.alpha());
    const Eigen::VectorXd margins = space.margins();
    Eigen::Index k = 0;
    for (const SampleIndex i : space.members()) {
        const double allowed = space.marginError() * svm.problem->norms()(i);
        EXPECT_LE(std::abs(static_cast<double>(exact[static_cast<std::size_t>(i)] - margins(k++))), allowed)
            << where << ", sample " << i;
    }
}

/// Moves every `step`-th member to a place of its own between the bounds.
void moveSome(DualIterate& space, std::size_t step, double phase) {
    std::vector<std::int32_t> positions;
    for (std::size_t k = 0; k < space.members().size(); k += step) {
        positions.push_back(static_cast<std::int32_t>(k));
    }
    Eigen::VectorXd targets(std::ssize(positions));
    for (Eigen::Index k = 0; k < targets.size(); ++k) {
        const SampleIndex i = space.members()[static_cast<std::size_t>(positions[static_cast<std::size_t>(k)])];
        targets(k) = space.upper(i) * (0.5 + 0.5 * std::sin(phase + static_cast<double>(3 * k)));
    }
    StopCheck never;
    (void)space.move(positions, targets, never);
}

TEST(DualIterate, MarginsFollowMovesAtEveryLevel) {
    for (const SmallShape& shape : smallShapes()) {
        for (const KernelFunction& kernel : smallKernels()) {
            const auto svm = smallSvm(shape, kernel, 3);
            const auto space = makeSpace(*svm->problem);
            StopCheck never;
            space->load(bottomOf(*svm->problem), cMinOf(*svm->problem), never);
            const std::string name = shape.name + ", " + kernelName(kernel);
            moveSome(*space, 2, 0);
            expectExact(*svm, kernel, *space, name + ", whole");
            // Many members, whose rows are passed over whole, and few, for which numbers are picked out.
            for (const std::size_t every : {2, 4}) {
                std::vector<std::int32_t> positions;
                for (std::size_t k = 0; k < space->members().size(); k += every) {
                    positions.push_back(static_cast<std::int32_t>(k));
                }
                space->narrow(positions);
                moveSome(*space, 1, static_cast<double>(every));
                expectExact(*svm, kernel, *space, name + ", narrowed");
                moveSome(*space, 3, 7); // of gathered rows, where there are some
                expectExact(*svm, kernel, *space, name + ", narrowed and moved again");
            }
            space->widen(never);
            expectExact(*svm, kernel, *space, name + ", widened");
            space->widen(never);
            expectExact(*svm, kernel, *space, name + ", whole again");
        }
    }
}

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
            thresholds(i) = i % 3 == 0 ? 1 : 0.3 * random.normal();
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
        return (thresholds * at).sum() - 0.5 * signedAlpha.dot(kernel * signedAlpha);
    }
    /// What the best step along one coordinate gains.
    [[nodiscard]] double gainAlong(Eigen::Index i) const {
        const double slope = y(i) * images(i) - thresholds(i);
        const double flat = slope < 0 ? kUpper - alpha(i) : -alpha(i);
        const double step = diagonal(i) > 0 ? std::clamp(-slope / diagonal(i), -alpha(i), kUpper - alpha(i)) : flat;
        return -step * (slope + 0.5 * diagonal(i) * step);
    }

    Eigen::ArrayXd y = Eigen::ArrayXd(kMembers);
    Eigen::ArrayXd alpha = Eigen::ArrayXd(kMembers);
    Eigen::ArrayXd diagonal;
    Eigen::ArrayXd thresholds = Eigen::ArrayXd(kMembers);
    Eigen::MatrixXd kernel;
    Eigen::VectorXd images;
    std::vector<std::int32_t> visit;
};

PairDescent descentOf(Members& members) {
    return {members.y,      members.diagonal, members.thresholds,
            members.images, members.alpha,    Eigen::ArrayXd::Constant(kMembers, kUpper),
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
        const double slope = members.y(first) * members.images(first) - members.thresholds(first);
        const double single = -std::clamp(-slope / members.diagonal(first), -last(first), kUpper - last(first));
        EXPECT_GE(step.gain, single * slope - 0.5 * members.diagonal(first) * single * single - 1e-9);
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

/// What the definition says of an α, in quad precision.
struct ExactValues {
    Quad gap = 0;
    Quad primal = 0;
    /// By so much may the gap of α differ from that of an α that rounds to it.
    double roundingOfAlpha = 0;
};

ExactValues exactValues(const SmallSvm& svm, const KernelFunction& kernel, double c, const Eigen::VectorXd& alpha) {
    const SvmProblem& problem = *svm.problem;
    ExactValues values;
    for (SampleIndex i = 0; i < problem.size(); ++i) {
        Quad margin = 0;
        double size = 0;
        for (SampleIndex j = 0; j < problem.size(); ++j) {
            if (alpha(j) != 0) {
                const Quad term = static_cast<Quad>(problem.y()(i) * problem.y()(j)) * static_cast<Quad>(alpha(j)) *
                                  kernelByDefinition<Quad>(kernel, svm.dense, i, j);
                margin += term;
                size += std::abs(static_cast<double>(term));
            }
        }
        const double upper = c * problem.weights()(i);
        const Quad loss = margin < 1 ? static_cast<Quad>(upper) * (1 - margin) : 0;
        values.gap += static_cast<Quad>(alpha(i)) * (margin - 1) + loss;
        values.primal += static_cast<Quad>(alpha(i)) * margin / 2 + loss;
        values.roundingOfAlpha += kUnitRoundoff * (std::max(alpha(i), upper) * size + alpha(i));
    }
    return values;
}

struct AccurateCase {
    const SmallShape& shape;
    const KernelFunction& kernel;
    double c;
};

void checkPoint(const AccurateCase& given, const SmallSvm& svm, AccuratePoints& accurate, int& refined) {
    SCOPED_TRACE(given.shape.name + ", " + kernelName(given.kernel) + ", C = " + std::to_string(given.c));
    const SvmProblem& problem = *svm.problem;
    const PointOutcome loose = solveAt(problem, given.c, 1e-6);
    const auto point = accurate.at(given.c, loose.solved, {});
    ASSERT_NE(point, nullptr);
    const SolvedSvm& solved = point->solved;
    const double primal = std::max(1.0, std::abs(point->primal.value));
    // Where C K is beyond that, doubles do not lead near enough to the optimum for refinement to begin.
    constexpr double kSteepest = 1e22;
    if (given.c * problem.diagonal().maxCoeff() < kSteepest) {
        EXPECT_LE(solved.gap, AccuratePoints::kPromisedGap * primal);
    }
    for (SampleIndex i = 0; i < problem.size(); ++i) {
        ASSERT_GE(solved.alpha(i), 0);
        ASSERT_LE(solved.alpha(i), given.c * problem.weights()(i));
    }
    const ExactValues exact = exactValues(svm, given.kernel, given.c, solved.alpha);
    EXPECT_LE(static_cast<double>(exact.gap), solved.gap + exact.roundingOfAlpha);
    const double off = std::abs(static_cast<double>(exact.primal - static_cast<Quad>(point->primal.value)));
    EXPECT_LE(off, point->primal.error + exact.roundingOfAlpha);
    refined += solveAt(problem, given.c, AccuratePoints::kPromisedGap, &loose.solved).solved.gap >
                       AccuratePoints::kPromisedGap * primal
                   ? 1
                   : 0;
}

TEST(AccuratePoints, KeepTheirPromiseWithGapsThatAreUpperBounds) {
    int refined = 0;
    std::vector<SmallShape> shapes = smallShapes();
    // A constant feature stands for a bias.
    shapes.push_back({.name = "bias feature", .rows = 50, .features = 4, .offset = 3});
    shapes.push_back({.name = "weighted duplicates", .rows = 45, .hasDuplicates = true, .isWeighted = true});
    for (const SmallShape& shape : shapes) {
        for (const KernelFunction& kernel : smallKernels()) {
            const auto svm = smallSvm(shape, kernel, 5);
            AccuratePoints accurate(*svm->problem);
            for (const double c : {1e-2, 1.0, 1e2, 1e4, 1e6}) {
                checkPoint({shape, kernel, c}, *svm, accurate, refined);
            }
        }
    }
    EXPECT_GT(refined, 20) << "too few of the cases are hard enough to need refinement";
}

/// Of each sweep right after a look: how many undecided samples it left out.
std::vector<std::int64_t> leftOutAfterLooks(const SvmProblem& problem) {
    PointSettings settings;
    settings.bounds = {BoundKind::Gap};
    settings.screenEvery = 2;
    settings.tolerance = 1e-9;
    RecordingSink sink;
    RunContext context(RunId{0}, sink);
    PointSolver(problem, settings).solve(20 * cMinOf(problem), bottomOf(problem), 0, context);
    std::vector<std::int64_t> leftOut;
    const Screened* look = nullptr;
    for (const RunEvent& event : sink.events()) {
        if (const auto* check = std::get_if<Screened>(&event.body)) {
            look = check;
        } else if (const auto* step = std::get_if<Iterated>(&event.body); step != nullptr && look != nullptr &&
                                                                          look->iteration > 0 &&
                                                                          step->iteration == look->iteration + 1) {
            leftOut.push_back(problem.size() - look->fixedLow - look->fixedHigh - step->activeItems);
        }
    }
    return leftOut;
}

TEST(SvmShrinking, IsNotBegunAnewAfterALook) {
    for (const bool hasFreeBias : {false, true}) {
        std::vector<std::int64_t> leftOut;
        for (std::uint64_t seed = 1; seed <= 8; ++seed) {
            for (const KernelFunction& kernel : smallKernels()) {
                const SmallShape shape{.name = "shrunk", .rows = 250, .spread = 0.5, .hasFreeBias = hasFreeBias};
                const std::vector<std::int64_t> more = leftOutAfterLooks(*smallSvm(shape, kernel, seed)->problem);
                leftOut.insert(leftOut.end(), more.begin(), more.end());
            }
        }
        const auto shrunk = std::count_if(leftOut.begin(), leftOut.end(), [](std::int64_t count) { return count > 0; });
        EXPECT_GT(std::ssize(leftOut), 20);
        EXPECT_GT(3 * shrunk, std::ssize(leftOut)) << "where a point is nearly solved all are visited once more";
    }
}

TEST(RoundedProducts, GoOnFromAnArchiveWithTheSameBits) {
    const auto svm = smallSvm({.name = "plain", .rows = 90}, {.kind = KernelKind::Rbf, .gamma = 0.3}, 3);
    StopCheck never;
    RandomStream random(9, "sets");
    const auto nextSet = [&] {
        std::vector<SampleIndex> samples;
        for (SampleIndex i = 0; i < svm->problem->size(); ++i) {
            if (random.uniform() < 0.8) {
                samples.push_back(i);
            }
        }
        return samples;
    };
    RoundedProducts products(*svm->problem);
    ASSERT_TRUE(products.hold(nextSet(), never));
    for (int round = 0; round < 6; ++round) {
        StateArchive writing;
        products.transfer(writing);
        const std::string bytes = writing.take();
        StateArchive reading(bytes);
        RoundedProducts other(*svm->problem);
        other.transfer(reading);
        ASSERT_TRUE(reading.isWhole());
        const std::vector<SampleIndex> samples = nextSet();
        ASSERT_TRUE(products.hold(samples, never));
        ASSERT_TRUE(other.hold(samples, never));
        ASSERT_EQ(products.size(), other.size());
        const Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(products.size(), -1, 2);
        EXPECT_EQ(products.multiply(x), other.multiply(x));
        EXPECT_EQ(products.rest(), other.rest());
        EXPECT_EQ(products.factor().leftCols(x.size()), other.factor().leftCols(x.size()));
    }
}

} // namespace
} // namespace lambdascope::svm
