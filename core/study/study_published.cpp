// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/study_published.h"

#include "core/common/number_text.h"
#include "core/config/published_number.h"
#include "core/study/study_tables.h"

#include <algorithm>

namespace lambdascope {

namespace {

constexpr const char* kHelp = "Known here: label, value, measure, lane, source, note, where.";

void readWhere(const Json& given, const std::string& key, const Study& study, StudyPublished& number,
               std::vector<Fault>& faults) {
    if (!given.isObject()) {
        faults.push_back({key, "takes an object in braces, not " + given.dump(), "Write {\"problem.k\": 3}.", {}});
        return;
    }
    const std::vector<std::string> columns = combinationColumns(study);
    for (const auto& [field, value] : given.items()) {
        if (std::find(columns.begin(), columns.end(), field) == columns.end()) {
            faults.push_back({key + "." + field, "is no field of an axis", "Name a field that the study varies.", {}});
        }
        number.where.emplace_back(field, valueText(value));
    }
}

StudyPublished readOne(const Json& given, const std::string& prefix, const Study& study, std::vector<Fault>& faults) {
    StudyPublished number;
    const auto readOther = [&](const std::string& key, const Json& value) {
        if (key == "where") {
            readWhere(value, prefix + ".where", study, number, faults);
        }
        return key == "where";
    };
    readPublishedMembers(given, prefix,
                         {{{"label", &number.label},
                           {"measure", &number.measure},
                           {"lane", &number.lane},
                           {"source", &number.source},
                           {"note", &number.note}},
                          &number.value,
                          readOther,
                          kHelp},
                         faults);
    for (const auto& [key, isMissing] :
         {std::pair("measure", number.measure.empty()), std::pair("lane", number.lane.empty())}) {
        if (isMissing) {
            faults.push_back({prefix + "." + key, "missing", kHelp, {}});
        }
    }
    return number;
}

} // namespace

std::vector<StudyPublished> readStudyPublished(const Json& given, const Study& study, std::vector<Fault>& faults) {
    std::vector<StudyPublished> numbers;
    readPublishedList(given, faults, [&](const Json& entry, const std::string& prefix) {
        numbers.push_back(readOne(entry, prefix, study, faults));
    });
    return numbers;
}

Json writeStudyPublished(const std::vector<StudyPublished>& numbers) {
    Json list = Json::array();
    for (const StudyPublished& number : numbers) {
        Json entry = Json::object();
        entry["label"] = number.label;
        entry["value"] = number.value;
        entry["measure"] = number.measure;
        entry["lane"] = number.lane;
        entry["source"] = number.source;
        entry["note"] = number.note;
        entry["where"] = Json::object();
        for (const auto& [field, value] : number.where) {
            entry["where"][field] = value;
        }
        list.push_back(std::move(entry));
    }
    return list;
}

std::vector<StudyPublishedComparison> compareStudyPublished(const StudyResults& results) {
    const std::vector<std::string> columns = combinationColumns(results.study);
    const std::vector<StudyRow> rows = results.study.published.empty() ? std::vector<StudyRow>() : studyRows(results);
    std::vector<StudyPublishedComparison> comparisons;
    for (const StudyPublished& number : results.study.published) {
        const auto isMeant = [&](const StudyRow& row) {
            return row.lane == number.lane &&
                   std::all_of(number.where.begin(), number.where.end(), [&](const auto& field) {
                       const auto column = std::find(columns.begin(), columns.end(), field.first);
                       return column != columns.end() &&
                              row.values[static_cast<std::size_t>(column - columns.begin())] == field.second;
                   });
        };
        comparisons.push_back({number, {}});
        const auto row = std::find_if(rows.begin(), rows.end(), isMeant);
        if (row != rows.end() && std::none_of(row + 1, rows.end(), isMeant)) {
            const auto found = row->measures.find(number.measure);
            if (found != row->measures.end()) {
                comparisons.back().ours = found->second;
            }
        }
    }
    return comparisons;
}

std::string meanText(const SeedStatistics& statistics) {
    constexpr int kMeanDigits = 3;
    std::string text = shortText(statistics.mean, kMeanDigits);
    if (statistics.low && statistics.high && *statistics.low != *statistics.high) {
        text += " [" + shortText(*statistics.low, kMeanDigits) + ", " + shortText(*statistics.high, kMeanDigits) + "]";
    }
    return text;
}

} // namespace lambdascope
