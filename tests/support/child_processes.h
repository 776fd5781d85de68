// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace lambdascope::test {

/// State of a process as /proc has it: 'R' running, 'S' asleep, 'T' held, 'Z' ended and not waited for; 0 for none.
inline char processState(pid_t process, pid_t* parent = nullptr) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string line;
    std::getline(file, line);
    const std::size_t end = line.rfind(')'); // of the name, which may hold anything
    if (end == std::string::npos || end + 4 > line.size()) {
        return 0;
    }
    if (parent != nullptr) {
        *parent = static_cast<pid_t>(std::stol(line.substr(end + 4)));
    }
    return line[end + 2];
}

/// Processes that this one has started and not waited for, dead ones among them.
inline std::vector<pid_t> childProcesses() {
    std::vector<pid_t> found;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
        const std::string name = entry.path().filename().string();
        if (name.find_first_not_of("0123456789") != std::string::npos) {
            continue;
        }
        pid_t parent = 0;
        const auto process = static_cast<pid_t>(std::stol(name));
        if (processState(process, &parent) != 0 && parent == ::getpid()) {
            found.push_back(process);
        }
    }
    return found;
}

} // namespace lambdascope::test
