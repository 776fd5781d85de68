// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/screening/c_ranges.h"

#include "core/svm/screening/bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lambdascope::svm {

namespace {

/// Shares of the way to the root at which the sample is judged, until it is decided there: rounding of the root alone,
/// and where padding counts.
constexpr double kShares[] = {1 - 1e-6, 0.99};

float roundedDown(double value) {
    const auto rounded = static_cast<float>(value);
    return static_cast<double>(rounded) > value ? std::nextafter(rounded, 0.0F) : rounded;
}

} // namespace

RangeRule::RangeRule(const SvmProblem& problem, const SolvedSvm& reference, double c)
    : m_problem(problem), m_reference(reference), m_c(c) {
    if (reference.c > 0 && c > reference.c && reference.gap <= reference.squaredNorm.upper()) {
        m_here.emplace(regionAt(c));
    }
}

BallRegion RangeRule::regionAt(double c) const {
    ScreeningReference from;
    from.c = c;
    from.path = &m_reference;
    const Direction sight{{m_reference.margins.data(), static_cast<std::size_t>(m_reference.margins.size())},
                          m_reference.marginError};
    return {{}, m_problem, sight, {}, *makeBall(BoundKind::BallOne, from)};
}

double RangeRule::root(double margin, double threshold, double norm) const {
    const double at = margin - threshold;
    const double slope = 0.5 * margin;
    const double square = norm * norm;
    const double a = slope * slope - 0.25 * square * m_reference.squaredNorm.upper();
    const double b = 2 * at * slope - square * m_reference.gap;
    const double c = at * at - square * m_reference.gap;
    const double below = -b + std::sqrt(std::max(b * b - 4 * a * c, 0.0));
    const double u = 2 * c / below;
    return below > 0 || c < 0 ? u : std::numeric_limits<double>::infinity();
}

float RangeRule::end(SampleIndex i, Decision& decision) const {
    MarginRange range;
    m_here->ranges({&i, 1}, {&range, 1});
    const double threshold = m_problem.thresholds()(i);
    decision = range.decision(threshold);
    if (decision == Decision::Keep) {
        return 0;
    }
    const double margin = m_reference.margins(i);
    const double u = std::min(root(margin, threshold, m_problem.norms()(i)), kFarthest - 1);
    for (const double share : kShares) {
        const float end = roundedDown(m_reference.c * (1 + share * u));
        if (!(static_cast<double>(end) > m_c)) {
            break; // NaN, too
        }
        regionAt(static_cast<double>(end)).ranges({&i, 1}, {&range, 1});
        if (range.decision(threshold) == decision) {
            return end;
        }
    }
    return 0;
}

std::vector<Decision> decisionsOverC(const SvmProblem& problem, const SolvedSvm& reference, double low, double high) {
    ScreeningReference at;
    at.path = &reference;
    at.c = low * reference.c;
    const Ball first = *makeBall(BoundKind::BallOne, at);
    at.c = high * reference.c;
    const Ball last = *makeBall(BoundKind::BallOne, at);
    constexpr double kCellPad = 8 * kUnitRoundoff;
    const double square = std::max(first.squaredRadius, last.squaredRadius);
    const double delta = high * imbalanceBound(problem, reference.alpha) * (1 + kCellPad);
    const double norm = last.a * std::sqrt(reference.squaredNorm.upper()) * (1 + kCellPad);
    const double owed = imbalanceCostOf(problem, delta, reference.bias, norm, square);
    const double radius = std::sqrt(square + owed) * (1 + kCellPad);
    const double error = last.a * reference.marginError + std::max(first.centreError, last.centreError);
    std::vector<BiasSample> scores;
    scores.reserve(static_cast<std::size_t>(problem.size()));
    for (SampleIndex i = 0; i < problem.size(); ++i) {
        const double score = problem.y()(i) * reference.margins(i);
        const double ball = radius * problem.reaches()[static_cast<std::size_t>(i)];
        const double reach = (ball + error * problem.norms()(i)) * (1 + kCellPad) + kCellPad * last.a * std::abs(score);
        scores.push_back({problem.y()(i), std::min(first.a * score, last.a * score) - reach,
                          std::max(first.a * score, last.a * score) + reach, problem.weights()(i),
                          problem.thresholds()(i)});
    }
    const BiasBracket bias = bracketBias(scores, {});
    std::vector<Decision> decisions;
    decisions.reserve(scores.size());
    for (const BiasSample& score : scores) {
        const double least = score.low + bias.low;
        const double most = score.high + bias.high;
        const double doubt = kCellPad * (std::abs(least) + std::abs(most) + std::abs(bias.low) + std::abs(bias.high));
        const MarginRange above{least - doubt, most + doubt};
        decisions.push_back((score.y > 0 ? above : MarginRange{-above.upper, -above.lower}).decision(score.threshold));
    }
    return decisions;
}

} // namespace lambdascope::svm
