// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/triplet_sample.h"

#include "core/common/random_stream.h"
#include "core/metric/pair_space.h"
#include "core/metric/triplet_probe.h"

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

/// The anchor of a triplet number, and the pairs it is made of.
std::pair<PairIndex, PairIndex> pairsOf(const TripletSet& triplets, TripletIndex number, RowIndex anchor) {
    const TripletIndex within = number - triplets.tripletOffset(anchor);
    const std::int64_t others = triplets.otherCount(anchor);
    return {triplets.samePair(triplets.sameOffset(anchor) + within / others),
            triplets.otherPair(triplets.otherOffset(anchor) + within % others)};
}

} // namespace

TripletSample::TripletSample(const TripletSet& triplets, std::int64_t most)
    : m_triplets(triplets), m_numbers(evenlyDrawn(triplets.triplets(), most)) {
    for (const TripletIndex number : m_numbers) {
        const TripletProbe probe(triplets, number);
        const auto [same, other] = pairsOf(triplets, number, probe.triplet().anchor);
        m_same.push_back(same);
        m_other.push_back(other);
        m_norms.push_back(probe.norm().upper());
    }
    m_pairs = m_same;
    m_pairs.insert(m_pairs.end(), m_other.begin(), m_other.end());
    std::sort(m_pairs.begin(), m_pairs.end());
    m_pairs.erase(std::unique(m_pairs.begin(), m_pairs.end()), m_pairs.end());
}

bool TripletSample::margins(const MetricPoint& point, WorkPoll& poll, std::vector<double>& values,
                            double& error) const {
    PairSpace space(m_triplets);
    std::vector<double> distances;
    if (!space.distances(point, &m_pairs, poll, distances)) {
        return false;
    }
    values.resize(m_numbers.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = distances[static_cast<std::size_t>(m_other[i])] - distances[static_cast<std::size_t>(m_same[i])];
    }
    error = 4 * space.valueError(point.spectralBound());
    return true;
}

} // namespace lambdascope::metric
