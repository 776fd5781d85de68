// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/stop_check.h"
#include "core/ordinal/problem/comparison_set.h"

#include <cstdint>
#include <vector>

namespace lambdascope::ordinal {

/// The pairs of objects that comparisons speak of, each once, and the comparisons as pairs of them: "far" should be
/// farther apart than "near". Equal comparisons are one item with the sum of their weights. Immutable. Memory
/// O(comparisons), never n².
class PairedComparisons {
  public:
    struct Pair {
        ObjectIndex a = 0; ///< the smaller one
        ObjectIndex b = 0;
        auto operator<=>(const Pair&) const = default;
    };
    struct Item {
        std::uint32_t far = 0;  ///< number of a pair
        std::uint32_t near = 0; ///< of another one
        double weight = 1;      ///< above 0
    };

    /// Of no use when `stopCheck` asked to stop. O(comparisons · log).
    PairedComparisons(const ComparisonSet& set, StopCheck& stopCheck);

    [[nodiscard]] ObjectIndex objects() const { return m_objects; }
    /// Sorted.
    [[nodiscard]] const std::vector<Pair>& pairs() const { return m_pairs; }
    [[nodiscard]] const std::vector<Item>& items() const { return m_items; }
    /// Comparisons that were merged into an equal one.
    [[nodiscard]] std::int64_t repeated() const { return m_repeated; }
    /// The most items that meet in one pair, and the most pairs that meet in one object; for error bounds.
    [[nodiscard]] std::int64_t largestShare() const { return m_largestShare; }
    [[nodiscard]] std::int64_t largestDegree() const { return m_largestDegree; }

  private:
    ObjectIndex m_objects;
    std::vector<Pair> m_pairs;
    std::vector<Item> m_items;
    std::int64_t m_repeated = 0;
    std::int64_t m_largestShare = 0;
    std::int64_t m_largestDegree = 0;
};

} // namespace lambdascope::ordinal
