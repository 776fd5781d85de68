// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lambdascope {

/// A work that is named in brackets: "[T, Thm 2]" has the tag T, "[Higham 2002, §3.1]" the tag "Higham 2002".
struct TagUse {
    std::string tag;
    int line = 0;
};

/// The comments of a source, each line in its place and all else left blank.
[[nodiscard]] std::string commentsOf(std::string_view source);

/// Tags in a text, also where the brackets span lines (of a comment too). A tag is a word or more that ends with a
/// number, or one capital letter with a place in the work after it; a capital letter alone is one if `known` has it,
/// since it may be a matrix otherwise.
[[nodiscard]] std::vector<TagUse> tagsIn(const std::string& text, const std::map<std::string, std::string>& known);

/// The works that core/references.h defines, by tag.
[[nodiscard]] std::map<std::string, std::string> referencesInHeader(const std::string& text);
/// The works that resources/docs/references.md defines, by tag.
[[nodiscard]] std::map<std::string, std::string> referencesOnPage(const std::string& text);

} // namespace lambdascope
