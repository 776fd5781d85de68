// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lambdascope {

/// The forms a table leaves the program in.
enum class TableFormat {
    Text,     ///< for a terminal: columns aligned by blanks, units in the cells
    Csv,      ///< RFC 4180: seconds, shares instead of percents, in columns of numbers nothing but numbers
    Latex,    ///< a tabular in the style of booktabs
    Markdown, ///< a table of GitHub's Markdown
};

/// "text", "csv", "latex", "markdown"; nothing for other words.
[[nodiscard]] std::optional<TableFormat> tableFormatOf(std::string_view word);

/// A table that knows what its cells are.
struct TypedTable {
    enum class Kind {
        Text,
        Count,
        Number,
        Seconds,
        Ratio,
        Share, ///< from 0 to 1; percents for people
    };
    struct Column {
        std::string key;        ///< title in a CSV file
        std::string title = {}; ///< for people
        Kind kind = Kind::Text;
    };
    /// A number, a text, or neither when there is no such thing. With both, the text stands for the number in the forms
    /// that people read ("baseline" for 1), and the number in CSV.
    struct Cell {
        std::string text;
        std::optional<double> number;
        [[nodiscard]] bool isEmpty() const { return text.empty() && !number; }
    };

    std::vector<Column> columns;
    std::vector<std::vector<Cell>> rows; ///< a row may be shorter than `columns`: the rest is empty

    [[nodiscard]] const Cell& cell(std::size_t row, std::size_t column) const;

    /// The table in one of its forms, with a line of titles. `digits`: significant ones of each number, 1 to 17, 17
    /// being all that read back exactly; without: exact in CSV, else 3 of times, shares and ratios, 6 of other numbers.
    [[nodiscard]] std::string text(TableFormat format, std::optional<int> digits = {}) const;
};

/// Digits with which every number reads back exactly.
inline constexpr int kAllDigits = 17;

} // namespace lambdascope
