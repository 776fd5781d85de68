// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/metric/problem/triplet_set.h"

#include <bit>
#include <cstdint>
#include <vector>

namespace lambdascope::metric {

/// Up to 64 triplets of one anchor and one of its same-class neighbours: bit b of `mask` is the triplet with the
/// (base + b)-th other-class neighbour.
struct ActiveBlock {
    std::uint64_t mask = 0;
    std::int32_t same = 0; ///< position in the anchor's same list
    std::int32_t base = 0; ///< position in the anchor's other list, a multiple of 64
};

/// The triplets that are still in the problem, in the engine's loop order: anchors, then same-class neighbours, then
/// blocks of other-class neighbours. Blocks without triplets are compacted away, and so are anchors without blocks and
/// pairs that no active triplet uses.
///
/// Memory: nothing while all triplets are active (the product sets themselves are the loop); after the first screening
/// 16 bytes per non-empty block, that is per directed same-class pair when k ≤ 64 and at most a quarter byte per
/// triplet when k is large; plus 4 bytes per active pair.
class ActiveBlocks {
  public:
    struct Anchor {
        RowIndex row = 0;
        std::int64_t begin = 0; ///< its blocks
        std::int64_t end = 0;
    };

    explicit ActiveBlocks(const TripletSet& triplets) : m_triplets(&triplets), m_count(triplets.triplets()) {}

    /// All triplets are active, and there is no list.
    [[nodiscard]] bool isComplete() const { return m_isComplete; }
    [[nodiscard]] TripletIndex triplets() const { return m_count; }
    void setComplete();
    /// Lists all triplets as blocks, so that screening can take bits away.
    void list();
    /// Adds the triplets of `other`, all of whose blocks are listed here.
    void add(const ActiveBlocks& other);
    /// Drops empty blocks, anchors and pairs and counts what is left; complete again when nothing is missing. Call
    /// after clearing bits.
    void compact();

    [[nodiscard]] const std::vector<Anchor>& anchors() const { return m_anchors; }
    [[nodiscard]] std::vector<ActiveBlock>& blocks() { return m_blocks; }
    [[nodiscard]] const std::vector<ActiveBlock>& blocks() const { return m_blocks; }
    /// Pairs of active triplets, in order; null while all are, or have just been listed.
    [[nodiscard]] const std::vector<PairIndex>* pairs() const { return m_hasAllPairs ? nullptr : &m_pairs; }
    [[nodiscard]] std::size_t bytes() const;

    /// The bits of a block that starts at `base` in a list of `count`.
    [[nodiscard]] static std::uint64_t fullMask(std::int64_t count, std::int64_t base) {
        const std::int64_t width = count - base;
        return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
    }

  private:
    void listPairs();

    const TripletSet* m_triplets;
    bool m_isComplete = true;
    bool m_hasAllPairs = true;
    TripletIndex m_count = 0;
    std::vector<Anchor> m_anchors;
    std::vector<ActiveBlock> m_blocks;
    std::vector<PairIndex> m_pairs;
    std::vector<std::uint64_t> m_isUsed; ///< scratch of listPairs: pairs, and other-class neighbours of one anchor
    std::vector<std::uint64_t> m_isOther;
};

} // namespace lambdascope::metric
