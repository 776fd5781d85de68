// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/architecture/documents.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <regex>
#include <sstream>

namespace lambdascope {

namespace {

namespace fs = std::filesystem;

/// "## path.csv" → "pathcsv", as the sites that show Markdown name headings.
std::string anchorOf(const std::string& heading) {
    std::string anchor;
    for (const char c : heading) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == ' ') {
            anchor += '-';
        } else if (std::isalnum(byte) != 0 || c == '-' || c == '_' || byte >= 0x80) {
            anchor += static_cast<char>(std::tolower(byte));
        }
    }
    return anchor;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
    }
    return text;
}

void readProse(const std::string& line, int number, Document& document) {
    static const std::regex heading("^#+ +(.*)$");
    static const std::regex link(R"(\]\(([^)\s]+)\))");
    static const std::regex code("`[^`]*`");
    std::smatch match;
    if (std::regex_match(line, match, heading)) {
        document.anchors.insert(anchorOf(match[1]));
    }
    for (auto found = std::sregex_iterator(line.begin(), line.end(), link); found != std::sregex_iterator(); ++found) {
        document.links.push_back({(*found)[1], number});
    }
    document.prose += replaced(replaced(std::regex_replace(line, code, "`"), "\\[", "["), "\\]", "]") + '\n';
}

bool isOutside(const std::string& target) {
    return target.find("://") != std::string::npos || target.rfind("mailto:", 0) == 0;
}

std::vector<std::string> wordsOf(const std::string& line) {
    std::istringstream stream(line);
    std::vector<std::string> words;
    for (std::string word; stream >> word && word.front() != '#';) {
        words.push_back(word);
    }
    return words;
}

bool mentions(const std::string& text, const std::string& word) {
    const std::string plain = std::regex_replace(word, std::regex(R"([.+*?^$()\[\]{}|\\])"), "\\$&");
    return std::regex_search(text, std::regex("(^|[^A-Za-z0-9-])" + plain + "($|[^A-Za-z0-9-])"));
}

/// What is wrong with `./dev WORDS…`; empty when it will be understood.
std::string scriptFault(const std::vector<std::string>& words, const std::string& devText) {
    if (words.empty() || !std::regex_search(devText, std::regex("\n  " + words[0] + " +[^\n]"))) {
        return "./dev has no command \"" + (words.empty() ? "" : words[0]) + "\"";
    }
    if (words[0] == "test" || words[0] == "run") {
        return {}; // the rest goes to ctest, or to the window
    }
    for (std::size_t i = 1; i < words.size(); ++i) {
        if (!mentions(devText, words[i]) && words[i - 1] != "--only") {
            return "./dev " + words[0] + " knows no \"" + words[i] + "\"";
        }
    }
    return {};
}

} // namespace

std::string fileText(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

std::string DocumentBlock::text() const {
    std::string all;
    for (const std::string& one : lines) {
        all += one + '\n';
    }
    return all;
}

Document readDocument(const fs::path& root, const std::string& name) {
    Document document;
    document.name = name;
    std::ifstream file(root / name);
    bool isInBlock = false;
    for (std::string line; std::getline(file, line);) {
        ++document.lines;
        if (line.rfind("```", 0) == 0) {
            isInBlock = !isInBlock;
            if (isInBlock) {
                document.blocks.push_back({line.substr(3), document.lines + 1, {}});
            }
        } else if (isInBlock) {
            document.blocks.back().lines.push_back(line);
        } else {
            readProse(line, document.lines, document);
        }
    }
    return document;
}

std::vector<Document> documentsOf(const fs::path& root) {
    std::vector<std::string> names = {"README.md"};
    if (fs::is_directory(root / "resources/docs")) {
        for (const auto& entry : fs::directory_iterator(root / "resources/docs")) {
            names.push_back("resources/docs/" + entry.path().filename().string());
        }
    }
    std::sort(names.begin(), names.end());
    std::vector<Document> documents;
    for (const std::string& name : names) {
        documents.push_back(readDocument(root, name));
    }
    return documents;
}

std::vector<std::string> linkFaults(const fs::path& root, const std::vector<Document>& documents) {
    std::vector<std::string> faults;
    std::set<std::string> reached = {"README.md"};
    for (const Document& document : documents) {
        for (const DocumentLink& link : document.links) {
            if (isOutside(link.target)) {
                continue;
            }
            const auto hash = link.target.find('#');
            const fs::path folder = fs::path(document.name).parent_path();
            const std::string file =
                hash == 0 ? document.name : (folder / link.target.substr(0, hash)).lexically_normal().generic_string();
            const std::string place = document.name + ":" + std::to_string(link.line) + ": ";
            if (!fs::exists(root / file)) {
                faults.push_back(place + "there is no " + file);
            } else if (hash != std::string::npos &&
                       !readDocument(root, file).anchors.contains(link.target.substr(hash + 1))) {
                faults.push_back(place + file + " has no heading " + link.target.substr(hash));
            }
            if (file != document.name) {
                reached.insert(file);
            }
        }
    }
    for (const Document& document : documents) {
        if (!reached.contains(document.name)) {
            faults.push_back(document.name + ": no page links to it");
        }
    }
    return faults;
}

Command classifyCommand(const std::string& line, const std::string& devText) {
    std::vector<std::string> words = wordsOf(line);
    static const std::regex assignment("[A-Z_]+=.*");
    while (!words.empty() && std::regex_match(words.front(), assignment)) {
        words.erase(words.begin());
    }
    if (words.empty()) {
        return {};
    }
    if (line.back() == '\\') {
        return {CommandKind::Nothing, "a command has a line of its own"};
    }
    const std::string program = fs::path(words.front()).filename().string();
    static const std::set<std::string> helpers = {"head", "ls", "printf"};
    if (words.front() == "./dev") {
        return {CommandKind::Script, scriptFault({words.begin() + 1, words.end()}, devText)};
    }
    const bool isChecker = words.size() > 1 && words[0] == "python3" && words[1] == "resources/certificate/check.py";
    if (program == "lambdascope-cli" || isChecker || helpers.contains(words.front())) {
        return {CommandKind::Engine, {}};
    }
    if (program == "lambdascope") {
        const bool rendersOnly = std::find(words.begin(), words.end(), "--render") != words.end();
        return {CommandKind::Window, rendersOnly ? "" : "it opens a window"};
    }
    return {CommandKind::Nothing, "nobody knows how to test \"" + words.front() + "\""};
}

} // namespace lambdascope
