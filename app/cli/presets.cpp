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

/// The ids of what stands in a folder of the resources, in order.
std::vector<std::string> idsIn(const char* folder) {
    std::vector<std::string> ids;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(resourceFolder() / folder, error)) {
        if (entry.path().extension() == ".json") {
            ids.push_back(entry.path().stem().string());
        }
    }
    std::sort(ids.begin(), ids.end());
    return ids;
}

/// What is said where there is no file of that id.
struct Unknown {
    const char* message; ///< after the id
    const char* guess;   ///< before the nearest one
    const char* remedy;  ///< where none is near
};

Result<fs::path> fileIn(const char* folder, const std::string& id, const Unknown& unknown) {
    const std::vector<std::string> ids = idsIn(folder);
    if (std::binary_search(ids.begin(), ids.end(), id)) {
        return resourceFolder() / folder / (id + ".json");
    }
    Fault fault;
    fault.message = "\"" + id + "\" " + unknown.message;
    const auto guess = closestWord(id, ids);
    fault.remedy = guess ? unknown.guess + *guess + "?" : unknown.remedy;
    return Failure{singleFault(ErrorCode::FileNotFound, std::move(fault))};
}

} // namespace

std::vector<Preset> listedPresets() {
    std::vector<Preset> presets;
    for (const std::string& id : idsIn("presets")) {
        const auto document = readJsonDocument((resourceFolder() / "presets" / (id + ".json")).string());
        if (document && document->value.isObject()) {
            presets.push_back({id, textMember(document->value, "name"), textMember(document->value, "family"),
                               textMember(document->value, "description")});
        }
    }
    return presets;
}

std::vector<std::string> listedStudies() {
    return idsIn("studies");
}

Result<fs::path> studyPresetFile(const std::string& id) {
    return fileIn("studies", id,
                  {"is neither a study file nor one of the studies that come with the program", "Did you mean ",
                   "Check the path, or choose a study from: lambdascope-cli list studies."});
}

Result<fs::path> presetFile(const std::string& id) {
    return fileIn("presets", id,
                  {"is neither an experiment file nor a preset", "Did you mean the preset ",
                   "Check the path, or choose a preset from: lambdascope-cli list presets."});
}

} // namespace lambdascope::cli
