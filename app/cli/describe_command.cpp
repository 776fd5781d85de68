// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/data_input.h"
#include "app/cli/interrupt.h"
#include "app/cli/progress_sink.h"
#include "core/common/number_text.h"
#include "core/common/typed_table.h"
#include "core/config/field_table.h"
#include "core/data/data_profile.h"
#include "core/families.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace lambdascope::cli {

namespace {

using Kind = TypedTable::Kind;
using Cell = TypedTable::Cell;

TypedTable headTable(const DataHead& head) {
    constexpr std::size_t kMostColumns = 12;
    const std::size_t columns = std::min(head.columns.size(), kMostColumns);
    TypedTable table;
    const bool hasLines = !head.records.empty() && head.records.front().line > 0;
    if (hasLines) {
        table.columns.push_back({"line", "line", Kind::Count});
    }
    for (std::size_t c = 0; c < columns; ++c) {
        table.columns.push_back({head.columns[c], head.columns[c], Kind::Text});
    }
    if (columns < head.columns.size()) {
        table.columns.push_back({"more", std::to_string(head.columns.size() - columns) + " more", Kind::Text});
    }
    for (const HeadRecord& record : head.records) {
        std::vector<Cell> row;
        if (hasLines) {
            row.push_back({{}, static_cast<double>(record.line)});
        }
        for (std::size_t c = 0; c < std::min(columns, record.cells.size()); ++c) {
            row.push_back({record.cells[c], {}});
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

TypedTable classTable(const DataProfile& profile) {
    TypedTable table{{{"class", "class", Kind::Text}, {"rows", "rows", Kind::Count}, {"share", "share", Kind::Share}},
                     {}};
    for (const ProfiledClass& known : profile.classes) {
        const auto rows = static_cast<double>(known.rows);
        table.rows.push_back({{known.name, {}}, {{}, rows}, {{}, rows / static_cast<double>(profile.rows)}});
    }
    return table;
}

TypedTable featureTable(const DataProfile& profile) {
    TypedTable table{{{"feature", "feature", Kind::Text},
                      {"lowest", "lowest", Kind::Number},
                      {"highest", "highest", Kind::Number},
                      {"mean", "mean", Kind::Number},
                      {"missing", "missing", Kind::Count}},
                     {}};
    for (const ProfiledFeature& feature : profile.measures) {
        table.rows.push_back({{feature.name, {}},
                              {{}, feature.lowest},
                              {{}, feature.highest},
                              {{}, feature.mean},
                              {{}, static_cast<double>(feature.missing)}});
    }
    return table;
}

TypedTable fitTable(const std::vector<DataFit>& fits) {
    TypedTable table{{{"family", "family", Kind::Text}, {"needs", "needs", Kind::Text}}, {}};
    for (const DataFit& fit : fits) {
        table.rows.push_back({{fit.family, {}}, {fit.need ? fit.need->text() : "nothing more", {}}});
    }
    return table;
}

void print(const TypedTable& table, std::size_t most) {
    TypedTable shown = table;
    shown.rows.resize(std::min(shown.rows.size(), most));
    std::printf("\n%s", shown.text(TableFormat::Text).c_str());
    if (shown.rows.size() < table.rows.size()) {
        std::printf("… and %s more\n",
                    groupedText(static_cast<std::int64_t>(table.rows.size() - shown.rows.size())).c_str());
    }
}

} // namespace

ExitStatus describeCommand(const DescribeOptions& options) {
    const auto config = dataConfigOf("describe", options.input, options.settings, Json::object());
    if (!config) {
        return report(config.error());
    }
    InterruptWatch interrupt;
    ProgressSink progress(isatty(STDERR_FILENO) == 1 ? ProgressStyle::Bar : ProgressStyle::None);
    const DataProfile profile =
        profileData(*config, workingPlaces(), ProfileExtent::Whole, progress.preparation(), interrupt.token());
    progress.clear();
    const auto format = tableFormatOf(options.format).value_or(TableFormat::Text);
    if (format != TableFormat::Text && !profile.measures.empty()) {
        std::fputs(featureTable(profile).text(format, options.digits).c_str(), stdout);
    } else if (!profile.head.records.empty()) {
        constexpr std::size_t kMost = 40;
        if (!profile.measures.empty()) {
            std::printf("%s: %s\n", profile.name.c_str(), profileSentence(profile).c_str());
            for (std::size_t i = 1; i < profile.notes.size(); ++i) {
                std::printf("  %s\n", profile.notes[i].c_str());
            }
            std::printf("  SHA-256 %s\n", profile.sha256.c_str());
        }
        print(headTable(profile.head), kMost);
        if (!profile.measures.empty()) {
            if (!profile.classes.empty()) {
                print(classTable(profile), kMost);
            }
            print(featureTable(profile), kMost);
        }
        if (profile.dataset) {
            const Json document{{"data", dataFields().write(*config)}};
            print(fitTable(dataFits(document, profile.dataset, workingPlaces())), kMost);
        }
    }
    std::fflush(stdout);
    return profile.fault ? report(*profile.fault) : ExitStatus::Done;
}

} // namespace lambdascope::cli
