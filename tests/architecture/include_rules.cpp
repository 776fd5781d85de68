// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/architecture/include_rules.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <regex>
#include <set>

namespace lambdascope {

namespace {

namespace fs = std::filesystem;

const std::set<std::string> kRootEntries = {"app",
                                            "core",
                                            "ui",
                                            "resources",
                                            "tests",
                                            "CMakeLists.txt",
                                            "README.md",
                                            "CMakePresets.json",
                                            "dev",
                                            ".ci",
                                            ".clang-format",
                                            ".clang-tidy",
                                            ".gitignore",
                                            "LICENSE",
                                            ".git",
                                            "build",
                                            "runs",
                                            ".cache"};

const std::set<std::string> kFamilies = {"metric", "svm", "ordinal", "pu"};
/// Rooms with the rooms of a family within, for all families: triplets is what `metric` and `ordinal` have in common.
const std::set<std::string> kShared = {"triplets"};

/// Which rooms a room may include, besides itself.
const std::map<std::string, std::set<std::string>> kAllowed = {
    {"core/common", {}},
    {"core/config", {"core/common"}},
    {"core/data", {"core/config", "core/common"}},
    {"core/numeric", {"core/config", "core/common"}},
    {"core/kernel", {"core/numeric", "core/config", "core/common"}},
    {"core/run", {"core/data", "core/config", "core/common"}},
    {"core/inspect", {"core/run", "core/data", "core/config", "core/common"}},
    {"core/record", {"core/run", "core/config", "core/common"}},
    {"core/triplets", {"core/inspect", "core/numeric", "core/run", "core/data", "core/config", "core/common"}},
    {"core/family",
     {"core/triplets", "core/inspect", "core/kernel", "core/numeric", "core/run", "core/data", "core/config",
      "core/common"}},
    {"core/store",
     {"core/inspect", "core/record", "core/run", "core/data", "core/numeric", "core/config", "core/common"}},
    {"core/study", {"core/store", "core/record", "core/run", "core/data", "core/config", "core/common"}},
    {"ui/session", {"core"}},
    {"ui/models", {"ui/session", "core"}},
    {"ui/charts", {"core/common"}},
    {"ui/figures", {"ui/charts", "core"}},
    {"ui/panels", {"ui/figures", "ui/charts", "ui/models", "ui/session", "core"}},
    {"ui/windows", {"ui/panels", "ui/figures", "ui/charts", "ui/models", "ui/session", "core"}},
    {"app", {"ui", "core"}},
};

/// "core/data" for core/data/x.h, "core/family" for a family, "core" for core/families.h, "app" for app/main.cpp.
std::string roomOf(const std::string& path) {
    const auto first = path.find('/');
    const std::string top = path.substr(0, first);
    if (top != "core" && top != "ui") {
        return top;
    }
    const auto second = path.find('/', first + 1);
    if (second == std::string::npos) {
        return top;
    }
    const std::string room = path.substr(first + 1, second - first - 1);
    return top == "core" && kFamilies.contains(room) ? "core/family" : top + "/" + room;
}

/// The parts of a room that has folders, from the bottom up: parts of one level do not know each other. Level 0 holds
/// what stands in no folder too.
const std::map<std::string, std::map<std::string, int>> kParts = {
    {"ui/session", {{"experiment", 1}, {"runs", 1}, {"inspect", 2}, {"study", 2}}},
    {"ui/panels",
     {{"shared", 0}, {"experiment", 1}, {"inspector", 1}, {"runs", 1}, {"study", 1}, {"views", 1}, {"welcome", 1}}},
};

/// "solver" for core/metric/solver/x.h, "runs" for ui/session/runs/x.h; empty for what stands in no folder of its room.
std::string partOf(const std::string& path) {
    const auto begin = path.find('/', path.find('/') + 1) + 1;
    const auto end = path.find('/', begin);
    return end == std::string::npos ? std::string() : path.substr(begin, end - begin);
}

/// Within one room.
bool mayIncludeInRoom(const std::string& room, const std::string& from, const std::string& to) {
    const auto parts = kParts.find(room);
    if (parts == kParts.end() || partOf(from) == partOf(to)) {
        return true;
    }
    const auto level = [&](const std::string& part) {
        const auto known = parts->second.find(part);
        return known == parts->second.end() ? part.empty() ? 0 : -1 : known->second;
    };
    const int source = level(partOf(from));
    const int target = level(partOf(to));
    return source >= 0 && target >= 0 && target < source;
}

std::string familyOf(const std::string& path) {
    for (const std::string& family : kFamilies) {
        if (path.rfind("core/" + family + "/", 0) == 0) {
            return family;
        }
    }
    return {};
}

bool isShared(const std::string& room) {
    return room.rfind("core/", 0) == 0 && kShared.contains(room.substr(5));
}

/// The rooms of a family, or of what families share, from the bottom up; what stands on one level may know each other.
const std::map<std::string, int> kFamilyRooms = {{"problem", 0}, {"screening", 1}, {"engines", 2}, {"solver", 3},
                                                 {"rivals", 4},  {"path", 5},      {"inspect", 5}};

/// Within one family, or what families share.
bool mayIncludeInFamily(const std::string& from, const std::string& to) {
    const auto source = kFamilyRooms.find(partOf(from));
    const auto target = kFamilyRooms.find(partOf(to));
    if (target == kFamilyRooms.end()) { // family.h, for who implements it
        return to.ends_with("/family.h") && (source == kFamilyRooms.end() || source->second == 5);
    }
    return source == kFamilyRooms.end() ? from.find("/family.") != std::string::npos : target->second <= source->second;
}

/// The command line program, which builds and runs where no Qt is installed.
bool isCommandLine(const std::string& path) {
    return path == "app/cli_main.cpp" || path.rfind("app/cli/", 0) == 0;
}

bool mayInclude(const std::string& from, const std::string& to) {
    const std::string fromRoom = roomOf(from);
    const std::string toRoom = roomOf(to);
    if (fromRoom == "tests") {
        return true;
    }
    if (fromRoom == "core/family" && toRoom == "core/family") {
        return familyOf(from) == familyOf(to) && mayIncludeInFamily(from, to);
    }
    if (isShared(fromRoom) && fromRoom == toRoom) {
        return mayIncludeInFamily(from, to);
    }
    if (fromRoom == toRoom) {
        return mayIncludeInRoom(fromRoom, from, to);
    }
    if (fromRoom == "core") { // core/families.*: the list of all rooms
        return toRoom.rfind("core", 0) == 0;
    }
    const auto allowed = kAllowed.find(fromRoom);
    return allowed != kAllowed.end() &&
           std::any_of(allowed->second.begin(), allowed->second.end(),
                       [&](const std::string& layer) { return toRoom == layer || toRoom.rfind(layer + "/", 0) == 0; });
}

constexpr int kLongestFile = 400; ///< lines

class TreeCheck {
  public:
    explicit TreeCheck(fs::path root) : m_root(std::move(root)) {}

    std::vector<std::string> breaches() {
        for (const auto& entry : fs::directory_iterator(m_root)) {
            if (!kRootEntries.contains(entry.path().filename().string())) {
                m_breaches.push_back(entry.path().filename().string() + ": does not belong at the root");
            }
        }
        for (const char* top : {"app", "core", "ui", "tests"}) {
            if (!fs::is_directory(m_root / top)) {
                continue;
            }
            for (const auto& entry : fs::recursive_directory_iterator(m_root / top)) {
                const auto extension = entry.path().extension();
                if (extension == ".h" || extension == ".cpp") {
                    checkFile(fs::relative(entry.path(), m_root).generic_string());
                }
            }
        }
        std::sort(m_breaches.begin(), m_breaches.end());
        return m_breaches;
    }

  private:
    void checkFile(const std::string& path) {
        static const std::regex include(R"re(^\s*#\s*include\s*([<"])([^>"]+)[>"])re");
        std::ifstream file(m_root / path);
        std::string line;
        int number = 1;
        for (; std::getline(file, line); ++number) {
            m_place = path + ":" + std::to_string(number) + ": ";
            std::smatch match;
            if (std::regex_search(line, match, include)) {
                if (match[1] == "\"") {
                    checkOwnInclude(path, match[2]);
                } else {
                    checkLibraryInclude(path, match[2]);
                }
            }
            const bool namesCharts =
                line.find("QtCharts") != std::string::npos || line.find("QChart") != std::string::npos;
            if (namesCharts && path.rfind("ui/charts/", 0) != 0 && path.rfind("tests/", 0) != 0) {
                m_breaches.push_back(m_place + "Qt Charts is named outside ui/charts");
            }
        }
        if (const int lines = number - 1; lines > kLongestFile) {
            m_breaches.push_back(path + ": has " + std::to_string(lines) + " lines, more than " +
                                 std::to_string(kLongestFile) + ": which of its tasks may stand alone?");
        }
    }

    void checkOwnInclude(const std::string& path, const std::string& target) {
        const std::string top = target.substr(0, target.find('/'));
        const bool generated = target.rfind("ui_", 0) == 0 || target.ends_with(".moc");
        if (generated) {
            return;
        }
        if (top != "core" && top != "ui" && top != "app" && top != "tests") {
            m_breaches.push_back(m_place + "include \"" + target + "\" does not start at the root");
        } else if (!fs::exists(m_root / target)) {
            m_breaches.push_back(m_place + "include \"" + target + "\" names no file");
        } else if (!mayInclude(path, target)) {
            m_breaches.push_back(m_place + roomOf(path) + " may not include " + target);
        } else if (isCommandLine(path) && top == "ui") {
            m_breaches.push_back(m_place + "the command line program may not include " + target);
        }
    }

    void checkLibraryInclude(const std::string& path, const std::string& target) {
        static const std::regex qt(R"(^(Q[A-Z]|Qt))");
        const bool isQt = std::regex_search(target, qt);
        const bool qtFree = path.rfind("core/", 0) == 0 || path.rfind("tests/core/", 0) == 0 || isCommandLine(path);
        if (isQt && qtFree) {
            m_breaches.push_back(m_place + "Qt (<" + target + ">) has no place here");
        }
        if (target == "ranges") {
            m_breaches.push_back(m_place + "Clang 14, which sanitizers run with, cannot compile views of <ranges>");
        }
    }

    fs::path m_root;
    std::string m_place;
    std::vector<std::string> m_breaches;
};

} // namespace

std::vector<std::string> houseRuleBreaches(const fs::path& root) {
    return TreeCheck(root).breaches();
}

} // namespace lambdascope
