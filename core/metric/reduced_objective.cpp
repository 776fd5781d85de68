// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/reduced_objective.h"

#include "core/common/clocks.h"

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

} // namespace lambdascope::metric
