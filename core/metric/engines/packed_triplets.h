// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/stop_check.h"
#include "core/metric/engines/active_blocks.h"
#include "core/metric/engines/loss_sums.h"
#include "core/metric/problem/loss_totals.h"

#include <cstdint>
#include <vector>

namespace lambdascope::metric {

/// The triplets of ActiveBlocks in the order in which sums go through them. Of each anchor only those other-class
/// neighbours are listed, in groups of four, whose group any triplet uses; each of its rows (triplets with one
/// same-class neighbour) holds the groups that it uses, with four bits that tell which of the four it means. So the
/// cost of a sum follows what is left, not what the lists of neighbours once held.
///
/// Rows of an anchor stand in falling order of their number of groups, which makes the loop over them predictable.
///
/// Memory: 4 bytes per group of a row, 16 per row and 16 per group of an anchor.
class PackedTriplets {
  public:
    void pack(const TripletSet& triplets, const ActiveBlocks& blocks);

    /// Adds the triplets' losses to `sums` and their ± α to the weights of their pairs; `values` are the pairs'
    /// distances. False when stopped.
    bool sum(const std::vector<double>& values, std::vector<double>& weights, StopCheck& stopCheck, LossSums& sums);

    /// Adds how many of the triplets lie above 1 and below 1 − `edge`.
    void count(const std::vector<double>& values, double edge, SetCounts& setCounts);

    /// Groups of all rows; rows and groups, as visited.
    [[nodiscard]] std::int64_t groups() const { return static_cast<std::int64_t>(m_groups.size()); }
    [[nodiscard]] std::int64_t entries() const { return static_cast<std::int64_t>(m_rows.size() + m_groups.size()); }
    [[nodiscard]] std::size_t bytes() const;

  private:
    struct Row {
        std::int64_t begin = 0; ///< first of its groups
        std::int32_t count = 0;
        PairIndex same = 0;
    };
    struct Anchor {
        std::size_t rowEnd = 0;
        std::size_t columnEnd = 0;
    };

    void packColumns(const TripletSet& triplets, const ActiveBlocks& blocks, const ActiveBlocks::Anchor& anchor);
    void packRows(const TripletSet& triplets, const ActiveBlocks& blocks, const ActiveBlocks::Anchor& anchor);
    void gather(const PairIndex* begin, const PairIndex* end, const std::vector<double>& values);
    void sumRows(const Row* begin, const Row* end, const std::vector<double>& values, std::vector<double>& weights,
                 LossSums& sums);

    std::vector<Anchor> m_anchors;
    std::vector<Row> m_rows;
    std::vector<std::uint32_t> m_groups; ///< of rows: number of the group among the anchor's, and four bits
    std::vector<PairIndex> m_columns;    ///< of anchors: four pairs per group

    // Scratch.
    std::vector<std::uint64_t> m_used;   ///< other-class neighbours of the anchor at work, as bits
    std::vector<std::uint32_t> m_number; ///< per four of them: number of the group
    std::vector<double> m_otherValues;
    std::vector<double> m_otherWeights;
};

} // namespace lambdascope::metric
