// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/reduced_objective.h"

#include "core/common/clocks.h"

#include <algorithm>
#include <limits>

namespace lambdascope::metric {

bool ReducedObjective::evaluate(const MetricPoint& point, ReducedState& state) {
    {
        const CpuCharge charge(m_ledger.evaluate);
        if (!m_engine.evaluate(point, smoothing, m_poll, state.totals)) {
            return false;
        }
    }
    ++m_ledger.evaluations;
    m_ledger.pairsVisited += m_engine.pairsPerEvaluation();
    complete(point, state);
    return true;
}

void ReducedObjective::complete(const MetricPoint& point, ReducedState& state) const {
    state.totals = withScreened(std::move(state.totals), screened, point);
    state.value = state.totals.loss.value + 0.5 * lambda * point.matrix.squaredNorm();
    state.gradient = lambda * point.matrix - state.totals.pull;
}

bool ReducedObjective::dualPoint(const LossTotals& totals, double gamma, DualPoint& dual) {
    PsdSplit split = splitByCone(totals.pull);
    if (!split.isFinite) {
        dual.gap = std::numeric_limits<double>::infinity();
        dual.point =
            MetricPoint::zero(totals.pull.rows(), isDiagonal(totals.pull) ? Structure::Diagonal : Structure::Full);
        return true;
    }
    const Bounded value = dualValue(totals, split.positiveNorm * split.positiveNorm, lambda, gamma);
    dual.error = (split.error + totals.pullError) / lambda;
    dual.point = MetricPoint::fromSplit(std::move(split), 1 / lambda);
    State state;
    if (!evaluate(dual.point, state)) {
        return false;
    }
    const Bounded gap = primalValue(state.totals, dual.point, lambda, gamma) - value;
    dual.gap = std::max(gap.value, 0.0) + gap.error;
    return true;
}

} // namespace lambdascope::metric
