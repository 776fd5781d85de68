// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pu/rivals/svm_baselines.h"

#include "core/pu/rivals/box_descent.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lambdascope::pu {

namespace {

constexpr int kMostCccpRounds = 30;

/// When to end.
struct Stop {
    double tolerance;
    std::int64_t mostSteps;
    StopCheck& stopCheck;
};

/// Classes as ±1 and largest coefficients of all samples.
struct Weighted {
    Eigen::VectorXd y;
    Eigen::VectorXd c;
};

Weighted weightsFor(const PuProblem& problem, double positive, double unlabeled) {
    Weighted result{Eigen::VectorXd::Constant(problem.size(), -1),
                    Eigen::VectorXd::Constant(problem.size(), unlabeled)};
    result.y.head(problem.positives()).setOnes();
    result.c.head(problem.positives()).setConstant(positive);
    return result;
}

double hingeSum(const Weighted& weighted, const Eigen::VectorXd& f) {
    return (weighted.c.array() * (1 - weighted.y.array() * f.array()).max(0.0)).sum();
}

/// min ½αᵀKα − lᵀα, low ≤ α ≤ high, Σα = 0, over all samples of a space, from α = 0, which the box has to hold.
BaselineOutcome solveFromZero(const PuSpace& space, const Eigen::VectorXd& linear, const Eigen::VectorXd& low,
                              const Eigen::VectorXd& high, const Stop& stop) {
    BoxOutcome box = solveBox(
        {.space = space, .low = low, .high = high, .alpha = Eigen::VectorXd::Zero(linear.size()), .slope = linear},
        {.absolute = stop.tolerance}, stop.mostSteps, stop.stopCheck);
    BaselineOutcome outcome;
    outcome.steps = box.steps;
    outcome.hasConverged = box.hasConverged;
    outcome.model.beta =
        std::isfinite(box.highest) && std::isfinite(box.lowest) ? 0.5 * (box.highest + box.lowest) : 0.0;
    outcome.model.values = (linear - box.slope).array() + outcome.model.beta;
    outcome.objective = 0.5 * box.alpha.dot(linear - box.slope); // ½‖w‖²; the loss is the caller's
    if (space.isLinear()) {
        outcome.model.weights = Eigen::VectorXd::Zero(space.features().features());
        for (Eigen::Index u = 0; u < linear.size(); ++u) {
            if (box.alpha(u) != 0) {
                space.features().addTo(u, box.alpha(u), outcome.model.weights.data());
            }
        }
    }
    outcome.model.alpha = std::move(box.alpha);
    return outcome;
}

} // namespace

BaselineOutcome solveBiased(const PuProblem& problem, double lambda, double tolerance, std::int64_t mostSteps,
                            StopCheck& stopCheck) {
    const double pi = problem.prior();
    const Weighted weighted =
        weightsFor(problem, pi / (2 * lambda * problem.positives()), (1 - pi) / (2 * lambda * problem.unlabeled()));
    const Eigen::VectorXd ends = weighted.c.cwiseProduct(weighted.y);
    BaselineOutcome outcome = solveFromZero(problem.space(), weighted.y, ends.cwiseMin(0.0), ends.cwiseMax(0.0),
                                            {tolerance, mostSteps, stopCheck});
    outcome.objective += hingeSum(weighted, outcome.model.values);
    return outcome;
}

BaselineOutcome solveRamp(const PuProblem& problem, double lambda, double tolerance, std::int64_t mostSteps,
                          StopCheck& stopCheck) {
    const Weighted weighted = weightsFor(problem, problem.prior() / (2 * lambda * problem.positives()),
                                         1 / (4 * lambda * problem.unlabeled()));
    Eigen::VectorXd shift = Eigen::VectorXd::Zero(problem.size()); // of yα: cᵢ where y f < −1
    BaselineOutcome outcome;
    outcome.model.values.setZero(problem.size()); // for whoever stops before the first round
    std::int64_t steps = 0;
    for (int round = 1; round <= kMostCccpRounds && !stopCheck.isStopped(); ++round) {
        const Eigen::VectorXd one = (-shift).cwiseProduct(weighted.y);
        const Eigen::VectorXd other = (weighted.c - shift).cwiseProduct(weighted.y);
        outcome = solveFromZero(problem.space(), weighted.y, one.cwiseMin(other), one.cwiseMax(other),
                                {tolerance, std::max<std::int64_t>(1, mostSteps - steps), stopCheck});
        steps += outcome.steps;
        outcome.rounds = round;
        const Eigen::ArrayXd margins = weighted.y.array() * outcome.model.values.array();
        const Eigen::VectorXd next = (margins < -1).select(weighted.c, 0.0);
        const bool isFixed = next == shift;
        outcome.hasConverged = outcome.hasConverged && isFixed;
        if (isFixed || steps >= mostSteps) {
            break;
        }
        shift = next;
    }
    outcome.steps = steps;
    const Eigen::ArrayXd margins = weighted.y.array() * outcome.model.values.array();
    outcome.objective += (weighted.c.array() * (1 - margins).max(0.0).min(2.0)).sum();
    return outcome;
}

} // namespace lambdascope::pu
