// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ordinal/problem/comparison_set.h"

#include "core/common/byte_count.h"
#include "core/ordinal/problem/stoppable_order.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace lambdascope::ordinal {

namespace {

bool before(const Comparison& a, const Comparison& b) {
    return std::tie(a.i, a.l, a.j, a.k) < std::tie(b.i, b.l, b.j, b.k);
}

} // namespace

ComparisonSet::ComparisonSet(WeightedComparisons comparisons, ObjectIndex objects, StopCheck stopCheck)
    : m_objects(objects) {
    if (comparisons.weights.empty()) {
        m_items = std::move(comparisons.items);
        polledSort(m_items, before, stopCheck);
        m_totalWeight = static_cast<double>(m_items.size());
    } else {
        std::vector<std::uint32_t> order(comparisons.size());
        std::iota(order.begin(), order.end(), 0U);
        const auto isBefore = [&](std::uint32_t a, std::uint32_t b) {
            return before(comparisons.items[a], comparisons.items[b]);
        };
        if (!polledSort(order, isBefore, stopCheck, true)) {
            return;
        }
        m_items.reserve(order.size());
        m_weights.reserve(order.size());
        for (const std::uint32_t q : order) {
            m_items.push_back(comparisons.items[q]);
            m_weights.push_back(comparisons.weights[q]);
        }
        const auto count = static_cast<double>(m_items.size());
        const double mean = std::accumulate(m_weights.begin(), m_weights.end(), 0.0,
                                            [&](double sum, double weight) { return sum + weight / count; });
        m_totalWeight = mean * count;
        for (double& weight : m_weights) {
            weight /= mean;
        }
    }
    m_triplets = std::count_if(m_items.begin(), m_items.end(), [](const Comparison& c) { return c.isTriplet(); });
}

std::int64_t ComparisonSet::silentObjects() const {
    std::vector<bool> speaks(static_cast<std::size_t>(m_objects), false);
    for (const Comparison& c : m_items) {
        for (const ObjectIndex object : {c.i, c.j, c.l, c.k}) {
            speaks[static_cast<std::size_t>(object)] = true;
        }
    }
    return std::count(speaks.begin(), speaks.end(), false);
}

double ComparisonSet::bytes() const {
    return static_cast<double>(bytesOf(m_items) + bytesOf(m_weights));
}

} // namespace lambdascope::ordinal
