// SPDX-License-Identifier: GPL-3.0-or-later
// Proximal steps of linear SVMs by themselves, what solvers do with them and without factors, and the w that is made
// anew after long steps.
#include "core/common/random_stream.h"
#include "core/svm/solver/dual_iterate.h"
#include "core/svm/solver/point_solver.h"
#include "core/svm/solver/proximal_newton.h"
#include "tests/core/svm/small_svms.h"

#include <Eigen/Core>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lambdascope::svm {
namespace {

const KernelFunction kLinear{.kind = KernelKind::Linear};

template <class Use>
void forLinearSvms(const Use& use) {
    for (const SmallShape& shape : allShapes(false)) {
        for (const std::uint64_t seed : {1U, 2U, 3U}) {
            SCOPED_TRACE(shape.name + ", seed " + std::to_string(seed));
            const auto svm = smallSvm(shape, kLinear, seed);
            use(*svm);
        }
    }
}

/// Q from its definition.
Eigen::MatrixXd productsOf(const SmallSvm& svm) {
    const SampleIndex n = svm.problem->size();
    Eigen::MatrixXd q(n, n);
    for (SampleIndex i = 0; i < n; ++i) {
        for (SampleIndex j = 0; j < n; ++j) {
            q(i, j) = static_cast<double>(exactProduct(svm, kLinear, i, j));
        }
    }
    return q;
}

/// What a proximal step maximizes, less its value at ᾱ: exactly tᵀd − ½dᵀQd − ᾱᵀQd − ½δ Σ d² / U for d = α − ᾱ.
struct ProximalDual {
    ProximalDual(const SmallSvm& svm, const Eigen::VectorXd& from, const Eigen::VectorXd& bounds, double delta)
        : q(productsOf(svm)), start(from), upper(bounds), width(delta), pull(svm.problem->thresholds() - q * from) {}

    [[nodiscard]] double gain(const Eigen::VectorXd& alpha) const {
        const Eigen::VectorXd d = alpha - start;
        double proximity = 0;
        for (Eigen::Index i = 0; i < d.size(); ++i) {
            proximity += upper(i) > 0 ? d(i) * d(i) / upper(i) : 0.0;
        }
        return pull.dot(d) - 0.5 * d.dot(q * d) - 0.5 * width * proximity;
    }
    /// The most there is, by coordinate ascent without any of the solver's parts.
    [[nodiscard]] double most() const {
        Eigen::VectorXd alpha = start;
        Eigen::VectorXd slope = pull;
        for (int sweep = 0; sweep < 20000; ++sweep) {
            double moved = 0;
            for (Eigen::Index i = 0; i < alpha.size(); ++i) {
                if (!(upper(i) > 0)) {
                    continue;
                }
                const double weight = width / upper(i);
                const double aim = alpha(i) + (slope(i) - weight * (alpha(i) - start(i))) / (q(i, i) + weight);
                const double change = std::clamp(aim, 0.0, upper(i)) - alpha(i);
                alpha(i) += change;
                slope -= change * q.col(i);
                moved = std::max(moved, std::abs(change) / upper(i));
            }
            if (moved < 1e-12) {
                break;
            }
        }
        return gain(alpha);
    }

    Eigen::MatrixXd q;
    Eigen::VectorXd start;
    Eigen::VectorXd upper;
    double width;
    Eigen::VectorXd pull;
};

std::vector<std::int32_t> allOf(const SvmProblem& problem) {
    std::vector<std::int32_t> all(static_cast<std::size_t>(problem.size()));
    std::iota(all.begin(), all.end(), 0);
    return all;
}

/// Moves every second sample to a place of its own, bounds among them.
void scatter(DualIterate& space, std::uint64_t seed) {
    RandomStream random(seed, "starts of proximal steps");
    std::vector<std::int32_t> positions;
    std::vector<double> targets;
    for (SampleIndex i = 0; i < space.problem().size(); i += 2) {
        positions.push_back(i);
        targets.push_back(space.upper(i) * std::clamp(1.6 * random.uniform() - 0.3, 0.0, 1.0));
    }
    StopCheck never;
    (void)space.move(positions, Eigen::Map<const Eigen::VectorXd>(targets.data(), std::ssize(targets)), never);
    space.refresh(never);
}

/// Gap of α as the definition has it.
double gapOf(const ProximalDual& dual) {
    double gap = 0;
    for (Eigen::Index i = 0; i < dual.start.size(); ++i) {
        gap += dual.start(i) * -dual.pull(i) + dual.upper(i) * std::max(0.0, dual.pull(i));
    }
    return gap;
}

TEST(ProximalNewton, GainsAllButAThousandthOfWhatItsStepCan) {
    int steps = 0;
    forLinearSvms([&](const SmallSvm& svm) {
        const SvmProblem& problem = *svm.problem;
        const auto visit = allOf(problem);
        for (const double factor : {0.3, 3.0, 300.0}) {
            for (const double share : {1.0, 1e-3}) {
                const auto space = makeSpace(problem);
                StopCheck never;
                space->load(bottomOf(problem), factor * cMinOf(problem), never);
                scatter(*space, 5);
                Eigen::VectorXd upper(problem.size());
                for (SampleIndex i = 0; i < problem.size(); ++i) {
                    upper(i) = space->upper(i);
                }
                const Eigen::VectorXd start = space->alpha();
                const double gap = gapOf(ProximalDual(svm, start, upper, 1));
                ProximalNewton step(*space, visit);
                const double gained = step.take(share * gap, 0, never);
                EXPECT_LE(step.operations(), 3 * step.cost()) << "a wrong system arrives too, but late";
                const ProximalDual dual(svm, start, upper, step.width());
                const Eigen::VectorXd alpha = space->alpha();
                EXPECT_GE(alpha.minCoeff(), 0);
                EXPECT_LE((alpha - upper).maxCoeff(), 0);
                const double most = dual.most();
                EXPECT_GE(dual.gain(alpha), (1 - 2e-3) * most - 1e-10 * gap);
                // Without the proximal term it is what the dual value gained.
                EXPECT_NEAR(gained, ProximalDual(svm, start, upper, 0).gain(alpha), 1e-9 * gap);
                steps += gained > 0 ? 1 : 0;
            }
        }
    });
    EXPECT_GT(steps, 100);
}

TEST(ProximalNewton, MovesOnlyTheSamplesThatAreVisited) {
    const auto svm = smallSvm({.name = "some visited", .rows = 60, .features = 2, .spread = 0.5}, kLinear, 1);
    const SvmProblem& problem = *svm->problem;
    const auto space = makeSpace(problem);
    StopCheck never;
    space->load(bottomOf(problem), 50 * cMinOf(problem), never);
    scatter(*space, 5);
    std::vector<std::int32_t> visit = allOf(problem);
    std::erase_if(visit, [](std::int32_t k) { return k % 3 == 0; });
    const Eigen::VectorXd before = space->alpha();
    EXPECT_GT(ProximalNewton(*space, visit).take(1, 0, never), 0);
    const Eigen::VectorXd moved = (space->alpha() - before).cwiseAbs();
    for (SampleIndex i = 0; i < problem.size(); i += 3) {
        EXPECT_EQ(moved(i), 0) << "sample " << i;
    }
    EXPECT_GT(moved.maxCoeff(), 0);
}

TEST(ProximalNewton, LeavesAPointWithItsMarginsWhereverItIsStopped) {
    const auto svm = smallSvm({.name = "stopped", .rows = 1500, .features = 500, .spread = 0.3}, kLinear, 1);
    StopCheck never;
    int stops = 0;
    for (int question = 1; question <= 8; ++question) {
        const auto space = makeSpace(*svm->problem);
        space->load(bottomOf(*svm->problem), 50 * cMinOf(*svm->problem), never);
        scatter(*space, 5);
        const Eigen::VectorXd before = space->alpha();
        int left = question;
        StopCheck stopCheck([&left] { return --left <= 0; });
        const double gained = ProximalNewton(*space, allOf(*svm->problem)).take(1e-3, 0, stopCheck);
        EXPECT_EQ(gained > 0, (space->alpha() - before).cwiseAbs().maxCoeff() > 0);
        const Eigen::VectorXd margins = space->margins();
        const double error = space->marginError();
        space->refresh(never);
        const double difference =
            (space->margins() - margins).cwiseQuotient(svm->problem->norms()).cwiseAbs().maxCoeff();
        EXPECT_LE(difference, error + space->marginError());
        if (!stopCheck.isStopped()) {
            break;
        }
        EXPECT_EQ(left, 0) << "asked again after a yes";
        ++stops;
    }
    EXPECT_GT(stops, 3);
}

/// Classes that overlap, of which coordinate descent takes the longer the larger C is.
SmallShape overlapping(int seed) {
    return {.name = "overlapping", .rows = 1000, .features = 10 + seed, .spread = 0.4, .isSparse = seed % 2 == 1};
}

TEST(PointSolver, IsSparedMostSweepsAtLargeCByProximalSteps) {
    NullSink sink;
    RunContext context(RunId{0}, sink);
    double with = 0, without = 0;
    for (int seed = 1; seed <= 6; ++seed) {
        const auto svm = smallSvm(overlapping(seed), kLinear, static_cast<std::uint64_t>(seed));
        const double c = 1e5 * cMinOf(*svm->problem);
        PointSettings settings;
        settings.maxSweeps = 20000;
        const PointOutcome few = PointSolver(*svm->problem, settings).solve(c, bottomOf(*svm->problem), 0, context);
        settings.mostProximalFeatures = 0;
        settings.largestFactored = 0;
        const PointOutcome many = PointSolver(*svm->problem, settings).solve(c, bottomOf(*svm->problem), 0, context);
        EXPECT_EQ(few.termination, Termination::Converged);
        EXPECT_GE(few.primal.upper(), many.dual.lower());
        EXPECT_LE(few.dual.lower(), many.primal.upper());
        with += few.ledger.operations;
        without += many.ledger.operations;
    }
    EXPECT_LT(with, 0.4 * without) << with << " of " << without;
}

TEST(PointSolver, ReachesTheSameOptimumWithoutFactors) {
    NullSink sink;
    RunContext context(RunId{0}, sink);
    for (const bool hasFreeBias : {false, true}) {
        int points = 0;
        int loose = 0;
        forAllSvms(hasFreeBias, 31, [&](const SmallShape& shape, const SvmProblem& problem) {
            PointSettings settings;
            settings.largestFactored = 0;
            settings.bounds = {BoundKind::BallOne, BoundKind::Gap};
            settings.tolerance = 1e-5;
            settings.maxSweeps = 2000;
            PointSolver solver(problem, settings);
            SolvedSvm last = bottomOf(problem);
            for (const double factor : {0.5, 100.0}) {
                const double c = factor * cMinOf(problem);
                const PointOutcome factored = solveAt(problem, c, 1e-8);
                const PointOutcome outcome = solver.solve(c, last, 0, context);
                last = outcome.solved;
                EXPECT_GE(outcome.primal.upper(), factored.dual.lower()) << shape.name;
                EXPECT_LE(outcome.dual.lower(), factored.primal.upper()) << shape.name;
                EXPECT_NEAR(outcome.primal.value, factored.primal.value,
                            outcome.solved.gap + factored.solved.gap + outcome.primal.error + factored.primal.error);
                ++points;
                loose += outcome.termination == Termination::Converged ? 0 : 1;
            }
        });
        EXPECT_GT(points, 200);
        EXPECT_LE(loose, points / 20) << "what is nearly singular is beyond single precision";
    }
}

TEST(DualIterate, RefreshedWeightsOfLinearKernelsHaveTheErrorOfOneRounding) {
    forLinearSvms([](const SmallSvm& svm) {
        const auto space = makeSpace(*svm.problem);
        StopCheck never;
        space->load(bottomOf(*svm.problem), 10 * cMinOf(*svm.problem), never);
        scatter(*space, 9);
        const double norm = space->weights().norm();
        const double length = space->alpha().dot(svm.problem->norms());
        EXPECT_LE(space->drift(), 1.02 * kUnitRoundoff * norm + 1e-26 * length);
        const std::vector<long double> exact = exactMargins(svm, kLinear, space->alpha());
        // A product with w rounds as often as there are features.
        const double error =
            space->drift() + roundingFactor(static_cast<double>(svm.problem->features().features())) * norm;
        for (SampleIndex i = 0; i < svm.problem->size(); ++i) {
            EXPECT_LE(std::abs(static_cast<double>(exact[static_cast<std::size_t>(i)] - space->margin(i))),
                      1.01 * error * svm.problem->norms()(i))
                << "sample " << i;
        }
    });
}

} // namespace
} // namespace lambdascope::svm
