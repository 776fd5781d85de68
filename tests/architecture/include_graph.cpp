// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/architecture/include_graph.h"

#include <fstream>
#include <regex>

namespace lambdascope {

namespace fs = std::filesystem;

IncludeGraph::IncludeGraph(const fs::path& root) {
    static const std::regex include(R"re(^\s*#\s*include\s*[<"]([^>"]+)[>"])re");
    for (const char* top : {"app", "core", "ui", "tests"}) {
        if (!fs::is_directory(root / top)) {
            continue;
        }
        for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
            if (entry.path().extension() != ".h" && entry.path().extension() != ".cpp") {
                continue;
            }
            const std::string file = fs::relative(entry.path(), root).generic_string();
            m_files.insert(file);
            std::ifstream text(entry.path());
            for (std::string line; std::getline(text, line);) {
                std::smatch match;
                if (line.find("include") != std::string::npos && std::regex_search(line, match, include)) {
                    m_includers[match[1]].push_back(file);
                }
            }
        }
    }
}

std::set<std::string> IncludeGraph::reaching(std::string_view prefix) const {
    std::set<std::string> reached;
    std::vector<std::string> open;
    for (auto header = m_includers.lower_bound(prefix); header != m_includers.end(); ++header) {
        if (!header->first.starts_with(prefix)) {
            break;
        }
        open.push_back(header->first);
    }
    while (!open.empty()) {
        const std::string file = std::move(open.back());
        open.pop_back();
        if (!reached.insert(file).second) {
            continue;
        }
        if (const auto includers = m_includers.find(file); includers != m_includers.end()) {
            open.insert(open.end(), includers->second.begin(), includers->second.end());
        }
    }
    std::erase_if(reached, [&](const std::string& file) { return !m_files.contains(file); });
    return reached;
}

} // namespace lambdascope
