// SPDX-License-Identifier: GPL-3.0-or-later
// Steps over pairs: without a bias, and such that keep yᵀα = 0 [Fan, Chen, Lin 2005].
#include "core/svm/solver/pair_descent.h"

#include "core/kernel/pair_search.h"
#include "core/svm/screening/bias_bracket.h"
#include "core/svm/solver/kernel_space.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lambdascope::svm {

namespace {

/// In place of 1/0: the step of a zero vector goes to its bound.
constexpr double kHuge = 1e300;
/// Least 1 − cos² of two samples, below which they count as parallel.
constexpr double kParallel = 1e-12;

double inverseOf(double diagonal) {
    return diagonal > 0 ? 1 / diagonal : kHuge;
}

} // namespace

PairDescent::PairDescent(const Array& y, const Array& diagonal, const Array& thresholds,
                         const Eigen::Ref<Eigen::VectorXd>& images, Array alpha, Array upper,
                         const std::vector<std::int32_t>& visit)
    : m_y(y), m_diagonal(diagonal), m_thresholds(thresholds), m_images(images),
      m_inverse(diagonal.unaryExpr(&inverseOf)), m_alpha(std::move(alpha)), m_upper(std::move(upper)),
      m_below(Array::Zero(y.size())), m_above(Array::Zero(y.size())) {
    for (const std::int32_t k : visit) {
        m_below(k) = -m_alpha(k);
        m_above(k) = m_upper(k) - m_alpha(k);
    }
    sumAndSearch(0, nullptr, 0, nullptr);
}

void PairDescent::sumAndSearch(double firstFactor, const double* firstRow, double secondFactor,
                               const double* secondRow) {
    m_best = -1;
    double most = 0;
    const Eigen::Index size = m_y.size();
    for (Eigen::Index at = 0; at < size; at += kBlock) {
        const Eigen::Index count = std::min(kBlock, size - at);
        auto images = m_images.segment(at, count).array();
        if (secondRow != nullptr) {
            images += firstFactor * Eigen::Map<const Array>(firstRow + at, count) +
                      secondFactor * Eigen::Map<const Array>(secondRow + at, count);
        } else if (firstRow != nullptr) {
            images += firstFactor * Eigen::Map<const Array>(firstRow + at, count);
        }
        const Block slopes = m_y.segment(at, count) * images - m_thresholds.segment(at, count);
        const Block steps =
            (-slopes * m_inverse.segment(at, count)).max(m_below.segment(at, count)).min(m_above.segment(at, count));
        const Block gains = -steps * (slopes + 0.5 * m_diagonal.segment(at, count) * steps);
        if (gains.maxCoeff() > most) {
            Eigen::Index place = 0;
            most = gains.maxCoeff(&place);
            m_best = at + place;
        }
    }
}

PairStep PairDescent::plan(const double* row) const {
    PairStep step;
    const Eigen::Index i = step.first = m_best;
    const double slope = m_y(i) * m_images(i) - m_thresholds(i);
    const double below = m_below(i);
    const double above = m_above(i);
    const double own = m_diagonal(i);
    const double inverse = m_inverse(i);
    step.firstChange = std::clamp(-slope * inverse, below, above);
    step.gain = -step.firstChange * (slope + 0.5 * own * step.firstChange);
    const Eigen::Index size = m_y.size();
    for (Eigen::Index at = 0; at < size; at += kBlock) {
        const Eigen::Index count = std::min(kBlock, size - at);
        const auto others = m_diagonal.segment(at, count);
        const Block products = m_y(i) * m_y.segment(at, count) * Eigen::Map<const Array>(row + at, count);
        const Block slopes =
            m_y.segment(at, count) * m_images.segment(at, count).array() - m_thresholds.segment(at, count);
        // The best of both without bounds, the second cut to its bounds, and the first as good as it can be then.
        const Block determinants = (own * others - products.square()).max(kParallel * own * others + 1 / kHuge);
        const Block seconds = ((slope * products - own * slopes) / determinants)
                                  .max(m_below.segment(at, count))
                                  .min(m_above.segment(at, count));
        const Block firsts = (-(slope + products * seconds) * inverse).max(below).min(above);
        Block gains =
            -(firsts * (slope + 0.5 * own * firsts + products * seconds) + seconds * (slopes + 0.5 * others * seconds));
        if (i >= at && i < at + count) {
            gains(i - at) = 0;
        }
        if (gains.maxCoeff() > step.gain) {
            Eigen::Index place = 0;
            step.gain = gains.maxCoeff(&place);
            step.second = at + place;
            step.firstChange = firsts(place);
            step.secondChange = seconds(place);
        }
    }
    return step;
}

double PairDescent::move(Eigen::Index i, double change) {
    const double before = m_alpha(i);
    // A bound that is reached is reached to the last bit.
    m_alpha(i) = change <= m_below(i)   ? 0
                 : change >= m_above(i) ? m_upper(i)
                                        : std::clamp(before + change, 0.0, m_upper(i));
    m_below(i) = -m_alpha(i);
    m_above(i) = m_upper(i) - m_alpha(i);
    return m_alpha(i) - before;
}

void PairDescent::take(PairStep& step, const double* firstRow, const double* secondRow) {
    step.firstChange = move(step.first, step.firstChange);
    double secondFactor = 0;
    if (step.second >= 0) {
        step.secondChange = move(step.second, step.secondChange);
        secondFactor = m_y(step.second) * step.secondChange;
    }
    sumAndSearch(m_y(step.first) * step.firstChange, firstRow, secondFactor, secondRow);
}

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
    if (std::abs(excess) <= least) {
        return 0;
    }
    if (std::abs(excess) < room) {
        const SampleIndex i = members[static_cast<std::size_t>(roomiest)];
        return move({roomiest}, Eigen::VectorXd::Constant(1, m_alpha(i) - m_problem.y()(i) * excess), stopCheck);
    }
    return std::abs(excess) > 4 * kUnitRoundoff * m_alpha.sum() ? spread(excess, stopCheck) : 0;
}

double KernelSpace::spread(double excess, StopCheck& stopCheck) {
    const std::vector<SampleIndex>& members = m_members.back();
    std::vector<std::int32_t> positions;
    std::vector<double> targets;
    double left = std::abs(excess);
    for (std::size_t k = 0; k < members.size() && left > 0; ++k) {
        const SampleIndex i = members[k];
        const bool falls = (m_problem.y()(i) > 0) == (excess > 0);
        const double room = falls ? m_alpha(i) : upper(i) - m_alpha(i);
        if (room <= 0) {
            continue;
        }
        const double taken = std::min(room, left);
        positions.push_back(static_cast<std::int32_t>(k));
        targets.push_back(taken < room ? m_alpha(i) + (falls ? -taken : taken) : falls ? 0.0 : upper(i));
        left -= taken;
    }
    return positions.empty()
               ? 0
               : move(positions, Eigen::Map<const Eigen::VectorXd>(targets.data(), std::ssize(targets)), stopCheck);
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
