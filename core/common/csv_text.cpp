// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/csv_text.h"

namespace lambdascope {

std::string csvCell(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) {
        return text;
    }
    std::string quoted = "\"";
    for (const char c : text) {
        quoted += c == '"' ? "\"\"" : std::string(1, c);
    }
    return quoted + '"';
}

std::string csvRow(const std::vector<std::string>& cells) {
    std::string row;
    for (std::size_t k = 0; k < cells.size(); ++k) {
        row += (k > 0 ? "," : "") + csvCell(cells[k]);
    }
    return row + '\n';
}

} // namespace lambdascope
