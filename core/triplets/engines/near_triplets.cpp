// SPDX-License-Identifier: GPL-3.0-or-later
// Picking out the triplets near the edges of the loss.
#include "core/triplets/engines/comparison_engine.h"
#include "core/triplets/engines/pairs_engine.h"
#include "core/triplets/engines/sorted_engine.h"
#include "core/triplets/engines/triplets_engine.h"
#include "core/triplets/problem/counted_work.h"

#include <algorithm>

namespace lambdascope::triplets {

namespace {

void clear(const PairTable& triplets, NearTriplets& found) {
    found.near.clear();
    found.threshold.clear();
    found.weight.clear();
    found.pull.assign(static_cast<std::size_t>(triplets.pairs()) + 1, 0);
    found.pullError = 0;
    found.belowWeight = {};
    found.belowShift = {};
}

void addBelow(const PairedTriplet& triplet, NearTriplets& found) {
    found.pull[static_cast<std::size_t>(triplet.same)] -= 1;
    found.pull[static_cast<std::size_t>(triplet.other)] += 1;
    found.belowWeight.value += 1;
}

} // namespace

bool PairsEngine::nearTriplets(const MetricPoint& point, double lowest, double highest, std::size_t limit,
                               StopCheck& stopCheck, NearTriplets& found) {
    clear(m_triplets, found);
    if (!m_space.distances(point, isComplete() ? PairList() : m_active->pairs(), stopCheck, m_values)) {
        return false;
    }
    m_work += work::ofPicking(activeTriplets());
    const auto look = [&](PairIndex same, PairIndex other, double sameValue, double value) {
        if (value > highest + sameValue) {
            return;
        }
        if (value >= lowest + sameValue) {
            found.near.push_back({same, other});
        } else {
            addBelow({same, other}, found);
        }
    };
    if (!isComplete()) {
        const auto lookAt = [&](const PackedTriplets::AnchorView& anchor, const PackedTriplets::Row& row,
                                std::uint32_t group, std::uint32_t bits) {
            if (found.near.size() > limit) {
                return;
            }
            for (; bits != 0; bits &= bits - 1) {
                const std::size_t column = kGroupSize * group + static_cast<std::size_t>(std::countr_zero(bits));
                look(anchor.number(row.same), anchor.other(column), m_values[static_cast<std::size_t>(row.same)],
                     m_values[static_cast<std::size_t>(anchor.columns[column])]);
            }
        };
        return m_active->visitGroups(lookAt, stopCheck);
    }
    for (RowIndex i = 0; i < m_triplets.rows(); ++i) {
        gatherOthers(i);
        const std::int64_t others = m_triplets.otherCount(i);
        for (std::int64_t s = 0; s < m_triplets.sameCount(i) && found.near.size() <= limit; ++s) {
            const PairIndex same = m_triplets.samePair(m_triplets.sameOffset(i) + s);
            for (std::int64_t o = 0; o < others; ++o) {
                look(same, m_triplets.otherPair(m_triplets.otherOffset(i) + o),
                     m_values[static_cast<std::size_t>(same)], m_otherValues[static_cast<std::size_t>(o)]);
            }
        }
        if (stopCheck.spend(4 * m_triplets.sameCount(i) * others)) {
            return false;
        }
    }
    return true;
}

bool TripletsEngine::nearTriplets(const MetricPoint& point, double lowest, double highest, std::size_t limit,
                                  StopCheck& stopCheck, NearTriplets& found) {
    clear(m_triplets, found);
    const Eigen::Index d = m_triplets.features();
    m_work += work::ofMatrixTriplets(std::ssize(m_active), 0, point.matrix.size());
    for (const Item& item : m_active) {
        setDifferences(item.anchor, item.same, item.other);
        const double margin = form(point.matrix);
        if (margin <= highest) {
            const std::int64_t others = m_triplets.otherCount(item.anchor);
            const PairedTriplet triplet{
                m_triplets.samePair(m_triplets.sameOffset(item.anchor) + item.within / others),
                m_triplets.otherPair(m_triplets.otherOffset(item.anchor) + item.within % others)};
            if (margin >= lowest) {
                found.near.push_back(triplet);
            } else {
                addBelow(triplet, found);
            }
        }
        if (found.near.size() > limit) {
            return true;
        }
        if (stopCheck.spend(8 * d * d + 40)) {
            return false;
        }
    }
    return true;
}

/// The others of an anchor are sorted, so that for each same one those near are a run, and those below only counted.
void SortedEngine::collectNearAnchor(const ProductLists::Anchor& anchor, const double* z, double lowest, double highest,
                                     SortedKeys& sorted, NearTriplets& found) {
    const std::int64_t sames = anchor.sames();
    const double* others = z + sames;
    const auto samePair = [&](std::int64_t s) {
        return m_triplets.samePair(m_triplets.sameOffset(anchor.row) +
                                   lists().position[static_cast<std::size_t>(anchor.begin + s)]);
    };
    const auto otherPair = [&](std::int64_t o) {
        return m_triplets.otherPair(m_triplets.otherOffset(anchor.row) +
                                    lists().position[static_cast<std::size_t>(anchor.middle + o)]);
    };
    if (!sorted.set({others, static_cast<std::size_t>(anchor.others())})) {
        return; // a value that is no number is near nothing
    }
    const std::span<const double> rising = sorted.keys();
    std::vector<double> beginning(rising.size() + 1, 0.0); // sames whose triplets below end at this place
    for (std::int64_t s = 0; s < sames; ++s) {
        const auto count = static_cast<std::size_t>(
            sorted.firstNot(lowest + z[s], [border = lowest + z[s]](double other) { return other < border; }));
        beginning[count] += 1;
        found.belowWeight.value += static_cast<double>(count);
        found.pull[static_cast<std::size_t>(samePair(s))] -= static_cast<double>(count);
        for (std::size_t at = count; at < rising.size() && rising[at] <= highest + z[s]; ++at) {
            found.near.push_back({samePair(s), otherPair(sorted.index(at))});
        }
    }
    double longer = 0;
    for (std::size_t at = rising.size(); at-- > 0;) {
        longer += beginning[at + 1];
        found.pull[static_cast<std::size_t>(otherPair(sorted.index(at)))] += longer;
    }
}

bool SortedEngine::nearTriplets(const MetricPoint& point, double lowest, double highest, std::size_t limit,
                                StopCheck& stopCheck, NearTriplets& found) {
    clear(m_triplets, found);
    if (!m_space.setPoint(point, stopCheck)) {
        return false;
    }
    m_work += m_space.workOfValues(lists()) + work::ofSortedEntries(lists().entries());
    Worker& worker = m_workers.front();
    const std::size_t count = lists().anchors.size();
    for (std::size_t begin = 0; begin < count && found.near.size() <= limit;
         begin += AnchorQuadraticForms::kAnchorsPerBlock) {
        const std::size_t end = std::min<std::size_t>(count, begin + AnchorQuadraticForms::kAnchorsPerBlock);
        m_space.values(lists(), begin, end, worker.scratch);
        const double* z = worker.scratch.values.data();
        std::int64_t entries = 0;
        for (std::size_t a = begin; a < end && found.near.size() <= limit; ++a) {
            const ProductLists::Anchor& anchor = lists().anchors[a];
            collectNearAnchor(anchor, z + entries, lowest, highest, worker.sorted, found);
            entries += anchor.end - anchor.begin;
        }
        if (stopCheck.spend(entries * (m_space.operations() + 100))) {
            return false;
        }
    }
    return true;
}

bool ComparisonEngine::nearTriplets(const MetricPoint& point, double lowest, double highest, std::size_t limit,
                                    StopCheck& stopCheck, NearTriplets& found) {
    clear(m_set, found);
    if (!m_space.distances(point, pairList(), stopCheck, m_values)) {
        return false;
    }
    m_values.resize(m_weights.size(), 0.0);
    const ComparisonSet::Items items = active();
    double lengths = 0;
    double shiftMagnitude = 0;
    for (std::size_t c = 0; c < items.size() && found.near.size() <= limit; ++c) {
        const double weight = items.weight[c];
        const double shift = items.threshold[c] - 1;
        const double margin = m_values[static_cast<std::size_t>(items.far[c])] -
                              m_values[static_cast<std::size_t>(items.near[c])] - shift;
        if (margin > highest || weight <= 0) {
            continue;
        }
        if (margin >= lowest) {
            found.near.push_back({items.near[c], items.far[c]});
            found.threshold.push_back(items.threshold[c]);
            found.weight.push_back(weight);
            continue;
        }
        found.pull[static_cast<std::size_t>(items.near[c])] -= weight;
        found.pull[static_cast<std::size_t>(items.far[c])] += weight;
        found.belowWeight.value += weight;
        found.belowShift.value += weight * shift;
        shiftMagnitude += weight * std::abs(shift);
        lengths += weight * items.length[c];
    }
    const double rounding = roundingFactor(static_cast<double>(items.size()) + 4);
    found.belowWeight.error = rounding * found.belowWeight.value;
    found.belowShift.error = rounding * shiftMagnitude;
    found.pullError = weightError() * lengths * (1 + 1e-9);
    m_work += work::ofListed(static_cast<std::int64_t>(items.size()));
    return !stopCheck.spend(static_cast<std::int64_t>(items.size()) * 30);
}

} // namespace lambdascope::triplets
