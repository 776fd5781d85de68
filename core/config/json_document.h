// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/config/json.h"

#include <map>
#include <string>
#include <string_view>

namespace lambdascope {

/// Where each value of a JSON text stands: dotted key path ("lanes[2].bounds") → place of its key (or of the array
/// element). The path "" is the document itself.
using PlaceMap = std::map<std::string, SourcePlace, std::less<>>;

/// A JSON text that remembers where its values stood, so that a fault found later can name line and column.
struct JsonDocument {
    Json value;
    PlaceMap places;
};

/// Parses `text`. Syntax errors and duplicate keys fail with line and column; `fileName` is only quoted.
Result<JsonDocument> parseJsonDocument(std::string_view text, const std::string& fileName);

/// Reads and parses a file.
Result<JsonDocument> readJsonDocument(const std::string& path);

/// Gives each fault without a place the place of its key, or of the nearest enclosing key that has one.
void locateFaults(std::vector<Fault>& faults, const PlaceMap& places);

/// Sets the value at a dotted path ("problem.k", "lanes[1].every", "lanes[1].bounds[0]") in `document`, creating
/// objects on the way but no array elements. `valueText` is taken as JSON if it parses, else as a string.
Result<void> setByKeyPath(Json& document, std::string_view keyPath, std::string_view valueText);

} // namespace lambdascope
