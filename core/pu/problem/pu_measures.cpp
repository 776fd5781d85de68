// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pu/problem/pu_measures.h"

#include "core/numeric/ranking_measures.h"

#include <limits>

namespace lambdascope::pu {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

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
    const Eigen::Map<const Eigen::Vector<std::int8_t, Eigen::Dynamic>> isPositive(truth.data(), values.size());
    measures.auc = areaUnderCurve(values, isPositive.cast<double>());
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
