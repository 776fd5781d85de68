// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/blocked_array.h"
#include "core/data/fault_list.h"
#include "core/data/loader.h"
#include "core/data/raw_data.h"

#include <cstdint>

namespace lambdascope {

/// Gathers rows of (column, value) pairs and makes them sparse or dense.
/// Memory: the finished matrix plus one block; when it becomes dense, its pairs (12 bytes each) go as it grows.
class SparseBuilder {
  public:
    /// Below this share of non-zeros sparse storage takes less memory and time than dense.
    static constexpr double kSparseDensity = 0.25;

    /// `column` from 0, ascending within a row.
    void add(std::int32_t column, double value);
    void endRow();

    [[nodiscard]] std::size_t rowCount() const { return m_ends.size(); }

    /// Moves the rows into `data`: sparse when `storage` asks for it, or leaves it open and the share of non-zeros is
    /// below kSparseDensity. At least `columns` columns. Errors: OutOfMemory, with the reason in `faults`.
    Result<void> finish(RawData& data, Storage storage, std::int64_t columns, FaultList& faults);

  private:
    void fillSparse(RawData& data, std::int64_t columns);
    void fillDense(RawData& data, std::int64_t columns);

    BlockedArray<std::int32_t> m_columns;
    BlockedArray<double> m_values;
    std::vector<std::int64_t> m_ends; ///< for each row, pairs up to its end
    std::int64_t m_width = 0;
};

} // namespace lambdascope
