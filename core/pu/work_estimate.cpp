// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pu/work_estimate.h"

#include "core/pu/pu_engine.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace lambdascope::pu {

namespace {

/// Judging all members costs as much as so many steps of two save when a share of the members is gone.
constexpr double kJudgingCost = 128;
/// Taking samples out costs as much as so many steps save by that, for each member there was before.
constexpr double kFixingCost = 32;
/// Of the steps that the fall of the violation so far lets expect, so many are needed at least.
constexpr double kShareOfExpected = 0.25;
/// Of more members so many are judged first, to see whether anything may come of it.
constexpr std::size_t kDrawn = 128;
/// If fewer of them than this share are decided, the others are not looked at.
constexpr double kLeastPromise = 1.0 / 16;

/// Pairs to be moved for the members whose s could gain by more than `wanted` at this bias: half of these members come
/// to be right as others move.
double pairsOnWrongSide(const PuView& view, double bias, double wanted) {
    std::int64_t count = 0;
    for (const SampleIndex u : view.members) {
        const double z = view.scores[u] + bias;
        const double s = view.s[u];
        const bool mayRise = s < 2 && z + (s >= 1 ? -view.epsilon : view.epsilon) > wanted;
        const bool mayFall = s > 0 && z + (s > 1 ? -view.epsilon : view.epsilon) < -wanted;
        count += mayRise || mayFall ? 1 : 0;
    }
    return 0.25 * static_cast<double>(count);
}

} // namespace

bool WorkEstimate::isHopeless(const PuView& view, std::int64_t steps, double violation, double wanted) {
    const std::size_t stride = std::max<std::size_t>(1, view.members.size() / kDrawn);
    std::vector<SampleIndex> drawn;
    ExactSum mass;
    for (std::size_t k = 0; k < view.members.size(); k += stride) {
        drawn.push_back(view.members[k]);
        mass.add(view.s[view.members[k]]);
    }
    PuView few = view;
    few.members = drawn;
    few.mass = mass;
    if (m_firstViolation < 0) {
        begin(std::max(0.0, violationOf(few)));
    }
    const BiasRange biases = optimalBias(few);
    const double share = static_cast<double>(drawn.size()) / static_cast<double>(view.members.size());
    m_pairsWrong = static_cast<double>(steps) + pairsOnWrongSide(few, biases.middle(), wanted) / share;
    if (!paysForJudging(left(steps, std::clamp(violation, wanted, std::max(wanted, m_firstViolation)), wanted), 1)) {
        return true;
    }
    std::vector<Verdict> found;
    (void)screen(few, gapUpperBound(few, biases.middle()) / share, found, &biases);
    const auto decided = std::count_if(found.begin(), found.end(), [](Verdict v) { return v != Verdict::Keep; });
    return static_cast<double>(decided) < kLeastPromise * static_cast<double>(found.size());
}

double WorkEstimate::left(std::int64_t steps, double violation, double wanted) const {
    const auto done = static_cast<double>(steps);
    const double fallen = std::log(m_firstViolation / violation);
    const double further = std::log(violation / wanted);
    const double expected = fallen > 0 && further > 0 ? done * further / fallen : 0.0;
    return m_stepCost * std::max(m_pairsWrong - done, kShareOfExpected * expected);
}

bool WorkEstimate::paysForJudging(double work, double visitedShare) {
    return work * visitedShare > kJudgingCost;
}

bool WorkEstimate::paysForFixing(double work, double share) {
    return work * share > kFixingCost;
}

} // namespace lambdascope::pu
