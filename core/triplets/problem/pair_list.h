// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triplets/problem/item_numbers.h"

#include <cstddef>
#include <vector>

namespace lambdascope::triplets {

/// Pairs by what sums need to know of them, one beside the other, so that loops meet no others.
struct PairEnds {
    std::vector<RowIndex> first;
    std::vector<RowIndex> second;
    std::vector<double> squaredLength;

    void transfer(auto& archive) { archive(first, second, squaredLength); }
    void resize(std::size_t count) {
        first.resize(count);
        second.resize(count);
        squaredLength.resize(count);
    }
};

/// Pairs to be visited, in order, and the rows that they use where somebody knows them. Null stands for all pairs.
///
/// Values and weights of pairs are by the pair's number; with `ends`, by its place in the list. Of ends alone a pair
/// may be there more than once and in either order; only values are had of these.
class PairList {
  public:
    PairList(std::nullptr_t /*all*/ = nullptr) {} // NOLINT(*-explicit-*)
    PairList(const std::vector<PairIndex>* pairs, // NOLINT(*-explicit-*)
             const std::vector<RowIndex>* rows = nullptr, const PairEnds* ends = nullptr)
        : m_pairs(pairs), m_rows(rows), m_ends(ends) {}
    explicit PairList(const PairEnds& ends) : m_ends(&ends) {}

    [[nodiscard]] bool operator==(std::nullptr_t) const { return m_pairs == nullptr && m_ends == nullptr; }
    /// Not of all pairs.
    [[nodiscard]] std::size_t size() const { return m_ends != nullptr ? m_ends->first.size() : m_pairs->size(); }
    [[nodiscard]] const std::vector<PairIndex>& operator*() const { return *m_pairs; }
    [[nodiscard]] const std::vector<PairIndex>* operator->() const { return m_pairs; }
    /// In order, or null.
    [[nodiscard]] const std::vector<RowIndex>* rows() const { return m_rows; }
    [[nodiscard]] const PairEnds* ends() const { return m_ends; }

  private:
    const std::vector<PairIndex>* m_pairs = nullptr;
    const std::vector<RowIndex>* m_rows = nullptr;
    const PairEnds* m_ends = nullptr;
};

} // namespace lambdascope::triplets
