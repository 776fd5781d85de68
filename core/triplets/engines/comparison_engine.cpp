// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/engines/comparison_engine.h"

#include "core/common/byte_count.h"
#include "core/triplets/problem/counted_work.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::triplets {

namespace {

/// Items whose plain sums join the compensated ones together; also the distance of two stop checks.
constexpr std::size_t kItemsPerSum = 1024;

} // namespace

struct ComparisonEngine::Sums {
    double smoothing = 0;
    double inverse = 0; ///< 1 / smoothing
    double edge = 0;    ///< of the set counts
    CompensatedSum loss;
    CompensatedSum alpha;
    CompensatedSum squares;
    CompensatedSum shift;
    CompensatedSum weight;
    double magnitude = 0;      ///< Σ of the absolute terms of the loss, for its error
    double shiftMagnitude = 0; ///< Σ α |τ − 1|
    double lengths = 0;        ///< Σ α (‖a‖² + ‖b‖²)
    TripletIndex items = 0;
    SetCounts setCounts;
};

ComparisonEngine::ComparisonEngine(const ComparisonSet& set)
    : m_set(set), m_space(set), m_weights(static_cast<std::size_t>(set.pairs()) + 1, 0.0) {}

ComparisonSet::Items ComparisonEngine::active() const {
    return m_isComplete ? m_set.items() : ComparisonSet::Items{m_far, m_near, m_threshold, m_weight, m_length};
}

double ComparisonEngine::marginError(double size) const {
    return m_set.marginError(m_space.valueError(size), size, m_set.largestThreshold());
}

double ComparisonEngine::weightError() const {
    // The weight of a pair collects its items one after the other, of either sign: relative to Σ|terms|, not to the
    // sum.
    return roundingFactor(static_cast<double>(m_set.largestShare()) + 4);
}

bool ComparisonEngine::sum(const ComparisonSet::Items& items, StopCheck& stopCheck, Sums& sums) {
    const double* z = m_values.data();
    double* weights = m_weights.data();
    for (std::size_t begin = 0; begin < items.size(); begin += kItemsPerSum) {
        const std::size_t end = std::min(items.size(), begin + kItemsPerSum);
        double loss = 0;
        double alphas = 0;
        double squares = 0;
        double shift = 0;
        double weight = 0;
        for (std::size_t c = begin; c < end; ++c) {
            const auto far = static_cast<std::size_t>(items.far[c]);
            const auto near = static_cast<std::size_t>(items.near[c]);
            const double threshold = items.threshold[c];
            const double below = threshold - (z[far] - z[near]);
            weight += items.weight[c];
            sums.setCounts.above += below < 0 ? 1 : 0;
            sums.setCounts.below += below > sums.edge ? 1 : 0;
            if (below <= 0) {
                continue;
            }
            const double slope = std::min(below * sums.inverse, 1.0);
            const double alpha = items.weight[c] * slope;
            loss += alpha * (below - 0.5 * sums.smoothing * slope);
            alphas += alpha;
            squares += alpha * slope;
            shift += alpha * (threshold - 1);
            sums.magnitude += alpha * (std::abs(threshold) + z[far] + z[near] + 0.5 * sums.smoothing * slope);
            sums.shiftMagnitude += alpha * std::abs(threshold - 1);
            sums.lengths += alpha * items.length[c];
            weights[far] += alpha;
            weights[near] -= alpha;
        }
        sums.loss.add(loss);
        sums.alpha.add(alphas);
        sums.squares.add(squares);
        sums.shift.add(shift);
        sums.weight.add(weight);
        if (stopCheck.spend(static_cast<std::int64_t>(end - begin) * 30)) {
            return false;
        }
    }
    sums.items += static_cast<TripletIndex>(items.size());
    m_work += work::ofListed(static_cast<std::int64_t>(items.size()));
    return true;
}

bool ComparisonEngine::finish(const Sums& sums, const MetricPoint& point, PairQuadraticForms::PairList pairs,
                              StopCheck& stopCheck, LossTotals& totals) {
    const double perSum = roundingFactor(static_cast<double>(kItemsPerSum) + 12);
    totals.smoothing = sums.smoothing;
    totals.triplets = sums.items;
    totals.weight = sums.weight.value() * (1 + perSum);
    const double size = point.spectralBound();
    totals.marginError = m_set.marginError(m_space.distanceError(size), size, m_set.largestThreshold());
    const double alpha = sums.alpha.value();
    // A margin off by e moves w ℓ by e·α, and by w e·min(1, e/s) where the computed α is 0.
    const double e = totals.marginError;
    const double hidden = *totals.weight * e * std::min(1.0, e / sums.smoothing);
    totals.loss = {sums.loss.value(), perSum * sums.magnitude * (1 + 1e-9) + e * alpha + hidden};
    totals.alphaSum = {alpha, perSum * alpha};
    totals.alphaSquares = {sums.squares.value(), perSum * sums.squares.value()};
    totals.thresholdShift = {sums.shift.value(), perSum * sums.shiftMagnitude * (1 + 1e-9)};
    MatrixSum pull;
    if (!m_space.weightedSum(m_weights, 0, pairs, stopCheck, pull)) {
        return false;
    }
    totals.pull = std::move(pull.value);
    totals.pullError = pull.error + weightError() * sums.lengths * (1 + 1e-9);
    return true;
}

bool ComparisonEngine::sumOver(const ComparisonSet::Items& items, PairQuadraticForms::PairList pairs,
                               const MetricPoint& point, double smoothing, double edge, StopCheck& stopCheck,
                               LossTotals& totals, SetCounts* setCounts) {
    Sums sums;
    sums.smoothing = smoothing;
    sums.inverse = 1 / smoothing;
    sums.edge = edge;
    if (!m_space.distances(point, pairs, stopCheck, m_values)) {
        return false;
    }
    m_values.resize(m_weights.size(), 0.0);
    std::fill(m_weights.begin(), m_weights.end(), 0.0);
    if (!sum(items, stopCheck, sums) || !finish(sums, point, pairs, stopCheck, totals)) {
        return false;
    }
    if (setCounts != nullptr) {
        *setCounts = sums.setCounts;
    }
    return true;
}

bool ComparisonEngine::evaluate(const MetricPoint& point, double smoothing, StopCheck& stopCheck, LossTotals& totals) {
    return sumOver(active(), pairList(), point, smoothing, 0, stopCheck, totals, nullptr);
}

bool ComparisonEngine::evaluateCounting(const MetricPoint& point, double smoothing, double edge, StopCheck& stopCheck,
                                        LossTotals& totals, SetCounts& setCounts) {
    return sumOver(active(), pairList(), point, smoothing, edge, stopCheck, totals, &setCounts);
}

bool ComparisonEngine::evaluateAll(const MetricPoint& point, double smoothing, double edge, StopCheck& stopCheck,
                                   LossTotals& totals, SetCounts& setCounts) {
    return sumOver(m_set.items(), nullptr, point, smoothing, edge, stopCheck, totals, &setCounts);
}

void ComparisonEngine::activateAll() {
    m_isComplete = true;
    resizeItems(0);
    m_pairs.clear();
}

TripletIndex ComparisonEngine::activeTriplets() const {
    return static_cast<TripletIndex>(active().size());
}

std::int64_t ComparisonEngine::pairsPerEvaluation() const {
    return m_isComplete ? m_set.pairs() : static_cast<std::int64_t>(m_pairs.size());
}

std::size_t ComparisonEngine::bytes() const {
    return m_space.bytes() + bytesOf(m_far) + bytesOf(m_near) + bytesOf(m_threshold) + bytesOf(m_weight) +
           bytesOf(m_length) + bytesOf(m_number) + bytesOf(m_pairs) + m_isUsed.capacity() / 8 + bytesOf(m_values) +
           bytesOf(m_normalValues) + bytesOf(m_weights);
}

} // namespace lambdascope::triplets
