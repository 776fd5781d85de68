// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/comparison_table.h"

#include "app/cli/summary.h"
#include "core/record/event_json.h"
#include "core/record/time_comparison.h"
#include "core/study/lane_measures.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

namespace lambdascope::cli {

namespace {

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

/// Gathers rows; a cell goes to the column of its key.
class ComparisonBuilder {
  public:
    explicit ComparisonBuilder(const std::vector<ComparedRun>& runs);
    /// The table without the columns that no lane fills.
    [[nodiscard]] TypedTable table() const;

  private:
    using Kind = TypedTable::Kind;
    using Column = TypedTable::Column;
    using Cell = TypedTable::Cell;

    void addRun(const ComparedRun& run, const std::string& name);
    void beginRow(const ComparedRun& run, const std::string& name, const std::string& lane);
    void addLane(const ComparedRun& run, const std::string& name, const RunRecord& lane, const RunRecord* baseline);
    void addMeasures(const RunRecord& lane);
    void set(const Column& column, Cell cell);

    TypedTable m_table;
};

ComparisonBuilder::ComparisonBuilder(const std::vector<ComparedRun>& runs) {
    std::set<std::string> families;
    std::multiset<std::string> names;
    for (const ComparedRun& run : runs) {
        families.insert(run.family);
        names.insert(run.name);
    }
    // The order of the columns; what is measured beyond these follows the objective.
    m_table.columns = {{"run", "run", Kind::Text}};
    if (families.size() > 1) {
        m_table.columns.push_back({"family", "family", Kind::Text});
    }
    m_table.columns.insert(m_table.columns.end(), {{"data", "data", Kind::Text},
                                                   {"lane", "lane", Kind::Text},
                                                   {"ended", "ended", Kind::Text},
                                                   {"points", "points", Kind::Count},
                                                   {"cpu", "CPU", Kind::Seconds},
                                                   {"cpu_ratio", "ratio", Kind::Ratio},
                                                   {"path_rate", "path rate", Kind::Share},
                                                   {"final_rate", "final rate", Kind::Share},
                                                   {"after_rate", "after rate", Kind::Share},
                                                   {"objective", "objective", Kind::Number}});
    for (const ComparedRun& run : runs) {
        const bool isNamed = !run.name.empty() && names.count(run.name) == 1;
        addRun(run, isNamed ? run.name : run.name + (run.name.empty() ? "" : " ") + "(" + run.folder + ")");
    }
}

void ComparisonBuilder::addRun(const ComparedRun& run, const std::string& name) {
    for (const RunRecord& lane : run.lanes) {
        addLane(run, name, lane, baselineOf(lane, pointersTo(run.lanes)));
    }
    for (const std::string& lane : run.missing) {
        beginRow(run, name, lane);
        set({"ended"}, {"missing", {}});
    }
}

void ComparisonBuilder::beginRow(const ComparedRun& run, const std::string& name, const std::string& lane) {
    m_table.rows.emplace_back();
    set({"run"}, {name, {}});
    set({"family"}, {run.family, {}});
    set({"data"}, {run.data, {}});
    set({"lane"}, {lane, {}});
}

void ComparisonBuilder::addLane(const ComparedRun& run, const std::string& name, const RunRecord& lane,
                                const RunRecord* baseline) {
    beginRow(run, name, lane.start().laneName);
    set({"points"}, {{}, static_cast<double>(lane.finishedPointCount())});
    set({"cpu"}, {{}, lane.cpuSolve() + lane.cpuScreen()});
    if (baseline != nullptr) {
        const auto ratio = tellingCpuRatio(lane, *baseline);
        const bool isTooShort = !ratio && totalCpuRatio(lane, *baseline);
        set({"cpu_ratio"}, isTooShort ? Cell{kTooShort, {}} : Cell{&lane == baseline ? "baseline" : "", ratio});
    }
    set({"path_rate"}, {{}, meanOf(columnByRole(lane, ColumnRole::PathRate))});
    set({"final_rate"}, {{}, meanOf(columnByRole(lane, ColumnRole::FinalRate))});
    set({"after_rate"}, {{}, meanOf(columnByRole(lane, ColumnRole::AfterRate))});
    if (const auto column = lane.columnWithRole(ColumnRole::Objective)) {
        const auto value = lastValue(lane, *column);
        const bool isKnown = lane.finishedPointCount() == 0 || value;
        set({"objective"}, {{}, isKnown ? value : std::nan("")});
    }
    addMeasures(lane);
    set({"ended"}, {endingText(lane), {}});
}

void ComparisonBuilder::addMeasures(const RunRecord& lane) {
    const std::vector<ColumnDescription>& columns = lane.start().columns;
    for (std::size_t k = 0; k < columns.size(); ++k) {
        if (isMeasure(columns[k].role)) {
            set({columns[k].key, titleOf(columns[k].key), Kind::Number}, {{}, lastValue(lane, k)});
        }
    }
}

void ComparisonBuilder::set(const Column& column, Cell cell) {
    if (cell.isEmpty()) {
        return;
    }
    auto found = std::find_if(m_table.columns.begin(), m_table.columns.end(),
                              [&](const Column& c) { return c.key == column.key; });
    if (found == m_table.columns.end()) {
        if (column.title.empty()) {
            return; // a column that this table does not have
        }
        found = m_table.columns.insert(found, column);
    }
    const auto place = static_cast<std::size_t>(found - m_table.columns.begin());
    std::vector<Cell>& row = m_table.rows.back();
    row.resize(std::max(row.size(), place + 1));
    row[place] = std::move(cell);
}

TypedTable ComparisonBuilder::table() const {
    TypedTable filled;
    filled.rows.resize(m_table.rows.size());
    for (std::size_t column = 0; column < m_table.columns.size(); ++column) {
        std::vector<Cell> cells;
        for (std::size_t row = 0; row < m_table.rows.size(); ++row) {
            cells.push_back(m_table.cell(row, column));
        }
        if (std::all_of(cells.begin(), cells.end(), [](const Cell& cell) { return cell.isEmpty(); })) {
            continue;
        }
        filled.columns.push_back(m_table.columns[column]);
        for (std::size_t row = 0; row < cells.size(); ++row) {
            filled.rows[row].push_back(std::move(cells[row]));
        }
    }
    return filled;
}

} // namespace

TypedTable comparisonTable(const std::vector<ComparedRun>& runs) {
    return ComparisonBuilder(runs).table();
}

std::string jsonText(const TypedTable& table) {
    Json rows = Json::array();
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        Json entry = Json::object();
        for (std::size_t column = 0; column < table.columns.size(); ++column) {
            const TypedTable::Cell& cell = table.cell(row, column);
            if (cell.number) {
                entry[table.columns[column].key] = numberToJson(*cell.number);
            } else if (!cell.text.empty()) {
                entry[table.columns[column].key] = cell.text;
            }
        }
        rows.push_back(std::move(entry));
    }
    return rows.dump(1, Json::BadUtf8::Replace) + "\n";
}

} // namespace lambdascope::cli
