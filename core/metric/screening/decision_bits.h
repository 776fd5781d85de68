// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/metric/problem/triplet_set.h"

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace lambdascope::metric {

/// What is decided about every triplet, as bits: for each anchor and same-class neighbour (a row) one bit per
/// other-class neighbour in two planes, "open" (undecided) and "linear". Whole runs of triplets are decided a word, 64
/// triplets, at a time.
///
/// Memory: a quarter byte per triplet, lists of other-class neighbours rounded up to multiples of 64.
class DecisionBits {
  public:
    using Word = std::uint64_t;

    /// All triplets open.
    explicit DecisionBits(const TripletSet& triplets);
    void openAll();

    /// Words per row of an anchor.
    [[nodiscard]] std::size_t width(RowIndex anchor) const {
        return static_cast<std::size_t>((m_triplets.otherCount(anchor) + 63) / 64);
    }
    [[nodiscard]] Word* open(RowIndex anchor, std::int64_t same) { return m_open.data() + at(anchor, same); }
    [[nodiscard]] Word* linear(RowIndex anchor, std::int64_t same) { return m_linear.data() + at(anchor, same); }

    [[nodiscard]] std::size_t bytes() const { return (m_open.capacity() + m_linear.capacity()) * sizeof(Word); }
    /// Bytes that the bits of a set with so many rows per anchor and so many others take.
    [[nodiscard]] static double bytesFor(double rows, double others) { return rows * ((others + 63) / 64 + 1) * 16; }

  private:
    [[nodiscard]] std::size_t at(RowIndex anchor, std::int64_t same) const {
        return m_offset[static_cast<std::size_t>(anchor)] + static_cast<std::size_t>(same) * width(anchor);
    }

    const TripletSet& m_triplets;
    std::vector<std::size_t> m_offset;
    std::vector<Word> m_open;
    std::vector<Word> m_linear;
};

/// Counts, for each of 64 positions, in how many of the words added the bit is set: bit planes with carries, so that a
/// word costs two operations on average.
class BitColumnCounter {
  public:
    void add(std::uint64_t word) {
        for (std::size_t plane = 0; word != 0; ++plane) {
            const std::uint64_t carry = m_planes[plane] & word;
            m_planes[plane] ^= word;
            word = carry;
        }
    }
    [[nodiscard]] std::int64_t count(int position) const {
        std::int64_t total = 0;
        for (std::size_t plane = 0; plane < m_planes.size(); ++plane) {
            total += static_cast<std::int64_t>(m_planes[plane] >> position & 1U) << plane;
        }
        return total;
    }

  private:
    std::array<std::uint64_t, 32> m_planes{};
};

} // namespace lambdascope::metric
