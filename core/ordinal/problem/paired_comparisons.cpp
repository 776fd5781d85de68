// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ordinal/problem/paired_comparisons.h"

#include "core/ordinal/problem/stoppable_order.h"

#include <algorithm>
#include <tuple>

namespace lambdascope::ordinal {

namespace {

constexpr std::int64_t kPairWork = 20;
constexpr std::int64_t kSearchWork = 200;

PairedComparisons::Pair pairOf(ObjectIndex a, ObjectIndex b) {
    return {std::min(a, b), std::max(a, b)};
}

} // namespace

PairedComparisons::PairedComparisons(const ComparisonSet& set, StopCheck& stopCheck) : m_objects(set.objects()) {
    m_pairs.reserve(2 * set.items().size());
    for (const Comparison& c : set.items()) {
        if (stopCheck.spend(kPairWork)) {
            return;
        }
        m_pairs.push_back(pairOf(c.i, c.j));
        m_pairs.push_back(pairOf(c.l, c.k));
    }
    if (!polledSort(m_pairs, std::less<>(), stopCheck)) {
        return;
    }
    m_pairs.erase(std::unique(m_pairs.begin(), m_pairs.end()), m_pairs.end());
    m_pairs.shrink_to_fit();
    const auto numberOf = [this](ObjectIndex a, ObjectIndex b) {
        return static_cast<std::uint32_t>(std::lower_bound(m_pairs.begin(), m_pairs.end(), pairOf(a, b)) -
                                          m_pairs.begin());
    };
    const double mean = set.totalWeight() / static_cast<double>(set.size());
    m_items.reserve(set.items().size());
    for (std::size_t q = 0; q < set.items().size() && !stopCheck.spend(kSearchWork); ++q) {
        const Comparison& c = set.items()[q];
        m_items.push_back({numberOf(c.l, c.k), numberOf(c.i, c.j), set.relativeWeight(q) * mean});
    }
    const auto before = [](const Item& a, const Item& b) { return std::tie(a.far, a.near) < std::tie(b.far, b.near); };
    if (!polledSort(m_items, before, stopCheck, true)) {
        return;
    }
    std::size_t kept = 0;
    for (std::size_t at = 0; at < m_items.size(); ++at) {
        if (kept > 0 && m_items[kept - 1].far == m_items[at].far && m_items[kept - 1].near == m_items[at].near) {
            m_items[kept - 1].weight += m_items[at].weight;
            ++m_repeated;
        } else {
            m_items[kept++] = m_items[at];
        }
    }
    m_items.resize(kept);
    std::vector<std::int64_t> share(m_pairs.size());
    for (const Item& item : m_items) {
        m_largestShare = std::max({m_largestShare, ++share[item.far], ++share[item.near]});
    }
    std::vector<std::int64_t> degree(static_cast<std::size_t>(m_objects));
    for (const Pair& pair : m_pairs) {
        const auto a = static_cast<std::size_t>(pair.a);
        const auto b = static_cast<std::size_t>(pair.b);
        m_largestDegree = std::max({m_largestDegree, ++degree[a], ++degree[b]});
    }
}

} // namespace lambdascope::ordinal
