// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/solver/working_set.h"

#include "core/common/clocks.h"
#include "core/triplets/problem/counted_work.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lambdascope::triplets {

namespace {

/// Adds what an engine and a space count in a scope to a ledger.
class Tally {
  public:
    Tally(ReducedObjective& objective, const PairQuadraticForms& space)
        : m_objective(objective), m_space(space), m_before(total()) {}
    Tally(const Tally&) = delete;
    Tally& operator=(const Tally&) = delete;
    ~Tally() { m_objective.ledger().work += total() - m_before; }

  private:
    [[nodiscard]] double total() const { return m_objective.engine().countedWork() + m_space.countedWork(); }

    ReducedObjective& m_objective;
    const PairQuadraticForms& m_space;
    double m_before;
};

} // namespace

WorkingSet::Outcome WorkingSet::collect(ReducedObjective& objective, const MetricPoint& point, double reach,
                                        std::size_t limit, std::vector<double>& alphas) {
    m_smoothing = objective.smoothing;
    const CpuCharge charge(objective.ledger().evaluate);
    const Tally tally(objective, m_space);
    StopCheck& stopCheck = objective.stopCheck();
    const double before = objective.engine().countedWork();
    if (!objective.engine().nearTriplets(point, 1 - m_smoothing - reach, 1 + reach, limit, stopCheck, m_found)) {
        return Outcome::Stopped;
    }
    objective.ledger().sums += objective.engine().countedWork() - before;
    ++objective.ledger().evaluations;
    objective.ledger().pairsVisited += objective.engine().pairsPerEvaluation();
    if (m_found.near.size() > limit) {
        return Outcome::TooMany;
    }
    m_weights.assign(static_cast<std::size_t>(m_table.pairs()) + 1, 0);
    listPairs();
    if (!m_space.weightedSum(m_found.pull, 0, nullptr, stopCheck, m_fixedPull) || !setMargins(point, stopCheck)) {
        return Outcome::Stopped;
    }
    m_fixedPull.error += m_found.pullError;
    m_fixedAlphas = m_found.belowWeight;
    m_fixedShift = m_found.belowShift;
    if (const ScreenedPart& screened = objective.screened; screened.linear > 0) {
        m_fixedAlphas = m_fixedAlphas + screened.linearWeight();
        m_fixedShift = m_fixedShift + (screened.weights ? screened.weights->shift : Bounded{});
        m_fixedPull.value += screened.linearSum;
        m_fixedPull.error += screened.linearError + kUnitRoundoff * m_fixedPull.value.norm();
    }
    if (const Eigen::MatrixXd* linear = objective.engine().linearTerm()) {
        m_fixedPull.value -= *linear;
        m_fixedPull.error += kUnitRoundoff * m_fixedPull.value.norm();
    }
    alphas = marginAlphas();
    m_lastOrigin = std::exchange(m_origin, point);
    objective.ledger().work += work::ofListing(std::ssize(near())) + work::ofNumbers(std::ssize(m_weights));
    return Outcome::Collected;
}

/// One more evaluation on the set.
void WorkingSet::countVisit(CpuLedger& ledger) const {
    ++ledger.evaluations;
    ++ledger.innerEvaluations;
    ledger.pairsVisited += static_cast<std::int64_t>(m_pairs.size());
    ledger.work += work::ofListed(std::ssize(near()));
}

void WorkingSet::listPairs() {
    std::vector<bool> isUsed(m_weights.size(), false);
    for (const PairedTriplet& triplet : m_found.near) {
        isUsed[static_cast<std::size_t>(triplet.same)] = true;
        isUsed[static_cast<std::size_t>(triplet.other)] = true;
    }
    m_pairs.clear();
    for (std::size_t p = 0; p + 1 < isUsed.size(); ++p) {
        if (isUsed[p]) {
            m_pairs.push_back(static_cast<PairIndex>(p));
        }
    }
}

bool WorkingSet::setMargins(const MetricPoint& point, StopCheck& stopCheck) {
    if (!m_space.distances(point, &m_pairs, stopCheck, m_values)) {
        return false;
    }
    m_values.resize(m_weights.size(), 0.0);
    m_margins.resize(near().size());
    std::transform(near().begin(), near().end(), m_margins.begin(), [&](const PairedTriplet& triplet) {
        return m_values[static_cast<std::size_t>(triplet.other)] - m_values[static_cast<std::size_t>(triplet.same)];
    });
    for (std::size_t t = 0; isGeneral() && t < m_margins.size(); ++t) {
        m_margins[t] -= threshold(t) - 1;
    }
    return true;
}

std::vector<double> WorkingSet::marginAlphas() const {
    std::vector<double> alphas(m_margins.size());
    std::transform(m_margins.begin(), m_margins.end(), alphas.begin(),
                   [&](double margin) { return lossSlope(margin, m_smoothing); });
    return alphas;
}

bool WorkingSet::alphasAt(ReducedObjective& objective, const MetricPoint& point, std::vector<double>& alphas) {
    const Tally tally(objective, m_space);
    if (!setMargins(point, objective.stopCheck())) {
        return false;
    }
    countVisit(objective.ledger());
    alphas = marginAlphas();
    return true;
}

bool WorkingSet::carryOver(ReducedObjective& objective, const KnownAlphas& known, const std::vector<double>& alphas,
                           std::vector<double>& carried) {
    carried = alphas;
    if (m_lastOrigin && !alphasAt(objective, *m_lastOrigin, carried)) {
        return false;
    }
    for (std::size_t t = 0; t < carried.size(); ++t) {
        const auto at = std::lower_bound(known.begin(), known.end(), near()[t],
                                         [](const auto& entry, const auto& triplet) { return entry.first < triplet; });
        carried[t] = at != known.end() && at->first == near()[t] ? at->second : std::round(carried[t]);
    }
    objective.ledger().work += work::ofSearches(std::ssize(near()), std::ssize(known));
    return true;
}

KnownAlphas WorkingSet::named(const std::vector<double>& alphas) const {
    KnownAlphas known(alphas.size());
    for (std::size_t t = 0; t < alphas.size(); ++t) {
        known[t] = {near()[t], alphas[t]};
    }
    std::sort(known.begin(), known.end());
    return known;
}

bool WorkingSet::evaluateDual(ReducedObjective& objective, State& state) {
    LossTotals& totals = state.totals;
    totals.smoothing = m_smoothing;
    {
        const CpuCharge charge(objective.ledger().evaluate);
        const Tally tally(objective, m_space);
        for (const PairIndex p : m_pairs) {
            m_weights[static_cast<std::size_t>(p)] = 0;
        }
        double sum = 0;
        double squares = 0;
        for (std::size_t t = 0; t < near().size(); ++t) {
            const double alpha = weight(t) * state.alphas[t];
            m_weights[static_cast<std::size_t>(near()[t].same)] -= alpha;
            m_weights[static_cast<std::size_t>(near()[t].other)] += alpha;
            sum += alpha;
            squares += alpha * state.alphas[t];
        }
        // A pair of triplets is of one class or of two, so that no weight is a difference.
        MatrixSum pull;
        const double terms = isGeneral() ? 0 : static_cast<double>(2 * m_table.largestDegree());
        if (!m_space.weightedSum(m_weights, roundingFactor(terms), &m_pairs, objective.stopCheck(), pull)) {
            return false;
        }
        countVisit(objective.ledger());
        const double rounding = roundingFactor(static_cast<double>(near().size()) + 4);
        totals.alphaSum = m_fixedAlphas + Bounded{sum, rounding * sum};
        totals.alphaSquares = m_fixedAlphas + Bounded{squares, rounding * squares};
        totals.thresholdShift = m_fixedShift;
        totals.pull = pull.value + m_fixedPull.value;
        totals.pullError = pull.error + m_fixedPull.error + kUnitRoundoff * totals.pull.norm();
        if (isGeneral()) {
            addGeneral(state, rounding);
        }
    }
    const CpuCharge charge(objective.ledger().eigen);
    ++objective.ledger().eigenDecompositions;
    objective.ledger().work +=
        isDiagonal(totals.pull) ? 0 : work::ofEigen(totals.pull.rows()) + work::ofDerivative(totals.pull.rows());
    if (!state.cone.compute(totals.pull, 1 / m_lambda, objective.stopCheck())) {
        return false;
    }
    state.dual = dual(state, m_smoothing).value;
    return true;
}

/// What thresholds add, and the error of weights that are differences.
void WorkingSet::addGeneral(State& state, double rounding) const {
    double shift = 0;
    double shiftMagnitude = 0;
    double lengths = 0;
    const auto lengthOf = [&](PairIndex p) { return p == m_table.pairs() ? 0 : m_table.squaredLength(p); };
    for (std::size_t t = 0; t < near().size(); ++t) {
        const double alpha = weight(t) * state.alphas[t];
        shift += alpha * (threshold(t) - 1);
        shiftMagnitude += alpha * std::abs(threshold(t) - 1);
        lengths += alpha * (lengthOf(near()[t].same) + lengthOf(near()[t].other));
    }
    LossTotals& totals = state.totals;
    totals.thresholdShift = totals.thresholdShift + Bounded{shift, rounding * shiftMagnitude};
    totals.pullError += rounding * lengths * (1 + 1e-9);
}

Bounded WorkingSet::dual(const State& state, double gamma) const {
    const Bounded norm = state.cone.matrixNorm();
    return dualValue(state.totals, norm * norm, m_lambda, gamma);
}

bool WorkingSet::evaluatePrimal(ReducedObjective& objective, State& state) {
    const CpuCharge charge(objective.ledger().evaluate);
    const Tally tally(objective, m_space);
    const MetricPoint& point = state.cone.point();
    if (!setMargins(point, objective.stopCheck())) {
        return false;
    }
    countVisit(objective.ledger());
    state.ascent.resize(m_margins.size());
    state.value = m_fixedAlphas.value * (1 - 0.5 * m_smoothing) + m_fixedShift.value -
                  m_fixedPull.value.cwiseProduct(point.matrix).sum() + 0.5 * m_lambda * point.matrix.squaredNorm();
    state.slack = 0;
    for (std::size_t t = 0; t < m_margins.size(); ++t) {
        const double alpha = lossSlope(m_margins[t], m_smoothing);
        state.value += weight(t) * smoothedLoss(m_margins[t], m_smoothing);
        state.slack += weight(t) * m_smoothing * alpha * (1 - alpha);
        state.ascent[t] = weight(t) * (1 - m_smoothing * state.alphas[t] - m_margins[t]);
    }
    return true;
}

} // namespace lambdascope::triplets
