// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"

#include <bit>
#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace lambdascope {

/// Some of the items (or samples) of a problem by their numbers, a bit each.
class ItemSet {
  public:
    /// None of `size` items.
    explicit ItemSet(std::int64_t size = 0) : m_size(size), m_words(static_cast<std::size_t>((size + 63) / 64)) {}
    /// Those with these numbers, of just so many items that the largest one fits; negative numbers are left out.
    static ItemSet of(std::span<const std::int64_t> numbers);

    void insert(std::int64_t item) { m_words[static_cast<std::size_t>(item / 64)] |= std::uint64_t{1} << (item % 64); }
    /// False for numbers that no item has.
    [[nodiscard]] bool contains(std::int64_t item) const {
        return item >= 0 && item < m_size && (m_words[static_cast<std::size_t>(item / 64)] >> (item % 64) & 1) != 0;
    }
    [[nodiscard]] std::int64_t size() const { return m_size; } ///< of all items
    [[nodiscard]] std::int64_t count() const;                  ///< of those in the set
    [[nodiscard]] std::span<const std::uint64_t> words() const { return m_words; }
    [[nodiscard]] std::span<std::uint64_t> words() { return m_words; }

    /// visit(number) for all in the set, rising.
    template <class Visit>
    void visit(Visit&& visit) const {
        for (std::size_t word = 0; word < m_words.size(); ++word) {
            for (std::uint64_t rest = m_words[word]; rest != 0; rest &= rest - 1) {
                visit(static_cast<std::int64_t>(word) * 64 + std::countr_zero(rest));
            }
        }
    }

    bool operator==(const ItemSet&) const = default;

  private:
    std::int64_t m_size;
    std::vector<std::uint64_t> m_words;
};

/// The last decisions of a lane about every item at each of its points. Memory: a bit per item, set and point.
class DecisionHistory {
  public:
    static constexpr double kMostBytes = 512e6;

    /// `sets`: the names of the sets that items are fixed in, "R", "L".
    explicit DecisionHistory(std::vector<std::string> sets = {}, double mostBytes = kMostBytes)
        : m_sets(std::move(sets)), m_mostBytes(mostBytes) {}

    /// Takes the decisions at the next point: the items of each set, in the order of sets(). Error: OutOfMemory when
    /// all of them take more than `mostBytes`.
    Result<void> add(std::vector<ItemSet> decided);

    [[nodiscard]] const std::vector<std::string>& sets() const { return m_sets; }
    [[nodiscard]] std::size_t points() const { return m_points.size(); }
    [[nodiscard]] const ItemSet& at(std::size_t point, std::size_t set) const { return m_points[point][set]; }
    [[nodiscard]] double bytes() const;

  private:
    std::vector<std::string> m_sets;
    double m_mostBytes;
    std::vector<std::vector<ItemSet>> m_points;
};

/// How many of some items a lane has decided at a point, and since when.
struct DecisionCount {
    std::int64_t items = 0;           ///< looked at
    std::vector<std::int64_t> ofSets; ///< in the order of DecisionHistory::sets()
    std::int64_t decided = 0;         ///< all of them
    /// The points at which the first, half and the last of those decided here had been decided for the first time; −1
    /// when there are none.
    std::int32_t firstAt = -1;
    std::int32_t halfAt = -1;
    std::int32_t lastAt = -1;

    bool operator==(const DecisionCount&) const = default;
};

/// The counts for each point of a history. O(points² · words that hold one of the items) at most; unfinished when
/// stopped.
[[nodiscard]] std::vector<DecisionCount> countDecisions(const DecisionHistory& history, const ItemSet& items,
                                                        const std::stop_token& stop = {});

} // namespace lambdascope
