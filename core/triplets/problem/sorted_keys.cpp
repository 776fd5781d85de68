// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/problem/sorted_keys.h"

#include <cmath>
#include <limits>
#include <numeric>

namespace lambdascope::triplets {

bool SortedKeys::set(std::span<const double> values) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    m_keys.assign(values.size() + 1, kInfinity);
    m_order.resize(values.size());
    double check = 0;
    double lowest = kInfinity;
    double highest = -kInfinity;
    for (std::size_t j = 0; j < values.size(); ++j) {
        const double key = values[j];
        m_keys[j] = key;
        check += 0.0 * key;
        lowest = std::min(lowest, key);
        highest = std::max(highest, key);
    }
    if (check != 0) {
        return false;
    }
    setBuckets(lowest, highest);
    sort();
    return true;
}

/// Counts the values of each of so many buckets of equal width.
void SortedKeys::setBuckets(double lowest, double highest) {
    const std::size_t buckets = 2 * m_order.size();
    m_lowest = lowest;
    m_lastBucket = static_cast<double>(buckets - 1);
    m_scale = static_cast<double>(buckets) / (highest - lowest);
    if (!std::isfinite(m_scale)) {
        m_scale = 0; // all (nearly) equal
    }
    m_bucket.resize(m_order.size());
    for (std::size_t j = 0; j < m_order.size(); ++j) {
        m_bucket[j] = bucketOf(m_keys[j]);
    }
    m_first.assign(buckets + 1, 0);
    for (const std::int32_t bucket : m_bucket) {
        ++m_first[static_cast<std::size_t>(bucket)];
    }
}

/// By bucket, then within each; where none is long, by one insertion sort over all.
void SortedKeys::sort() {
    const std::int32_t longest = *std::max_element(m_first.begin(), m_first.end());
    std::partial_sum(m_first.begin(), m_first.end(), m_first.begin()); // where each bucket ends
    for (std::size_t j = m_order.size(); j-- > 0;) {
        const std::int32_t place = --m_first[static_cast<std::size_t>(m_bucket[j])];
        m_order[static_cast<std::size_t>(place)] = {m_keys[j], static_cast<std::int32_t>(j)};
    }
    if (longest > kFew) {
        const auto isLess = [](const Key& a, const Key& b) {
            return a.value < b.value || (a.value == b.value && a.index < b.index);
        };
        for (std::size_t bucket = 0; bucket + 1 < m_first.size(); ++bucket) {
            std::sort(m_order.begin() + m_first[bucket], m_order.begin() + m_first[bucket + 1], isLess);
        }
    } else {
        for (std::size_t j = 1; j < m_order.size(); ++j) {
            const Key key = m_order[j];
            std::size_t to = j;
            for (; to > 0 && key.value < m_order[to - 1].value; --to) {
                m_order[to] = m_order[to - 1];
            }
            m_order[to] = key;
        }
    }
    std::transform(m_order.begin(), m_order.end(), m_keys.begin(), [](const Key& key) { return key.value; });
}

std::size_t SortedKeys::bytes() const {
    return m_keys.capacity() * sizeof(double) + m_order.capacity() * sizeof(Key) +
           (m_bucket.capacity() + m_first.capacity()) * sizeof(std::int32_t);
}

} // namespace lambdascope::triplets
