// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/experiment.h"

#include "core/config/field_table.h"
#include "core/data/data_edits.h"
#include "core/data/data_source.h"

#include <algorithm>
#include <array>
#include <set>

namespace lambdascope {

/// The one place that may make a Validated<Experiment>.
struct ExperimentChecker {
    static Validated<Experiment> approve(Experiment experiment) { return Validated<Experiment>(std::move(experiment)); }
};

namespace {

constexpr std::array<std::string_view, 11> kTopLevelKeys = {
    "family", "name", "description", "view", "data", "problem", "solver", "path", "run", "lanes", "published"};

constexpr std::size_t kLanes = 1000;
constexpr std::size_t kFaultsTold = 50;    ///< the reader mends one after the other anyway
constexpr std::size_t kMessageBytes = 300; ///< messages quote values, which can be of any length

Json memberOrNull(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found == object.end() ? Json() : *found;
}

/// A text at the top level, empty when it is missing.
std::string textMember(const Json& document, const char* key, std::vector<Fault>& faults) {
    const Json value = memberOrNull(document, key);
    if (!value.isNull() && !value.isText()) {
        faults.push_back({key, "takes a text in quotes, not " + value.dump(), "Put it in quotes.", {}});
    }
    return value.isText() ? value.get<std::string>() : std::string();
}

void checkTopLevelKeys(const Json& document, std::vector<Fault>& faults) {
    for (const auto& [key, value] : document.items()) {
        if (std::find(kTopLevelKeys.begin(), kTopLevelKeys.end(), key) == kTopLevelKeys.end()) {
            const std::vector<std::string> known(kTopLevelKeys.begin(), kTopLevelKeys.end());
            const auto guess = closestWord(key, known);
            faults.push_back(
                {key,
                 "unknown key",
                 guess ? "Did you mean \"" + *guess + "\"?"
                       : "Remove it; known here: family, name, description, view, data, problem, solver, path, "
                         "run, lanes, published.",
                 {}});
        }
    }
}

const FamilySchema* checkFamily(const Json& document, const SchemaCatalog& catalog, std::vector<Fault>& faults) {
    std::vector<std::string> ids;
    std::string all;
    for (const FamilySchema& family : catalog.families) {
        ids.push_back(family.id);
        all += (all.empty() ? "\"" : ", \"") + family.id + "\"";
    }
    const Json given = memberOrNull(document, "family");
    if (!given.isText()) {
        faults.push_back({"family",
                          given.isNull() ? "missing" : "takes a text in quotes, not " + given.dump(),
                          "Give one of " + all + ".",
                          {}});
        return nullptr;
    }
    const FamilySchema* family = catalog.find(given.text());
    if (family == nullptr) {
        faults.push_back({"family", "no family is called " + given.dump(), "Give one of " + all + ".", {}});
    }
    return family;
}

/// Lane names become folder names.
std::optional<std::string> complaintAboutLaneName(const std::string& name) {
    if (name.empty()) {
        return "is empty";
    }
    if (name.size() > 80) {
        return "is longer than 80 bytes";
    }
    if (name == "run.json") {
        return "is the name of the file that describes the run";
    }
    if (name.front() == '.' || name.front() == ' ' || name.back() == ' ') {
        return "begins with a dot or has blanks at an end";
    }
    for (const char c : name) {
        if (static_cast<unsigned char>(c) < 0x20 || c == '/' || c == '\\' || c == 0x7f) {
            return "has a character that a folder name cannot have";
        }
    }
    return std::nullopt;
}

ResolvedLane checkLane(const Json& given, std::size_t index, const FamilySchema& family, const Json& solver,
                       std::vector<Fault>& faults) {
    const std::string prefix = "lanes[" + std::to_string(index) + "]";
    ResolvedLane lane;
    if (!given.isObject()) {
        faults.push_back({prefix, "takes an object in braces, not " + given.dump(), "Write { \"name\": … }.", {}});
        return lane;
    }
    Json rest = given;
    const Json name = memberOrNull(given, "name");
    const Json overlay = memberOrNull(given, "solver");
    rest.erase("name");
    rest.erase("solver");
    if (!name.isText()) {
        faults.push_back({prefix + ".name",
                          name.isNull() ? "missing" : "takes a text in quotes, not " + name.dump(),
                          "Name the lane, for example \"PGB\".",
                          {}});
    } else {
        lane.name = name.get<std::string>();
        if (auto complaint = complaintAboutLaneName(lane.name)) {
            faults.push_back({prefix + ".name", *complaint, "Choose a name that can be a folder name.", {}});
        }
    }
    lane.settings = family.lane.resolve(rest, prefix, faults);
    lane.solver = solver;
    if (!overlay.isNull()) {
        const Json checked = family.solver.resolve(overlay, prefix + ".solver", faults);
        if (overlay.isObject()) {
            for (const auto& [key, value] : overlay.items()) {
                if (checked.contains(key)) {
                    lane.solver[key] = checked[key];
                }
            }
        }
    }
    return lane;
}

std::vector<ResolvedLane> checkLanes(const Json& given, const FamilySchema& family, const Json& solver,
                                     std::vector<Fault>& faults) {
    std::vector<ResolvedLane> lanes;
    const Json& list = given.isNull() ? family.defaultLanes : given;
    if (!list.isArray() || list.empty()) {
        faults.push_back({"lanes", "takes a list of at least one lane", "Write [ { \"name\": … } ].", {}});
        return lanes;
    }
    if (list.size() > kLanes) {
        faults.push_back({"lanes",
                          "has " + std::to_string(list.size()) + " lanes",
                          "Compare at most " + std::to_string(kLanes) + " lanes in one experiment.",
                          {}});
        return lanes;
    }
    std::set<std::string> names;
    for (std::size_t i = 0; i < list.size(); ++i) {
        lanes.push_back(checkLane(list[i], i, family, solver, faults));
        if (!lanes.back().name.empty() && !names.insert(lanes.back().name).second) {
            faults.push_back({"lanes[" + std::to_string(i) + "].name",
                              "\"" + lanes.back().name + "\" is the name of an earlier lane",
                              "Give each lane a name of its own.",
                              {}});
        }
    }
    const auto isEnabled = [](const ResolvedLane& lane) {
        return !lane.settings.isObject() || lane.settings.value("enabled", true);
    };
    if (std::none_of(lanes.begin(), lanes.end(), isEnabled)) {
        faults.push_back({"lanes", "not one lane is enabled", "Set \"enabled\" to true in a lane.", {}});
    }
    return lanes;
}

/// The first bytes of a text that may be of any length, not cut in the middle of a character.
std::string beginningOf(const std::string& text) {
    if (text.size() <= kMessageBytes) {
        return text;
    }
    std::size_t end = kMessageBytes;
    while ((static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
        --end;
    }
    return text.substr(0, end) + "…";
}

/// Keeps what is worth reading: the first faults, without keys and values that fill screens.
void shorten(std::vector<Fault>& faults) {
    for (Fault& fault : faults) {
        fault.key = beginningOf(fault.key);
        fault.message = beginningOf(fault.message);
    }
}

ResolvedSections checkSections(const Json& document, const FamilySchema& family, std::vector<Fault>& faults) {
    ResolvedSections sections;
    sections.problem = family.problem.resolve(memberOrNull(document, "problem"), "problem", faults);
    sections.solver = family.solver.resolve(memberOrNull(document, "solver"), "solver", faults);
    sections.path = family.path.resolve(memberOrNull(document, "path"), "path", faults);
    sections.lanes = checkLanes(memberOrNull(document, "lanes"), family, sections.solver, faults);
    return sections;
}

/// The document with every field; lanes carry "solver" only where they differ.
Json resolvedDocument(const Experiment& experiment, const std::string& view, const Json& data, const Json& run,
                      const ResolvedSections& sections) {
    Json document = Json::object();
    document["family"] = experiment.family;
    document["name"] = experiment.name;
    if (!experiment.description.empty()) {
        document["description"] = experiment.description;
    }
    if (!view.empty()) {
        document["view"] = view;
    }
    document["data"] = data;
    document["problem"] = sections.problem;
    document["solver"] = sections.solver;
    document["path"] = sections.path;
    document["run"] = run;
    Json lanes = Json::array();
    for (const ResolvedLane& lane : sections.lanes) {
        Json entry = Json::object();
        entry["name"] = lane.name;
        entry.update(lane.settings);
        for (const auto& [key, value] : lane.solver.items()) {
            if (sections.solver.at(key) != value) {
                entry["solver"][key] = value;
            }
        }
        lanes.push_back(std::move(entry));
    }
    document["lanes"] = std::move(lanes);
    if (!experiment.published.empty()) {
        document["published"] = writePublished(experiment.published);
    }
    return document;
}

/// The experiment of a document that is an object; worth something only when no fault was found.
Experiment checkDocument(const Json& document, const SchemaCatalog& catalog, std::vector<Fault>& faults) {
    Experiment experiment;
    checkTopLevelKeys(document, faults);
    const Json data = catalog.data.resolve(memberOrNull(document, "data"), "data", faults);
    const Json run = catalog.run.resolve(memberOrNull(document, "run"), "run", faults);
    experiment.name = textMember(document, "name", faults);
    experiment.description = textMember(document, "description", faults);
    const std::string view = textMember(document, "view", faults); // for the window, which knows which there are
    experiment.published = readPublished(memberOrNull(document, "published"), faults);
    const FamilySchema* family = checkFamily(document, catalog, faults);
    if (family == nullptr) {
        return experiment;
    }
    experiment.family = family->id;
    if (experiment.name.empty()) {
        experiment.name = family->id + " experiment";
    }
    const ResolvedSections sections = checkSections(document, *family, faults);
    if (faults.empty()) {
        experiment.data = dataFields().readResolved(data);
        experiment.run = runFields().readResolved(run);
        experiment.config = family->configure(sections, experiment.data, faults);
        experiment.document = resolvedDocument(experiment, view, data, run, sections);
        experiment.name = experimentTitle(experiment.document);
        for (const ResolvedLane& lane : sections.lanes) {
            experiment.laneNames.push_back(lane.name);
            experiment.laneRuns.push_back(laneRunFields().readResolved(lane.settings));
        }
    }
    return experiment;
}

} // namespace

std::vector<std::string> enabledLanes(const Experiment& experiment) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < experiment.laneNames.size(); ++i) {
        if (experiment.laneRuns[i].enabled) {
            names.push_back(experiment.laneNames[i]);
        }
    }
    return names;
}

SchemaCatalog::SchemaCatalog(std::vector<FamilySchema> all)
    : data(dataFields().schema()), run(runFields().schema()), families(std::move(all)) {}

const FamilySchema* SchemaCatalog::find(std::string_view familyId) const {
    const auto found = std::find_if(families.begin(), families.end(), [&](const auto& f) { return f.id == familyId; });
    return found == families.end() ? nullptr : &*found;
}

std::string experimentTitle(const Json& document) {
    const std::string name = document.value("name", std::string());
    const std::string whatIf = whatIfText(document.value("data", Json::object()));
    return whatIf.empty() ? name : name + " (" + whatIf + ")";
}

Result<Validated<Experiment>> validateExperiment(const Json& document, const SchemaCatalog& catalog,
                                                 const PlaceMap* places) {
    std::vector<Fault> faults;
    if (!document.isObject()) {
        faults.push_back({"", "an experiment is an object in braces", "Write { \"family\": …, \"data\": … }.", {}});
    } else {
        Experiment experiment = checkDocument(document, catalog, faults);
        if (faults.empty()) {
            return ExperimentChecker::approve(std::move(experiment));
        }
    }
    std::string summary = faults.size() == 1 ? "the experiment has a fault"
                                             : "the experiment has " + std::to_string(faults.size()) + " faults";
    if (faults.size() > kFaultsTold) {
        summary += ", of which the first " + std::to_string(kFaultsTold) + " are";
    }
    faults.resize(std::min(faults.size(), kFaultsTold));
    if (places != nullptr) {
        locateFaults(faults, *places);
    }
    shorten(faults);
    Error error = plainError(ErrorCode::InvalidConfiguration, std::move(summary));
    error.faults = std::move(faults);
    return Failure{std::move(error)};
}

Result<Validated<Experiment>> readExperiment(std::string_view text, const std::string& fileName,
                                             const SchemaCatalog& catalog) {
    auto document = parseJsonDocument(text, fileName);
    if (!document) {
        return Failure{document.error()};
    }
    return validateExperiment(document->value, catalog, &document->places);
}

} // namespace lambdascope
