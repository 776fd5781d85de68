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
/// Values and weights of pairs are by the pair's number; with `ends`, by its place in the list.
class PairList {
  public:
    PairList(std::nullptr_t /*all*/ = nullptr) {} // NOLINT(*-explicit-*)
    PairList(const std::vector<PairIndex>* pairs, // NOLINT(*-explicit-*)
             const std::vector<RowIndex>* rows = nullptr, const PairEnds* ends = nullptr)
        : m_pairs(pairs), m_rows(rows), m_ends(ends) {}

    [[nodiscard]] bool operator==(std::nullptr_t) const { return m_pairs == nullptr; }
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
