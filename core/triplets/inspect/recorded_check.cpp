// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/inspect/recorded_check.h"

#include <cmath>

namespace lambdascope::triplets {

namespace {

/// What a reference refers to, to keep it: pathReference() of the copy says the same.
SolvedPoint copyOf(const PathReference& reference) {
    SolvedPoint copy;
    copy.point = *reference.point;
    copy.lambda = reference.lambda;
    copy.gap = reference.gap;
    if (reference.totals != nullptr) {
        copy.totals = *reference.totals;
    }
    if (reference.dual != nullptr) {
        copy.dual = *reference.dual;
    }
    return copy;
}

} // namespace

RecordedCheck::RecordedCheck(const ScreeningCheck& check)
    : m_check(check.check), m_iteration(check.iteration), m_point(*check.reference.point),
      m_totals(*check.reference.totals), m_reference(check.reference),
      m_regions(check.regions.begin(), check.regions.end()) {
    m_reference.point = &m_point;
    m_reference.totals = &m_totals;
    if (check.reference.gapDual != nullptr) {
        m_gapDual = *check.reference.gapDual;
        m_reference.gapDual = &m_gapDual;
    }
    if (check.reference.path.point != nullptr) {
        m_path = copyOf(check.reference.path);
        m_reference.path = pathReference(m_path);
    }
    if (check.reference.dual != nullptr) {
        m_dual = *check.reference.dual;
        m_reference.dual = &m_dual;
    }
    m_reference.stopCheck = nullptr; // the solver's, which may be gone
}

void RangeProvenance::checked(const ScreeningCheck& check) {
    const PathReference& path = check.reference.path;
    if (check.check > 0 || path.point == nullptr) {
        return; // ranges are looked up once per point, before anything else
    }
    const double lambda = check.reference.lambda;
    if (m_holder && !m_holder->lifetime.range.contains(lambda)) {
        m_holder.reset();
    }
    if (m_holder) {
        return; // what is fixed is not judged again
    }
    const PathBall ball(path, m_bound, m_gamma);
    const Bounded margin = m_probe.margin(path.point->matrix);
    const Bounded dual = m_probe.margin(ball.dual());
    const double norm = m_probe.norm().upper();
    const double threshold = m_probe.threshold();
    const double rounding = 4 * kUnitRoundoff * std::abs(threshold);
    const RangeRule rule(ball, m_gamma, margin.error + rounding, dual.error + rounding);
    const Lifetime lifetime = rule.lifetime(margin.value, dual.value, norm * norm, threshold);
    if (lifetime.decision != Decision::Keep && lifetime.range.contains(lambda)) {
        m_holder = Holder{copyOf(path), lifetime};
    }
}

} // namespace lambdascope::triplets
