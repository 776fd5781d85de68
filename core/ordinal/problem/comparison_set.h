// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/stop_check.h"
#include "core/ordinal/problem/comparison.h"

#include <cstdint>
#include <vector>

namespace lambdascope::ordinal {

/// Comparisons of n objects, sorted by anchor i (then l, j, k) in one contiguous block of 16 bytes each, so that a pass
/// over all of them reads memory in order. Immutable. Memory O(comparisons), never n².
class ComparisonSet {
  public:
    /// Ids of `comparisons` are in {0, …, objects − 1}, weights > 0. A set whose making `stopCheck` stopped is of no
    /// use.
    ComparisonSet(WeightedComparisons comparisons, ObjectIndex objects, StopCheck stopCheck = {});

    [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(m_items.size()); }
    [[nodiscard]] ObjectIndex objects() const { return m_objects; }
    [[nodiscard]] const std::vector<Comparison>& items() const { return m_items; }
    [[nodiscard]] bool isWeighted() const { return !m_weights.empty(); }
    /// Weight of comparison q over the mean weight, so that these sum to size().
    [[nodiscard]] double relativeWeight(std::size_t q) const { return m_weights.empty() ? 1.0 : m_weights[q]; }
    [[nodiscard]] double totalWeight() const { return m_totalWeight; }
    [[nodiscard]] std::int64_t triplets() const { return m_triplets; }
    /// Objects that no comparison speaks of.
    [[nodiscard]] std::int64_t silentObjects() const;
    [[nodiscard]] double bytes() const;

  private:
    std::vector<Comparison> m_items;
    std::vector<double> m_weights;
    ObjectIndex m_objects;
    double m_totalWeight = 0;
    std::int64_t m_triplets = 0;
};

} // namespace lambdascope::ordinal
