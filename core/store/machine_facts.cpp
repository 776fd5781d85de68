// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/machine_facts.h"

#include <array>
#include <ctime>
#include <fstream>
#include <thread>

namespace lambdascope {

MachineFacts machineFacts() {
    MachineFacts facts;
    facts.cores = std::thread::hardware_concurrency();
    std::ifstream stream("/proc/cpuinfo");
    for (std::string line; std::getline(stream, line);) {
        if (line.starts_with("model name")) {
            const std::size_t value = line.find_first_not_of(" \t", line.find(':') + 1);
            facts.cpu = value == std::string::npos ? std::string() : line.substr(value);
            break;
        }
    }
    return facts;
}

std::string utcNow() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    std::array<char, 32> text{};
    const std::size_t length = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
    return {text.data(), length};
}

} // namespace lambdascope
