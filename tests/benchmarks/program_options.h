// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lambdascope::benchmarks {

/// Command line of a program that prints tables: `[--list] [--only PART-OF-A-TITLE]` and a switch of its own.
struct ProgramOptions {
    std::string only;      ///< takes what has this in its title; all for an empty one
    bool lists = false;    ///< only tell the titles
    bool switched = false; ///< the program's own switch was given

    [[nodiscard]] bool wants(const std::string& title) const { return title.find(only) != std::string::npos; }
    /// Whether the part of this title is to be printed: prints its heading then; only the title when titles are listed.
    [[nodiscard]] bool opens(const std::string& title) const;
};

/// Ends the program with status 2 and the usage on anything unknown. `ownSwitch` may be empty.
[[nodiscard]] ProgramOptions readOptions(int argc, char** argv, const std::string& ownSwitch = {});

/// Where data of a room lie that are not part of the repository; the folder need not be there.
[[nodiscard]] std::filesystem::path sharedData(const std::string& room);

} // namespace lambdascope::benchmarks
