// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/study_tables.h"

#include "core/common/csv_text.h"
#include "core/common/number_text.h"
#include "core/store/append_file.h"

#include <algorithm>
#include <utility>

namespace lambdascope {

namespace {

/// What a file says of a state.
const char* stateWord(CellState state) {
    return state == CellState::Finished ? "finished" : state == CellState::Failed ? "failed" : "missing";
}

std::vector<std::string> valuesOf(const Study& study, const StudyCell& cell, bool withSeeds) {
    std::vector<std::string> values;
    for (std::size_t a = 0; a < study.axes.size(); ++a) {
        const StudyAxis& axis = study.axes[a];
        if (axis.isSeeds && !withSeeds) {
            continue;
        }
        const std::size_t count = axis.columnNames().size();
        for (std::size_t f = 0; f < count; ++f) {
            values.push_back(valueText(axis.values[cell.choices[a]][f]));
        }
    }
    return values;
}

const LaneResult* laneOf(const CellStatus& status, const std::string& name) {
    const auto found = std::find_if(status.result.lanes.begin(), status.result.lanes.end(),
                                    [&](const LaneResult& lane) { return lane.lane == name; });
    return found == status.result.lanes.end() ? nullptr : &*found;
}

/// The first line of a message, for a cell of a table.
std::string firstLine(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

/// Values of each measure over the finished cells of a row.
using MeasureValues = std::map<std::string, std::vector<double>>;

void addCell(const CellStatus& status, StudyRow& row, MeasureValues& values) {
    row.failed += status.state == CellState::Failed ? 1 : 0;
    row.missing += status.state == CellState::Missing ? 1 : 0;
    const LaneResult* lane = laneOf(status, row.lane);
    if (status.state != CellState::Finished || lane == nullptr) {
        return;
    }
    ++row.finished;
    for (const LaneMeasure& measure : lane->measures) {
        values[measure.key].push_back(measure.value);
    }
}

} // namespace

std::size_t StudyResults::count(CellState state) const {
    return static_cast<std::size_t>(
        std::count_if(states.begin(), states.end(), [&](const CellStatus& status) { return status.state == state; }));
}

std::vector<std::string> combinationColumns(const Study& study) {
    std::vector<std::string> columns;
    for (const StudyAxis& axis : study.axes) {
        if (!axis.isSeeds) {
            columns.insert(columns.end(), axis.fields.begin(), axis.fields.end());
        }
    }
    return columns;
}

std::vector<std::string> measureKeys(const StudyResults& results) {
    std::vector<std::string> keys;
    for (const CellStatus& status : results.states) {
        for (const LaneResult& lane : status.result.lanes) {
            auto place = keys.begin();
            for (const LaneMeasure& measure : lane.measures) {
                const auto found = std::find(keys.begin(), keys.end(), measure.key);
                // A new one follows what it follows here, so that the order does not depend on the cell that is first.
                place = std::next(found != keys.end() ? found : keys.insert(place, measure.key));
            }
        }
    }
    return keys;
}

std::vector<StudyRow> studyRows(const StudyResults& results, const std::string& measure) {
    std::vector<StudyRow> rows;
    std::vector<MeasureValues> values;
    std::map<std::pair<std::size_t, std::string>, std::size_t> places; // of combination and lane in `rows`
    for (std::size_t i = 0; i < results.cells.size(); ++i) {
        const StudyCell& cell = results.cells[i];
        for (const std::string& lane : cell.laneNames) {
            const auto [place, isNew] = places.emplace(std::pair(cell.combination, lane), rows.size());
            if (isNew) {
                StudyRow row;
                row.values = valuesOf(results.study, cell, false);
                row.lane = lane;
                rows.push_back(std::move(row));
                values.emplace_back();
            }
            addCell(results.states[i], rows[place->second], values[place->second]);
        }
    }
    for (std::size_t r = 0; r < rows.size(); ++r) {
        for (const auto& [key, numbers] : values[r]) {
            const bool isWanted = measure.empty() || key == measure;
            if (isWanted && numbers.size() == rows[r].finished) {
                rows[r].measures[key] = seedStatistics(numbers);
            }
        }
    }
    return rows;
}

std::string cellsTable(const StudyResults& results) {
    const Study& study = results.study;
    std::vector<std::string> titles = {"cell"};
    for (const StudyAxis& axis : study.axes) {
        const std::vector<std::string> columns = axis.columnNames();
        titles.insert(titles.end(), columns.begin(), columns.end());
    }
    titles.insert(titles.end(), {"lane", "state", "ended"});
    const std::vector<std::string> keys = measureKeys(results);
    titles.insert(titles.end(), keys.begin(), keys.end());
    std::string text = csvRow(titles);
    for (std::size_t i = 0; i < results.cells.size(); ++i) {
        const StudyCell& cell = results.cells[i];
        const CellStatus& status = results.states[i];
        for (const std::string& name : cell.laneNames) {
            std::vector<std::string> row = {cell.name};
            const std::vector<std::string> values = valuesOf(study, cell, true);
            row.insert(row.end(), values.begin(), values.end());
            const LaneResult* lane = laneOf(status, name);
            row.insert(row.end(),
                       {name, stateWord(status.state), lane != nullptr ? lane->ended : firstLine(status.failure)});
            for (const std::string& key : keys) {
                const auto value = lane != nullptr ? lane->value(key) : std::nullopt;
                row.push_back(value ? exactText(*value) : "");
            }
            text += csvRow(row);
        }
    }
    return text;
}

std::string studyTable(const StudyResults& results) {
    std::vector<std::string> titles = combinationColumns(results.study);
    titles.insert(titles.end(), {"lane", "cells", "failed", "missing"});
    const std::vector<std::string> keys = measureKeys(results);
    for (const std::string& key : keys) {
        for (const char* statistic : {"mean", "median", "q25", "q75", "low", "high"}) {
            titles.push_back(key + "_" + statistic);
        }
    }
    std::string text = csvRow(titles);
    for (const StudyRow& row : studyRows(results)) {
        std::vector<std::string> cells = row.values;
        cells.insert(cells.end(),
                     {row.lane, std::to_string(row.finished), std::to_string(row.failed), std::to_string(row.missing)});
        for (const std::string& key : keys) {
            const auto found = row.measures.find(key);
            if (found == row.measures.end()) {
                cells.insert(cells.end(), 6, "");
                continue;
            }
            const SeedStatistics& s = found->second;
            for (const double value : {s.mean, s.median, s.lowerQuartile, s.upperQuartile}) {
                cells.push_back(exactText(value));
            }
            cells.push_back(s.low ? exactText(*s.low) : "");
            cells.push_back(s.high ? exactText(*s.high) : "");
        }
        text += csvRow(cells);
    }
    return text;
}

StudyResults readStudyResults(const std::filesystem::path& folder, Study study, std::vector<StudyCell> cells) {
    StudyResults results{std::move(study), std::move(cells), {}};
    results.states.reserve(results.cells.size());
    for (const StudyCell& cell : results.cells) {
        results.states.push_back(readCellStatus(folder, cell));
    }
    return results;
}

Result<void> writeStudyTables(const std::filesystem::path& folder, const StudyResults& results) {
    if (auto written = writeFileAtomically(folder / layout::kCellsTable, cellsTable(results)); !written) {
        return written;
    }
    return writeFileAtomically(folder / layout::kStudyTable, studyTable(results));
}

} // namespace lambdascope
