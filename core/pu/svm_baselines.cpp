// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pu/svm_baselines.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lambdascope::pu {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kMostRounds = 30;

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

} // namespace

BaselineOutcome solveBox(const PuSpace& space, const Eigen::VectorXd& linear, const Eigen::VectorXd& low,
                         const Eigen::VectorXd& high, double tolerance, std::int64_t mostSteps, WorkPoll& poll) {
    BaselineOutcome outcome;
    const Eigen::Index count = linear.size();
    Eigen::VectorXd alpha = Eigen::VectorXd::Zero(count);
    Eigen::VectorXd slope = linear; // l − Kα
    const Eigen::VectorXd& diagonal = space.diagonal();
    std::vector<double> scratch, otherScratch;
    double highest = 0, lowest = 0;
    while (outcome.steps < mostSteps) {
        Eigen::Index raise = -1;
        highest = -kInfinity;
        lowest = kInfinity;
        for (Eigen::Index u = 0; u < count; ++u) {
            if (alpha(u) < high(u) && slope(u) > highest) {
                highest = slope(u);
                raise = u;
            }
            if (alpha(u) > low(u)) {
                lowest = std::min(lowest, slope(u));
            }
        }
        if (raise < 0 || highest - lowest <= tolerance) {
            outcome.hasConverged = true;
            break;
        }
        const KernelRow row = space.row(static_cast<SampleIndex>(raise), scratch);
        Eigen::Index lower = -1;
        double best = 0;
        double bestCurvature = 1;
        for (Eigen::Index u = 0; u < count; ++u) {
            const double gain = highest - slope(u);
            if (alpha(u) > low(u) && gain > 0) {
                const double curvature =
                    std::max(diagonal(raise) + diagonal(u) - 2 * row.values[u], 1e-12 * diagonal(raise) + 1e-300);
                if (gain * gain / curvature > best) {
                    best = gain * gain / curvature;
                    bestCurvature = curvature;
                    lower = u;
                }
            }
        }
        if (lower < 0) {
            break; // no gain is a number
        }
        const double step =
            std::min({(highest - slope(lower)) / bestCurvature, high(raise) - alpha(raise), alpha(lower) - low(lower)});
        const KernelRow other = space.row(static_cast<SampleIndex>(lower), otherScratch);
        const bool fillsRaised = step == high(raise) - alpha(raise);
        const bool emptiesLowered = step == alpha(lower) - low(lower);
        alpha(raise) = fillsRaised ? high(raise) : alpha(raise) + step;
        alpha(lower) = emptiesLowered ? low(lower) : alpha(lower) - step;
        slope -= step * (Eigen::Map<const Eigen::VectorXd>(row.values, count) -
                         Eigen::Map<const Eigen::VectorXd>(other.values, count));
        ++outcome.steps;
        if (poll.spend(10 * count + 2 * space.rowWork())) {
            break;
        }
    }
    outcome.model.beta = std::isfinite(highest) && std::isfinite(lowest) ? 0.5 * (highest + lowest) : 0.0;
    outcome.model.values = (linear - slope).array() + outcome.model.beta;
    outcome.objective = 0.5 * alpha.dot(linear - slope); // ½‖w‖²; the loss is the caller's
    if (space.isLinear()) {
        outcome.model.weights = Eigen::VectorXd::Zero(space.features().features());
        for (Eigen::Index u = 0; u < count; ++u) {
            if (alpha(u) != 0) {
                space.features().addTo(u, alpha(u), outcome.model.weights.data());
            }
        }
    }
    outcome.model.alpha = std::move(alpha);
    return outcome;
}

BaselineOutcome solveBiased(const PuProblem& problem, double lambda, double tolerance, std::int64_t mostSteps,
                            WorkPoll& poll) {
    const double pi = problem.prior();
    const Weighted weighted =
        weightsFor(problem, pi / (2 * lambda * problem.positives()), (1 - pi) / (2 * lambda * problem.unlabeled()));
    const Eigen::VectorXd ends = weighted.c.cwiseProduct(weighted.y);
    BaselineOutcome outcome =
        solveBox(problem.space(), weighted.y, ends.cwiseMin(0.0), ends.cwiseMax(0.0), tolerance, mostSteps, poll);
    outcome.objective += hingeSum(weighted, outcome.model.values);
    return outcome;
}

BaselineOutcome solveRamp(const PuProblem& problem, double lambda, double tolerance, std::int64_t mostSteps,
                          WorkPoll& poll) {
    const Weighted weighted = weightsFor(problem, problem.prior() / (2 * lambda * problem.positives()),
                                         1 / (4 * lambda * problem.unlabeled()));
    Eigen::VectorXd shift = Eigen::VectorXd::Zero(problem.size()); // of yα: cᵢ where y f < −1
    BaselineOutcome outcome;
    outcome.model.values.setZero(problem.size()); // for whoever stops before the first round
    std::int64_t steps = 0;
    for (int round = 1; round <= kMostRounds && !poll.isStopped(); ++round) {
        const Eigen::VectorXd one = (-shift).cwiseProduct(weighted.y);
        const Eigen::VectorXd other = (weighted.c - shift).cwiseProduct(weighted.y);
        outcome = solveBox(problem.space(), weighted.y, one.cwiseMin(other), one.cwiseMax(other), tolerance,
                           std::max<std::int64_t>(1, mostSteps - steps), poll);
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
