// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/stop_check.h"
#include "core/triplets/engines/bit_groups.h"
#include "core/triplets/engines/loss_sums.h"
#include "core/triplets/problem/loss_totals.h"
#include "core/triplets/problem/pair_list.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace lambdascope::triplets {

/// Triplets in the order in which sums and rules go through them. Of each anchor only those other-class neighbours are
/// listed, in groups of four, whose group any triplet uses; each of its rows (triplets with one same-class neighbour)
/// holds the groups that it uses, with four bits that tell which of the four it means. So the cost of a visit follows
/// what is left, not what the lists of neighbours once held.
///
/// Rows of an anchor stand in falling order of their number of groups, which makes the loop over them predictable.
///
/// Pairs go by their places among those that are left, so that what is kept of each stands together: values and weights
/// of pairs are by place. In the set of all triplets place and number are the same.
///
/// Memory: 4 bytes per group of a row, 24 per row, 20 per group of an anchor and 20 per pair. In the set of all
/// triplets the rows of an anchor share their groups, and entries take 8 bytes.
class PackedTriplets {
  public:
    struct Row {
        std::int64_t begin = 0; ///< first of its groups
        std::int32_t count = 0;
        std::int32_t place = 0; ///< of the same-class neighbour in the anchor's list
        PairIndex same = 0;     ///< place of the pair

        void transfer(auto& archive) {
            auto& [first, number, near, pair] = *this;
            archive(first, number, near, pair);
        }
    };
    /// An anchor, and what its rows use.
    struct AnchorView {
        RowIndex row = 0;
        std::span<const PairIndex> columns;     ///< four places of pairs per group
        std::span<const std::uint32_t> origins; ///< per group: which four in the anchor's list of other-class ones
        const PairIndex* numbers = nullptr;     ///< of pairs by place; null where they are the same
        const std::uint32_t* groups = nullptr;  ///< of all anchors' rows
        std::size_t entry = 0;                  ///< place of the first column among the entries

        [[nodiscard]] PairIndex number(PairIndex place) const { return numbers != nullptr ? numbers[place] : place; }
        /// Pair of the other-class neighbour `column`.
        [[nodiscard]] PairIndex other(std::size_t column) const { return number(columns[column]); }
        [[nodiscard]] std::span<const std::uint32_t> groupsOf(const Row& of) const {
            return {groups + of.begin, static_cast<std::size_t>(of.count)};
        }
    };

    /// What a set of packed triplets holds.
    struct Size {
        std::int64_t rows = 0;
        std::int64_t groups = 0;  ///< of all rows
        std::int64_t columns = 0; ///< other-class neighbours of all anchors

        [[nodiscard]] static Size ofWhole(const TripletSet& triplets);
    };

    /// All triplets.
    void setWhole(const TripletSet& triplets);

    /// Takes over what `judge` leaves of another object:
    /// judge.beginAnchor(AnchorView, its rows), which gives the numbers of those rows that something may be left of;
    /// for each of these judge.beginRow(row, number), judge.rest(group, bits) for its groups, which gives the bits that
    /// are left, and judge.endRow(); judge.endAnchor(). False when stopped; then nothing is left.
    template <class Judge>
    bool takeFrom(const PackedTriplets& from, const TripletSet& triplets, Judge& judge, StopCheck& stopCheck);

    /// Calls visit(AnchorView, row, group, bits) for all of them; false when stopped.
    template <class Visit>
    bool visitGroups(Visit&& visit, StopCheck& stopCheck) const;

    /// Entries are each anchor's columns, then its rows: the order in which rules meet them. Of the set of all as pairs
    /// in this order, so that their forms need not be gathered; else null.
    [[nodiscard]] PairList entries() const { return m_isWhole ? PairList(m_entryEnds) : PairList(); }
    [[nodiscard]] std::size_t entryCount() const { return m_columns.size() + m_rows.size(); }
    /// Values of the entries from those of pairs by place.
    void toEntries(const std::vector<double>& values, std::vector<double>& ofEntries) const;

    /// Adds the triplets' losses to `sums` and their ± α to the weights of their pairs; `values` are the pairs'
    /// distances, both by place. False when stopped.
    bool sum(const std::vector<double>& values, std::vector<double>& weights, StopCheck& stopCheck, LossSums& sums);

    /// Adds how many of the triplets lie above 1 and below 1 − `edge`.
    void count(const std::vector<double>& values, double edge, SetCounts& setCounts);

    /// The smallest product set of each anchor that holds its triplets. Not of the set of all.
    [[nodiscard]] ProductLists hulls(const TripletSet& triplets) const;

    [[nodiscard]] TripletIndex triplets() const { return m_count; }
    [[nodiscard]] bool isEmpty() const { return m_rows.empty(); }
    /// Pairs of the triplets, in order; null for the set of all.
    [[nodiscard]] PairList pairs() const {
        return m_isWhole ? PairList() : PairList(&m_pairs, m_knowsRows ? &m_pairRows : nullptr, &m_ends);
    }
    /// Groups of all rows; rows; other-class neighbours of all anchors.
    [[nodiscard]] std::int64_t groups() const { return m_groupCount; }
    [[nodiscard]] std::int64_t rows() const { return static_cast<std::int64_t>(m_rows.size()); }
    [[nodiscard]] std::int64_t columns() const { return static_cast<std::int64_t>(m_columns.size()); }
    [[nodiscard]] std::size_t bytes() const;
    /// Bytes that the rows and groups of an anchor with so many rows and other-class neighbours take at most.
    [[nodiscard]] static double bytesFor(double rows, double others) { return rows * (sizeof(Row) + others + 3); }

    /// Not of the set of all, which is made anew.
    void transfer(auto& archive) {
        auto& [isWhole, count, groupCount, anchors, rows, groups, columns, origins, pairs, ends, entryEnds, pairRows,
               knowsRows, used, number, place, takenRows, taken, newPlace, isUsed, otherValues, otherWeights] = *this;
        archive(isWhole, count, groupCount, anchors, rows, groups, columns, origins, pairs, ends, pairRows, knowsRows);
    }

  private:
    struct Anchor {
        RowIndex row = 0;
        std::size_t rowEnd = 0;
        std::size_t columnEnd = 0;

        void transfer(auto& archive) {
            auto& [number, rows, columns] = *this;
            archive(number, rows, columns);
        }
    };

    struct BatchSums;

    void clear();
    /// Takes over what is left of an anchor; its rows begin at places among these groups.
    void finishAnchor(const AnchorView& view, std::span<const Row> rows, std::span<const std::uint32_t> groups);
    void listPairs(const PackedTriplets& from, const TripletSet& triplets);
    /// Takes the values of the pairs, in groups of four, and no weights yet; the lowest value.
    double gather(std::span<const PairIndex> pairs, const std::vector<double>& values);
    std::int64_t sumRows(const Row* begin, const Row* end, const std::vector<double>& values, double lowest,
                         double inverse, std::vector<double>& weights, BatchSums& batch);
    [[nodiscard]] AnchorView view(const Anchor& anchor, std::size_t row, std::size_t column) const {
        const std::size_t count = anchor.columnEnd - column;
        return {anchor.row,
                std::span(m_columns).subspan(column, count),
                std::span(m_origins).subspan(column / kGroupSize, count / kGroupSize),
                m_isWhole ? nullptr : m_pairs.data(),
                m_groups.data(),
                row + column};
    }

    bool m_isWhole = false;
    TripletIndex m_count = 0;
    std::int64_t m_groupCount = 0;
    std::vector<Anchor> m_anchors;
    std::vector<Row> m_rows;
    std::vector<std::uint32_t> m_groups;  ///< of rows: number of the group among the anchor's, and four bits
    std::vector<PairIndex> m_columns;     ///< of anchors: four places of pairs per group
    std::vector<std::uint32_t> m_origins; ///< of anchors, per group
    std::vector<PairIndex> m_pairs;       ///< numbers by place
    PairEnds m_ends;
    PairEnds m_entryEnds;             ///< of the set of all: (anchor, partner)
    std::vector<RowIndex> m_pairRows; ///< of the pairs, where these are few
    bool m_knowsRows = false;

    // Scratch.
    std::vector<std::uint32_t> m_used;   ///< per group of the anchor at work: bits that any row uses
    std::vector<std::uint32_t> m_number; ///< per group: its new number
    std::vector<std::size_t> m_place;    ///< of rows, by their number of groups
    std::vector<Row> m_takenRows;        ///< of the anchor at work
    std::vector<std::uint32_t> m_taken;  ///< groups of these
    std::vector<PairIndex> m_newPlace;   ///< of pairs by their old one
    std::vector<std::uint64_t> m_isUsed; ///< rows
    std::vector<double> m_otherValues;
    std::vector<double> m_otherWeights;
};

/// Numbers of all rows of an anchor.
class EveryRow {
  public:
    std::span<const std::uint32_t> of(std::span<const PackedTriplets::Row> rows) {
        while (m_numbers.size() < rows.size()) {
            m_numbers.push_back(static_cast<std::uint32_t>(m_numbers.size()));
        }
        return std::span(m_numbers).first(rows.size());
    }

  private:
    std::vector<std::uint32_t> m_numbers;
};

template <class Judge>
bool PackedTriplets::takeFrom(const PackedTriplets& from, const TripletSet& triplets, Judge& judge,
                              StopCheck& stopCheck) {
    clear();
    std::size_t row = 0;
    std::size_t column = 0;
    for (const Anchor& anchor : from.m_anchors) {
        const AnchorView at = from.view(anchor, row, column);
        column = anchor.columnEnd;
        const std::span rows = std::span(from.m_rows).subspan(row, anchor.rowEnd - row);
        row = anchor.rowEnd;
        m_used.assign(at.origins.size(), 0);
        m_taken.resize(std::max(m_taken.size(), rows.size() * at.origins.size()));
        m_takenRows.resize(std::max(m_takenRows.size(), rows.size()));
        std::uint32_t* out = m_taken.data();
        Row* rowOut = m_takenRows.data();
        std::int64_t visited = std::ssize(rows);
        for (const std::uint32_t place : judge.beginAnchor(at, rows)) {
            const Row& old = rows[place];
            visited += old.count;
            judge.beginRow(old, place);
            const std::uint32_t* begin = out;
            for (const std::uint32_t group : at.groupsOf(old)) {
                const std::uint32_t number = group >> kGroupSize;
                const std::uint32_t bits = judge.rest(number, group & kGroupBits);
                *out = number << kGroupSize | bits;
                out += bits != 0 ? 1 : 0;
                m_used[number] |= bits;
            }
            judge.endRow();
            *rowOut = {begin - m_taken.data(), static_cast<std::int32_t>(out - begin), old.place, old.same};
            rowOut += out != begin ? 1 : 0; // cannot be foreseen
        }
        judge.endAnchor();
        finishAnchor(at, {m_takenRows.data(), rowOut}, {m_taken.data(), out});
        if (stopCheck.spend(8 * visited + 4 * static_cast<std::int64_t>(at.columns.size())) || stopCheck.isStopped()) {
            clear();
            return false;
        }
    }
    m_groupCount = static_cast<std::int64_t>(m_groups.size());
    listPairs(from, triplets);
    return true;
}

template <class Visit>
bool PackedTriplets::visitGroups(Visit&& visit, StopCheck& stopCheck) const {
    std::size_t row = 0;
    std::size_t column = 0;
    for (const Anchor& anchor : m_anchors) {
        const AnchorView at = view(anchor, row, column);
        column = anchor.columnEnd;
        std::int64_t visited = 0;
        for (; row < anchor.rowEnd; ++row) {
            const Row& here = m_rows[row];
            for (std::int64_t g = here.begin; g < here.begin + here.count; ++g) {
                const std::uint32_t group = m_groups[static_cast<std::size_t>(g)];
                visit(at, here, group >> kGroupSize, static_cast<std::uint32_t>(group & kGroupBits));
            }
            visited += here.count;
        }
        if (stopCheck.spend(4 * visited)) {
            return false;
        }
    }
    return true;
}

} // namespace lambdascope::triplets
