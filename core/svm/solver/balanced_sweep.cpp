// SPDX-License-Identifier: GPL-3.0-or-later
// Sweeps with a free bias: pairs of samples that keep yᵀα = 0 [Fan, Chen, Lin 2005].
#include "core/kernel/pair_search.h"
#include "core/svm/screening/bias_bracket.h"
#include "core/svm/solver/kernel_space.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lambdascope::svm {

namespace {

constexpr double kOutOfReach = std::numeric_limits<double>::infinity();
/// Of a pair of zero vectors.
constexpr double kLeastTwinCurvature = 1e-290;

} // namespace

double KernelSpace::rebalance(StopCheck& stopCheck) {
    const std::vector<SampleIndex>& members = m_members.back();
    const double excess = imbalanceOf(m_problem, m_alpha);
    std::int32_t roomiest = -1;
    double room = 0;
    for (std::size_t k = 0; k < members.size(); ++k) {
        const SampleIndex i = members[k];
        if (const double own = std::min(m_alpha(i), upper(i) - m_alpha(i)); own > room) {
            room = own;
            roomiest = static_cast<std::int32_t>(k);
        }
    }
    const double least = roomiest >= 0 ? 4 * kUnitRoundoff * m_alpha(members[static_cast<std::size_t>(roomiest)]) : 0;
    if (std::abs(excess) > least && std::abs(excess) < room) {
        const SampleIndex i = members[static_cast<std::size_t>(roomiest)];
        return move({roomiest}, Eigen::VectorXd::Constant(1, m_alpha(i) - m_problem.y()(i) * excess), stopCheck);
    }
    return 0;
}

SweepOutcome KernelSpace::balancedSweep(std::vector<std::int32_t>& visit, const ShrinkLimits& limits,
                                        StopCheck& stopCheck) {
    SweepOutcome outcome;
    outcome.gain = rebalance(stopCheck);
    const std::vector<SampleIndex>& members = m_members.back();
    Level& level = m_levels.back();
    const std::size_t size = members.size();
    Eigen::VectorXd scores = -level.image;
    std::vector<double> up(size, -kOutOfReach);
    std::vector<double> down(size, kOutOfReach);
    const auto sampleAt = [&](std::int32_t k) { return members[static_cast<std::size_t>(k)]; };
    // Raising means that yα rises, at the slope yt − wᵀφ.
    const auto roomUp = [&](SampleIndex i) { return m_problem.y()(i) > 0 ? upper(i) - m_alpha(i) : m_alpha(i); };
    const auto roomDown = [&](SampleIndex i) { return m_problem.y()(i) > 0 ? m_alpha(i) : upper(i) - m_alpha(i); };
    const auto setSlopes = [&](std::int32_t k) {
        const SampleIndex i = sampleAt(k);
        const double kink = m_problem.y()(i) * m_problem.thresholds()(i);
        up[static_cast<std::size_t>(k)] = roomUp(i) > 0 ? kink : -kOutOfReach;
        down[static_cast<std::size_t>(k)] = roomDown(i) > 0 ? kink : kOutOfReach;
    };
    std::for_each(visit.begin(), visit.end(), setSlopes);
    // What yα changes by, to the last bit; a bound that is reached is reached exactly.
    const auto shift = [&](SampleIndex i, double change, double room) {
        const double side = change * m_problem.y()(i);
        const double before = m_alpha(i);
        m_alpha(i) = std::abs(change) >= room ? (side > 0 ? upper(i) : 0.0) : std::clamp(before + side, 0.0, upper(i));
        return m_problem.y()(i) * (m_alpha(i) - before);
    };
    const PairSamples samples{scores.data(), up.data(), down.data(), level.diagonal.data(), size};
    PairPick next = pickPair(samples);
    double moved = 0;
    const std::int64_t steps = stepsFor(visit);
    const std::int64_t operations = operationsPerStep();
    for (std::int64_t taken = 0; taken < steps && !stopCheck.isStopped(); ++taken) {
        if (next.violation() <=
            4 * kUnitRoundoff * (m_problem.largestThreshold() + std::abs(next.highest) + std::abs(next.lowest))) {
            break; // rounding
        }
        const MemberRow first = memberRow(next.raise, m_firstScratch);
        const std::int32_t partner = pairPartner(samples, next.raise, first.values);
        if (partner < 0) {
            break;
        }
        const MemberRow second = memberRow(partner, m_secondScratch);
        const SampleIndex i = sampleAt(next.raise);
        const SampleIndex j = sampleAt(partner);
        const double slope = next.highest - scores(partner) - down[static_cast<std::size_t>(partner)];
        const double curvature =
            std::max(level.diagonal(next.raise) + level.diagonal(partner) - 2 * first.values[partner],
                     std::max(kLeastPairCurvature * level.diagonal(next.raise), kLeastTwinCurvature));
        const double length = std::min({slope / curvature, roomUp(i), roomDown(j)});
        const double raised = shift(i, length, roomUp(i));
        const double lowered = -shift(j, -length, roomDown(j));
        outcome.gain += length * (slope - 0.5 * curvature * length);
        moved += std::abs(raised) * m_problem.norms()(i) + std::abs(lowered) * m_problem.norms()(j);
        outcome.updates += 2;
        setSlopes(next.raise);
        setSlopes(partner);
        next = movePair(samples, raised, lowered, first.values, second.values);
        outcome.operations += operations;
        (void)stopCheck.spend(operations);
    }
    level.image = -scores;
    if (std::isfinite(next.highest) && std::isfinite(next.lowest)) {
        m_bias = next.lowest + 0.5 * (next.highest - next.lowest);
    }
    DualIterate::book(outcome.updates, moved);
    shrink(visit, limits, outcome);
    return outcome;
}

} // namespace lambdascope::svm
