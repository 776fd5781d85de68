// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ordinal/path/ordinal_schema.h"
#include "core/ordinal/solver/gram_descent.h"
#include "core/ordinal/solver/trial.h"
#include "tests/core/ordinal/small_sets.h"

#include <gtest/gtest.h>

#include <limits>

namespace lambdascope::ordinal {
namespace {

constexpr MethodKind kMethods[] = {MethodKind::Batch,   MethodKind::Sgd,     MethodKind::Svrg,  MethodKind::SvrgSbb0,
                                   MethodKind::SvrgSbb, MethodKind::Modular, MethodKind::Lbfgs, MethodKind::Convex};

Trial after(const SolverConfig& config, const Objective& objective, int epochs, Eigen::Index p = 2,
            std::uint64_t seed = 1) {
    Trial trial(config, objective, p, seed, 0);
    StopCheck stopCheck;
    for (int epoch = 0; epoch <= epochs; ++epoch) {
        trial.advance(stopCheck);
    }
    return trial;
}

/// What twelve epochs have to close of the distance between the start and the least loss that L-BFGS finds in hundreds.
double leastShareOf(MethodKind method) {
    switch (method) {
    case MethodKind::Lbfgs: return 0.98;
    case MethodKind::Sgd: return 0.75;
    case MethodKind::Svrg: return 0.65;  // its step is short on purpose
    case MethodKind::Convex: return 0.6; // of a matrix of full rank, cut down to two axes
    default: return 0.8;
    }
}

TEST(Methods, StepIsTheStabilizedBarzilaiBorweinOne) {
    Points dx(2, 1);
    Points dy(2, 1);
    dx << 1, 2;
    dy << -3, 1; // ⟨Δx, Δy⟩ = −1: a plain BB step would be negative
    EXPECT_DOUBLE_EQ(*stabilizedStep(dx, dy, 10, 0), 5.0 / 1 / 10);
    EXPECT_DOUBLE_EQ(*stabilizedStep(dx, dy, 10, 0.5), 5.0 / (1 + 0.5 * 5) / 10);
    dy << 2, -1; // no curvature: only ε bounds the step
    EXPECT_FALSE(stabilizedStep(dx, dy, 10, 0));
    EXPECT_DOUBLE_EQ(*stabilizedStep(dx, dy, 10, 0.01), 10);
    EXPECT_FALSE(stabilizedStep(Points::Zero(2, 1), dy, 10, 0.01));
    EXPECT_FALSE(stabilizedStep(dx, Points::Constant(2, 1, std::numeric_limits<double>::quiet_NaN()), 10, 0.01));
}

// The form hides a setting where its field says that it does not matter.
TEST(Methods, HiddenSettingsChangeNothing) {
    const ComparisonSet set = randomComparisons(randomPoints(30, 2, 0.5, 1), 1500, 2);
    const Objective objective(set, ModelSpec{});
    SolverConfig others;
    others.batch = 17;
    others.inner = 0.6;
    others.epsilon = 0.3;
    others.decay = 2;
    others.module = 2;
    others.lazy = !others.lazy;
    others.rollback = !others.rollback;
    const SectionSchema& schema = solverFields().schema();
    const Json changes = solverFields().write(others);
    for (const MethodKind method : kMethods) {
        SolverConfig config;
        config.method = method;
        const Json settings = solverFields().write(config);
        const Points as = after(config, objective, 5).state().x;
        const auto changesResult = [&](const char* key) {
            Json changed = settings;
            changed[key] = changes.at(key);
            std::vector<Fault> faults;
            const Points x = after(solverFields().read(changed, "solver", faults), objective, 5).state().x;
            EXPECT_TRUE(faults.empty());
            return x != as;
        };
        const auto matters = [&](const char* key) { return isRelevant(schema, *schema.find(key), settings); };
        const std::string name = settings.at("method").get<std::string>();
        for (const char* key : {"batch", "inner", "epsilon", "decay", "module"}) {
            EXPECT_EQ(changesResult(key), matters(key)) << key << " of " << name;
        }
        for (const char* key : {"lazy", "rollback"}) { // which may change nothing where they matter
            EXPECT_TRUE(matters(key) || !changesResult(key)) << key << " of " << name;
        }
    }
}

TEST(Methods, AllLowerTheLossOfEveryModelAndSpendThreeGradientsAnEpoch) {
    const ComparisonSet set = randomComparisons(randomPoints(30, 2, 0.5, 1), 1500, 2);
    for (const ModelSpec& model : allModels(2)) {
        const Objective objective(set, model);
        SolverConfig reference;
        reference.method = MethodKind::Lbfgs;
        const double best = after(reference, objective, 300).state().value.loss;
        for (const MethodKind method : kMethods) {
            SCOPED_TRACE(modelName(model.kind) + " method " + std::to_string(static_cast<int>(method)));
            SolverConfig config;
            config.method = method;
            config.batch = 5;
            config.rollback = method == MethodKind::SvrgSbb0;
            const Trial start = after(config, objective, 0);
            const Trial trial = after(config, objective, 12);
            const double possible = start.state().value.loss - best;
            EXPECT_GE(start.state().value.loss - trial.state().value.loss, leastShareOf(method) * possible);
            EXPECT_FALSE(trial.state().hasFailed);
            EXPECT_LT(trial.state().value.error, 0.35);
            EXPECT_LT(trial.state().value.error, start.state().value.error);
            EXPECT_TRUE(trial.state().x.allFinite());
            EXPECT_GT(trial.state().step, 0);
            if (method != MethodKind::Lbfgs && !trial.state().hasSettled) {
                EXPECT_NEAR(trial.state().gradients, 36, 1e-9);
            }
            EXPECT_GE(trial.state().gradients, method == MethodKind::Lbfgs ? 1 : 30);
        }
    }
}

TEST(Methods, StateHoldsObjectiveAndGradientOfItsPoint) {
    const ComparisonSet set = randomComparisons(randomPoints(20, 2, 0.5, 1), 300, 2, true);
    const Objective objective(set, {});
    for (const MethodKind method : kMethods) {
        SolverConfig config;
        config.method = method;
        config.rollback = method == MethodKind::SvrgSbb;
        const Trial trial = after(config, objective, 5);
        StopCheck stopCheck;
        Points gradient;
        const ObjectiveValue value = objective.evaluate(trial.state().x, &gradient, nullptr, stopCheck);
        EXPECT_EQ(value.loss, trial.state().value.loss);
        EXPECT_EQ(value.error, trial.state().value.error);
        EXPECT_EQ(gradient, trial.state().gradient);
    }
}

TEST(Methods, StabilizedStepsAreBoundedAndPlainOnesAreNot) {
    const ComparisonSet set = randomComparisons(randomPoints(40, 3, 0.3, 1), 2000, 2);
    ModelSpec model;
    model.kind = ModelKind::Tste;
    model.alpha = 2;
    const Objective objective(set, model);
    SolverConfig config;
    config.epsilon = 0.02;
    double largestPlain = 0;
    for (const MethodKind method : {MethodKind::SvrgSbb, MethodKind::SvrgSbb0}) {
        config.method = method;
        Trial trial(config, objective, 3, 1, 0);
        StopCheck stopCheck;
        for (int epoch = 0; epoch <= 30; ++epoch) {
            trial.advance(stopCheck);
            if (method == MethodKind::SvrgSbb) {
                EXPECT_LE(trial.state().step, 1 / (0.02 * 2000) * (1 + 1e-12));
            } else {
                largestPlain = std::max(largestPlain, trial.state().step);
            }
            EXPECT_GE(trial.state().step, 0);
        }
    }
    EXPECT_GT(largestPlain, 2 / (0.02 * 2000));
}

TEST(Methods, RollbackKeepsTheObjectiveFalling) {
    const ComparisonSet set = randomComparisons(randomPoints(30, 3, 0.5, 1), 600, 2);
    for (const ModelSpec& model : allModels(3)) {
        const Objective objective(set, model);
        SolverConfig config;
        config.method = MethodKind::Svrg;
        config.step = 3; // far too long
        config.rollback = true;
        Trial trial(config, objective, 3, 1, 0);
        StopCheck stopCheck;
        double last = std::numeric_limits<double>::infinity();
        for (int epoch = 0; epoch <= 25; ++epoch) {
            trial.advance(stopCheck);
            EXPECT_LE(trial.state().value.loss, last) << modelName(model.kind);
            last = trial.state().value.loss;
        }
        EXPECT_FALSE(trial.state().hasFailed);
    }
}

TEST(Methods, AnExplosionLeavesTheLastFinitePointAndSaysSo) {
    // Contradicting answers never let go.
    WeightedComparisons answers;
    const ComparisonSet clean = randomComparisons(randomPoints(30, 3, 0.5, 1), 300, 2);
    for (const Comparison& c : clean.items()) {
        answers.add(c, 1);
        answers.add(reversed(c), 1);
    }
    const ComparisonSet set(std::move(answers), 30);
    ModelSpec model;
    model.kind = ModelKind::Gnmds;
    const Objective objective(set, model);
    SolverConfig config;
    config.method = MethodKind::Svrg;
    config.step = 1e6;
    const Trial trial = after(config, objective, 200, 3);
    EXPECT_TRUE(trial.state().hasFailed);
    EXPECT_TRUE(trial.state().x.allFinite());
    EXPECT_TRUE(std::isfinite(trial.state().value.loss));
}

TEST(Methods, PolishReachesAStationaryPoint) {
    const ComparisonSet set = randomComparisons(randomPoints(15, 2, 0.5, 1), 400, 2);
    ModelSpec model;
    model.kind = ModelKind::Ckl;
    const Objective objective(set, model);
    SolverConfig config;
    config.polish = 5;
    const Trial rough = after(config, objective, 5);
    const Trial polished = after(config, objective, 300);
    EXPECT_LT(polished.state().value.loss, rough.state().value.loss);
    EXPECT_LE(polished.state().gradient.norm(), 1e-7);
}

TEST(Methods, ConvexBaselineFindsOneOptimumFromAllStarts) {
    // Contradicting answers keep the optimum finite.
    WeightedComparisons answers;
    const ComparisonSet clean = randomComparisons(randomPoints(8, 2, 1, 1), 150, 2);
    for (const Comparison& c : clean.items()) {
        answers.add(c, 2);
        answers.add(reversed(c), 1);
    }
    const ComparisonSet set(std::move(answers), 8);
    const Objective objective(set, {}); // STE is convex in the Gram matrix
    SolverConfig config;
    config.method = MethodKind::Convex;
    // As wide as there are objects, so that nothing is truncated.
    const Trial one = after(config, objective, 300, 8, 1);
    const Trial two = after(config, objective, 300, 8, 2);
    EXPECT_NEAR(one.state().value.loss, two.state().value.loss, 1e-7);
    config.method = MethodKind::Lbfgs;
    const Trial rival = after(config, objective, 300, 8, 3);
    EXPECT_LE(one.state().value.loss, rival.state().value.loss + 1e-7);
    EXPECT_LE(one.state().x.colwise().sum().norm(), 1e-6); // centred
}

TEST(Methods, ProjectionOnGramMatricesIsTheNearestOne) {
    const Points raw = randomPoints(6, 6, 1, 3);
    const Eigen::MatrixXd matrix = raw + raw.transpose();
    StopCheck stopCheck;
    const PsdSplit split = projectedGram(matrix, stopCheck);
    const Eigen::MatrixXd& projected = split.positive;
    EXPECT_LE((projectedGram(projected, stopCheck).positive - projected).norm(), 1e-12 * projected.norm());
    EXPECT_LE(projected.rowwise().sum().norm(), 1e-12 * projected.norm());
    for (std::uint64_t seed = 1; seed < 20; ++seed) {
        // Variational inequality: ⟨G − [G], Z − [G]⟩ ≤ 0 for every Z of the set.
        Points other = randomPoints(6, 3, 1, seed);
        other.rowwise() -= other.colwise().mean().eval();
        const Eigen::MatrixXd member = other * other.transpose();
        EXPECT_LE((matrix - projected).cwiseProduct(member - projected).sum(), 1e-10);
    }
    EXPECT_LE((longestAxes(split.factor, 6) * longestAxes(split.factor, 6).transpose() - projected).norm(),
              1e-10 * projected.norm());
}

TEST(Methods, ConvexBaselineStopsWithinADecomposition) {
    const ComparisonSet set = randomComparisons(randomPoints(820, 2, 1, 1), 300, 2);
    const Objective objective(set, {});
    SolverConfig config;
    config.method = MethodKind::Convex;
    Trial trial(config, objective, 2, 1, 0);
    int questions = 0;
    StopCheck stopCheck([&] { return ++questions >= 4; });
    trial.advance(stopCheck);
    trial.advance(stopCheck);
    EXPECT_TRUE(stopCheck.isStopped());
    EXPECT_EQ(questions, 4); // nothing goes on after the answer
}

TEST(Methods, MemoryCountsWhatEachMethodKeeps) {
    SolverConfig config;
    const double plain = trialBytes(config, 1e5, 2, 1e6);
    EXPECT_GE(plain, 1e6 * sizeof(Slopes) + 1e5 * 2 * 8 * 4);
    EXPECT_LE(plain, 200e6);
    config.batch = 1000000;
    EXPECT_GE(trialBytes(config, 1e5, 2, 1e6), plain + 1e6 * 4 * 8);
    SolverConfig wider = config;
    wider.batch = 100;
    EXPECT_EQ(trialBytes(config, 1e5, 2, 100), trialBytes(wider, 1e5, 2, 100)); // no batch beyond the answers
    config.batch = 1;
    config.polish = 3;
    EXPECT_GE(trialBytes(config, 1e5, 2, 1e6), plain + 20 * 1e5 * 2 * 8);
    config.method = MethodKind::Convex;
    EXPECT_GE(trialBytes(config, 3000, 2, 100), 3 * 3000.0 * 3000 * 8);
}

TEST(Methods, StartsDependOnSeedAndNumberAlone) {
    const ComparisonSet set = randomComparisons(randomPoints(10, 2, 1, 1), 50, 2);
    const Objective objective(set, {});
    SolverConfig one;
    SolverConfig two;
    two.method = MethodKind::Batch;
    EXPECT_EQ(after(one, objective, 0).state().x, after(two, objective, 0).state().x);
    EXPECT_NE(after(one, objective, 0).state().x, after(one, objective, 0, 2, 7).state().x);
    EXPECT_NE(Trial(one, objective, 2, 1, 0).state().x, Trial(one, objective, 2, 1, 1).state().x);
}

} // namespace
} // namespace lambdascope::ordinal
