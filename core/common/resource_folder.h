// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace lambdascope {

/// The folder with presets/, datasets/, … : $LAMBDASCOPE_RESOURCES if set, else share/lambdascope beside the program's
/// bin folder, else as configured at build time (installed place, then source tree).
[[nodiscard]] std::filesystem::path resourceFolder();

} // namespace lambdascope
