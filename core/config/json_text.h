// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/json_document.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace lambdascope {

// What keeps a text from outside from taking all memory, or minutes. parseJsonDocument() refuses what is beyond it with
// line and column, as it does text that is not UTF-8 and numbers beyond the range of double. Values for whose places
// there is no room have the place of what encloses them.

/// Bytes that an experiment file may have.
constexpr std::size_t kExperimentBytes = std::size_t{4} << 20U;
/// Arrays and objects may stand within each other up to this depth: far more than the program writes, and few enough
/// for the library's recursive functions.
constexpr std::size_t kJsonNesting = 64;
/// Keys that one object may have: looking a key up takes time in proportion to their number.
constexpr std::size_t kJsonKeys = 4096;
/// Values that one text may have, which bounds the memory that they take.
constexpr std::size_t kJsonValues = 2'000'000;

/// Whether brackets outside of quotes stand within each other more than kJsonNesting deep.
[[nodiscard]] bool isNestedTooDeeply(std::string_view text);

/// Reads and parses a file of at most `largest` bytes; readTextFile() tells which files are taken and what `what` is.
Result<JsonDocument> readJsonDocument(const std::string& path, std::size_t largest, std::string_view what);

/// Parses a text that this program wrote itself, such as a line of a log: as parseJsonDocument(), but without places,
/// and duplicate keys and many values are let pass. A fault gets `place`.
Result<Json> parseOwnJson(std::string_view text, const SourcePlace& place);

} // namespace lambdascope
