// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pu/solver/screening_cost_model.h"

#include "core/pu/engines/pu_engine.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace lambdascope::pu {

namespace {

/// Judging all members costs as much as so many steps of two save when a share of the members is gone.
constexpr double kStepsOfJudging = 128;
/// Taking samples out costs as much as so many steps save by that, for each member there was before.
constexpr double kStepsOfFixing = 32;
/// Letting samples rest costs as much as so many steps save by that, for each member there was before.
constexpr double kStepsOfResting = 6;
/// A step over some of the members costs so much more for each of these: its rows have to be gathered.
constexpr double kGatheringCost = 0.3;
/// Of the steps that the fall of the violation so far lets expect, so many are needed at least.
constexpr double kShareOfExpected = 0.25;
/// A point may need so many times the steps of the one before.
constexpr double kLongerThanLast = 2;
/// Of more members about so many, and less than twice as many, are judged first, to see whether anything may come of
/// it.
constexpr std::size_t kDrawn = 128;
/// If fewer than this share of members are decided, or could rest, nothing comes of it.
constexpr double kLeastPromise = 1.0 / 16;

/// Of so many members every such one is drawn.
std::size_t strideOf(std::size_t members) {
    return std::max<std::size_t>(1, members / kDrawn);
}

/// Pairs to be moved for the members whose s could gain by more than `wanted` at this bias: half of these members come
/// to be right as others move.
double pairsOnWrongSide(const PuView& view, double bias, double wanted) {
    std::int64_t count = 0;
    for (const SampleIndex u : view.members) {
        const double z = view.scores[u] + bias;
        const double s = view.s[u];
        const bool mayRise = z + slopeUp(s, view.epsilon) > wanted;
        const bool mayFall = z + slopeDown(s, view.epsilon) < -wanted;
        count += mayRise || mayFall ? 1 : 0;
    }
    return 0.25 * static_cast<double>(count);
}

} // namespace

/// Some members, evenly drawn.
struct ScreeningCostModel::Draw {
    explicit Draw(const PuView& all) : view(all) {
        const std::size_t stride = strideOf(all.members.size());
        for (std::size_t k = 0; k < all.members.size(); k += stride) {
            members.push_back(all.members[k]);
        }
        view.members = members;
        view.mass = ExactSum();
        view.mass.addAt(all.s, members);
        share = static_cast<double>(members.size()) / static_cast<double>(all.members.size());
    }
    std::vector<SampleIndex> members;
    PuView view;
    double share = 1;
};

void ScreeningCostModel::expect(const PuView& all, std::int64_t steps, double wanted) {
    if (steps == m_expectedSteps && wanted == m_expectedWanted) {
        return;
    }
    const Draw draw(all);
    m_operations += kLooking * static_cast<double>(draw.members.size());
    if (m_firstViolation < 0) {
        begin(std::max(0.0, violationOf(draw.view)));
    }
    const double bias = optimalBias(draw.view).middle();
    m_pairsWrong = static_cast<double>(steps) + pairsOnWrongSide(draw.view, bias, wanted) / draw.share;
    m_expectedSteps = steps;
    m_expectedWanted = wanted;
}

double ScreeningCostModel::ahead(const PuView& view, double wanted) {
    expect(view, 0, wanted);
    return left(0, m_firstViolation, wanted);
}

bool ScreeningCostModel::isHopeless(const PuView& view, std::int64_t steps, double violation, double wanted) {
    expect(view, steps, wanted);
    if (!paysForJudging(left(steps, std::clamp(violation, wanted, std::max(wanted, m_firstViolation)), wanted), 1)) {
        return true;
    }
    const Draw draw(view);
    m_operations += (kLooking + kJudging) * static_cast<double>(draw.members.size());
    const BiasRange biases = optimalBias(draw.view);
    std::vector<Decision> found;
    (void)screen(draw.view, gapUpperBound(draw.view, biases.middle()) / draw.share, found, &biases);
    const auto decided = std::count_if(found.begin(), found.end(), [](Decision v) { return v != Decision::Keep; });
    return static_cast<double>(decided) < kLeastPromise * static_cast<double>(found.size());
}

double ScreeningCostModel::left(std::int64_t steps, double violation, double wanted) const {
    const auto done = static_cast<double>(steps);
    const double fallen = std::log(m_firstViolation / violation);
    const double further = std::log(violation / wanted);
    const double expected = fallen > 0 && further > 0 ? done * further / fallen : 0.0;
    return m_stepCost * std::max(m_pairsWrong - done, kShareOfExpected * expected);
}

double ScreeningCostModel::mostAfter(std::int64_t steps) const {
    return kLongerThanLast * m_stepCost * static_cast<double>(steps);
}

double ScreeningCostModel::operationsOfAhead(std::size_t members) {
    const std::size_t stride = strideOf(members);
    return kLooking * static_cast<double>((members + stride - 1) / stride);
}

double ScreeningCostModel::operationsOfIsHopeless(std::size_t members) {
    return (2 + kJudging / kLooking) * operationsOfAhead(members);
}

bool ScreeningCostModel::paysForJudging(double work, double visitedShare) {
    return work * visitedShare > kStepsOfJudging;
}

bool ScreeningCostModel::paysForResting(double work, double share) {
    const double saved = share - kGatheringCost * (1 - share);
    return saved > kLeastPromise && work * saved > kStepsOfResting;
}

bool ScreeningCostModel::paysForFixing(double work, double share) {
    return work * share > kStepsOfFixing;
}

} // namespace lambdascope::pu
