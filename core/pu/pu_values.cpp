// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pu/pu_values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

namespace lambdascope::pu {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The value of a rank, counted from 0, and the next larger rank's (∞ for the last). Reorders `values`.
std::pair<double, double> selected(std::span<double> values, std::size_t rank) {
    const auto place = values.begin() + static_cast<std::ptrdiff_t>(rank);
    std::nth_element(values.begin(), place, values.end());
    return {*place, place + 1 != values.end() ? *std::min_element(place + 1, values.end()) : kInfinity};
}

/// The same: a few values, evenly drawn, tell between which two the rank should lie, so that one pass without branches
/// leaves little to select from; when they were wrong, all are selected from.
std::pair<double, double> atRank(std::vector<double>& values, std::size_t rank) {
    constexpr std::size_t kDrawn = 129; // odd, as kinks come in pairs
    constexpr std::size_t kMargin = 12;
    if (values.size() < 8 * kDrawn) {
        return selected(values, rank);
    }
    std::array<double, kDrawn> drawn;
    const std::size_t stride = (values.size() / kDrawn - 1) | 1;
    for (std::size_t k = 0; k < kDrawn; ++k) {
        drawn[k] = values[k * stride];
    }
    std::sort(drawn.begin(), drawn.end());
    const std::size_t at = rank * kDrawn / values.size();
    const double low = at >= kMargin ? drawn[at - kMargin] : -kInfinity;
    const double high = at + kMargin < kDrawn ? drawn[at + kMargin] : kInfinity;
    std::vector<double> between(values.size());
    std::size_t below = 0;
    std::size_t count = 0;
    for (const double value : values) {
        between[count] = value;
        below += value < low ? 1 : 0;
        count += value >= low && value <= high ? 1 : 0;
    }
    if (rank < below || rank + 1 >= below + count) {
        return selected(values, rank);
    }
    return selected({between.data(), count}, rank - below);
}

/// The kink, from 1, where the slope of −m b + Σ H(b − kinkᵢ) turns ≥ 0: right of the k-th smallest it is k − m.
double firstNotFalling(const ExactSum& mass) {
    return mass.isWhole() ? mass.floor() : mass.floor() + 1;
}

/// Minimizers of −m b + Σ H(b − kinkᵢ) from all kinks.
BiasRange minimizersOf(std::vector<double>& kinks, const ExactSum& mass) {
    const auto count = static_cast<double>(kinks.size());
    const double first = firstNotFalling(mass);
    BiasRange range{-kInfinity, kInfinity};
    if (first >= 1 && first <= count) {
        const auto [value, next] = atRank(kinks, static_cast<std::size_t>(first) - 1);
        range.low = value;
        range.high = mass.isWhole() ? next : value;
    } else if (first < 1 && count > 0) {
        range.high = *std::min_element(kinks.begin(), kinks.end());
    }
    return range;
}

/// Kinks of scores moved by `side` times what they may be off.
BiasRange biasOfMoved(const PuView& view, double side, double radius, std::vector<double>& kinks) {
    kinks.resize(2 * view.members.size());
    double* out = kinks.data();
    for (const SampleIndex u : view.members) {
        const double a = view.scores[u] + side * (radius + view.error) * view.norms[u];
        *out++ = -view.epsilon - a;
        *out++ = view.epsilon - a;
    }
    return minimizersOf(kinks, view.mass);
}

/// Members whose numbers are worked on together.
constexpr std::size_t kBlock = 256;
using Block = Eigen::Array<double, Eigen::Dynamic, 1, 0, kBlock, 1>;

/// Numbers of some members, one after the other.
Block gathered(const double* values, std::span<const SampleIndex> members) {
    const auto count = static_cast<Eigen::Index>(members.size());
    if (members.back() - members.front() + 1 == static_cast<SampleIndex>(members.size())) {
        return Eigen::Map<const Eigen::ArrayXd>(values + members.front(), count);
    }
    Block block(count);
    for (Eigen::Index k = 0; k < count; ++k) {
        block(k) = values[members[static_cast<std::size_t>(k)]];
    }
    return block;
}

/// Values within the range appended to `within`; how many lie below it.
std::int64_t sift(const Block& values, const BiasRange& range, std::vector<double>& within) {
    const double* const value = values.data();
    const Eigen::Index size = values.size();
    const auto [low, high] = range;
    std::int64_t below = 0;
    std::int64_t notAbove = 0;
    for (Eigen::Index k = 0; k < size; ++k) { // without branches
        below += value[k] < low ? 1 : 0;
        notAbove += value[k] <= high ? 1 : 0;
    }
    if (notAbove > below) {
        std::copy_if(value, value + size, std::back_inserter(within),
                     [&range](double kink) { return kink >= range.low && kink <= range.high; });
    }
    return below;
}

/// Minimizers of −m b + Σ max(0, a+b+ε, 2(a+b)) if the kinks that tell them lie within `range`.
std::optional<BiasRange> minimizersWithin(const PuView& view, const BiasRange& range) {
    std::vector<double> within;
    std::int64_t below = 0;
    for (std::size_t from = 0; from < view.members.size(); from += kBlock) {
        const auto members = view.members.subspan(from, std::min(kBlock, view.members.size() - from));
        const Block scores = gathered(view.scores, members);
        below += sift(-view.epsilon - scores, range, within);
        below += sift(view.epsilon - scores, range, within);
    }
    const double first = firstNotFalling(view.mass) - static_cast<double>(below);
    if (first < 1 || first + 1 > static_cast<double>(within.size())) {
        return std::nullopt;
    }
    const auto [value, next] = selected(within, static_cast<std::size_t>(first) - 1);
    return BiasRange{value, view.mass.isWhole() ? next : value};
}

/// Σ H(x) − tx; to `doubt` what it can be off when each x is off by `error`.
double hingeTerms(const Block& x, const Block& t, const Block& error, double& doubt) {
    const Block slope = (x > 0).select(1 - t, t);
    const Block far = x.abs();
    doubt += (error * (far <= error).select(t.max(1 - t), slope)).sum();
    return (slope * far).sum();
}

/// How far the numbers of a view reach.
struct Extent {
    double score = 0; ///< largest |a|
    double shortest = kInfinity;
    double longest = 0; ///< ‖φ‖
    [[nodiscard]] bool isOneNorm() const { return shortest == longest; }
};

Extent extentOf(const PuView& view) {
    Extent extent;
    for (std::size_t from = 0; from < view.members.size(); from += kBlock) {
        const auto members = view.members.subspan(from, std::min(kBlock, view.members.size() - from));
        const Block norms = gathered(view.norms, members);
        extent.score = std::max(extent.score, gathered(view.scores, members).abs().maxCoeff());
        extent.shortest = std::min(extent.shortest, norms.minCoeff());
        extent.longest = std::max(extent.longest, norms.maxCoeff());
    }
    return extent;
}

BiasBracket bracketWithin(const PuView& view, double radius, const BiasRange* optimal, const Extent& extent) {
    const double size = std::max(view.epsilon, extent.score + (radius + view.error) * extent.longest);
    const double slack = 8 * kUnitRoundoff * (size + view.epsilon); // of the kinks themselves
    if (extent.isOneNorm()) {
        const BiasRange middle = optimal != nullptr ? *optimal : optimalBias(view);
        const double reach = (radius + view.error) * extent.longest;
        return {{middle.low - reach - slack, middle.low + reach + slack},
                {middle.high - reach - slack, middle.high + reach + slack}};
    }
    std::vector<double> kinks;
    // Scores as high as they may be give the least bias, as low as they may be the largest.
    const BiasRange least = biasOfMoved(view, 1, radius, kinks);
    const BiasRange most = biasOfMoved(view, -1, radius, kinks);
    return {{least.low - slack, most.low + slack}, {least.high - slack, most.high + slack}};
}

/// What a score may be off at most, with the rounding of judging it.
double reachOf(const PuView& view, double radius, double norm, double score) {
    return (radius + view.error) * norm * (1 + 8 * kUnitRoundoff) + 8 * kUnitRoundoff * (score + view.epsilon);
}

/// judge() of all members, when each may be off by as much, without branches.
void judgeAlike(const PuView& view, double reach, const BiasBracket& bracket, std::vector<Verdict>& verdicts) {
    const double epsilon = view.epsilon;
    // A range that holds nothing tells nothing.
    const auto orAll = [](const BiasRange& range) {
        return range.low <= range.high ? range : BiasRange{-kInfinity, kInfinity};
    };
    const BiasRange one = orAll(bracket.smallest);
    const BiasRange other = orAll(bracket.largest);
    for (std::size_t from = 0; from < view.members.size(); from += kBlock) {
        const auto members = view.members.subspan(from, std::min(kBlock, view.members.size() - from));
        const Block low = gathered(view.scores, members) - reach;
        const Block high = gathered(view.scores, members) + reach;
        for (Eigen::Index k = 0; k < low.size(); ++k) {
            const bool isZero = (high(k) + one.high < -epsilon) | (high(k) + other.high < -epsilon);
            const bool isFull = (low(k) + one.low > epsilon) | (low(k) + other.low > epsilon);
            const bool isHalf = ((low(k) + one.low > -epsilon) & (high(k) + one.high < epsilon)) |
                                ((low(k) + other.low > -epsilon) & (high(k) + other.high < epsilon));
            verdicts[from + static_cast<std::size_t>(k)] = static_cast<Verdict>(isFull   ? 2
                                                                                : isHalf ? 1
                                                                                : isZero ? 0
                                                                                         : -1);
        }
    }
}

} // namespace

double BiasRange::middle() const {
    if (std::isinf(low) && std::isinf(high)) {
        return 0;
    }
    return std::isinf(low) ? high : std::isinf(high) ? low : low + 0.5 * (high - low);
}

BiasRange optimalBias(const PuView& view, const BiasRange* near) {
    if (near != nullptr) {
        if (const std::optional<BiasRange> found = minimizersWithin(view, *near)) {
            return *found;
        }
    }
    std::vector<double> kinks;
    PuView exact = view;
    exact.error = 0;
    return biasOfMoved(exact, 0, 0, kinks);
}

double gapUpperBound(const PuView& view, double bias) {
    double sum = 0;
    double doubt = 0;
    for (std::size_t from = 0; from < view.members.size(); from += kBlock) {
        const auto members = view.members.subspan(from, std::min(kBlock, view.members.size() - from));
        const Block scores = gathered(view.scores, members);
        const Block s = gathered(view.s, members);
        const Block error = view.error * gathered(view.norms, members) +
                            4 * kUnitRoundoff * (scores.abs() + std::abs(bias) + view.epsilon);
        sum += hingeTerms(scores + bias + view.epsilon, s.min(1.0), error, doubt);
        sum += hingeTerms(scores + bias - view.epsilon, (s - 1).max(0.0), error, doubt);
    }
    return (sum + doubt) * (1 + roundingFactor(2 * static_cast<double>(view.members.size()) + 16));
}

double violationOf(const PuView& view) {
    double highest = -kInfinity; // slope of raising s
    double lowest = kInfinity;   // slope of lowering s
    const double epsilon = view.epsilon;
    for (std::size_t from = 0; from < view.members.size(); from += kBlock) {
        const auto members = view.members.subspan(from, std::min(kBlock, view.members.size() - from));
        const Block scores = gathered(view.scores, members);
        const Block s = gathered(view.s, members);
        Block up(scores.size());
        Block down(scores.size());
        for (Eigen::Index k = 0; k < s.size(); ++k) {
            up(k) = scores(k) + slopeUp(s(k), epsilon);
            down(k) = scores(k) + slopeDown(s(k), epsilon);
        }
        highest = std::max(highest, up.maxCoeff());
        lowest = std::min(lowest, down.minCoeff());
    }
    return std::isinf(highest) || std::isinf(lowest) ? 0.0 : highest - lowest;
}

void SampleCounts::count(Verdict verdict) {
    zero += verdict == Verdict::Zero ? 1 : 0;
    half += verdict == Verdict::Half ? 1 : 0;
    full += verdict == Verdict::Full ? 1 : 0;
}

BiasBracket bracketBias(const PuView& view, double radius, const BiasRange* optimal) {
    return bracketWithin(view, radius, optimal, extentOf(view));
}

Verdict judge(double score, double reach, double epsilon, const BiasRange& bias) {
    if (!(bias.low <= bias.high)) {
        return Verdict::Keep;
    }
    const double low = score - reach + bias.low;
    const double high = score + reach + bias.high;
    if (high < -epsilon) {
        return Verdict::Zero;
    }
    if (low > epsilon) {
        return Verdict::Full;
    }
    return low > -epsilon && high < epsilon ? Verdict::Half : Verdict::Keep;
}

Verdict judge(double score, double reach, double epsilon, const BiasBracket& bracket) {
    const Verdict verdict = judge(score, reach, epsilon, bracket.smallest);
    return verdict != Verdict::Keep || bracket.largest == bracket.smallest
               ? verdict
               : judge(score, reach, epsilon, bracket.largest);
}

double screen(const PuView& view, double gap, std::vector<Verdict>& verdicts, const BiasRange* optimal) {
    const double radius = std::sqrt(2 * std::max(gap, 0.0)) * (1 + 8 * kUnitRoundoff);
    const Extent extent = extentOf(view);
    const BiasBracket bracket = bracketWithin(view, radius, optimal, extent);
    verdicts.resize(view.members.size());
    if (extent.isOneNorm()) {
        judgeAlike(view, reachOf(view, radius, extent.longest, extent.score), bracket, verdicts);
        return radius;
    }
    for (std::size_t k = 0; k < view.members.size(); ++k) {
        const SampleIndex u = view.members[k];
        const double score = view.scores[u];
        verdicts[k] = judge(score, reachOf(view, radius, view.norms[u], std::abs(score)), view.epsilon, bracket);
    }
    return radius;
}

} // namespace lambdascope::pu
