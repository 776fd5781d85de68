// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace lambdascope {

/// The part of `text` without the blanks around it: spaces, tabs and ends of lines. It stays a part of
/// `text`, also when it is empty.
[[nodiscard]] constexpr std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kBlanks = " \t\r\n\f\v";
    const auto first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) {
        return text.substr(0, 0);
    }
    return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

} // namespace lambdascope
