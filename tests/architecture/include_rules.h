// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lambdascope {

/// Breaches of the house rules in the source tree at `root` (the .h and .cpp files of its folders app, core, ui and
/// tests), one sentence each, "file:line: …":
///   * includes of our own files start at the root and name existing rooms;
///   * layers point downwards only, and families never include each other;
///   * no Qt in core and its tests, no Qt Charts outside ui/charts, neither Qt nor ui in the command line program
///     (app/cli_main.cpp and app/cli);
///   * no file has more than 400 lines;
///   * nothing at the root but what the design names.
[[nodiscard]] std::vector<std::string> houseRuleBreaches(const std::filesystem::path& root);

} // namespace lambdascope
