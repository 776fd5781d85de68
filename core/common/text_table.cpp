// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/text_table.h"

#include <algorithm>

namespace lambdascope {

std::size_t displayWidth(const std::string& text) {
    constexpr unsigned kContinuationMask = 0xC0;
    constexpr unsigned kContinuation = 0x80;
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & kContinuationMask) != kContinuation;
    }));
}

std::string TextTable::text() const {
    std::vector<std::vector<std::string>> lines(1);
    for (const Column& column : m_columns) {
        lines[0].push_back(column.title);
    }
    lines.insert(lines.end(), m_rows.begin(), m_rows.end());
    std::vector<std::size_t> widths(m_columns.size(), 0);
    for (const auto& line : lines) {
        for (std::size_t i = 0; i < widths.size() && i < line.size(); ++i) {
            widths[i] = std::max(widths[i], displayWidth(line[i]));
        }
    }
    std::string result;
    for (const auto& line : lines) {
        std::string row;
        for (std::size_t i = 0; i < widths.size() && i < line.size(); ++i) {
            const std::string blanks(widths[i] - displayWidth(line[i]), ' ');
            row += i > 0 ? "  " : "";
            row += m_columns[i].align == Align::Right ? blanks + line[i] : line[i] + blanks;
        }
        row.erase(row.find_last_not_of(' ') + 1);
        result += row + '\n';
    }
    return result;
}

} // namespace lambdascope
