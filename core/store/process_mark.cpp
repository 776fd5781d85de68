// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/process_mark.h"

#include "core/common/number_text.h"

#include <unistd.h>

#include <fstream>
#include <sstream>

namespace lambdascope {

namespace {

std::string bootId() {
    std::ifstream stream("/proc/sys/kernel/random/boot_id");
    std::string id;
    std::getline(stream, id);
    return id;
}

/// Clock ticks from boot to the start of the process, so that a reused process id is not mistaken; empty when there is
/// no such process, or it has ended and only waits for its parent.
std::string startTime(std::int64_t process) {
    std::ifstream stream("/proc/" + std::to_string(process) + "/stat");
    std::string text;
    std::getline(stream, text);
    // Field 2 is the program's name in parentheses and may hold anything; fields are counted after it.
    const std::size_t nameEnd = text.rfind(')');
    if (nameEnd == std::string::npos) {
        return {};
    }
    constexpr int kStateField = 3;
    constexpr int kStartTimeField = 22;
    std::istringstream fields(text.substr(nameEnd + 1));
    std::string field;
    for (int number = kStateField; number <= kStartTimeField && fields >> field; ++number) {
        if (number == kStateField && (field == "Z" || field == "X")) {
            return {};
        }
    }
    return field;
}

std::string markOf(std::int64_t process) {
    const std::string start = startTime(process);
    return start.empty() ? std::string() : bootId() + ":" + std::to_string(process) + ":" + start;
}

} // namespace

std::string ownProcessMark() {
    return markOf(getpid());
}

bool isProcessAlive(std::string_view mark) {
    const std::size_t first = mark.find(':');
    const std::size_t second = mark.find(':', first + 1);
    if (first == std::string_view::npos || second == std::string_view::npos) {
        return false;
    }
    const auto process = parseInteger(mark.substr(first + 1, second - first - 1));
    return process && *process > 0 && markOf(*process) == mark;
}

} // namespace lambdascope
