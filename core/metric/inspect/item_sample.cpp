// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/inspect/item_sample.h"

#include "core/common/random_stream.h"
#include "core/metric/inspect/item_geometry.h"
#include "core/metric/problem/pair_quadratic_forms.h"

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

bool ItemSample::margins(const MetricPoint& point, WorkPoll& poll, std::vector<double>& values, double& error) const {
    PairQuadraticForms space(m_items.table());
    std::vector<double> distances;
    if (!space.distances(point, &m_pairs, poll, distances)) {
        return false;
    }
    distances.resize(static_cast<std::size_t>(m_items.noPair()) + 1, 0.0);
    values.resize(m_numbers.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = distances[static_cast<std::size_t>(m_far[i])] - distances[static_cast<std::size_t>(m_near[i])];
    }
    error = 4 * space.valueError(point.spectralBound()) + 4 * kUnitRoundoff * m_items.largestThreshold();
    return true;
}

} // namespace lambdascope::metric
