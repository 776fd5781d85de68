// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/file_places.h"

namespace lambdascope {

FilePlace findFile(const std::string& name, const DataPlaces& places) {
    const std::filesystem::path path(name);
    std::error_code ignored;
    if (path.is_absolute() || (places.folders.empty() && std::filesystem::exists(path, ignored))) {
        return {path, {}};
    }
    FilePlace place;
    for (const auto& folder : places.folders) {
        if (std::filesystem::exists(folder / path, ignored)) {
            return {folder / path, {}};
        }
        place.tried += (place.tried.empty() ? "" : ", ") + folder.string();
    }
    return place;
}

} // namespace lambdascope
