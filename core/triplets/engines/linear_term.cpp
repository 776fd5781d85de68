// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/engines/linear_term.h"

#include "core/triplets/problem/pair_quadratic_forms.h"

namespace lambdascope::triplets {

Eigen::MatrixXd linearTerm(const PairTable& table, const std::vector<double>& weights, double factor,
                           StopCheck& stopCheck) {
    PairQuadraticForms space(table);
    MatrixSum sum;
    if (!space.weightedSum(weights, 0, nullptr, stopCheck, sum)) {
        return {};
    }
    return factor * sum.value;
}

void LinearTermEngine::add(const MetricPoint& point, LossTotals& totals) const {
    totals.loss = totals.loss + innerProduct(point.matrix, point.matrixError(), m_term, 0);
    totals.pull -= m_term;
    totals.pullError += kUnitRoundoff * totals.pull.norm();
}

bool LinearTermEngine::evaluate(const MetricPoint& point, double smoothing, StopCheck& stopCheck, LossTotals& totals) {
    if (!m_engine->evaluate(point, smoothing, stopCheck, totals)) {
        return false;
    }
    add(point, totals);
    return true;
}

bool LinearTermEngine::evaluateCounting(const MetricPoint& point, double smoothing, double edge, StopCheck& stopCheck,
                                        LossTotals& totals, SetCounts& setCounts) {
    if (!m_engine->evaluateCounting(point, smoothing, edge, stopCheck, totals, setCounts)) {
        return false;
    }
    add(point, totals);
    return true;
}

bool LinearTermEngine::evaluateAll(const MetricPoint& point, double smoothing, double edge, StopCheck& stopCheck,
                                   LossTotals& totals, SetCounts& setCounts) {
    if (!m_engine->evaluateAll(point, smoothing, edge, stopCheck, totals, setCounts)) {
        return false;
    }
    add(point, totals);
    return true;
}

} // namespace lambdascope::triplets
