// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/data/fault_list.h"
#include "core/data/input_reader.h"

#include <string>
#include <vector>

namespace lambdascope::ordinal {

/// Rows of numbers of a file, with the lines they stand in.
struct AnswerRows {
    std::size_t columns = 0;
    std::vector<std::string> header;  ///< lower case; empty for none
    std::vector<double> values;       ///< rows × columns
    std::vector<std::uint32_t> lines; ///< of each row, from 1; a NumPy array's rows count from 1 too
    bool isArray = false;             ///< `lines` are rows of a NumPy array

    [[nodiscard]] std::size_t rows() const { return lines.size(); }
    [[nodiscard]] const double* row(std::size_t at) const { return values.data() + at * columns; }
};

/// Reads all rows; their fields must be numbers and of one count. Faults of single fields go to `faults`.
Result<AnswerRows> readAnswerRows(InputReader& input, FaultList& faults);

/// Comma, semicolon, tab, or ' ' for blanks: what the first line that is no comment has.
[[nodiscard]] char delimiterOf(std::string_view head);

} // namespace lambdascope::ordinal
