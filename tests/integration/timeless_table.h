// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace lambdascope::testing_support {

/// A table of a study without its columns of times. No cell of these has a comma in it.
inline std::string timelessTable(const std::filesystem::path& file) {
    std::ifstream lines(file);
    std::string text;
    std::vector<bool> isTime;
    for (std::string line; std::getline(lines, line);) {
        line.erase(std::remove(line.begin(), line.end(), '\r'), line.end());
        std::istringstream cells(line + ",");
        std::size_t column = 0;
        const bool isTitle = isTime.empty();
        for (std::string cell; std::getline(cells, cell, ',');) {
            if (isTitle) {
                isTime.push_back(cell.starts_with("cpu") || cell.starts_with("wall"));
            }
            text += isTime.at(column++) ? "" : cell + ",";
        }
        text += "\n";
    }
    return text;
}

} // namespace lambdascope::testing_support
