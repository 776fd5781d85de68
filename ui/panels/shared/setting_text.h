// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/field.h"

#include <QString>

namespace lambdascope {

/// A number as JSON, in the shortest text that reads back exactly.
[[nodiscard]] QString numberText(const Json& number);

/// The value as text for summaries and tooltips: numbers exact, choices by their labels, lists joined by commas.
[[nodiscard]] QString settingText(const FieldDescription& field, const Json& value);

/// What a setting is in the words of a list of settings: "no tests", "BT1, IT", "shrinking", "no shrinking", "screen
/// every 5".
[[nodiscard]] QString settingPhrase(const FieldDescription& field, const Json& value);

} // namespace lambdascope
