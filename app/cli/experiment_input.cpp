// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/experiment_input.h"

#include "app/cli/presets.h"
#include "core/common/resource_folder.h"
#include "core/families.h"
#include "core/store/run_folder.h"
#include "core/store/run_folder_layout.h"

#include <filesystem>
#include <system_error>

namespace lambdascope::cli {

namespace fs = std::filesystem;

namespace {

/// The record of a run has its experiment in it: that is what is meant then. Places stay those of the file.
void takeExperimentOfRun(JsonDocument& document) {
    if (!document.value.isObject() || document.value.value("format", Json()) != layout::kFormat ||
        !document.value.contains("experiment")) {
        return;
    }
    const std::string prefix = "experiment.";
    PlaceMap places;
    for (const auto& [key, place] : document.places) {
        if (key.starts_with(prefix)) {
            places[key.substr(prefix.size())] = place;
        }
    }
    const auto whole = document.places.find("experiment");
    if (whole != document.places.end()) {
        places[""] = whole->second;
    }
    Json experiment = document.value["experiment"];
    document = {std::move(experiment), std::move(places)};
}

} // namespace

Result<std::string> experimentFile(const std::string& fileOrPreset) {
    if (fileOrPreset == "-") {
        return std::string("/dev/stdin");
    }
    std::error_code error;
    const fs::path path = fileOrPreset;
    if (fs::is_directory(path, error)) {
        Fault fault;
        const bool isRun = readRunSummary(path).has_value();
        fault.message = fileOrPreset + " is a " + (isRun ? "run " : "") + "folder, not an experiment file";
        fault.remedy =
            isRun ? "Name the run.json in it to run its experiment again." : "Name a .json file or a preset.";
        return Failure{singleFault(ErrorCode::BadUsage, std::move(fault))};
    }
    if (fs::exists(path, error)) {
        return fileOrPreset;
    }
    if (error == std::errc::filename_too_long) {
        Fault fault;
        fault.message = "\"" + fileOrPreset.substr(0, 60) + "…\" is no file: File name too long";
        fault.remedy = "Check the path.";
        return Failure{singleFault(ErrorCode::FileNotFound, std::move(fault))};
    }
    if (path.has_parent_path() || path.extension() == ".json") {
        Fault fault;
        fault.message = "there is no file " + fileOrPreset;
        fault.remedy = "Check the path.";
        return Failure{singleFault(ErrorCode::FileNotFound, std::move(fault))};
    }
    return presetFile(fileOrPreset).transform([](const fs::path& file) { return file.string(); });
}

Result<void> applySettings(Json& document, const std::vector<std::string>& settings, PlaceMap* places) {
    Error all = plainError(ErrorCode::BadUsage, "--set cannot be applied");
    for (const std::string& setting : settings) {
        const std::size_t equals = setting.find('=');
        if (equals == std::string::npos || equals == 0) {
            Fault fault;
            fault.message = "--set takes key=value, not \"" + setting + "\"";
            fault.remedy = "Write for example --set problem.k=5; \"lambdascope-cli help fields\" lists the keys.";
            all.faults.push_back(std::move(fault));
            continue;
        }
        const std::string key = setting.substr(0, equals);
        const auto set = setByKeyPath(document, key, setting.substr(equals + 1));
        if (!set) {
            if (set.error().faults.empty()) {
                Fault fault;
                fault.key = key;
                fault.message = set.error().message;
                all.faults.push_back(std::move(fault));
            }
            all.faults.insert(all.faults.end(), set.error().faults.begin(), set.error().faults.end());
        } else if (places != nullptr) {
            // What is set here does not stand in the file any more.
            (*places)[key] = SourcePlace{"--set", 0, 0};
        }
    }
    if (all.faults.empty()) {
        return {};
    }
    if (all.faults.size() == 1) {
        return Failure{singleFault(ErrorCode::BadUsage, std::move(all.faults.front()))};
    }
    return Failure{std::move(all)};
}

Result<ExperimentDocument> readExperimentDocument(const std::string& fileOrPreset) {
    auto file = experimentFile(fileOrPreset);
    if (!file) {
        return Failure{std::move(file).error()};
    }
    auto document = readJsonDocument(*file);
    if (!document) {
        return Failure{std::move(document).error()};
    }
    takeExperimentOfRun(*document);
    std::error_code error;
    const fs::path folder = fs::path(*file).parent_path();
    return ExperimentDocument{std::move(*document),
                              *file == "/dev/stdin" || folder.empty() ? fs::path() : fs::absolute(folder, error)};
}

Result<ExperimentInput> readExperimentInput(const std::string& fileOrPreset, const std::vector<std::string>& settings) {
    auto read = readExperimentDocument(fileOrPreset);
    if (!read) {
        return Failure{std::move(read).error()};
    }
    JsonDocument& document = read->document;
    if (auto applied = applySettings(document.value, settings, &document.places); !applied) {
        return Failure{applied.error()};
    }
    auto experiment = validateExperiment(document.value, builtInCatalog(), &document.places);
    if (!experiment) {
        return Failure{std::move(experiment).error()};
    }
    DataPlaces places;
    std::error_code error;
    if (!read->folder.empty()) {
        places.folders.push_back(read->folder);
    }
    places.folders.push_back(fs::current_path(error));
    places.bundled = resourceFolder() / "datasets";
    return ExperimentInput{std::move(*experiment), std::move(places)};
}

} // namespace lambdascope::cli
