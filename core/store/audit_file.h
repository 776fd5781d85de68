// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/json.h"
#include "core/store/lane_audit.h"

#include <filesystem>
#include <optional>
#include <string>

namespace lambdascope {

/// As audit.json and the run library keep it.
[[nodiscard]] Json auditToJson(const LaneAudit& audit);
/// Reads it back; nothing when `json` is no audit. One of an earlier version, which knew last bits only, is judged
/// again by its numbers.
[[nodiscard]] std::optional<LaneAudit> auditFromJson(const Json& json);

/// Writes <folder>/<lane>/audit.json, with the version of the program and the time. Error: FileUnwritable.
Result<void> writeAudit(const std::filesystem::path& folder, const LaneAudit& audit, const std::string& version);

/// Reads that; nothing when there is none, or none that can be read.
[[nodiscard]] std::optional<LaneAudit> readAudit(const std::filesystem::path& folder, const std::string& lane);

} // namespace lambdascope
