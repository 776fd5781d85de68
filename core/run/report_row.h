// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/run_event.h"

#include <concepts>
#include <string_view>
#include <vector>

namespace lambdascope {

/// The values of a path point, set by the keys of their columns: each column once, in any order.
class ReportRow {
  public:
    explicit ReportRow(std::vector<ColumnDescription> columns);

    /// Asserts that there is such a column and that nobody has set it yet.
    void set(std::string_view key, double value);
    void set(std::string_view key, std::integral auto count) { set(key, static_cast<double>(count)); }
    /// Leaves a column NaN: only the evaluation knows its value, if anybody asks.
    void leave(std::string_view key);

    /// All values in the order of the columns; asserts that every column is set or left. The row is done with then.
    [[nodiscard]] std::vector<double> take();

  private:
    std::vector<ColumnDescription> m_columns;
    std::vector<double> m_values;
    std::vector<bool> m_isSet;
};

} // namespace lambdascope
