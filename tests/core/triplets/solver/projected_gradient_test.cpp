// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/solver/projected_gradient.h"

#include <gtest/gtest.h>

#include <limits>

namespace lambdascope::triplets {
namespace {

TEST(BarzilaiBorwein, GivesTheInverseCurvatureOfAnIsotropicQuadratic) {
    const Eigen::MatrixXd move = Eigen::MatrixXd::Random(4, 4);
    const auto step = barzilaiBorweinStep(move, 8.0 * move);
    ASSERT_TRUE(step);
    EXPECT_DOUBLE_EQ(*step, 1.0 / 8);
}

TEST(BarzilaiBorwein, LiesBetweenTheInverseEigenvaluesOfAQuadratic) {
    Eigen::MatrixXd move(2, 1);
    Eigen::MatrixXd change(2, 1);
    move << 1, 1;
    change << 2 * 1, 50 * 1; // Hessian diag(2, 50)
    const auto step = barzilaiBorweinStep(move, change);
    ASSERT_TRUE(step);
    EXPECT_GT(*step, 1.0 / 50);
    EXPECT_LT(*step, 1.0 / 2);
}

TEST(BarzilaiBorwein, RefusesCurvatureThatIsNotPositive) {
    const Eigen::MatrixXd move = Eigen::MatrixXd::Identity(3, 3);
    EXPECT_FALSE(barzilaiBorweinStep(move, -move));
    EXPECT_FALSE(barzilaiBorweinStep(move, 0 * move));
    EXPECT_FALSE(barzilaiBorweinStep(0 * move, move));
    EXPECT_FALSE(barzilaiBorweinStep(move, std::numeric_limits<double>::quiet_NaN() * move));
}

/// f(M) = ½ Σ w_ij (M_ij − T_ij)², minimized over M ⪰ 0; strongly convex with constant min w.
struct WeightedQuadratic {
    struct State {
        double value = 0;
        Eigen::MatrixXd gradient;
    };
    Eigen::MatrixXd weights;
    Eigen::MatrixXd target;
    int evaluations = 0;
    int stopAfter = std::numeric_limits<int>::max();
    double poisonBeyond = std::numeric_limits<double>::infinity(); ///< norm from which the value is NaN
    StopCheck asked;

    StopCheck& stopCheck() { return asked; }
    bool evaluate(const MetricPoint& point, State& state) {
        if (++evaluations > stopAfter) {
            return false;
        }
        const Eigen::MatrixXd difference = point.matrix - target;
        state.gradient = weights.cwiseProduct(difference);
        state.value = 0.5 * state.gradient.cwiseProduct(difference).sum();
        if (point.matrix.norm() > poisonBeyond) {
            state.value = std::numeric_limits<double>::quiet_NaN();
        }
        return true;
    }
};

WeightedQuadratic illConditioned() {
    WeightedQuadratic f;
    f.weights = Eigen::MatrixXd::Constant(3, 3, 1);
    f.weights(0, 0) = 1e4;
    f.weights(1, 1) = 10;
    f.target = Eigen::MatrixXd::Constant(3, 3, 0.5);
    f.target(2, 2) = -3; // the cone is active at the optimum
    return f;
}

ProjectedGradient<WeightedQuadratic> started(WeightedQuadratic& f) {
    static CpuLedger ledger;
    ProjectedGradient<WeightedQuadratic> descent(f, 1.0, ledger);
    const MetricPoint origin = MetricPoint::fromSplit(splitByCone(Eigen::MatrixXd::Identity(3, 3)));
    WeightedQuadratic::State state;
    (void)f.evaluate(origin, state);
    descent.start(origin, state, {});
    return descent;
}

TEST(ProjectedGradient, ReachesAFixedPointOfTheProjectedStep) {
    WeightedQuadratic f = illConditioned();
    auto descent = started(f);
    int steps = 0;
    while (steps < 2000 && descent.advance() == StepOutcome::Advanced) {
        ++steps;
    }
    // Optimal iff M = [M − ∇f(M)]₊.
    const Eigen::MatrixXd projected = splitByCone(descent.point().matrix - descent.state().gradient).positive;
    EXPECT_LE((projected - descent.point().matrix).norm(), 1e-7);
    EXPECT_LT(steps, 1000);
}

TEST(ProjectedGradient, NeverRisesAboveItsRecentValues) {
    WeightedQuadratic f = illConditioned();
    auto descent = started(f);
    std::vector<double> values = {descent.state().value};
    while (values.size() < 60 && descent.advance() == StepOutcome::Advanced) {
        const auto recent = values.end() - static_cast<std::ptrdiff_t>(std::min<std::size_t>(10, values.size()));
        EXPECT_LE(descent.state().value, *std::max_element(recent, values.end()) * (1 + 1e-12));
        values.push_back(descent.state().value);
    }
    EXPECT_LT(values.back(), values.front());
}

TEST(ProjectedGradient, CutsStepsThatLeadToNonsense) {
    WeightedQuadratic f = illConditioned();
    f.weights.setConstant(1);
    f.target = 100 * Eigen::MatrixXd::Identity(3, 3);
    f.poisonBeyond = 20; // the first full step would go to norm 173
    auto descent = started(f);
    ASSERT_EQ(descent.advance(), StepOutcome::Advanced);
    EXPECT_LE(descent.point().matrix.norm(), 20);
    EXPECT_TRUE(std::isfinite(descent.state().value));
}

TEST(ProjectedGradient, KeepsThePointWhenInterrupted) {
    WeightedQuadratic f = illConditioned();
    auto descent = started(f);
    const Eigen::MatrixXd before = descent.point().matrix;
    f.stopAfter = f.evaluations;
    EXPECT_EQ(descent.advance(), StepOutcome::Stopped);
    EXPECT_EQ(descent.point().matrix, before);
}

TEST(ProjectedGradient, SaysWhenNothingMovesAnyMore) {
    WeightedQuadratic f;
    f.weights = Eigen::MatrixXd::Constant(3, 3, 1);
    f.target = Eigen::MatrixXd::Identity(3, 3);
    auto descent = started(f); // starts at the optimum
    EXPECT_EQ(descent.advance(), StepOutcome::Stalled);
}

} // namespace
} // namespace lambdascope::triplets
