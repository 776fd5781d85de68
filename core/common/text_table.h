// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace lambdascope {

/// Columns of text, aligned by blanks; numbers to the right.
class TextTable {
  public:
    enum class Align { Left, Right };
    struct Column {
        std::string title;
        Align align = Align::Left;
    };

    explicit TextTable(std::vector<Column> columns) : m_columns(std::move(columns)) {}
    void addRow(std::vector<std::string> cells) { m_rows.push_back(std::move(cells)); }
    [[nodiscard]] bool isEmpty() const { return m_rows.empty(); }
    [[nodiscard]] const std::vector<Column>& columns() const { return m_columns; }
    [[nodiscard]] const std::vector<std::vector<std::string>>& rows() const { return m_rows; }
    /// All lines, the titles first.
    [[nodiscard]] std::string text() const;

  private:
    std::vector<Column> m_columns;
    std::vector<std::vector<std::string>> m_rows;
};

/// Characters (code points) of a UTF-8 text: how wide a terminal shows it, for the scripts used here.
[[nodiscard]] std::size_t displayWidth(const std::string& text);

} // namespace lambdascope
