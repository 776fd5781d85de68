// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/json.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace lambdascope {

/// A dotted path into an experiment, taken apart: "lanes[1].solver.tolerance" → "lanes", 1, "solver", "tolerance".
using KeyPath = std::vector<std::variant<std::string, std::size_t>>;

/// Nothing for text that is no path.
[[nodiscard]] std::optional<KeyPath> parseKeyPath(const QString& text);

/// The key of the field that holds a key: an element of a list, "a.b[2]", belongs to the list.
[[nodiscard]] QString holderOf(const QString& key);

/// The value at `path`, or null when there is none.
[[nodiscard]] const Json* findAt(const Json& document, const KeyPath& path);

/// Sets the value at `path`, making objects on the way but no array elements; false when that is impossible.
bool setAt(Json& document, const KeyPath& path, const Json& value);

/// Removes the member at `path`, and objects that become empty by it.
void eraseAt(Json& document, const KeyPath& path);

} // namespace lambdascope
