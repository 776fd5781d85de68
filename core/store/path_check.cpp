// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/path_check.h"

#include "core/common/number_text.h"
#include "core/common/text_file.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace lambdascope {

namespace {

constexpr std::size_t kMostExamples = 10;
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

bool isSame(double a, double b) {
    return a == b || (std::isnan(a) && std::isnan(b));
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

PathCheck comparePath(const StoredPath& stored, const std::vector<ColumnDescription>& columns,
                      const std::vector<RecomputedPoint>& computed) {
    PathCheck check;
    const auto differ = [&check](const std::string& example) {
        ++check.differences;
        if (check.examples.size() < kMostExamples) {
            check.examples.push_back(example);
        }
    };
    if (stored.rows.size() != computed.size()) {
        differ("path.csv has " + std::to_string(stored.rows.size()) + " points, the path computed again " +
               std::to_string(computed.size()));
    }
    const std::size_t common = std::min(stored.rows.size(), computed.size());
    check.points = static_cast<std::int32_t>(common);
    for (std::size_t c = 0; c < columns.size(); ++c) {
        const auto at = std::find(stored.columns.begin(), stored.columns.end(), columns[c].key);
        if (at == stored.columns.end()) {
            differ("path.csv has no column " + columns[c].key);
            continue;
        }
        const auto column = static_cast<std::size_t>(at - stored.columns.begin());
        for (std::size_t p = 0; p < common && columns[c].unit != "s"; ++p) {
            const double is = stored.rows[p][column];
            const double should = computed[p].values[c];
            const bool isUnmeasured = isMeasure(columns[c].role) && std::isnan(is);
            if (!isUnmeasured && !isSame(is, should)) {
                differ(columns[c].key + " at point " + std::to_string(p) + ": stored " + exactText(is) +
                       ", computed again " + exactText(should));
            }
        }
    }
    return check;
}

} // namespace lambdascope
