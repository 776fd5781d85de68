// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triplets/problem/triplet_norm.h"
#include "core/triplets/problem/triplet_set.h"
#include "core/triplets/screening/sphere_rule.h"
#include "core/triplets/screening/triplet_states.h"

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace lambdascope::triplets {

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

/// Screening of one anchor's product set at a time; one object per thread.
///
/// Runs first: with the SeparableNormBound f + g of ‖H‖, [q_il − r f] − [q_ij + r g] > 1 proves R̂ and [q_il + r f] −
/// [q_ij − r g] < 1 − γ proves L̂, conditions that split into a part of l and a part of j: once the j are sorted, each l
/// is decided for a run of them, and a run costs no more than one triplet.
class ProductSetScreening {
  public:
    struct Tally {
        TripletIndex zero = 0; ///< newly decided
        TripletIndex linear = 0;
        TripletIndex open = 0; ///< left undecided
    };
    /// What remains of an anchor, and what was taken away.
    struct Rest {
        TripletIndex heldZero = 0; ///< decided, but still in the product set that remains
        TripletIndex heldLinear = 0;
        TripletIndex removedLinear = 0; ///< went out of the product set with this call
    };

    ProductSetScreening(const TripletSet& triplets, DecisionBits& bits)
        : m_triplets(triplets), m_bits(bits), m_norm(triplets) {}

    /// Decides runs of open triplets; `q` are the forms ⟨δδᵀ, Q⟩ of the anchor's entries. Adds to `tally`.
    void decideRuns(const ProductLists& lists, const ProductLists::Anchor& anchor, const double* q,
                    const SphereRule& rule, TripletStates* states, Tally& tally);
    /// Judges every triplet still open, with its ‖H‖. O(1) each, O(d) near the border.
    void decideEach(const ProductLists& lists, const ProductLists::Anchor& anchor, const double* q,
                    const SphereRule& rule, TripletStates* states, Tally& tally);
    /// Takes out same-class and other-class rows all of whose triplets are decided: appends what remains to `rest` and
    /// writes, per entry of the anchor, the signed number of linear triplets that went with this call to `weights`.
    Rest remove(const ProductLists& lists, const ProductLists::Anchor& anchor, ProductLists& rest, double* weights);

  private:
    using Word = DecisionBits::Word;

    void setLengths(const ProductLists& lists, const ProductLists::Anchor& anchor, double radius);
    void sweep(const ProductLists& lists, const ProductLists::Anchor& anchor, const double* q, double sign, double edge,
               double pad, TripletStates* states, Tally& tally);
    void fix(const ProductLists::Anchor& anchor, std::int32_t same, std::size_t word, Word bits, Decision decision,
             TripletStates* states, Tally& tally);
    void setColumns(const ProductLists& lists, const ProductLists::Anchor& anchor);

    const TripletSet& m_triplets;
    DecisionBits& m_bits;
    struct Ranked {
        double value = 0;
        std::int32_t index = 0;
    };
    std::vector<double> m_length;    ///< per entry: ‖δ‖²
    std::vector<double> m_reach;     ///< per entry: r g (same class) or r f (others), rounded up
    std::vector<Ranked> m_sames;     ///< sorted
    std::vector<Ranked> m_others;    ///< value: how many of the sorted sames
    std::vector<Word> m_run;         ///< other-class rows decided for the same-class row at work
    std::vector<Word> m_columns;     ///< other-class rows in the lists
    std::vector<Word> m_liveColumns; ///< … with an open triplet
    std::vector<BitColumnCounter> m_counters;
    std::vector<std::int32_t> m_entryOf; ///< entry of an other-class row, by its position
    TripletNorm m_norm;
};

} // namespace lambdascope::triplets
