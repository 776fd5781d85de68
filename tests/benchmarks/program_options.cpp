// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmarks/program_options.h"

#include <cstdio>
#include <cstdlib>

namespace lambdascope::benchmarks {

ProgramOptions readOptions(int argc, char** argv, const std::string& ownSwitch) {
    ProgramOptions options;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        if (argument == "--only" && i + 1 < argc) {
            options.only = argv[++i];
        } else if (argument == "--list") {
            options.lists = true;
        } else if (!ownSwitch.empty() && argument == ownSwitch) {
            options.switched = true;
        } else {
            std::fprintf(stderr, "usage: %s [--list] [--only PART-OF-A-TITLE]%s\n", argv[0],
                         ownSwitch.empty() ? "" : (" [" + ownSwitch + "]").c_str());
            std::exit(2);
        }
    }
    return options;
}

std::filesystem::path sharedData(const std::string& room) {
    return std::filesystem::path(LAMBDASCOPE_TEST_SOURCE_DIR) / "../shared/data" / room;
}

bool ProgramOptions::opens(const std::string& title) const {
    if (!wants(title)) {
        return false;
    }
    if (lists) {
        std::printf("%s\n", title.c_str());
    } else {
        std::printf("\n### %s\n\n", title.c_str());
    }
    return !lists;
}

} // namespace lambdascope::benchmarks
