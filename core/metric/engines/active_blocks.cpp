// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/engines/active_blocks.h"

namespace lambdascope::metric {

void ActiveBlocks::setComplete() {
    m_isComplete = true;
    m_hasAllPairs = true;
    m_count = m_triplets->triplets();
    m_anchors.clear();
    m_blocks.clear();
    m_pairs.clear();
}

void ActiveBlocks::list() {
    m_isComplete = false;
    m_hasAllPairs = true;
    m_anchors.clear();
    m_blocks.clear();
    m_pairs.clear();
    for (RowIndex i = 0; i < m_triplets->rows(); ++i) {
        const std::int64_t others = m_triplets->otherCount(i);
        const auto begin = static_cast<std::int64_t>(m_blocks.size());
        for (std::int64_t s = 0; s < m_triplets->sameCount(i); ++s) {
            for (std::int64_t base = 0; base < others; base += 64) {
                m_blocks.push_back(
                    {fullMask(others, base), static_cast<std::int32_t>(s), static_cast<std::int32_t>(base)});
            }
        }
        const auto end = static_cast<std::int64_t>(m_blocks.size());
        if (end > begin) {
            m_anchors.push_back({i, begin, end});
        }
    }
}

void ActiveBlocks::add(const ActiveBlocks& other) {
    std::size_t anchor = 0;
    for (const Anchor& added : other.m_anchors) {
        while (m_anchors[anchor].row != added.row) {
            ++anchor;
        }
        auto at = static_cast<std::size_t>(m_anchors[anchor].begin);
        for (std::int64_t from = added.begin; from < added.end; ++from) {
            const ActiveBlock& block = other.m_blocks[static_cast<std::size_t>(from)];
            while (m_blocks[at].same != block.same || m_blocks[at].base != block.base) {
                ++at;
            }
            m_blocks[at].mask |= block.mask;
        }
    }
}

void ActiveBlocks::compact() {
    m_count = 0;
    std::size_t keptAnchors = 0;
    std::int64_t kept = 0;
    for (const Anchor& anchor : m_anchors) {
        const std::int64_t begin = kept;
        for (std::int64_t at = anchor.begin; at < anchor.end; ++at) {
            const ActiveBlock block = m_blocks[static_cast<std::size_t>(at)];
            if (block.mask != 0) {
                m_count += std::popcount(block.mask);
                m_blocks[static_cast<std::size_t>(kept++)] = block;
            }
        }
        if (kept > begin) {
            m_anchors[keptAnchors++] = {anchor.row, begin, kept};
        }
    }
    if (m_count == m_triplets->triplets()) {
        setComplete(); // nothing was taken away: the product sets are the faster loop
        return;
    }
    m_anchors.resize(keptAnchors);
    m_blocks.resize(static_cast<std::size_t>(kept));
    listPairs();
}

void ActiveBlocks::listPairs() {
    m_hasAllPairs = false;
    m_isUsed.assign(static_cast<std::size_t>(m_triplets->pairs() / 64 + 1), 0);
    const auto use = [this](PairIndex pair) {
        m_isUsed[static_cast<std::size_t>(pair / 64)] |= std::uint64_t{1} << (pair % 64);
    };
    const auto forEachBit = [](const std::vector<std::uint64_t>& words, const auto& visit) {
        for (std::size_t word = 0; word < words.size(); ++word) {
            for (std::uint64_t bits = words[word]; bits != 0; bits &= bits - 1) {
                visit(static_cast<std::int64_t>(64 * word) + std::countr_zero(bits));
            }
        }
    };
    for (const Anchor& anchor : m_anchors) {
        const std::int64_t sames = m_triplets->sameOffset(anchor.row);
        const std::int64_t others = m_triplets->otherOffset(anchor.row);
        m_isOther.assign(static_cast<std::size_t>(m_triplets->otherCount(anchor.row) / 64 + 1), 0);
        for (std::int64_t at = anchor.begin; at < anchor.end; ++at) {
            const ActiveBlock& block = m_blocks[static_cast<std::size_t>(at)];
            use(m_triplets->samePair(sames + block.same));
            m_isOther[static_cast<std::size_t>(block.base / 64)] |= block.mask;
        }
        forEachBit(m_isOther, [&](std::int64_t o) { use(m_triplets->otherPair(others + o)); });
    }
    m_pairs.clear();
    forEachBit(m_isUsed, [this](std::int64_t pair) { m_pairs.push_back(static_cast<PairIndex>(pair)); });
}

std::size_t ActiveBlocks::bytes() const {
    return m_anchors.capacity() * sizeof(Anchor) + m_blocks.capacity() * sizeof(ActiveBlock) +
           m_pairs.capacity() * sizeof(PairIndex) +
           (m_isUsed.capacity() + m_isOther.capacity()) * sizeof(std::uint64_t);
}

} // namespace lambdascope::metric
