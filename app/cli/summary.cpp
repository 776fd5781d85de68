// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/summary.h"

#include "core/common/number_text.h"
#include "core/common/text_table.h"
#include "core/record/published_comparison.h"
#include "core/record/time_comparison.h"
#include "core/study/lane_measures.h"

#include <algorithm>

namespace lambdascope::cli {

namespace {

constexpr const char* kNothing = "-";

std::string meanPercent(const std::vector<double>& rates) {
    const auto mean = meanOf(rates);
    return mean ? shortText(100 * *mean, 3) + "%" : kNothing;
}

} // namespace

std::string summaryTable(const std::vector<RunRecord>& lanes) {
    using Align = TextTable::Align;
    const std::vector<const RunRecord*> pointers = pointersTo(lanes);
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
        if (const RunRecord* baseline = baselineOf(lane, pointers); baseline != nullptr) {
            const auto value = tellingCpuRatio(lane, *baseline);
            ratio = &lane == baseline                ? "baseline"
                    : value                          ? shortText(*value, 3)
                    : totalCpuRatio(lane, *baseline) ? kTooShort
                                                     : kNothing;
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
    TextTable table({{"published"}, {"theirs", Align::Right}, {"ours", Align::Right}, {"lane"}, {"source"}, {"note"}});
    for (const PublishedComparison& row : comparePublished(pointersTo(lanes))) {
        const PublishedNumber& number = row.published;
        const std::string ours = row.measured          ? shortText(*row.measured, 6)
                                 : row.missing.empty() ? kNothing
                                                       : row.missing;
        table.addRow({number.label, shortText(number.value, 6), ours, number.lane.empty() ? kNothing : number.lane,
                      number.source, number.note});
    }
    return table.isEmpty() ? std::string() : table.text();
}

} // namespace lambdascope::cli
