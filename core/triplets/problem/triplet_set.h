// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/data/neighbours.h"
#include "core/triplets/problem/pair_table.h"
#include "core/triplets/problem/quadratic_runs.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace lambdascope::triplets {

/// One triplet (i, j, l): j of the class of anchor i, l of another. H = (x_i − x_l)(x_i − x_l)ᵀ − (x_i − x_j)(x_i −
/// x_j)ᵀ, or the diagonal of that.
struct Triplet {
    RowIndex anchor = 0;
    RowIndex same = 0;
    RowIndex other = 0;
    bool operator==(const Triplet&) const = default;
};

/// The triplets of a data set [T, §2.1, §7]: for each anchor the product of its same-class and other-class neighbours,
/// kept as that product over the unique pairs of a PairTable. Memory is linear in rows and pairs; triplets are only
/// numbered, never stored. Immutable.
///
/// Triplet (anchor i, s-th of its same list, o-th of its other list) has number
/// tripletOffset(i) + s · otherCount(i) + o.
class TripletSet final : public PairTable {
  public:
    /// Builds from neighbour lists. Errors: OutOfMemory with key problem.k when there are more pairs than 32-bit
    /// numbers; Stopped. Cost O(pairs · (log pairs + features)).
    static Result<TripletSet> build(const DenseRows& x, const ClassNeighbours& neighbours, std::stop_token stop = {},
                                    Structure structure = Structure::Full);

    /// No rows, no triplets.
    static TripletSet empty(Eigen::Index features);

    [[nodiscard]] TripletIndex triplets() const { return m_tripletOffset.back(); }

    [[nodiscard]] std::int64_t sameOffset(RowIndex i) const { return m_sameOffset[static_cast<std::size_t>(i)]; }
    [[nodiscard]] std::int64_t otherOffset(RowIndex i) const { return m_otherOffset[static_cast<std::size_t>(i)]; }
    [[nodiscard]] std::int64_t sameCount(RowIndex i) const { return sameOffset(i + 1) - sameOffset(i); }
    [[nodiscard]] std::int64_t otherCount(RowIndex i) const { return otherOffset(i + 1) - otherOffset(i); }
    [[nodiscard]] TripletIndex tripletOffset(RowIndex i) const { return m_tripletOffset[static_cast<std::size_t>(i)]; }
    /// Pair of the s-th same-class (o-th other-class) neighbour, position counted over all anchors.
    [[nodiscard]] PairIndex samePair(std::int64_t position) const {
        return m_samePair[static_cast<std::size_t>(position)];
    }
    [[nodiscard]] PairIndex otherPair(std::int64_t position) const {
        return m_otherPair[static_cast<std::size_t>(position)];
    }
    [[nodiscard]] Triplet triplet(TripletIndex number) const; ///< O(log rows)

    /// Longest list of neighbours of one anchor; for error bounds.
    [[nodiscard]] std::int64_t longestList() const { return m_longestList; }

    /// Bytes held: rows · (8 stride + …) + pairs · 16 + 4 per entry of the neighbour lists.
    [[nodiscard]] std::size_t bytes() const;

  private:
    TripletSet() = default;
    bool setNeighbours(const ClassNeighbours& neighbours, const std::stop_token& stop);
    void setSizes();

    std::vector<std::int64_t> m_sameOffset;
    std::vector<std::int64_t> m_otherOffset;
    std::vector<PairIndex> m_samePair;
    std::vector<PairIndex> m_otherPair;
    std::vector<TripletIndex> m_tripletOffset;
    std::int64_t m_longestList = 0;
};

/// A product set per anchor: rows of its class times rows of other classes. Entries of all anchors stand in one array,
/// those of an anchor together: same-class rows in [begin, middle), other rows in [middle, end).
struct ProductLists {
    struct Anchor {
        RowIndex row = 0;
        std::int64_t begin = 0;
        std::int64_t middle = 0;
        std::int64_t end = 0;
        std::int64_t runs = -1; ///< where its runs begin; −1 without any

        [[nodiscard]] std::int64_t sames() const { return middle - begin; }
        [[nodiscard]] std::int64_t others() const { return end - middle; }
        [[nodiscard]] TripletIndex triplets() const { return sames() * others(); }
    };

    std::vector<Anchor> anchors;
    std::vector<RowIndex> partner;      ///< per entry: the row that the anchor is paired with
    std::vector<std::int32_t> position; ///< per entry: place in the anchor's list of the TripletSet
    std::vector<std::uint8_t> runs;     ///< of anchors that have some: the QuadraticRuns of its triplets
    std::int64_t longest = 0;           ///< most entries of one anchor

    /// All triplets; anchors without triplets are left out.
    static ProductLists all(const TripletSet& triplets);

    [[nodiscard]] QuadraticRuns runsOf(const Anchor& anchor) const;
    [[nodiscard]] std::int64_t entries() const { return static_cast<std::int64_t>(partner.size()); }
    [[nodiscard]] TripletIndex triplets() const;
    [[nodiscard]] std::size_t bytes() const;
};

} // namespace lambdascope::triplets
