// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/solver/working_set.h"

#include "core/common/clocks.h"
#include "core/metric/problem/counted_work.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lambdascope::metric {

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
    if (!objective.engine().nearTriplets(point, 1 - m_smoothing - reach, 1 + reach, limit, stopCheck, m_found)) {
        return Outcome::Stopped;
    }
    ++objective.ledger().evaluations;
    objective.ledger().pairsVisited += objective.engine().pairsPerEvaluation();
    if (m_found.near.size() > limit) {
        return Outcome::TooMany;
    }
    m_weights.assign(static_cast<std::size_t>(m_triplets.pairs()), 0);
    listPairs();
    if (!m_space.weightedSum(m_found.pull, 0, nullptr, stopCheck, m_fixedPull) ||
        !m_space.distances(point, &m_pairs, stopCheck, m_values)) {
        return Outcome::Stopped;
    }
    m_fixedAlphas = exactly(static_cast<double>(m_found.below));
    if (const ScreenedPart& screened = objective.screened; screened.linearOutside() > 0) {
        m_fixedAlphas = m_fixedAlphas + screened.linearWeight();
        m_fixedPull.value += screened.linearSum;
        m_fixedPull.error += screened.linearError + kUnitRoundoff * m_fixedPull.value.norm();
    }
    setMargins();
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
    for (std::size_t p = 0; p < isUsed.size(); ++p) {
        if (isUsed[p]) {
            m_pairs.push_back(static_cast<PairIndex>(p));
        }
    }
}

/// From the distances in m_values.
void WorkingSet::setMargins() {
    m_margins.resize(near().size());
    std::transform(near().begin(), near().end(), m_margins.begin(), [&](const PairedTriplet& triplet) {
        return m_values[static_cast<std::size_t>(triplet.other)] - m_values[static_cast<std::size_t>(triplet.same)];
    });
}

std::vector<double> WorkingSet::marginAlphas() const {
    std::vector<double> alphas(m_margins.size());
    std::transform(m_margins.begin(), m_margins.end(), alphas.begin(),
                   [&](double margin) { return lossSlope(margin, m_smoothing); });
    return alphas;
}

bool WorkingSet::carryOver(ReducedObjective& objective, const KnownAlphas& known, const std::vector<double>& alphas,
                           std::vector<double>& carried) {
    const Tally tally(objective, m_space);
    carried = alphas;
    if (m_lastOrigin) {
        if (!m_space.distances(*m_lastOrigin, &m_pairs, objective.stopCheck(), m_values)) {
            return false;
        }
        countVisit(objective.ledger());
        setMargins();
        carried = marginAlphas();
    }
    for (std::size_t t = 0; t < carried.size(); ++t) {
        const auto at = std::lower_bound(known.begin(), known.end(), near()[t],
                                         [](const auto& entry, const auto& triplet) { return entry.first < triplet; });
        carried[t] = at != known.end() && at->first == near()[t] ? at->second : std::round(carried[t]);
    }
    objective.ledger().work += work::ofSearches(std::ssize(near()), std::ssize(known));
    return true;
}

WorkingSet::KnownAlphas WorkingSet::named(const std::vector<double>& alphas) const {
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
            const double alpha = state.alphas[t];
            m_weights[static_cast<std::size_t>(near()[t].same)] -= alpha;
            m_weights[static_cast<std::size_t>(near()[t].other)] += alpha;
            sum += alpha;
            squares += alpha * alpha;
        }
        // A pair is of one class or of two, so that no weight is a difference.
        MatrixSum pull;
        const auto terms = static_cast<double>(2 * m_triplets.longestList());
        if (!m_space.weightedSum(m_weights, roundingFactor(terms), &m_pairs, objective.stopCheck(), pull)) {
            return false;
        }
        countVisit(objective.ledger());
        const double rounding = roundingFactor(static_cast<double>(near().size()) + 2);
        totals.alphaSum = m_fixedAlphas + Bounded{sum, rounding * sum};
        totals.alphaSquares = m_fixedAlphas + Bounded{squares, rounding * squares};
        totals.pull = pull.value + m_fixedPull.value;
        totals.pullError = pull.error + m_fixedPull.error + kUnitRoundoff * totals.pull.norm();
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

Bounded WorkingSet::dual(const State& state, double gamma) const {
    const Bounded norm = state.cone.matrixNorm();
    return dualValue(state.totals, norm * norm, m_lambda, gamma);
}

bool WorkingSet::evaluatePrimal(ReducedObjective& objective, State& state) {
    const CpuCharge charge(objective.ledger().evaluate);
    const Tally tally(objective, m_space);
    const MetricPoint& point = state.cone.point();
    if (!m_space.distances(point, &m_pairs, objective.stopCheck(), m_values)) {
        return false;
    }
    countVisit(objective.ledger());
    setMargins();
    state.ascent.resize(m_margins.size());
    state.value = m_fixedAlphas.value * (1 - 0.5 * m_smoothing) - m_fixedPull.value.cwiseProduct(point.matrix).sum() +
                  0.5 * m_lambda * point.matrix.squaredNorm();
    state.slack = 0;
    for (std::size_t t = 0; t < m_margins.size(); ++t) {
        const double alpha = lossSlope(m_margins[t], m_smoothing);
        state.value += smoothedLoss(m_margins[t], m_smoothing);
        state.slack += m_smoothing * alpha * (1 - alpha);
        state.ascent[t] = 1 - m_smoothing * state.alphas[t] - m_margins[t];
    }
    return true;
}

} // namespace lambdascope::metric
