// SPDX-License-Identifier: GPL-3.0-or-later
// Runs every command of README.md and resources/docs, page by page, as a reader would: one after the other, in a folder
// of their own.
#include "tests/architecture/documents.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <fstream>

using namespace lambdascope;

namespace {

namespace fs = std::filesystem;

#ifdef LAMBDASCOPE_WINDOW
constexpr bool hasWindow = true;
const std::string windowProgram = LAMBDASCOPE_WINDOW;
#else
constexpr bool hasWindow = false;
const std::string windowProgram;
#endif

/// The lines of a page that are run, each with its place in front of what it prints.
std::vector<std::string> scriptOf(const Document& page) {
    std::vector<std::string> lines;
    const std::string dev = fileText(LAMBDASCOPE_TEST_SOURCE_DIR "/dev");
    for (const DocumentBlock& block : page.blocks) {
        for (std::size_t i = 0; block.language == "sh" && i < block.lines.size(); ++i) {
            const Command command = classifyCommand(block.lines[i], dev);
            if (command.kind == CommandKind::Engine || (command.kind == CommandKind::Window && hasWindow)) {
                lines.push_back("echo '=== line " + std::to_string(block.line + static_cast<int>(i)) + "'");
                lines.push_back(block.lines[i]);
            }
        }
    }
    return lines;
}

std::vector<std::string> pagesWithCommands() {
    std::vector<std::string> names;
    for (const Document& page : documentsOf(LAMBDASCOPE_TEST_SOURCE_DIR)) {
        if (!scriptOf(page).empty()) {
            names.push_back(page.name);
        }
    }
    return names;
}

class DocumentCommands : public ::testing::TestWithParam<std::string> {
  protected:
    void SetUp() override {
        m_scratch = fs::path(LAMBDASCOPE_TEST_BINARY_DIR) / "documents" / fs::path(GetParam()).stem();
        fs::remove_all(m_scratch);
        // Where readers have the programs: in the build folder, or installed.
        for (const char* folder : {"bin", "build/release/app"}) {
            fs::create_directories(m_scratch / folder);
            fs::create_symlink(LAMBDASCOPE_CLI, m_scratch / folder / "lambdascope-cli");
            if (hasWindow) {
                fs::create_symlink(windowProgram, m_scratch / folder / "lambdascope");
            }
        }
        fs::create_directory_symlink(LAMBDASCOPE_TEST_SOURCE_DIR "/resources", m_scratch / "resources");
    }
    void TearDown() override {
        if (!HasFailure()) {
            fs::remove_all(m_scratch);
        }
    }

    fs::path m_scratch;
};

TEST_P(DocumentCommands, RunAsTheyStand) {
    std::ofstream script(m_scratch / "commands.sh");
    script << "set -euo pipefail\ncd '" << m_scratch.string() << "'\n"
           << "export PATH=\"$PWD/bin:$PATH\" XDG_DATA_HOME=\"$PWD/xdg\" XDG_STATE_HOME=\"$PWD/xdg\" "
           << "XDG_CONFIG_HOME=\"$PWD/xdg\" QT_QPA_PLATFORM=offscreen LAMBDASCOPE_RESOURCES='"
           << LAMBDASCOPE_TEST_SOURCE_DIR << "/resources'\n";
    for (const std::string& line : scriptOf(readDocument(LAMBDASCOPE_TEST_SOURCE_DIR, GetParam()))) {
        script << line << '\n';
    }
    script.close();
    const std::string printed = (m_scratch / "printed").string();
    const std::string command = "bash '" + (m_scratch / "commands.sh").string() + "' >'" + printed + "' 2>&1";
    const int status = std::system(command.c_str());
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << fileText(printed);
}

INSTANTIATE_TEST_SUITE_P(Pages, DocumentCommands, ::testing::ValuesIn(pagesWithCommands()), [](const auto& page) {
    std::string name = fs::path(page.param).stem().string();
    std::erase(name, '-');
    return name;
});

} // namespace
