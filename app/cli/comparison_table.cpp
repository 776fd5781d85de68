// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/comparison_table.h"

#include "app/cli/text_table.h"
#include "core/common/csv_text.h"
#include "core/common/number_text.h"
#include "core/record/event_json.h"
#include "core/record/time_comparison.h"
#include "core/study/lane_measures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string_view>
#include <utility>

namespace lambdascope::cli {

namespace {

/// "3.1e-06" as a formula; other numbers as they are.
std::string latexNumber(const std::string& text) {
    const std::size_t e = text.find('e');
    if (e == std::string::npos) {
        return text.starts_with('-') ? "$" + text + "$" : text;
    }
    const auto exponent = parseInteger(text.substr(text.find_first_not_of("+", e + 1)));
    return exponent ? "$" + text.substr(0, e) + " \\cdot 10^{" + std::to_string(*exponent) + "}$" : text;
}

/// "test error" for the column "test_error".
std::string titleOf(const std::string& key) {
    std::string title = key;
    std::replace(title.begin(), title.end(), '_', ' ');
    return title;
}

/// The value of a column at the last finished point; nothing when there is none or it was not measured.
std::optional<double> lastValue(const RunRecord& lane, std::size_t column) {
    const std::size_t count = lane.finishedPointCount();
    const double value = count > 0 ? lane.points()[count - 1].values.at(column) : std::nan("");
    return std::isnan(value) ? std::nullopt : std::optional(value);
}

const RunRecord* baselineAmong(const std::vector<RunRecord>& lanes) {
    std::vector<const RunRecord*> pointers;
    for (const RunRecord& lane : lanes) {
        pointers.push_back(&lane);
    }
    return baselineOf(pointers);
}

} // namespace

std::string latexEscaped(const std::string& text) {
    std::string escaped;
    for (const char c : text) {
        switch (c) {
        case '&':
        case '%':
        case '$':
        case '#':
        case '_':
        case '{':
        case '}': escaped += std::string("\\") + c; break;
        case '\\': escaped += "\\textbackslash{}"; break;
        case '~': escaped += "\\textasciitilde{}"; break;
        case '^': escaped += "\\textasciicircum{}"; break;
        case '<': escaped += "\\textless{}"; break;
        case '>': escaped += "\\textgreater{}"; break;
        case '|': escaped += "\\textbar{}"; break;
        case '\n':
        case '\r': escaped += ' '; break;
        default: escaped += c;
        }
    }
    // What names of runs and lanes hold beyond ASCII, which not every engine and font knows.
    static constexpr std::array<std::pair<const char*, const char*>, 12> kSymbols = {{{"α", "$\\alpha$"},
                                                                                      {"β", "$\\beta$"},
                                                                                      {"γ", "$\\gamma$"},
                                                                                      {"ε", "$\\varepsilon$"},
                                                                                      {"λ", "$\\lambda$"},
                                                                                      {"ρ", "$\\rho$"},
                                                                                      {"σ", "$\\sigma$"},
                                                                                      {"×", "$\\times$"},
                                                                                      {"≤", "$\\leq$"},
                                                                                      {"≥", "$\\geq$"},
                                                                                      {"–", "--"},
                                                                                      {"…", "\\ldots{}"}}};
    for (const auto& [symbol, command] : kSymbols) {
        const std::string_view from = symbol;
        const std::string_view to = command;
        for (std::size_t at = escaped.find(from); at != std::string::npos; at = escaped.find(from, at + to.size())) {
            escaped.replace(at, from.size(), to);
        }
    }
    return escaped;
}

ComparisonTable::ComparisonTable(const std::vector<ComparedRun>& runs) {
    std::set<std::string> families;
    std::multiset<std::string> names;
    for (const ComparedRun& run : runs) {
        families.insert(run.family);
        names.insert(run.name);
    }
    // The order of the columns; what is measured beyond these follows the objective.
    m_columns = {{"run", "run", Kind::Text}};
    if (families.size() > 1) {
        m_columns.push_back({"family", "family", Kind::Text});
    }
    m_columns.insert(m_columns.end(), {{"data", "data", Kind::Text},
                                       {"lane", "lane", Kind::Text},
                                       {"ended", "ended", Kind::Text},
                                       {"points", "points", Kind::Count},
                                       {"cpu", "CPU", Kind::Seconds},
                                       {"cpu_ratio", "ratio", Kind::Ratio},
                                       {"path_rate", "path rate", Kind::Percent},
                                       {"final_rate", "final rate", Kind::Percent},
                                       {"after_rate", "after rate", Kind::Percent},
                                       {"objective", "objective", Kind::Number}});
    for (const ComparedRun& run : runs) {
        const bool isNamed = !run.name.empty() && names.count(run.name) == 1;
        addRun(run, isNamed ? run.name : run.name + (run.name.empty() ? "" : " ") + "(" + run.folder + ")");
    }
}

void ComparisonTable::addRun(const ComparedRun& run, const std::string& name) {
    const RunRecord* baseline = baselineAmong(run.lanes);
    for (const RunRecord& lane : run.lanes) {
        addLane(run, name, lane, baseline);
    }
    for (const std::string& lane : run.missing) {
        beginRow(run, name, lane);
        set({"ended"}, {"missing", {}});
    }
}

void ComparisonTable::beginRow(const ComparedRun& run, const std::string& name, const std::string& lane) {
    m_rows.emplace_back();
    set({"run"}, {name, {}});
    set({"family"}, {run.family, {}});
    set({"data"}, {run.data, {}});
    set({"lane"}, {lane, {}});
}

void ComparisonTable::addLane(const ComparedRun& run, const std::string& name, const RunRecord& lane,
                              const RunRecord* baseline) {
    beginRow(run, name, lane.start().laneName);
    set({"points"}, {{}, static_cast<double>(lane.finishedPointCount())});
    set({"cpu"}, {{}, lane.cpuSolve() + lane.cpuScreen()});
    if (baseline != nullptr) {
        const bool isTooShort = compareTimes(lane, *baseline).shortest() < kShortestTold;
        set({"cpu_ratio"}, {&lane == baseline ? "baseline"
                            : isTooShort      ? "too short"
                                              : "",
                            totalCpuRatio(lane, *baseline)});
    }
    set({"path_rate"}, {{}, meanOf(columnByRole(lane, ColumnRole::PathRate))});
    set({"final_rate"}, {{}, meanOf(columnByRole(lane, ColumnRole::FinalRate))});
    set({"after_rate"}, {{}, meanOf(columnByRole(lane, ColumnRole::AfterRate))});
    if (const auto column = lane.columnWithRole(ColumnRole::Objective)) {
        const auto value = lastValue(lane, *column);
        set({"objective"}, {lane.finishedPointCount() > 0 && !value ? "nan" : "", value});
    }
    addMeasures(lane);
    set({"ended"}, {endingText(lane), {}});
}

void ComparisonTable::addMeasures(const RunRecord& lane) {
    const std::vector<ColumnDescription>& columns = lane.start().columns;
    for (std::size_t k = 0; k < columns.size(); ++k) {
        if (isMeasure(columns[k].role)) {
            set({columns[k].key, titleOf(columns[k].key), Kind::Number}, {{}, lastValue(lane, k)});
        }
    }
}

void ComparisonTable::set(const Column& column, Cell cell) {
    if (cell.isEmpty()) {
        return;
    }
    auto found = std::find_if(m_columns.begin(), m_columns.end(), [&](const Column& c) { return c.key == column.key; });
    if (found == m_columns.end()) {
        if (column.title.empty()) {
            return; // a column that this table does not have
        }
        found = m_columns.insert(found, column);
    }
    const auto place = static_cast<std::size_t>(found - m_columns.begin());
    std::vector<Cell>& row = m_rows.back();
    row.resize(std::max(row.size(), place + 1));
    row[place] = std::move(cell);
}

const ComparisonTable::Cell& ComparisonTable::cellAt(std::size_t row, std::size_t column) const {
    static const Cell nothing;
    return column < m_rows[row].size() ? m_rows[row][column] : nothing;
}

std::vector<std::size_t> ComparisonTable::filledColumns() const {
    std::vector<std::size_t> filled;
    for (std::size_t column = 0; column < m_columns.size(); ++column) {
        for (std::size_t row = 0; row < m_rows.size(); ++row) {
            if (!cellAt(row, column).isEmpty()) {
                filled.push_back(column);
                break;
            }
        }
    }
    return filled;
}

std::string ComparisonTable::cellText(const Column& column, const Cell& cell, Format format) {
    constexpr int kDigits = 3;
    constexpr int kNumberDigits = 6;
    if (!cell.number || (format == Format::Text && !cell.text.empty())) {
        return cell.text;
    }
    const double value = *cell.number;
    if (format == Format::Csv) {
        return exactText(value);
    }
    switch (column.kind) {
    case Kind::Seconds: return format == Format::Text ? durationText(value) : shortText(value, kDigits);
    case Kind::Percent: return shortText(100 * value, kDigits) + (format == Format::Text ? "%" : "");
    case Kind::Ratio: return shortText(value, kDigits);
    case Kind::Count: return groupedText(static_cast<std::int64_t>(value));
    default: return shortText(value, kNumberDigits);
    }
}

std::string ComparisonTable::text(Format format) const {
    return format == Format::Csv     ? csvText()
           : format == Format::Json  ? jsonText()
           : format == Format::Latex ? latexText()
                                     : plainText();
}

std::string ComparisonTable::plainText() const {
    const std::vector<std::size_t> filled = filledColumns();
    std::vector<TextTable::Column> titles;
    for (const std::size_t column : filled) {
        const bool isText = m_columns[column].kind == Kind::Text;
        titles.push_back({m_columns[column].title, isText ? TextTable::Align::Left : TextTable::Align::Right});
    }
    TextTable table(std::move(titles));
    for (std::size_t row = 0; row < m_rows.size(); ++row) {
        std::vector<std::string> cells;
        for (const std::size_t column : filled) {
            cells.push_back(cellText(m_columns[column], cellAt(row, column), Format::Text));
        }
        table.addRow(std::move(cells));
    }
    return table.text();
}

std::string ComparisonTable::latexText() const {
    std::string layout;
    std::string lines;
    const std::vector<std::size_t> filled = filledColumns();
    for (const std::size_t column : filled) {
        const Kind kind = m_columns[column].kind;
        lines += (layout.empty() ? "" : " & ") + latexEscaped(m_columns[column].title);
        lines += kind == Kind::Percent ? " (\\%)" : kind == Kind::Seconds ? " (s)" : "";
        layout += kind == Kind::Text ? 'l' : 'r';
    }
    lines += " \\\\\n\\midrule\n";
    for (std::size_t row = 0; row < m_rows.size(); ++row) {
        for (std::size_t k = 0; k < filled.size(); ++k) {
            const Cell& cell = cellAt(row, filled[k]);
            const std::string text = cellText(m_columns[filled[k]], cell, Format::Latex);
            lines += (k > 0 ? " & " : "") + (cell.number ? latexNumber(text) : latexEscaped(text));
        }
        lines += " \\\\\n";
    }
    return "% needs \\usepackage{booktabs}\n\\begin{tabular}{" + layout + "}\n\\toprule\n" + lines +
           "\\bottomrule\n\\end{tabular}\n";
}

std::string ComparisonTable::csvText() const {
    const std::vector<std::size_t> filled = filledColumns();
    std::vector<std::string> cells;
    for (const std::size_t column : filled) {
        cells.push_back(m_columns[column].key);
    }
    std::string text = csvRow(cells);
    for (std::size_t row = 0; row < m_rows.size(); ++row) {
        for (std::size_t k = 0; k < filled.size(); ++k) {
            cells[k] = cellText(m_columns[filled[k]], cellAt(row, filled[k]), Format::Csv);
        }
        text += csvRow(cells);
    }
    return text;
}

std::string ComparisonTable::jsonText() const {
    Json rows = Json::array();
    for (std::size_t row = 0; row < m_rows.size(); ++row) {
        Json entry = Json::object();
        for (const std::size_t column : filledColumns()) {
            const Cell& cell = cellAt(row, column);
            if (cell.number) {
                entry[m_columns[column].key] = numberToJson(*cell.number);
            } else if (!cell.text.empty()) {
                entry[m_columns[column].key] = cell.text;
            }
        }
        rows.push_back(std::move(entry));
    }
    return rows.dump(1, Json::BadUtf8::Replace) + "\n";
}

} // namespace lambdascope::cli
