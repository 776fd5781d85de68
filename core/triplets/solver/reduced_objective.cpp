// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/solver/reduced_objective.h"

#include "core/common/clocks.h"
#include "core/triplets/problem/cone.h"
#include "core/triplets/problem/counted_work.h"

#include <algorithm>
#include <limits>

namespace lambdascope::triplets {

namespace {

constexpr double kWidestHinge = 0.05;
constexpr double kNarrowestHinge = 1e-12;
/// Between two widths.
constexpr double kHingeFactor = 0.25;
/// How much wider than the last point's width a point starts.
constexpr double kHingeRelaxation = 64;

} // namespace

double ReducedObjective::shareLeft() const {
    const auto left = static_cast<double>(m_engine.pairsPerEvaluation());
    return wholePairs > 0 ? std::min(left / static_cast<double>(wholePairs), 1.0) : 1;
}

double ReducedObjective::visitLeft() const {
    if (m_visitWork <= 0) {
        return wholeVisit * shareLeft();
    }
    const auto left = static_cast<double>(m_engine.pairsPerEvaluation());
    return m_visitPairs > 0 ? m_visitWork * std::min(left / static_cast<double>(m_visitPairs), 1.0) : m_visitWork;
}

template <class Sum>
bool ReducedObjective::visit(const MetricPoint& point, ReducedState& state, std::int64_t pairs, const Sum& sum) {
    {
        const CpuCharge charge(m_ledger.evaluate);
        const double before = m_engine.countedWork();
        if (!sum()) {
            return false;
        }
        m_visitWork = m_engine.countedWork() - before;
        m_ledger.work += m_visitWork;
        m_ledger.sums += m_visitWork;
        m_visitPairs = pairs;
        m_ledger.lastEvaluation = m_visitWork;
    }
    ++m_ledger.evaluations;
    m_ledger.pairsVisited += pairs;
    complete(point, state);
    return true;
}

bool ReducedObjective::evaluate(const MetricPoint& point, ReducedState& state) {
    if (m_activeSet == nullptr) {
        return sumAll(point, state);
    }
    return visit(point, state, m_activeSet->notedPairs(),
                 [&] { return m_activeSet->evaluateNoted(point, smoothing, m_stopCheck, state.totals); });
}

bool ReducedObjective::refresh(const MetricPoint& point, bool keeps, ReducedState& state) {
    if (m_activeSet == nullptr) {
        return sumAll(point, state);
    }
    return visit(point, state, m_engine.pairsPerEvaluation(),
                 [&] { return m_activeSet->evaluateNoting(point, smoothing, keeps, m_stopCheck, state.totals); });
}

bool ReducedObjective::evaluateAll(const MetricPoint& point, double edge, std::int64_t pairs, LossTotals& totals,
                                   SetCounts& setCounts) {
    CpuLedger ofNobody;
    CpuLedger& ledger = pairs > 0 ? m_ledger : ofNobody;
    const CpuCharge charge(ledger.evaluate);
    const double before = m_engine.countedWork();
    if (!m_engine.evaluateAll(point, smoothing, edge, m_stopCheck, totals, setCounts)) {
        return false;
    }
    ledger.work += m_engine.countedWork() - before;
    ++ledger.evaluations;
    ledger.pairsVisited += pairs;
    return true;
}

bool ReducedObjective::evaluateKnown(const MetricPoint& point, double edge, LossTotals& totals, SetCounts& setCounts) {
    if (!m_engine.evaluateCounting(point, smoothing, edge, m_stopCheck, totals, setCounts)) {
        return false;
    }
    totals = withScreened(std::move(totals), screened, point);
    setCounts.above += screened.zero;
    setCounts.below += screened.linear;
    return true;
}

bool ReducedObjective::sumAll(const MetricPoint& point, ReducedState& state) {
    return visit(point, state, m_engine.pairsPerEvaluation(),
                 [&] { return m_engine.evaluate(point, smoothing, m_stopCheck, state.totals); });
}

void ReducedObjective::complete(const MetricPoint& point, ReducedState& state) const {
    state.totals = withScreened(std::move(state.totals), screened, point);
    state.value = state.totals.loss.value + 0.5 * lambda * point.matrix.squaredNorm();
    state.gradient = lambda * point.matrix - state.totals.pull;
}

bool ReducedObjective::dualPoint(const LossTotals& totals, double gamma, DualPoint& dual, bool isOfAll) {
    PsdSplit split = splitByCone(totals.pull, &m_stopCheck);
    m_ledger.work += isDiagonal(totals.pull) ? 0 : work::ofEigen(totals.pull.rows());
    if (m_stopCheck.isStopped()) {
        return false;
    }
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
    SetCounts ofNobody;
    if (isOfAll ? !evaluateAll(dual.point, gamma, 0, state.totals, ofNobody) : !sumAll(dual.point, state)) {
        return false;
    }
    const Bounded gap = primalValue(state.totals, dual.point, lambda, gamma) - value;
    dual.gap = std::max(gap.value, 0.0) + gap.error;
    return true;
}

std::optional<MetricPoint> ReducedObjective::projected(const Eigen::MatrixXd& matrix) {
    const CpuCharge charge(m_ledger.eigen);
    ++m_ledger.eigenDecompositions;
    m_ledger.work += isDiagonal(matrix) ? 0 : work::ofEigen(matrix.rows());
    PsdSplit split = splitByCone(matrix, &m_stopCheck);
    return split.isFinite ? std::optional(MetricPoint::fromSplit(std::move(split))) : std::nullopt;
}

Bounded ReducedObjective::squaredNorm(const Eigen::MatrixXd& pull) {
    const CpuCharge charge(m_ledger.eigen);
    ++m_ledger.eigenDecompositions;
    m_ledger.work += isDiagonal(pull) ? 0 : work::ofEigen(pull.rows(), false);
    return squaredNormInCone(pull, &m_stopCheck);
}

double firstHingeWidth(double last) {
    return std::max(last, std::min(kWidestHinge, last * kHingeRelaxation));
}

std::optional<double> nextHingeWidth(double width) {
    return width > kNarrowestHinge ? std::optional(width * kHingeFactor) : std::nullopt;
}

bool isHingeTooWide(double cost, double gap) {
    return gap - cost <= 0.5 * cost;
}

} // namespace lambdascope::triplets
