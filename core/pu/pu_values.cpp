// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pu/pu_values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
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

/// Minimizers of −m b + Σ H(b − kinkᵢ) from all kinks: the slope right of the k-th smallest is k − m.
BiasRange minimizersOf(std::vector<double>& kinks, const ExactSum& mass) {
    const auto count = static_cast<double>(kinks.size());
    const bool isWhole = mass.isWhole();
    const double first = isWhole ? mass.floor() : mass.floor() + 1; // the kink where the slope turns ≥ 0, from 1
    BiasRange range{-kInfinity, kInfinity};
    if (first >= 1 && first <= count) {
        const auto [value, next] = atRank(kinks, static_cast<std::size_t>(first) - 1);
        range.low = value;
        range.high = isWhole ? next : value;
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

/// Σ H(x) − tx; to `doubt` what it can be off when each x is off by `error`.
double hingeTerms(const Block& x, const Block& t, const Block& error, double& doubt) {
    const Block slope = (x > 0).select(1 - t, t);
    const Block far = x.abs();
    doubt += (error * (far <= error).select(t.max(1 - t), slope)).sum();
    return (slope * far).sum();
}

} // namespace

double BiasRange::middle() const {
    if (std::isinf(low) && std::isinf(high)) {
        return 0;
    }
    return std::isinf(low) ? high : std::isinf(high) ? low : low + 0.5 * (high - low);
}

BiasRange optimalBias(const PuView& view) {
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
    for (const SampleIndex u : view.members) {
        const double s = view.s[u];
        const double a = view.scores[u];
        if (s < 2) {
            highest = std::max(highest, s >= 1 ? a - view.epsilon : a + view.epsilon);
        }
        if (s > 0) {
            lowest = std::min(lowest, s > 1 ? a - view.epsilon : a + view.epsilon);
        }
    }
    return std::isinf(highest) || std::isinf(lowest) ? 0.0 : highest - lowest;
}

void SampleCounts::count(Verdict verdict) {
    zero += verdict == Verdict::Zero ? 1 : 0;
    half += verdict == Verdict::Half ? 1 : 0;
    full += verdict == Verdict::Full ? 1 : 0;
}

BiasBracket bracketBias(const PuView& view, double radius, const BiasRange* optimal) {
    double size = view.epsilon;
    double shortest = kInfinity;
    double longest = 0;
    for (const SampleIndex u : view.members) {
        size = std::max(size, std::abs(view.scores[u]) + (radius + view.error) * view.norms[u]);
        shortest = std::min(shortest, view.norms[u]);
        longest = std::max(longest, view.norms[u]);
    }
    const double slack = 8 * kUnitRoundoff * (size + view.epsilon); // of the kinks themselves
    if (shortest == longest) {
        const BiasRange middle = optimal != nullptr ? *optimal : optimalBias(view);
        const double reach = (radius + view.error) * longest;
        return {{middle.low - reach - slack, middle.low + reach + slack},
                {middle.high - reach - slack, middle.high + reach + slack}};
    }
    std::vector<double> kinks;
    // Scores as high as they may be give the least bias, as low as they may be the largest.
    const BiasRange least = biasOfMoved(view, 1, radius, kinks);
    const BiasRange most = biasOfMoved(view, -1, radius, kinks);
    return {{least.low - slack, most.low + slack}, {least.high - slack, most.high + slack}};
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
    const BiasBracket bracket = bracketBias(view, radius, optimal);
    verdicts.resize(view.members.size());
    for (std::size_t k = 0; k < view.members.size(); ++k) {
        const SampleIndex u = view.members[k];
        const double score = view.scores[u];
        const double reach = (radius + view.error) * view.norms[u] * (1 + 8 * kUnitRoundoff) +
                             8 * kUnitRoundoff * (std::abs(score) + view.epsilon);
        verdicts[k] = judge(score, reach, view.epsilon, bracket);
    }
    return radius;
}

} // namespace lambdascope::pu
