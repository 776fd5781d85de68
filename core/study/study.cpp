// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/study.h"

#include "core/config/field.h"
#include "core/data/data_edits.h"
#include "core/data/data_source.h"
#include "core/data/file_places.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <string_view>
#include <system_error>

namespace lambdascope {

namespace fs = std::filesystem;

namespace {

/// Each is checked before the first one runs, and has a folder.
constexpr std::size_t kMostCells = 20'000;
constexpr std::size_t kMostAxes = 32;

/// The last four are written by the program, for those who go on.
constexpr std::array<std::string_view, 10> kKeys = {"name",      "description", "experiment",     "axes",    "measure",
                                                    "published", "format",      "format_version", "version", "folders"};

std::string textMember(const Json& document, const char* key, std::vector<Fault>& faults) {
    const auto found = document.find(key);
    if (found == document.end()) {
        return {};
    }
    if (!found->isText()) {
        faults.push_back({key, "takes a text in quotes, not " + found->dump(), "Put it in quotes.", {}});
        return {};
    }
    return found->text();
}

void checkKeys(const Json& document, std::vector<Fault>& faults) {
    for (const auto& [key, value] : document.items()) {
        if (std::find(kKeys.begin(), kKeys.end(), key) == kKeys.end()) {
            const auto guess = closestWord(key, {"name", "description", "experiment", "axes", "measure", "published"});
            faults.push_back({key,
                              "unknown key",
                              guess ? "Did you mean \"" + *guess + "\"?"
                                    : "Remove it; known here: name, description, experiment, axes, measure, published.",
                              {}});
        }
    }
}

void addFolder(const fs::path& folder, std::vector<fs::path>& folders) {
    std::error_code error;
    fs::path whole = fs::absolute(folder, error).lexically_normal();
    if (!error && std::find(folders.begin(), folders.end(), whole) == folders.end()) {
        folders.push_back(std::move(whole));
    }
}

/// Takes the experiment that stands in the document, or the one that it names.
Result<void> takeExperiment(const JsonDocument& document, const ExperimentLookup& lookup, Study& study,
                            std::vector<Fault>& faults) {
    const auto given = document.value.find("experiment");
    if (given == document.value.end()) {
        faults.push_back({"experiment", "missing", "Name a preset or a file, or write the experiment here.", {}});
    } else if (given->isText()) {
        auto named = lookup(given->text());
        if (!named) {
            Error error = named.error();
            for (Fault& fault : error.faults) {
                fault.key = fault.key.empty() ? "experiment" : fault.key;
            }
            locateFaults(error.faults, document.places);
            return Failure{std::move(error)};
        }
        if (!named->folder.empty()) {
            addFolder(named->folder, study.folders);
        }
        study.experiment = std::move(named->document.value);
        study.places = std::move(named->document.places);
    } else {
        study.experiment = *given;
        constexpr std::string_view kPrefix = "experiment.";
        for (const auto& [key, place] : document.places) {
            if (key.starts_with(kPrefix)) {
                study.places[key.substr(kPrefix.size())] = place;
            }
        }
        if (const auto whole = document.places.find("experiment"); whole != document.places.end()) {
            study.places[""] = whole->second;
        }
    }
    if (given != document.value.end() && !study.experiment.isObject()) {
        faults.push_back({"experiment",
                          "is no experiment: " + study.experiment.dump().substr(0, 60),
                          "Name a preset or a file, or write { \"family\": …, \"data\": … } here.",
                          {}});
    }
    return {};
}

/// Two axes may not set one field.
void checkForTwins(const std::vector<StudyAxis>& axes, std::vector<Fault>& faults) {
    std::map<std::string, std::string> axisOf;
    for (const StudyAxis& axis : axes) {
        for (const std::string& field : axis.fields) {
            const auto [earlier, isNew] = axisOf.emplace(field, axis.key);
            if (!isNew) {
                const std::string where = earlier->second == axis.key ? "twice in " : "already in ";
                faults.push_back({axis.key,
                                  "the field " + field + " stands " + where + earlier->second,
                                  axis.isSeeds ? "Leave one of them out: \"seeds\" sets every seed of the experiment."
                                               : "Leave one of them out, or let them go together in one axis.",
                                  {}});
            }
        }
    }
}

void readAxes(const Json& document, const SchemaCatalog& catalog, Study& study, std::vector<Fault>& faults) {
    const auto given = document.find("axes");
    if (given == document.end() || !given->isArray() || given->empty()) {
        faults.push_back({"axes",
                          given == document.end() ? "missing" : "takes a list of at least one axis",
                          "Write for example [{\"field\": \"problem.k\", \"values\": [3, 5, 10]}, {\"seeds\": 5}].",
                          {}});
        return;
    }
    if (given->size() > kMostAxes) {
        faults.push_back({"axes", "has " + std::to_string(given->size()) + " axes", "Give at most 32.", {}});
        return;
    }
    for (std::size_t i = 0; i < given->size(); ++i) {
        study.axes.push_back(
            readStudyAxis((*given)[i], "axes[" + std::to_string(i) + "]", study.experiment, catalog, faults));
    }
    checkForTwins(study.axes, faults);
    const auto seedAxes =
        std::count_if(study.axes.begin(), study.axes.end(), [](const StudyAxis& axis) { return axis.isSeeds; });
    if (faults.empty() && seedAxes <= 1 && study.cellCount() > kMostCells) {
        faults.push_back({"axes",
                          "make more than " + std::to_string(kMostCells) + " cells",
                          "Take fewer values, or make several studies.",
                          {}});
    }
}

void readFolders(const Json& document, Study& study, std::vector<Fault>& faults) {
    const auto given = document.find("folders");
    if (given == document.end()) {
        return;
    }
    const bool isList = given->isArray() &&
                        std::all_of(given->begin(), given->end(), [](const Json& folder) { return folder.isText(); });
    if (!isList) {
        faults.push_back({"folders", "takes a list of texts", "Remove it, or restore the file.", {}});
        return;
    }
    for (const Json& folder : *given) {
        addFolder(folder.text(), study.folders);
    }
}

bool isThere(const std::string& source, const DataPlaces& places) {
    const std::vector<DataListing> listed = listedData();
    const bool isBundled =
        std::any_of(listed.begin(), listed.end(), [&](const DataListing& data) { return data.source == source; });
    if (isBundled || source.starts_with("toy:") || source == kPaintedSource) {
        return true;
    }
    const auto file = findFile(source, places).path;
    std::error_code ignored;
    return file && fs::exists(*file, ignored);
}

} // namespace

std::vector<std::string> StudyAxis::columnNames() const {
    return isSeeds ? std::vector<std::string>{"seed"} : fields;
}

std::size_t Study::cellCount() const {
    std::size_t count = 1;
    for (const StudyAxis& axis : axes) {
        if (!axis.values.empty() && count > std::numeric_limits<std::size_t>::max() / axis.values.size()) {
            return std::numeric_limits<std::size_t>::max();
        }
        count *= axis.values.size();
    }
    return count;
}

Json Study::document(const std::string& version) const {
    Json whole = Json::object();
    whole["format"] = layout::kStudyFormat;
    whole["format_version"] = 1;
    whole["version"] = version;
    whole["name"] = name;
    whole["folders"] = Json::array();
    for (const fs::path& folder : folders) {
        whole["folders"].push_back(folder.string());
    }
    whole["axes"] = Json::array();
    for (const StudyAxis& axis : axes) {
        Json entry = Json::object();
        Json values = Json::array();
        const bool isSingle = axis.isSeeds || axis.fields.size() == 1;
        for (const std::vector<Json>& value : axis.values) {
            values.push_back(isSingle ? value.front() : Json(value));
        }
        if (axis.isSeeds) {
            entry["seeds"] = std::move(values);
        } else {
            entry[isSingle ? "field" : "fields"] = isSingle ? Json(axis.fields.front()) : Json(axis.fields);
            entry["values"] = std::move(values);
        }
        whole["axes"].push_back(std::move(entry));
    }
    whole["experiment"] = experiment;
    if (!measure.empty()) {
        whole["measure"] = measure;
    }
    if (!published.empty()) {
        whole["published"] = writeStudyPublished(published);
    }
    return whole;
}

Result<Study> readStudy(const JsonDocument& document, const fs::path& folder, const SchemaCatalog& catalog,
                        const ExperimentLookup& lookup) {
    Study study;
    std::vector<Fault> faults;
    if (!document.value.isObject()) {
        return Failure{
            singleFault(ErrorCode::InvalidConfiguration,
                        {"", "a study is an object in braces", "Write { \"experiment\": …, \"axes\": [ … ] }.", {}})};
    }
    checkKeys(document.value, faults);
    study.name = textMember(document.value, "name", faults);
    (void)textMember(document.value, "description", faults);
    study.measure = textMember(document.value, "measure", faults);
    readFolders(document.value, study, faults);
    if (!folder.empty() && !document.value.contains("folders")) {
        addFolder(folder, study.folders);
    }
    if (auto taken = takeExperiment(document, lookup, study, faults); !taken) {
        return Failure{taken.error()};
    }
    if (study.experiment.isObject()) {
        readAxes(document.value, catalog, study, faults);
    }
    if (const auto published = document.value.find("published"); published != document.value.end()) {
        study.published = readStudyPublished(*published, study, faults);
    }
    if (study.name.empty()) {
        const bool hasName = study.experiment.contains("name") && study.experiment.at("name").isText();
        study.name = hasName ? study.experiment.at("name").text() : "study";
    }
    if (faults.empty()) {
        return study;
    }
    locateFaults(faults, document.places);
    Error error = plainError(ErrorCode::InvalidConfiguration,
                             faults.size() == 1 ? "the study has a fault"
                                                : "the study has " + std::to_string(faults.size()) + " faults");
    error.faults = std::move(faults);
    return Failure{std::move(error)};
}

Result<std::vector<std::string>> leaveOutAbsentData(Study& study) {
    std::vector<std::string> absent;
    DataPlaces places;
    places.folders = study.folders;
    for (StudyAxis& axis : study.axes) {
        const auto field = std::find(axis.fields.begin(), axis.fields.end(), "data.source");
        if (!axis.isOptional || field == axis.fields.end()) {
            continue;
        }
        const auto column = static_cast<std::size_t>(field - axis.fields.begin());
        std::erase_if(axis.values, [&](const std::vector<Json>& values) {
            if (!values[column].isText() || isThere(values[column].text(), places)) {
                return false;
            }
            absent.push_back(values[column].text());
            return true;
        });
        if (axis.values.empty()) {
            return Failure{singleFault(ErrorCode::InvalidConfiguration,
                                       {axis.key,
                                        "none of its data are here: " + findFile(absent.back(), places).tried +
                                            " were searched for " + absent.back(),
                                        "Put the files there, or name others with --set " + axis.key + ".values.",
                                        {}})};
        }
    }
    return absent;
}

} // namespace lambdascope
