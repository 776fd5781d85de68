// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/broken_input.h"

#include "tests/core/store/scratch_folder.h"
#include "tests/integration/cli_process.h"

#include <algorithm>

namespace lambdascope::testing_support {

namespace fs = std::filesystem;

void PrintTo(const BrokenInput& input, std::ostream* stream) {
    *stream << input.name;
}

void expectExplanation(const BrokenInput& input, const fs::path& work) {
    fs::create_directories(work);
    for (const auto& [file, text] : input.files) {
        fs::create_directories((work / file).parent_path());
        ScratchFolder::write(work / file, text);
    }
    const auto result = runCli(work, input.arguments);
    EXPECT_EQ(result.status, 2) << result.err;
    for (const std::string& fragment : input.fragments) {
        EXPECT_NE(result.err.find(fragment), std::string::npos) << "no \"" << fragment << "\" in: " << result.err;
    }
    // Each fault ends with what to do about it: a sentence of its own.
    EXPECT_NE(result.err.find(". "), std::string::npos) << "no remedy: " << result.err;
    EXPECT_TRUE(result.out.empty()) << result.out;
    for (const auto& entry : fs::recursive_directory_iterator(work)) {
        const std::string file = fs::relative(entry.path(), work).string();
        const bool isOurs = file == "stdout" || file == "stderr" || file.starts_with("xdg");
        const bool wasThere = std::any_of(input.files.begin(), input.files.end(), [&](const auto& given) {
            return given.first == file || given.first.starts_with(file + "/");
        });
        EXPECT_TRUE(isOurs || wasThere) << "left behind: " << file;
    }
    for (const auto& [file, text] : input.files) {
        EXPECT_EQ(ScratchFolder::contents(work / file), text) << file << " was changed";
    }
}

} // namespace lambdascope::testing_support
