// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/solver/comparison_lambda_max.h"

#include <algorithm>

namespace lambdascope::metric {

namespace {

/// −ℓ'(0) of an item of threshold τ and weight 1.
double slopeAtZero(double threshold, double gamma) {
    if (threshold <= 0) {
        return 0;
    }
    return gamma > 0 ? std::min(threshold / gamma, 1.0) : 1.0;
}

} // namespace

LambdaMaxSolution comparisonLambdaMax(const ComparisonSet& set, const Eigen::MatrixXd& linear, double gamma,
                                      WorkPoll& poll) {
    LambdaMaxSolution top;
    const ComparisonSet::Items items = set.items();
    std::vector<double> weights(static_cast<std::size_t>(set.pairs()) + 1, 0.0);
    for (std::size_t c = 0; c < items.size(); ++c) {
        const double alpha = items.weight[c] * slopeAtZero(items.threshold[c], gamma);
        weights[static_cast<std::size_t>(items.far[c])] += alpha;
        weights[static_cast<std::size_t>(items.near[c])] -= alpha;
    }
    std::vector<double> z;
    if (!sumTop(set, weights, linear, poll, top, z)) {
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

} // namespace lambdascope::metric
