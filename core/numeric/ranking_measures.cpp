// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/numeric/ranking_measures.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>
#include <vector>

namespace lambdascope {

double areaUnderCurve(const Eigen::VectorXd& scores, const Eigen::VectorXd& y, const Eigen::VectorXd& weights) {
    assert(scores.size() == y.size());
    assert(weights.size() == 0 || weights.size() == y.size());
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    if (scores.hasNaN()) { // which has no place in an order
        return kNone;
    }
    std::vector<Eigen::Index> order(static_cast<std::size_t>(scores.size()));
    std::iota(order.begin(), order.end(), Eigen::Index{0});
    std::sort(order.begin(), order.end(), [&](Eigen::Index a, Eigen::Index b) { return scores(a) < scores(b); });
    double pairs = 0, negatives = 0, positives = 0;
    for (std::size_t from = 0; from < order.size();) {
        std::size_t to = from;
        double tiedNegatives = 0, tiedPositives = 0;
        for (; to < order.size() && scores(order[to]) == scores(order[from]); ++to) {
            (y(order[to]) > 0 ? tiedPositives : tiedNegatives) += weights.size() > 0 ? weights(order[to]) : 1;
        }
        pairs += tiedPositives * (negatives + 0.5 * tiedNegatives);
        negatives += tiedNegatives;
        positives += tiedPositives;
        from = to;
    }
    return negatives > 0 && positives > 0 ? pairs / (negatives * positives) : kNone;
}

} // namespace lambdascope
