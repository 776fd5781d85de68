// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pu/pu_measures.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

namespace lambdascope::pu {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

double areaUnderCurve(const Eigen::VectorXd& values, std::span<const std::int8_t> truth) {
    std::vector<Eigen::Index> order(static_cast<std::size_t>(values.size()));
    std::iota(order.begin(), order.end(), Eigen::Index{0});
    std::sort(order.begin(), order.end(), [&](Eigen::Index a, Eigen::Index b) { return values(a) < values(b); });
    double pairs = 0, negatives = 0, positives = 0;
    for (std::size_t from = 0; from < order.size();) {
        std::size_t to = from;
        double tiedNegatives = 0, tiedPositives = 0;
        for (; to < order.size() && values(order[to]) == values(order[from]); ++to) {
            (truth[static_cast<std::size_t>(order[to])] != 0 ? tiedPositives : tiedNegatives) += 1;
        }
        pairs += tiedPositives * (negatives + 0.5 * tiedNegatives);
        negatives += tiedNegatives;
        positives += tiedPositives;
        from = to;
    }
    return negatives > 0 && positives > 0 ? pairs / (negatives * positives) : kNone;
}

} // namespace

PuMeasures measureAgainst(const Eigen::VectorXd& values, std::span<const std::int8_t> truth) {
    if (truth.empty() || values.size() != static_cast<Eigen::Index>(truth.size())) {
        return {kNone, kNone, kNone, kNone, kNone};
    }
    double found = 0, missed = 0, wrong = 0;
    for (std::size_t i = 0; i < truth.size(); ++i) {
        const bool isPositive = values(static_cast<Eigen::Index>(i)) > 0;
        found += isPositive && truth[i] != 0 ? 1 : 0;
        wrong += isPositive && truth[i] == 0 ? 1 : 0;
        missed += !isPositive && truth[i] != 0 ? 1 : 0;
    }
    PuMeasures measures;
    measures.precision = found + wrong > 0 ? found / (found + wrong) : kNone;
    measures.recall = found + missed > 0 ? found / (found + missed) : kNone;
    measures.f = found > 0 ? 2 * found / (2 * found + wrong + missed) : 0;
    measures.error = (wrong + missed) / static_cast<double>(truth.size());
    measures.auc = areaUnderCurve(values, truth);
    return measures;
}

double zeroOneRisk(const Eigen::VectorXd& onPositives, const Eigen::VectorXd& onUnlabeled, double prior) {
    const auto share = [](const Eigen::VectorXd& f) {
        return static_cast<double>((f.array() > 0).count()) / static_cast<double>(f.size());
    };
    return 2 * prior * (1 - share(onPositives)) + share(onUnlabeled) - prior;
}

double doubleHingeRisk(const Eigen::VectorXd& onPositives, const Eigen::VectorXd& onUnlabeled, double prior) {
    const auto f = onUnlabeled.array();
    return f.max(0.5 * (1 + f)).max(0.0).mean() - prior * onPositives.mean();
}

} // namespace lambdascope::pu
