// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/metric/problem/triplet_norm.h"
#include "core/metric/problem/triplet_set.h"

#include <cstdint>
#include <vector>

namespace lambdascope::metric {

/// ‖H‖ of triplets, a row of them computed in O(d) each when first wanted and then kept, since a path asks for the same
/// ones at every λ; and ‖H‖² of single ones, not kept. Memory: 4 bytes per triplet from the first row on; none in sets
/// of more than kMostKept.
class KnownNorms {
  public:
    static constexpr TripletIndex kMostKept = 1 << 25;

    explicit KnownNorms(const TripletSet& triplets, TripletIndex mostKept = kMostKept);

    /// Whether rows are kept; else rows must not be asked for.
    [[nodiscard]] bool keepsRows() const { return m_keepsRows; }
    /// Norms over unit() of the `count` triplets from other-class neighbour `base` on, with one more group of numbers
    /// behind them that may be read. Each is at least ‖H‖ and at most a relative 3e-7 more.
    [[nodiscard]] const float* row(RowIndex anchor, std::int64_t same, std::int64_t base, std::int64_t count);
    /// What norms are multiples of: they are near 1 on data of any scale. A power of two.
    [[nodiscard]] double unit() const { return m_unit; }

    /// An upper bound of ‖H‖², exact up to the rounding of doubles.
    [[nodiscard]] double squared(PairIndex other, PairIndex same) {
        ++m_computed;
        return m_norm.squared(other, same);
    }

    /// How often a norm was computed.
    [[nodiscard]] std::int64_t computed() const { return m_computed; }
    [[nodiscard]] std::size_t bytes() const { return m_kept.capacity() * sizeof(float); }

  private:
    const TripletSet& m_triplets;
    TripletNorm m_norm;
    bool m_keepsRows = false;
    double m_unit = 1;
    std::vector<float> m_kept; ///< 0 for not yet known
    std::int64_t m_computed = 0;
};

} // namespace lambdascope::metric
