// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <map>
#include <ostream>
#include <string>
#include <vector>

namespace lambdascope::testing_support {

/// One way to give the program something it cannot use.
struct BrokenInput {
    std::string name;
    std::map<std::string, std::string> files; ///< in the working folder
    std::vector<std::string> arguments;
    std::vector<std::string> fragments; ///< all of them have to be in the message
};

void PrintTo(const BrokenInput& input, std::ostream* stream);

/// Runs the command line program on it in the folder `work`, which it makes: the message has to say all that is asked
/// for and what to do about it, with exit status 2, and no file may be left behind or changed.
void expectExplanation(const BrokenInput& input, const std::filesystem::path& work);

} // namespace lambdascope::testing_support
