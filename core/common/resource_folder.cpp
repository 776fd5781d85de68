// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/resource_folder.h"

#include <cstdlib>
#include <system_error>

namespace lambdascope {

std::filesystem::path resourceFolder() {
    namespace fs = std::filesystem;
    if (const char* given = std::getenv("LAMBDASCOPE_RESOURCES"); given != nullptr && *given != '\0') {
        return given;
    }
    std::error_code ignored;
    const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
    // Programs are installed as <prefix>/lib/lambdascope/<instruction level>/<program>.
    const fs::path prefix = program.parent_path().parent_path().parent_path().parent_path();
    // A program run from its build tree must not pick up an older installed copy.
    for (const fs::path& folder : {prefix / "share" / "lambdascope", fs::path(LAMBDASCOPE_SOURCE_RESOURCES),
                                   fs::path(LAMBDASCOPE_INSTALLED_RESOURCES)}) {
        if (fs::is_directory(folder / "presets", ignored)) {
            return folder;
        }
    }
    return LAMBDASCOPE_INSTALLED_RESOURCES;
}

} // namespace lambdascope
