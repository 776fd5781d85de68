// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/inspect/range_provenance.h"

#include <cmath>

namespace lambdascope::metric {

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
    if (lifetime.verdict != Verdict::Keep && lifetime.range.contains(lambda)) {
        m_holder = Holder{
            *path.point, path.lambda, path.gap, *path.totals, path.dual != nullptr ? *path.dual : DualPull(), lifetime};
    }
}

} // namespace lambdascope::metric
