// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/inspect/item_sample.h"

#include "core/common/random_stream.h"
#include "core/metric/inspect/item_geometry.h"

#include <algorithm>

namespace lambdascope::metric {

namespace {

/// One number from each of `most` equal stretches of 0 … count − 1.
std::vector<TripletIndex> evenlyDrawn(TripletIndex count, std::int64_t most) {
    RandomStream random(1, "triplet sample");
    const std::int64_t size = std::min<std::int64_t>(count, most);
    std::vector<TripletIndex> numbers(static_cast<std::size_t>(size));
    for (std::int64_t i = 0; i < size; ++i) {
        const auto edge = [&](std::int64_t at) { return at * (count / size) + at * (count % size) / size; };
        numbers[static_cast<std::size_t>(i)] =
            edge(i) + static_cast<TripletIndex>(random.below(static_cast<std::size_t>(edge(i + 1) - edge(i))));
    }
    return numbers;
}

} // namespace

ItemSample::ItemSample(const ProblemItems& items, std::int64_t most)
    : m_items(items), m_numbers(evenlyDrawn(items.size(), most)) {
    for (const TripletIndex number : m_numbers) {
        const ProblemItem item = items.at(number);
        m_near.push_back(item.near);
        m_far.push_back(item.far);
        m_thresholds.push_back(item.threshold);
        m_norms.push_back(ItemGeometry(items, number).norm().upper());
    }
    m_pairs = m_near;
    m_pairs.insert(m_pairs.end(), m_far.begin(), m_far.end());
    std::sort(m_pairs.begin(), m_pairs.end());
    m_pairs.erase(std::unique(m_pairs.begin(), m_pairs.end()), m_pairs.end());
    if (!m_pairs.empty() && m_pairs.back() == items.noPair()) {
        m_pairs.pop_back();
    }
}

std::vector<double> ItemSample::differences(std::vector<double> ofPairs) const {
    ofPairs.resize(static_cast<std::size_t>(m_items.noPair()) + 1, 0.0);
    std::vector<double> values(m_numbers.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = ofPairs[static_cast<std::size_t>(m_far[i])] - ofPairs[static_cast<std::size_t>(m_near[i])];
    }
    return values;
}

bool ItemSample::margins(const PathBall& ball, StopCheck& stopCheck, std::vector<double>& values,
                         std::vector<double>& duals, double& error, double& dualError) const {
    PairQuadraticForms space(m_items.table());
    std::vector<double> ofPairs;
    std::vector<double> ofDual;
    if (!ball.forms(space, &m_pairs, stopCheck, ofPairs, ofDual)) {
        return false;
    }
    const auto errorOf = [&](double size) {
        return 4 * space.valueError(size) + 4 * kUnitRoundoff * m_items.largestThreshold();
    };
    values = differences(std::move(ofPairs));
    error = dualError = errorOf(ball.point().spectralBound());
    duals.clear();
    if (ball.hasDual()) {
        duals = differences(std::move(ofDual));
        dualError = errorOf(spectralBound(ball.dual()));
    }
    return true;
}

} // namespace lambdascope::metric
