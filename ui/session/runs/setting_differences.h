// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/json.h"

#include <QString>

#include <map>
#include <string>
#include <vector>

namespace lambdascope {

class RunRecord;

/// The settings of a lane by key: those of its experiment ("problem.k") and its own ("lane.every"). What names things
/// and changes no number is left out.
using LaneSettings = std::map<std::string, Json>;
[[nodiscard]] LaneSettings settingsOf(const RunRecord& record);

/// A setting that is not the same everywhere.
struct SettingDifference {
    std::string key;
    std::vector<Json> values; ///< aligned with the lanes; null where a lane has no such setting
};
/// Keys in order; nothing for fewer than two lanes.
[[nodiscard]] std::vector<SettingDifference> settingDifferences(const std::vector<const LaneSettings*>& lanes);

/// "k 20", "γ 0.05", "no bounds": a setting in the few words that names in legends have room for.
[[nodiscard]] QString briefSetting(const std::string& key, const Json& value);
/// The value alone: "20", "PGB, DGB", "none", "–" for no such setting.
[[nodiscard]] QString settingValue(const Json& value);

} // namespace lambdascope
