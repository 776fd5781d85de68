// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/stored_path.h"

#include "core/common/number_text.h"
#include "core/common/text_file.h"

#include <algorithm>
#include <sstream>

namespace lambdascope {

namespace {

constexpr std::size_t kPathBytes = std::size_t{1} << 30U;

std::vector<std::string> cellsOf(const std::string& line) {
    std::vector<std::string> cells;
    std::size_t begin = 0;
    while (begin <= line.size()) {
        const std::size_t end = std::min(line.find(',', begin), line.size());
        cells.push_back(line.substr(begin, end - begin));
        begin = end + 1;
    }
    return cells;
}

Failure badLine(const std::filesystem::path& file, std::size_t line, std::string message) {
    return Failure{singleFault(ErrorCode::InvalidData, {{},
                                                        std::move(message),
                                                        "The file was changed after the run; run the experiment again.",
                                                        {file.string(), line, 0}})};
}

} // namespace

Result<StoredPath> readStoredPath(const std::filesystem::path& file) {
    auto text = readTextFile(file, kPathBytes, "the path of a lane");
    if (!text) {
        return Failure{std::move(text).error()};
    }
    std::string rest = std::move(*text);
    rest.erase(rest.find_last_of('\n') == std::string::npos ? 0 : rest.find_last_of('\n') + 1);
    StoredPath path;
    std::istringstream lines(rest);
    std::string line;
    for (std::size_t number = 1; std::getline(lines, line); ++number) {
        const std::vector<std::string> cells = cellsOf(line);
        if (number == 1) {
            path.columns = cells;
            continue;
        }
        if (cells.size() != path.columns.size()) {
            return badLine(file, number,
                           std::to_string(cells.size()) + " values for " + std::to_string(path.columns.size()) +
                               " columns");
        }
        std::vector<double>& row = path.rows.emplace_back();
        for (const std::string& cell : cells) {
            const auto value = parseNumber(cell);
            if (!value) {
                return badLine(file, number, "\"" + cell + "\" is no number");
            }
            row.push_back(*value);
        }
    }
    return path;
}

StoredPath storedPath(const RunRecord& record) {
    StoredPath path;
    for (const ColumnDescription& column : record.start().columns) {
        path.columns.push_back(column.key);
    }
    for (const PointRecord& point : record.points()) {
        if (point.isFinished) {
            path.rows.push_back(point.values);
        }
    }
    return path;
}

} // namespace lambdascope
