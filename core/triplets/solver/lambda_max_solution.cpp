// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/solver/lambda_max_solution.h"

#include "core/triplets/problem/cone.h"
#include "core/triplets/problem/pair_quadratic_forms.h"

#include <algorithm>
#include <limits>

namespace lambdascope::triplets {

namespace {

/// −ℓ'(0) of an item of threshold τ and weight 1.
double slopeAtZero(double threshold, double gamma) {
    if (threshold <= 0) {
        return 0;
    }
    return gamma > 0 ? std::min(threshold / gamma, 1.0) : 1.0;
}

} // namespace

bool sumTop(const PairTable& table, const std::vector<double>& weights, const Eigen::MatrixXd& linear,
            StopCheck& stopCheck, LambdaMaxSolution& top, std::vector<double>& values) {
    PairQuadraticForms space(table);
    MatrixSum sum;
    if (!space.weightedSum(weights, 0, nullptr, stopCheck, sum)) {
        return false;
    }
    top.sum = std::move(sum.value);
    if (linear.size() > 0) {
        top.sum -= linear;
    }
    top.split = splitByCone(top.sum, &stopCheck);
    return top.split.isFinite && space.distances(MetricPoint::fromSplit(top.split), nullptr, stopCheck, values);
}

LambdaMaxSolution lambdaMaxSolution(const TripletSet& triplets, double gamma, StopCheck& stopCheck,
                                    const Eigen::MatrixXd& linear) {
    LambdaMaxSolution top;
    std::vector<double> weights(static_cast<std::size_t>(triplets.pairs()), 0.0);
    for (RowIndex i = 0; i < triplets.rows(); ++i) {
        for (std::int64_t s = triplets.sameOffset(i); s < triplets.sameOffset(i + 1); ++s) {
            weights[static_cast<std::size_t>(triplets.samePair(s))] -= static_cast<double>(triplets.otherCount(i));
        }
        for (std::int64_t o = triplets.otherOffset(i); o < triplets.otherOffset(i + 1); ++o) {
            weights[static_cast<std::size_t>(triplets.otherPair(o))] += static_cast<double>(triplets.sameCount(i));
        }
    }
    std::vector<double> values;
    if (!sumTop(triplets, weights, linear, stopCheck, top, values)) {
        return top;
    }
    double largest = 0;
    for (RowIndex i = 0; i < triplets.rows(); ++i) {
        double nearestSame = std::numeric_limits<double>::infinity();
        double farthestOther = -nearestSame;
        for (std::int64_t s = triplets.sameOffset(i); s < triplets.sameOffset(i + 1); ++s) {
            nearestSame = std::min(nearestSame, values[static_cast<std::size_t>(triplets.samePair(s))]);
        }
        for (std::int64_t o = triplets.otherOffset(i); o < triplets.otherOffset(i + 1); ++o) {
            farthestOther = std::max(farthestOther, values[static_cast<std::size_t>(triplets.otherPair(o))]);
        }
        largest = std::max(largest, farthestOther - nearestSame); // −∞ when the anchor has no triplet
    }
    top.lambdaMax = largest / (1 - gamma);
    return top;
}

LambdaMaxSolution comparisonLambdaMax(const ComparisonSet& set, const Eigen::MatrixXd& linear, double gamma,
                                      StopCheck& stopCheck) {
    LambdaMaxSolution top;
    const ComparisonSet::Items items = set.items();
    std::vector<double> weights(static_cast<std::size_t>(set.pairs()) + 1, 0.0);
    for (std::size_t c = 0; c < items.size(); ++c) {
        const double alpha = items.weight[c] * slopeAtZero(items.threshold[c], gamma);
        weights[static_cast<std::size_t>(items.far[c])] += alpha;
        weights[static_cast<std::size_t>(items.near[c])] -= alpha;
    }
    std::vector<double> z;
    if (!sumTop(set, weights, linear, stopCheck, top, z)) {
        return top;
    }
    z.push_back(0); // noPair
    for (std::size_t c = 0; c < items.size(); ++c) {
        const double margin = z[static_cast<std::size_t>(items.far[c])] - z[static_cast<std::size_t>(items.near[c])];
        const double threshold = items.threshold[c];
        if (threshold > gamma) {
            top.lambdaMax = std::max(top.lambdaMax, margin / (threshold - gamma));
        } else if (threshold < 0) {
            top.lambdaMax = std::max(top.lambdaMax, margin / threshold);
        }
    }
    return top;
}

SolvedPoint topPoint(const LambdaMaxSolution& top, double lambda, double gamma, Engine& engine, StopCheck& stopCheck) {
    SolvedPoint solved;
    solved.point = MetricPoint::fromSplit(top.split, 1 / lambda);
    solved.lambda = lambda;
    SetCounts setCounts;
    // The hinge's α there is 1 for all triplets: any width up to the distance of the margins to 1 gives that.
    const double smoothing = gamma > 0 ? gamma : std::max(1 - top.lambdaMax / lambda, 1e-6);
    engine.activateAll();
    if (!engine.evaluateAll(solved.point, smoothing, gamma, stopCheck, solved.totals, setCounts)) {
        return solved;
    }
    const Bounded primal = primalValue(solved.totals, solved.point, lambda, gamma);
    const Bounded dual = dualValue(solved.totals, squaredNormInCone(solved.totals.pull, &stopCheck), lambda, gamma);
    const Bounded gap = primal - dual;
    solved.gap = std::max(gap.value, 0.0) + gap.error;
    return solved;
}

} // namespace lambdascope::triplets
