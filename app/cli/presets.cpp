// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/presets.h"

#include "core/common/resource_folder.h"
#include "core/config/field.h"
#include "core/config/json_document.h"

#include <algorithm>
#include <system_error>

namespace lambdascope::cli {

namespace fs = std::filesystem;

namespace {

std::string textMember(const Json& document, const char* key) {
    const auto found = document.find(key);
    return found != document.end() && found->isText() ? found->get<std::string>() : std::string();
}

} // namespace

std::vector<Preset> listedPresets() {
    std::vector<Preset> presets;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(resourceFolder() / "presets", error)) {
        if (entry.path().extension() != ".json") {
            continue;
        }
        const auto document = readJsonDocument(entry.path().string());
        if (document && document->value.isObject()) {
            presets.push_back({entry.path().stem().string(), textMember(document->value, "name"),
                               textMember(document->value, "family"), textMember(document->value, "description")});
        }
    }
    std::sort(presets.begin(), presets.end(), [](const Preset& a, const Preset& b) { return a.id < b.id; });
    return presets;
}

std::vector<std::string> listedStudies() {
    std::vector<std::string> ids;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(resourceFolder() / "studies", error)) {
        if (entry.path().extension() == ".json") {
            ids.push_back(entry.path().stem().string());
        }
    }
    std::sort(ids.begin(), ids.end());
    return ids;
}

Result<fs::path> studyPresetFile(const std::string& id) {
    const std::vector<std::string> ids = listedStudies();
    if (std::find(ids.begin(), ids.end(), id) != ids.end()) {
        return resourceFolder() / "studies" / (id + ".json");
    }
    Fault fault;
    fault.message = "\"" + id + "\" is neither a study file nor one of the studies that come with the program";
    const auto guess = closestWord(id, ids);
    fault.remedy = guess ? "Did you mean " + *guess + "?"
                         : "Check the path, or choose a study from: lambdascope-cli list studies.";
    return Failure{singleFault(ErrorCode::FileNotFound, std::move(fault))};
}

Result<fs::path> presetFile(const std::string& id) {
    std::vector<std::string> ids;
    for (const Preset& preset : listedPresets()) {
        if (preset.id == id) {
            return resourceFolder() / "presets" / (id + ".json");
        }
        ids.push_back(preset.id);
    }
    Fault fault;
    fault.message = "\"" + id + "\" is neither an experiment file nor a preset";
    const auto guess = closestWord(id, ids);
    fault.remedy = guess ? "Did you mean the preset " + *guess + "?"
                         : "Check the path, or choose a preset from: lambdascope-cli list presets.";
    return Failure{singleFault(ErrorCode::FileNotFound, std::move(fault))};
}

} // namespace lambdascope::cli
