// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pu/engines/pu_values.h"

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
constexpr std::size_t kValuesAtOnce = 256;
using Block = Eigen::Array<double, Eigen::Dynamic, 1, 0, kValuesAtOnce, 1>;

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

/// Calls take(kinks) for the kinks of a view, a block of one kind at a time.
template <class Take>
void forKinks(const PuView& view, const Take& take) {
    for (std::size_t from = 0; from < view.members.size(); from += kValuesAtOnce) {
        const auto members = view.members.subspan(from, std::min(kValuesAtOnce, view.members.size() - from));
        const Block scores = gathered(view.scores, members);
        take(Block(-view.epsilon - scores));
        take(Block(view.epsilon - scores));
    }
}

/// Ascending places that ranks are looked for between.
constexpr std::size_t kCuts = 4;
using Cuts = std::array<double, kCuts>;

/// How many kinks lie below each cut.
std::array<std::int64_t, kCuts> countBelow(const PuView& view, const Cuts& cuts) {
    std::array<std::int64_t, kCuts> below{};
    forKinks(view, [&](const Block& kinks) {
        const double* const kink = kinks.data();
        const Eigen::Index size = kinks.size();
        std::int64_t counts[kCuts] = {};
        for (Eigen::Index k = 0; k < size; ++k) { // without branches
            counts[0] += kink[k] < cuts[0] ? 1 : 0;
            counts[1] += kink[k] < cuts[1] ? 1 : 0;
            counts[2] += kink[k] < cuts[2] ? 1 : 0;
            counts[3] += kink[k] < cuts[3] ? 1 : 0;
        }
        for (std::size_t c = 0; c < kCuts; ++c) {
            below[c] += counts[c];
        }
    });
    return below;
}

/// The `count` kinks of at least `low` and below `high`.
std::vector<double> kinksBetween(const PuView& view, double low, double high, std::int64_t count) {
    constexpr Eigen::Index kChunk = 32; // most hold none
    std::vector<double> between(static_cast<std::size_t>(count) + kChunk);
    double* out = between.data();
    forKinks(view, [&](const Block& kinks) {
        for (Eigen::Index from = 0; from < kinks.size(); from += kChunk) {
            const double* const kink = kinks.data() + from;
            const Eigen::Index size = std::min(kChunk, kinks.size() - from);
            std::int64_t within = 0;
            for (Eigen::Index k = 0; k < size; ++k) { // without branches
                within += ((kink[k] >= low) & (kink[k] < high)) ? 1 : 0;
            }
            for (Eigen::Index k = 0; within > 0 && k < size; ++k) {
                *out = kink[k];
                out += ((kink[k] >= low) & (kink[k] < high)) ? 1 : 0;
            }
        }
    });
    between.resize(static_cast<std::size_t>(count));
    return between;
}

/// Minimizers of −m b + Σ max(0, a+b+ε, 2(a+b)) if the kinks that tell them are found about `near`, between cuts that
/// close in on them.
std::optional<BiasRange> minimizersAbout(const PuView& view, const BiasRange& near) {
    constexpr int kLooks = 6;
    constexpr std::int64_t kFew = 512; // kinks that are worth no further look
    const double first = firstNotFalling(view.mass);
    const double last = view.mass.isWhole() ? first + 1 : first;
    const double centre = 0.5 * (near.low + near.high);
    const double far = 0.5 * (near.high - near.low) + view.epsilon / 64;
    Cuts cuts{centre - 16 * far, centre - far, centre + far, centre + 16 * far};
    if (!std::isfinite(cuts.front()) || !std::isfinite(cuts.back())) {
        return std::nullopt;
    }
    for (int look = 0; look < kLooks; ++look) {
        const auto below = countBelow(view, cuts);
        std::size_t low = kCuts;
        std::size_t high = kCuts;
        for (std::size_t c = 0; c < kCuts; ++c) {
            low = static_cast<double>(below[c]) < first ? c : low;
            high = high == kCuts && static_cast<double>(below[c]) >= last ? c : high;
        }
        if (low == kCuts || high == kCuts) {
            return std::nullopt;
        }
        if (below[high] - below[low] <= kFew || look + 1 == kLooks) {
            std::vector<double> between = kinksBetween(view, cuts[low], cuts[high], below[high] - below[low]);
            const auto [value, next] =
                selected(between, static_cast<std::size_t>(first) - 1 - static_cast<std::size_t>(below[low]));
            return BiasRange{value, view.mass.isWhole() ? next : value};
        }
        const double from = cuts[low];
        const double to = cuts[high];
        for (std::size_t c = 0; c < kCuts; ++c) {
            cuts[c] = c + 1 == kCuts ? to : from + static_cast<double>(c) * ((to - from) / (kCuts - 1));
        }
    }
    return std::nullopt;
}

/// Σ H(x) − tx; to `doubt` what it can be off when each x is off by `error`.
double hingeTerms(const Block& x, const Block& t, const Block& error, double& doubt) {
    const Block slope = (x > 0).select(1 - t, t);
    const Block far = x.abs();
    const Block owed = error * (far <= error).select(t.max(1 - t), slope); // apart from the sum, which has no select()
    doubt += owed.sum();
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
    for (std::size_t from = 0; from < view.members.size(); from += kValuesAtOnce) {
        const auto members = view.members.subspan(from, std::min(kValuesAtOnce, view.members.size() - from));
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
void judgeAlike(const PuView& view, double reach, const BiasBracket& bracket, std::vector<Decision>& decisions) {
    const double epsilon = view.epsilon;
    // A range that holds nothing tells nothing.
    const auto orAll = [](const BiasRange& range) {
        return range.low <= range.high ? range : BiasRange{-kInfinity, kInfinity};
    };
    const BiasRange one = orAll(bracket.smallest);
    const BiasRange other = orAll(bracket.largest);
    const double leastHigh = std::min(one.high, other.high); // either will do
    const double mostLow = std::max(one.low, other.low);
    for (std::size_t from = 0; from < view.members.size(); from += kValuesAtOnce) {
        const auto members = view.members.subspan(from, std::min(kValuesAtOnce, view.members.size() - from));
        const Block low = gathered(view.scores, members) - reach;
        const Block high = gathered(view.scores, members) + reach;
        const double* const lows = low.data();
        const double* const highs = high.data();
        const Eigen::Index size = low.size();
        double codes[kValuesAtOnce];
        for (Eigen::Index k = 0; k < size; ++k) {
            double code = highs[k] + leastHigh < -epsilon ? 0 : -1;
            const bool isHalf = ((lows[k] + one.low > -epsilon) & (highs[k] + one.high < epsilon)) |
                                ((lows[k] + other.low > -epsilon) & (highs[k] + other.high < epsilon));
            code = isHalf ? 1 : code;
            codes[k] = lows[k] + mostLow > epsilon ? 2 : code;
        }
        Decision* const out = decisions.data() + from;
        for (Eigen::Index k = 0; k < size; ++k) {
            out[k] = static_cast<Decision>(static_cast<std::int32_t>(codes[k]));
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
        if (const std::optional<BiasRange> found = minimizersAbout(view, *near)) {
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
    for (std::size_t from = 0; from < view.members.size(); from += kValuesAtOnce) {
        const auto members = view.members.subspan(from, std::min(kValuesAtOnce, view.members.size() - from));
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
    for (std::size_t from = 0; from < view.members.size(); from += kValuesAtOnce) {
        const auto members = view.members.subspan(from, std::min(kValuesAtOnce, view.members.size() - from));
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

SampleCounts countsOf(std::span<const Decision> decisions) {
    const auto count = [&](Decision decision) { return std::count(decisions.begin(), decisions.end(), decision); };
    return {count(Decision::Zero), count(Decision::Half), count(Decision::Full)};
}

BiasBracket bracketBias(const PuView& view, double radius, const BiasRange* optimal) {
    return bracketWithin(view, radius, optimal, extentOf(view));
}

Decision judge(double score, double reach, double epsilon, const BiasBracket& bracket) {
    const Decision decision = judge(score, reach, epsilon, bracket.smallest);
    return decision != Decision::Keep || bracket.largest == bracket.smallest
               ? decision
               : judge(score, reach, epsilon, bracket.largest);
}

double gapRadius(double gap) {
    return std::sqrt(std::max(gap, 0.0)) * (1 + 8 * kUnitRoundoff);
}

double screen(const PuView& view, double gap, std::vector<Decision>& decisions, const BiasRange* optimal) {
    const double radius = gapRadius(gap);
    const Extent extent = extentOf(view);
    const BiasBracket bracket = bracketWithin(view, radius, optimal, extent);
    decisions.resize(view.members.size());
    if (extent.isOneNorm()) {
        judgeAlike(view, reachOf(view, radius, extent.longest, extent.score), bracket, decisions);
        return radius;
    }
    for (std::size_t k = 0; k < view.members.size(); ++k) {
        const SampleIndex u = view.members[k];
        const double score = view.scores[u];
        decisions[k] = judge(score, reachOf(view, radius, view.norms[u], std::abs(score)), view.epsilon, bracket);
    }
    return radius;
}

} // namespace lambdascope::pu
