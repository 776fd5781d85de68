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

} // namespace lambdascope::svm
