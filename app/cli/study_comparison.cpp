// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/study_comparison.h"

#include "core/common/latex_text.h"
#include "core/common/number_text.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace lambdascope::cli {

namespace {

/// What a reader of a terminal gets: no parts of the CPU time, and no times that its ratio says.
bool isShown(const std::string& key) {
    static constexpr std::array<std::string_view, 4> kLeftOut = {"cpu_solve", "cpu_screen", "wall", "points"};
    return std::find(kLeftOut.begin(), kLeftOut.end(), key) == kLeftOut.end();
}

/// "0.0533 {\small[0.0267, 0.0667]}".
std::string latexMean(const SeedStatistics& statistics) {
    std::string text = meanText(statistics);
    if (const std::size_t bracket = text.find('['); bracket != std::string::npos) {
        text = text.insert(bracket, "{\\small") + "}";
    }
    return text;
}

std::string cellsText(const StudyRow& row) {
    const std::size_t all = row.finished + row.failed + row.missing;
    return std::to_string(row.finished) + (row.finished < all ? " of " + std::to_string(all) : "");
}

std::string titleText(const std::string& key) {
    std::string title = key;
    std::replace(title.begin(), title.end(), '_', ' ');
    return title;
}

/// Titles, then rows.
std::vector<std::vector<std::string>> linesOf(const StudyResults& results, bool isLatex) {
    std::vector<std::vector<std::string>> lines = {combinationColumns(results.study)};
    lines.front().insert(lines.front().end(), {"lane", "seeds"});
    std::vector<std::string> keys = measureKeys(results);
    std::erase_if(keys, [](const std::string& key) { return !isShown(key); });
    for (const std::string& key : keys) {
        lines.front().push_back(titleText(key));
    }
    for (const StudyRow& row : studyRows(results)) {
        std::vector<std::string>& line = lines.emplace_back(row.values);
        line.insert(line.end(), {row.lane, cellsText(row)});
        for (const std::string& key : keys) {
            const auto found = row.measures.find(key);
            line.push_back(found == row.measures.end() ? ""
                           : isLatex                   ? latexMean(found->second)
                                                       : meanText(found->second));
        }
    }
    return lines;
}

/// The same as words, for a terminal or as Markdown.
std::string wordsText(const StudyResults& results, TableFormat format) {
    const auto lines = linesOf(results, false);
    TypedTable table;
    for (const std::string& title : lines.front()) {
        table.columns.push_back({title, title});
    }
    for (auto line = lines.begin() + 1; line != lines.end(); ++line) {
        std::vector<TypedTable::Cell>& row = table.rows.emplace_back();
        for (const std::string& text : *line) {
            row.push_back({text, {}});
        }
    }
    return results.study.name + ": means over the seeds, with 95 % intervals of the mean\n" +
           (format == TableFormat::Markdown ? "\n" : "") + table.text(format) + publishedBesideOurs(results, format);
}

std::string latexText(const StudyResults& results) {
    const auto lines = linesOf(results, true);
    const std::size_t texts = combinationColumns(results.study).size() + 2;
    std::string text = "% needs \\usepackage{booktabs}\n\\begin{tabular}{" + std::string(texts, 'l') +
                       std::string(lines.front().size() - texts, 'r') + "}\n\\toprule\n";
    for (std::size_t row = 0; row < lines.size(); ++row) {
        for (std::size_t k = 0; k < lines[row].size(); ++k) {
            const bool isText = row == 0 || k < texts;
            text += (k > 0 ? " & " : "") + (isText ? lambdascope::latexText(lines[row][k]) : lines[row][k]);
        }
        text += row == 0 ? " \\\\\n\\midrule\n" : " \\\\\n";
    }
    return text + "\\bottomrule\n\\end{tabular}\n";
}

Json jsonRows(const StudyResults& results) {
    Json rows = Json::array();
    const std::vector<std::string> columns = combinationColumns(results.study);
    for (const StudyRow& row : studyRows(results)) {
        Json entry = {{"study", results.study.name}};
        for (std::size_t k = 0; k < columns.size(); ++k) {
            const auto number = parseNumber(row.values[k]);
            entry[columns[k]] = number ? Json(*number) : Json(row.values[k]);
        }
        entry["lane"] = row.lane;
        entry["cells"] = row.finished;
        entry["failed"] = row.failed;
        entry["missing"] = row.missing;
        for (const auto& [key, s] : row.measures) {
            entry[key] = {{"mean", s.mean}, {"median", s.median}, {"q25", s.lowerQuartile}, {"q75", s.upperQuartile}};
            if (s.low && s.high) {
                entry[key]["low"] = *s.low;
                entry[key]["high"] = *s.high;
            }
        }
        rows.push_back(std::move(entry));
    }
    return rows;
}

} // namespace

std::string publishedBesideOurs(const StudyResults& results, TableFormat format) {
    TypedTable table;
    for (const char* title : {"published", "theirs", "ours", "source", "what differs"}) {
        table.columns.push_back({title, title});
    }
    for (const StudyPublishedComparison& one : compareStudyPublished(results)) {
        if (one.ours) {
            table.rows.push_back({{one.published.label, {}},
                                  {shortText(one.published.value), one.published.value},
                                  {meanText(*one.ours), one.ours->mean},
                                  {one.published.source, {}},
                                  {one.published.note, {}}});
        }
    }
    if (table.rows.empty()) {
        return {};
    }
    return std::string("\nPublished numbers beside ours\n") + (format == TableFormat::Markdown ? "\n" : "") +
           table.text(format);
}

std::string studyComparison(const std::vector<StudyResults>& studies, std::optional<TableFormat> format) {
    std::string text;
    Json all = Json::array();
    for (const StudyResults& results : studies) {
        if (!format) {
            for (const Json& row : jsonRows(results)) {
                all.push_back(row);
            }
        } else {
            text += text.empty() ? "" : "\n";
            text += format == TableFormat::Csv     ? studyTable(results)
                    : format == TableFormat::Latex ? latexText(results)
                                                   : wordsText(results, *format);
        }
    }
    return !format && !studies.empty() ? all.dump(1, Json::BadUtf8::Replace) + "\n" : text;
}

} // namespace lambdascope::cli
