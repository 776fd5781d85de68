// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace lambdascope {

/// The contents of a text file of at most `largest` bytes; never reads more than that. Takes ordinary files, and pipes
/// that are open already (/dev/stdin, /dev/fd/…): folders, devices, sockets and named pipes, which can be endless or
/// wait for ever, are refused. `what` completes "larger than 4 MB, the most that <what> may have".
///
/// Errors: FileNotFound, FileUnreadable, each with the path as place.
Result<std::string> readTextFile(const std::filesystem::path& path, std::size_t largest, std::string_view what);

} // namespace lambdascope
