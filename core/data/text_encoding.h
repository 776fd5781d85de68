// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace lambdascope {

[[nodiscard]] bool isUtf8(std::string_view text);

/// `text` itself if it is UTF-8, else `text` read as Latin-1 and written as UTF-8: old files keep readable names.
[[nodiscard]] std::string utf8Text(std::string_view text);

/// `text` for messages: in quotes, UTF-8, at most 40 bytes, control characters as '·'.
[[nodiscard]] std::string excerpt(std::string_view text);

/// ASCII letters in lower case, all else unchanged.
[[nodiscard]] std::string lowerCase(std::string_view text);

} // namespace lambdascope
