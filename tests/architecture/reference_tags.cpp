// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/architecture/reference_tags.h"

#include <algorithm>
#include <regex>
#include <sstream>

namespace lambdascope {

namespace {

/// Where the comment of a line begins; its length when it has none.
std::size_t commentStart(std::string_view line) {
    bool isInText = false;
    for (std::size_t i = 0; i + 1 < line.size(); ++i) {
        if (isInText && line[i] == '\\') {
            ++i;
        } else if (line[i] == '"' && !(i > 0 && line[i - 1] == '\'')) {
            isInText = !isInText;
        } else if (!isInText && line[i] == '/' && line[i + 1] == '/') {
            return i;
        }
    }
    return line.size();
}

/// Words with one blank between them.
std::string squeezed(const std::string& text) {
    std::istringstream stream(text);
    std::string all;
    for (std::string word; stream >> word;) {
        all += (all.empty() ? "" : " ") + word;
    }
    return all;
}

/// The tag that the text between two brackets begins with; empty when it is something else.
std::string tagOf(const std::string& inside, const std::map<std::string, std::string>& known) {
    static const std::regex letter(
        R"(([A-Z]), (§|\(?\d|Thm|eq|[Tt]heorem|[Ll]emma|[Tt]able|[Ff]ig|[Ss]ection|[Aa]ppendix|[Aa]lg).*)");
    static const std::regex named(R"(([A-Z][^\d\s,.;:+*=/<>(){}"_][^\d;:+*=/<>(){}"_]*[ -]\d[\d-]*)(,.*)?)");
    std::smatch match;
    if (std::regex_match(inside, match, letter) || std::regex_match(inside, match, named)) {
        return match[1];
    }
    return inside.size() == 1 && known.contains(inside) ? inside : "";
}

} // namespace

std::string commentsOf(std::string_view source) {
    std::istringstream stream{std::string(source)};
    std::string comments;
    for (std::string line; std::getline(stream, line);) {
        const std::size_t start = commentStart(line);
        const std::size_t words = line.find_first_not_of("/!<", start);
        comments += (words == std::string::npos ? "" : line.substr(words)) + '\n';
    }
    return comments;
}

std::vector<TagUse> tagsIn(const std::string& text, const std::map<std::string, std::string>& known) {
    static const std::regex brackets(R"(\[([^\[\]]+)\])");
    std::vector<TagUse> uses;
    auto counted = text.begin();
    int line = 1;
    for (auto found = std::sregex_iterator(text.begin(), text.end(), brackets); found != std::sregex_iterator();
         ++found) {
        const std::string tag = tagOf(squeezed((*found)[1]), known);
        if (!tag.empty()) {
            const auto place = text.begin() + found->position();
            line += static_cast<int>(std::count(counted, place, '\n'));
            counted = place;
            uses.push_back({tag, line});
        }
    }
    return uses;
}

std::map<std::string, std::string> referencesInHeader(const std::string& text) {
    static const std::regex entry(R"(// \[([^\]]+)\] ([^\n]*(\n//  +[^\n]*)*))");
    std::map<std::string, std::string> found;
    for (auto match = std::sregex_iterator(text.begin(), text.end(), entry); match != std::sregex_iterator(); ++match) {
        found[(*match)[1]] = squeezed(std::regex_replace((*match)[2].str(), std::regex("\n//"), "\n"));
    }
    return found;
}

std::map<std::string, std::string> referencesOnPage(const std::string& text) {
    static const std::regex entry(R"(\* \*\*\\\[([^\]]+)\\\]\*\* ([^\n]*(\n  [^\n]*)*))");
    std::map<std::string, std::string> found;
    for (auto match = std::sregex_iterator(text.begin(), text.end(), entry); match != std::sregex_iterator(); ++match) {
        found[(*match)[1]] = squeezed((*match)[2]);
    }
    return found;
}

} // namespace lambdascope
