// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/metric/problem/item_numbers.h"

#include <cstddef>
#include <vector>

namespace lambdascope::metric {

/// Pairs to be visited, in order, and the rows that they use where somebody knows them. Null stands for all pairs.
class PairList {
  public:
    PairList(std::nullptr_t /*all*/ = nullptr) {} // NOLINT(*-explicit-*)
    PairList(const std::vector<PairIndex>* pairs, // NOLINT(*-explicit-*)
             const std::vector<RowIndex>* rows = nullptr)
        : m_pairs(pairs), m_rows(rows) {}

    [[nodiscard]] bool operator==(std::nullptr_t) const { return m_pairs == nullptr; }
    [[nodiscard]] const std::vector<PairIndex>& operator*() const { return *m_pairs; }
    [[nodiscard]] const std::vector<PairIndex>* operator->() const { return m_pairs; }
    /// In order, or null.
    [[nodiscard]] const std::vector<RowIndex>* rows() const { return m_rows; }

  private:
    const std::vector<PairIndex>* m_pairs = nullptr;
    const std::vector<RowIndex>* m_rows = nullptr;
};

} // namespace lambdascope::metric
