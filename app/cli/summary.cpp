// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/summary.h"

#include "app/cli/text_table.h"
#include "core/common/number_text.h"
#include "core/record/published_comparison.h"
#include "core/record/time_comparison.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lambdascope::cli {

namespace {

constexpr const char* kNothing = "-";

std::string meanPercent(const std::vector<double>& rates) {
    const auto mean = meanOf(rates);
    return mean ? shortText(100 * *mean, 3) + "%" : kNothing;
}

} // namespace

std::optional<double> meanOf(const std::vector<double>& values) {
    if (values.empty()) {
        return std::nullopt;
    }
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::string endingText(const RunRecord& lane) {
    if (lane.state() == RunRecord::State::Failed) {
        return "failed";
    }
    return lane.termination() ? std::string(terminationName(*lane.termination()))
                              : std::string(recordStateName(lane.state()));
}

std::optional<std::string> troubleOf(const RunRecord& lane) {
    const auto points = static_cast<std::int64_t>(lane.finishedPointCount());
    const std::string count = groupedText(points) + (points == 1 ? " point" : " points");
    if (lane.termination() == Termination::NumericalTrouble) {
        return "ended by numerical trouble after " + count;
    }
    const std::vector<double> objective = columnByRole(lane, ColumnRole::Objective);
    const bool hasNone = !objective.empty() && std::none_of(objective.begin(), objective.end(),
                                                            [](double value) { return std::isfinite(value); });
    return hasNone ? std::optional("the objective is no number at any of " + count) : std::nullopt;
}

void RecordKeeper::publish(const RunEvent& event) noexcept {
    try {
        auto found = std::find_if(m_records.begin(), m_records.end(),
                                  [&](const RunRecord& record) { return record.id() == event.run; });
        if (found == m_records.end()) {
            m_records.emplace_back(event.run);
            found = std::prev(m_records.end());
        }
        if (const auto* point = std::get_if<PointFinished>(&event.body)) {
            PointFinished slim = *point;
            slim.embedding.reset();
            slim.solution.reset();
            found->apply({event.run, event.sequence, std::move(slim)});
        } else {
            found->apply(event);
        }
    } catch (...) {
        // Out of memory: the table will lack rows; files and library have them.
        return;
    }
}

std::string summaryTable(const std::vector<RunRecord>& lanes) {
    using Align = TextTable::Align;
    std::vector<const RunRecord*> pointers;
    for (const RunRecord& lane : lanes) {
        pointers.push_back(&lane);
    }
    const RunRecord* baseline = baselineOf(pointers);
    const bool anyJudgesAfterwards = std::any_of(lanes.begin(), lanes.end(), [](const RunRecord& lane) {
        return lane.columnWithRole(ColumnRole::AfterRate).has_value();
    });
    std::vector<TextTable::Column> columns = {{"lane"},
                                              {"points", Align::Right},
                                              {"CPU solve", Align::Right},
                                              {"CPU screen", Align::Right},
                                              {"ratio", Align::Right},
                                              {"path rate", Align::Right},
                                              {"final rate", Align::Right}};
    if (anyJudgesAfterwards) {
        columns.push_back({"after rate", Align::Right});
    }
    columns.push_back({"ended"});
    TextTable table(std::move(columns));
    for (const RunRecord& lane : lanes) {
        std::string ratio = kNothing;
        if (baseline != nullptr) {
            const auto value = totalCpuRatio(lane, *baseline);
            ratio = &lane == baseline ? "baseline" : value ? shortText(*value, 3) : kNothing;
            ratio += value && !oracleSource(lane).empty() ? " (limit)" : "";
        }
        std::vector<std::string> cells = {lane.start().laneName,
                                          std::to_string(lane.finishedPointCount()),
                                          durationText(lane.cpuSolve()),
                                          durationText(lane.cpuScreen()),
                                          ratio,
                                          meanPercent(columnByRole(lane, ColumnRole::PathRate)),
                                          meanPercent(columnByRole(lane, ColumnRole::FinalRate))};
        if (anyJudgesAfterwards) {
            cells.push_back(meanPercent(columnByRole(lane, ColumnRole::AfterRate)));
        }
        cells.push_back(endingText(lane));
        table.addRow(std::move(cells));
    }
    return table.text();
}

std::string publishedTable(const std::vector<RunRecord>& lanes) {
    using Align = TextTable::Align;
    std::vector<const RunRecord*> pointers;
    for (const RunRecord& lane : lanes) {
        pointers.push_back(&lane);
    }
    TextTable table({{"published"}, {"theirs", Align::Right}, {"ours", Align::Right}, {"lane"}, {"source"}, {"note"}});
    for (const PublishedComparison& row : comparePublished(pointers)) {
        const PublishedNumber& number = row.published;
        table.addRow({number.label, shortText(number.value, 6), row.measured ? shortText(*row.measured, 6) : kNothing,
                      number.lane.empty() ? kNothing : number.lane, number.source, number.note});
    }
    return table.isEmpty() ? std::string() : table.text();
}

} // namespace lambdascope::cli
