// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lambdascope::triplets {

/// Numbers in rising order, and where among them others would stand. They are sorted by buckets of equal width first,
/// which then tell places too.
///
/// Cost: O(n) to sort and O(1) to find a place where the numbers are spread about evenly, O(n log n) and O(log n) else.
class SortedKeys {
  public:
    /// Equal ones stay in their order. False, and nothing is known, when one is not finite. At least one.
    bool set(std::span<const double> values);

    [[nodiscard]] std::int32_t size() const { return static_cast<std::int32_t>(m_order.size()); }
    [[nodiscard]] std::span<const double> keys() const { return {m_keys.data(), m_order.size()}; }
    /// Where the key at that place stands among the values.
    [[nodiscard]] std::int32_t index(std::size_t place) const { return m_order[place].index; }

    /// Place of the first key that is not before, or their number: `isBefore` holds of the keys up to about `border`,
    /// and not of infinity.
    template <typename IsBefore>
    [[nodiscard]] std::int32_t firstNot(double border, const IsBefore& isBefore) const {
        const auto bucket = static_cast<std::size_t>(bucketOf(border));
        const double* keys = m_keys.data();
        std::int32_t place = m_first[bucket];
        if (m_first[bucket + 1] - place > kFew) {
            place = static_cast<std::int32_t>(std::partition_point(keys + place, keys + m_first[bucket + 1], isBefore) -
                                              keys);
        }
        while (place > 0 && !isBefore(keys[place - 1])) {
            --place;
        }
        place += isBefore(keys[place]) ? 1 : 0; // mostly that is enough, and no branch that could go either way
        while (isBefore(keys[place])) {
            ++place;
        }
        return place;
    }

    [[nodiscard]] std::size_t bytes() const;

  private:
    struct Key {
        double value = 0;
        std::int32_t index = 0;
    };
    /// Keys of a bucket that are sorted by insertion, and looked through one by one.
    static constexpr std::int32_t kFew = 12;

    void setBuckets(double lowest, double highest);
    void sort();
    /// Rises with `value`, so that keys of lower buckets are smaller than any value of this one.
    [[nodiscard]] std::int32_t bucketOf(double value) const {
        return static_cast<std::int32_t>(std::min(std::max(0.0, (value - m_lowest) * m_scale), m_lastBucket));
    }

    std::vector<double> m_keys; ///< and an infinite one
    std::vector<Key> m_order;
    std::vector<std::int32_t> m_bucket; ///< per value
    std::vector<std::int32_t> m_first;  ///< first key of each bucket; one more entry than buckets
    double m_lowest = 0;
    double m_scale = 0; ///< buckets per unit
    double m_lastBucket = 0;
};

} // namespace lambdascope::triplets
