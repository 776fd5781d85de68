// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/engines/packed_triplets.h"

#include "core/common/byte_count.h"
#include "core/metric/engines/bit_groups.h"

#include <Eigen/Core>

#include <algorithm>

namespace lambdascope::metric {

namespace {

/// Rows between two additions to the compensated sums.
constexpr std::size_t kRowsPerBatch = 16;

using Group = Eigen::Array4d;
using GroupMap = Eigen::Map<const Group, Eigen::Aligned16>;

} // namespace

void PackedTriplets::pack(const TripletSet& triplets, const ActiveBlocks& blocks) {
    m_anchors.clear();
    m_rows.clear();
    m_groups.clear();
    m_columns.clear();
    for (const ActiveBlocks::Anchor& anchor : blocks.anchors()) {
        packColumns(triplets, blocks, anchor);
        packRows(triplets, blocks, anchor);
        m_anchors.push_back({m_rows.size(), m_columns.size()});
    }
}

void PackedTriplets::packColumns(const TripletSet& triplets, const ActiveBlocks& blocks,
                                 const ActiveBlocks::Anchor& anchor) {
    const std::int64_t others = triplets.otherCount(anchor.row);
    m_used.assign(static_cast<std::size_t>((others + 63) / 64), 0);
    for (std::int64_t at = anchor.begin; at < anchor.end; ++at) {
        const ActiveBlock& block = blocks.blocks()[static_cast<std::size_t>(at)];
        m_used[static_cast<std::size_t>(block.base / 64)] |= block.mask;
    }
    m_number.resize(16 * m_used.size());
    std::uint32_t count = 0;
    for (std::size_t word = 0; word < m_used.size(); ++word) {
        forEachGroup(m_used[word], [&](int number, std::uint32_t bits) {
            m_number[16 * word + static_cast<std::size_t>(number)] = count++;
            const std::int64_t first =
                triplets.otherOffset(anchor.row) + static_cast<std::int64_t>(64 * word) + kGroupSize * number;
            for (int b = 0; b < kGroupSize; ++b) {
                // Places that no triplet uses repeat one that is: its value is known, its bit is never set.
                const int used = (bits >> b & 1U) != 0 ? b : std::countr_zero(bits);
                m_columns.push_back(triplets.otherPair(first + used));
            }
        });
    }
}

void PackedTriplets::packRows(const TripletSet& triplets, const ActiveBlocks& blocks,
                              const ActiveBlocks::Anchor& anchor) {
    const std::size_t firstRow = m_rows.size();
    std::int32_t same = -1;
    for (std::int64_t at = anchor.begin; at < anchor.end; ++at) {
        const ActiveBlock& block = blocks.blocks()[static_cast<std::size_t>(at)];
        if (block.same != same) {
            same = block.same;
            const PairIndex pair = triplets.samePair(triplets.sameOffset(anchor.row) + same);
            m_rows.push_back({static_cast<std::int64_t>(m_groups.size()), 0, pair});
        }
        const std::uint32_t* numbers = m_number.data() + block.base / kGroupSize;
        forEachGroup(block.mask,
                     [&](int number, std::uint32_t bits) { m_groups.push_back(numbers[number] << kGroupSize | bits); });
        m_rows.back().count =
            static_cast<std::int32_t>(static_cast<std::int64_t>(m_groups.size()) - m_rows.back().begin);
    }
    std::sort(m_rows.begin() + static_cast<std::ptrdiff_t>(firstRow), m_rows.end(),
              [](const Row& a, const Row& b) { return a.count != b.count ? a.count > b.count : a.begin < b.begin; });
}

void PackedTriplets::gather(const PairIndex* begin, const PairIndex* end, const std::vector<double>& values) {
    m_otherValues.resize(static_cast<std::size_t>(end - begin));
    std::transform(begin, end, m_otherValues.begin(),
                   [&](PairIndex pair) { return values[static_cast<std::size_t>(pair)]; });
}

void PackedTriplets::sumRows(const Row* begin, const Row* end, const std::vector<double>& values,
                             std::vector<double>& weights, LossSums& sums) {
    const double* others = m_otherValues.data();
    double* otherWeights = m_otherWeights.data();
    Group squares = Group::Zero();
    double alphaSum = 0;
    double alphaEdge = 0;
    for (const Row* row = begin; row != end; ++row) {
        const double edge = 1 + values[static_cast<std::size_t>(row->same)];
        Group alphas = Group::Zero();
        const std::uint32_t* group = m_groups.data() + row->begin;
        for (const std::uint32_t* groupEnd = group + row->count; group != groupEnd; ++group) {
            const std::size_t place = kGroupSize * static_cast<std::size_t>(*group >> kGroupSize);
            const GroupMap z(others + place);
            const Group alpha =
                ((edge - z) * sums.inverse).max(0.0).min(1.0) * GroupMap(kGroupMasks[*group & kGroupBits].ones.data());
            Eigen::Map<Group, Eigen::Aligned16>(otherWeights + place) += alpha;
            alphas += alpha;
            squares += alpha * alpha;
        }
        const double alpha = alphas.sum();
        weights[static_cast<std::size_t>(row->same)] -= alpha;
        alphaSum += alpha;
        alphaEdge += alpha * edge;
        sums.packed += kGroupSize * row->count;
    }
    sums.add(alphaSum, squares.sum(), alphaEdge, 0);
}

bool PackedTriplets::sum(const std::vector<double>& values, std::vector<double>& weights, StopCheck& stopCheck,
                         LossSums& sums) {
    std::size_t row = 0;
    std::size_t column = 0;
    std::size_t longest = 0;
    for (const Anchor& anchor : m_anchors) {
        const std::size_t columns = anchor.columnEnd - column;
        const PairIndex* pairs = m_columns.data() + column;
        gather(pairs, pairs + columns, values);
        m_otherWeights.assign(columns, 0.0);
        const std::int64_t visited = sums.packed;
        for (const Row *at = m_rows.data() + row, *end = m_rows.data() + anchor.rowEnd; at != end;) {
            const Row* batchEnd = at + std::min<std::ptrdiff_t>(kRowsPerBatch, end - at);
            sumRows(at, batchEnd, values, weights, sums);
            at = batchEnd;
        }
        double alphaOther = 0;
        for (std::size_t c = 0; c < columns; ++c) {
            weights[static_cast<std::size_t>(pairs[c])] += m_otherWeights[c];
            alphaOther += m_otherWeights[c] * m_otherValues[c];
        }
        sums.add(0, 0, 0, alphaOther);
        longest = std::max({longest, kRowsPerBatch * columns / kGroupSize, columns + (anchor.rowEnd - row)});
        row = anchor.rowEnd;
        column = anchor.columnEnd;
        if (stopCheck.spend(2 * (sums.packed - visited) + static_cast<std::int64_t>(4 * columns))) {
            return false;
        }
    }
    sums.rows += static_cast<std::int64_t>(m_rows.size() + m_columns.size());
    // A quarter of a row goes to each of four running sums, a batch of rows to a sum of Σ α² and of Σ α (1 + z_ij);
    // Σ α z_il are sums over rows first, then over neighbours.
    sums.longestChain = std::max(sums.longestChain, static_cast<double>(longest));
    return true;
}

void PackedTriplets::count(const std::vector<double>& values, double edge, SetCounts& setCounts) {
    const Row* row = m_rows.data();
    const PairIndex* pairs = m_columns.data();
    for (const Anchor& anchor : m_anchors) {
        const PairIndex* end = m_columns.data() + anchor.columnEnd;
        gather(pairs, end, values);
        pairs = end;
        Group above = Group::Zero();
        Group below = Group::Zero();
        for (; row != m_rows.data() + anchor.rowEnd; ++row) {
            const double same = values[static_cast<std::size_t>(row->same)];
            for (std::int64_t at = row->begin; at < row->begin + row->count; ++at) {
                const std::uint32_t group = m_groups[static_cast<std::size_t>(at)];
                const GroupMap mask(kGroupMasks[group & kGroupBits].ones.data());
                const Group margin =
                    GroupMap(m_otherValues.data() + kGroupSize * static_cast<std::size_t>(group >> kGroupSize)) - same;
                above += (margin > 1.0).select(mask, 0.0);
                below += (margin < 1 - edge).select(mask, 0.0);
            }
        }
        setCounts.above += static_cast<TripletIndex>(above.sum());
        setCounts.below += static_cast<TripletIndex>(below.sum());
    }
}

std::size_t PackedTriplets::bytes() const {
    return bytesOf(m_anchors) + bytesOf(m_rows) + bytesOf(m_groups) + bytesOf(m_columns) + bytesOf(m_used) +
           bytesOf(m_number) + bytesOf(m_otherValues) + bytesOf(m_otherWeights);
}

} // namespace lambdascope::metric
