// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/published_number.h"

#include "core/config/field.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lambdascope {

namespace {

struct MeasureName {
    std::string_view word;
    PublishedMeasure measure;
    bool hasKey;
};
constexpr std::array<MeasureName, 9> kMeasures = {{{"fact", PublishedMeasure::Fact, true},
                                                   {"first", PublishedMeasure::First, true},
                                                   {"last", PublishedMeasure::Last, true},
                                                   {"mean", PublishedMeasure::Mean, true},
                                                   {"sum", PublishedMeasure::Sum, true},
                                                   {"least", PublishedMeasure::Least, true},
                                                   {"largest", PublishedMeasure::Largest, true},
                                                   {"cpu", PublishedMeasure::CpuTotal, false},
                                                   {"cpu ratio", PublishedMeasure::CpuRatio, false}}};
constexpr const char* kMeasureHelp =
    "Write \"fact KEY\", \"first\", \"last\", \"mean\", \"sum\", \"least\" or \"largest\" with a column, \"cpu\" or "
    "\"cpu ratio\".";

bool readMeasure(const std::string& text, PublishedNumber& number) {
    const auto whole = std::find_if(kMeasures.begin(), kMeasures.end(),
                                    [&](const MeasureName& name) { return !name.hasKey && name.word == text; });
    if (whole != kMeasures.end()) {
        number.measure = whole->measure;
        return true;
    }
    const std::size_t blank = text.find(' ');
    const auto named = std::find_if(kMeasures.begin(), kMeasures.end(), [&](const MeasureName& name) {
        return name.hasKey && name.word == text.substr(0, blank);
    });
    if (blank == std::string::npos || blank + 1 == text.size() || named == kMeasures.end()) {
        return false;
    }
    number.measure = named->measure;
    number.key = text.substr(blank + 1);
    return true;
}

std::string measureText(const PublishedNumber& number) {
    const auto name = std::find_if(kMeasures.begin(), kMeasures.end(),
                                   [&](const MeasureName& entry) { return entry.measure == number.measure; });
    return std::string(name->word) + (name->hasKey ? " " + number.key : "");
}

PublishedNumber readOne(const Json& given, const std::string& prefix, std::vector<Fault>& faults) {
    PublishedNumber number;
    std::string measure;
    readPublishedMembers(given, prefix,
                         {{{"label", &number.label},
                           {"source", &number.source},
                           {"measure", &measure},
                           {"lane", &number.lane},
                           {"note", &number.note}},
                          &number.value,
                          {},
                          "Known here: label, value, source, measure, lane, note."},
                         faults);
    if (!readMeasure(measure, number)) {
        faults.push_back({prefix + ".measure",
                          measure.empty() ? "missing" : "\"" + measure + "\" says nothing that can be measured",
                          kMeasureHelp,
                          {}});
    }
    return number;
}

} // namespace

void readPublishedList(const Json& given, std::vector<Fault>& faults,
                       const std::function<void(const Json& entry, const std::string& prefix)>& readOne) {
    if (!given.isArray()) {
        faults.push_back({"published", "takes a list, not " + given.dump(), "Write [ { \"label\": … } ].", {}});
        return;
    }
    for (std::size_t i = 0; i < given.size(); ++i) {
        const std::string prefix = "published[" + std::to_string(i) + "]";
        if (given[i].isObject()) {
            readOne(given[i], prefix);
        } else {
            faults.push_back({prefix,
                              "takes an object in braces, not " + given[i].dump(),
                              "Write { \"label\": …, \"value\": …, \"measure\": … }.",
                              {}});
        }
    }
}

void readPublishedMembers(const Json& given, const std::string& prefix, const PublishedMembers& members,
                          std::vector<Fault>& faults) {
    for (const auto& [key, value] : given.items()) {
        const auto text = std::find_if(members.texts.begin(), members.texts.end(),
                                       [&name = key](const auto& entry) { return name == entry.first; });
        if (text != members.texts.end() && value.isText()) {
            *text->second = value.template get<std::string>();
        } else if (text != members.texts.end()) {
            faults.push_back(
                {prefix + "." + key, "takes a text in quotes, not " + value.dump(), "Put it in quotes.", {}});
        } else if (key == "value" && value.isNumber()) {
            *members.value = value.template get<double>();
        } else if (key == "value") {
            faults.push_back({prefix + ".value", "takes a number, not " + value.dump(), "Write it as printed.", {}});
        } else if (!members.readOther || !members.readOther(key, value)) {
            faults.push_back({prefix + "." + key, "unknown key", members.known, {}});
        }
    }
    if (members.texts.front().second->empty()) {
        faults.push_back({prefix + ".label", "missing", "Say what the number is.", {}});
    }
    if (!given.contains("value")) {
        faults.push_back({prefix + ".value", "missing", "Give the published number.", {}});
    }
}

std::vector<PublishedNumber> readPublished(const Json& given, std::vector<Fault>& faults) {
    std::vector<PublishedNumber> numbers;
    if (!given.isNull()) {
        readPublishedList(given, faults, [&](const Json& entry, const std::string& prefix) {
            numbers.push_back(readOne(entry, prefix, faults));
        });
    }
    return numbers;
}

Json writePublished(const std::vector<PublishedNumber>& numbers) {
    Json list = Json::array();
    for (const PublishedNumber& number : numbers) {
        Json entry = Json::object();
        entry["label"] = number.label;
        entry["value"] = number.value;
        entry["measure"] = measureText(number);
        const std::array<std::pair<const char*, const std::string*>, 3> optional = {
            {{"source", &number.source}, {"lane", &number.lane}, {"note", &number.note}}};
        for (const auto& [key, text] : optional) {
            if (!text->empty()) {
                entry[key] = *text;
            }
        }
        list.push_back(std::move(entry));
    }
    return list;
}

} // namespace lambdascope
