// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/typed_table.h"

#include "core/common/csv_text.h"
#include "core/common/latex_text.h"
#include "core/common/number_text.h"
#include "core/common/text_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

namespace lambdascope {

namespace {

using Kind = TypedTable::Kind;
using Column = TypedTable::Column;
using Cell = TypedTable::Cell;

constexpr std::array<std::pair<std::string_view, TableFormat>, 4> kFormats = {{{"text", TableFormat::Text},
                                                                               {"csv", TableFormat::Csv},
                                                                               {"latex", TableFormat::Latex},
                                                                               {"markdown", TableFormat::Markdown}}};

std::string rounded(double value, int digits) {
    return digits >= kAllDigits ? exactText(value) : shortText(value, digits);
}

/// A number for people, without its unit unless `hasUnits`.
std::string numberText(Kind kind, double value, std::optional<int> digits, bool hasUnits) {
    constexpr int kDigits = 3;
    constexpr int kNumberDigits = 6;
    switch (kind) {
    case Kind::Count: return groupedText(std::llround(value));
    case Kind::Seconds: return hasUnits && !digits ? durationText(value) : rounded(value, digits.value_or(kDigits));
    case Kind::Share: return rounded(100 * value, digits.value_or(kDigits)) + (hasUnits ? "%" : "");
    case Kind::Ratio: return rounded(value, digits.value_or(kDigits));
    default: return rounded(value, digits.value_or(kNumberDigits));
    }
}

std::string cellText(const Column& column, const Cell& cell, TableFormat format, std::optional<int> digits) {
    if (format == TableFormat::Csv) {
        const bool isWord = column.kind != Kind::Text && !cell.number; // columns of numbers hold nothing else
        return isWord ? std::string() : cell.number ? rounded(*cell.number, digits.value_or(kAllDigits)) : cell.text;
    }
    if (!cell.number || !cell.text.empty()) {
        return format == TableFormat::Latex ? latexText(cell.text) : cell.text;
    }
    if (std::isnan(*cell.number) || std::isinf(*cell.number)) {
        return exactText(*cell.number);
    }
    const std::string text = numberText(column.kind, *cell.number, digits, format == TableFormat::Text);
    return format == TableFormat::Latex ? latexNumber(text) : text;
}

/// The title for people, with the unit that the cells leave out.
std::string titleText(const Column& column, TableFormat format) {
    if (format == TableFormat::Csv) {
        return column.key;
    }
    const char* unit = format == TableFormat::Text    ? ""
                       : column.kind == Kind::Share   ? " (%)"
                       : column.kind == Kind::Seconds ? " (s)"
                                                      : "";
    return format == TableFormat::Latex ? latexText(column.title + unit) : column.title + unit;
}

std::string markdownCell(const std::string& text) {
    std::string escaped;
    for (const char c : text) {
        escaped += c == '|' || c == '\\' ? std::string("\\") + c : c == '\n' || c == '\r' ? " " : std::string(1, c);
    }
    return escaped;
}

std::string latexTable(const TypedTable& table, const std::vector<std::vector<std::string>>& lines) {
    std::string layout;
    for (const Column& column : table.columns) {
        layout += column.kind == Kind::Text ? 'l' : 'r';
    }
    std::string body;
    for (std::size_t row = 0; row < lines.size(); ++row) {
        for (std::size_t k = 0; k < lines[row].size(); ++k) {
            body += (k > 0 ? " & " : "") + lines[row][k];
        }
        body += " \\\\\n";
        body += row == 0 ? "\\midrule\n" : "";
    }
    return "% needs \\usepackage{booktabs}\n\\begin{tabular}{" + layout + "}\n\\toprule\n" + body +
           "\\bottomrule\n\\end{tabular}\n";
}

std::string markdownTable(const TypedTable& table, std::vector<std::vector<std::string>> lines) {
    std::vector<std::size_t> widths(table.columns.size(), 3); // of "---", and of "--:"
    for (std::vector<std::string>& line : lines) {
        for (std::size_t k = 0; k < line.size(); ++k) {
            line[k] = markdownCell(line[k]);
            widths[k] = std::max(widths[k], displayWidth(line[k]));
        }
    }
    std::string text;
    for (std::size_t row = 0; row < lines.size(); ++row) {
        text += '|';
        for (std::size_t k = 0; k < lines[row].size(); ++k) {
            const std::string blanks(widths[k] - displayWidth(lines[row][k]), ' ');
            const bool isText = table.columns[k].kind == Kind::Text;
            text += ' ' + (isText ? lines[row][k] + blanks : blanks + lines[row][k]) + " |";
        }
        text += '\n';
        if (row == 0) {
            text += '|';
            for (std::size_t k = 0; k < widths.size(); ++k) {
                const bool isText = table.columns[k].kind == Kind::Text;
                text += ' ' + std::string(widths[k] - (isText ? 0 : 1), '-') + (isText ? " |" : ": |");
            }
            text += '\n';
        }
    }
    return text;
}

std::string alignedTable(const TypedTable& table, const std::vector<std::vector<std::string>>& lines) {
    std::vector<TextTable::Column> titles;
    for (std::size_t k = 0; k < table.columns.size(); ++k) {
        const bool isText = table.columns[k].kind == Kind::Text;
        titles.push_back({lines[0][k], isText ? TextTable::Align::Left : TextTable::Align::Right});
    }
    TextTable aligned(std::move(titles));
    std::for_each(lines.begin() + 1, lines.end(), [&aligned](const auto& line) { aligned.addRow(line); });
    return aligned.text();
}

} // namespace

std::optional<TableFormat> tableFormatOf(std::string_view word) {
    for (const auto& [name, format] : kFormats) {
        if (name == word) {
            return format;
        }
    }
    return std::nullopt;
}

const TypedTable::Cell& TypedTable::cell(std::size_t row, std::size_t column) const {
    static const Cell nothing;
    return column < rows[row].size() ? rows[row][column] : nothing;
}

std::string TypedTable::text(TableFormat format, std::optional<int> digits) const {
    std::vector<std::vector<std::string>> lines(1);
    for (const Column& column : columns) {
        lines[0].push_back(titleText(column, format));
    }
    for (std::size_t row = 0; row < rows.size(); ++row) {
        lines.emplace_back();
        for (std::size_t column = 0; column < columns.size(); ++column) {
            lines.back().push_back(cellText(columns[column], cell(row, column), format, digits));
        }
    }
    switch (format) {
    case TableFormat::Text: return alignedTable(*this, lines);
    case TableFormat::Latex: return latexTable(*this, lines);
    case TableFormat::Markdown: return markdownTable(*this, std::move(lines));
    default: break;
    }
    std::string text;
    for (const std::vector<std::string>& line : lines) {
        text += csvRow(line);
    }
    return text;
}

} // namespace lambdascope
