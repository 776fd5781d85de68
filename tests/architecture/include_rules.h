// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lambdascope {

/// Breaches of the house rules in the source tree at `root` (its folders app, core, ui, tests, resources), one sentence
/// each, "file:line: …":
///   * includes of our own files start at the root and name existing rooms;
///   * layers point downwards only, and families never include each other;
///   * no Qt in core, no Qt Charts outside ui/charts, no ui in the command line program;
///   * nothing at the root but what the design names.
[[nodiscard]] std::vector<std::string> houseRuleBreaches(const std::filesystem::path& root);

} // namespace lambdascope
