// SPDX-License-Identifier: GPL-3.0-or-later
// The pages for readers: README.md and resources/docs.
#include "core/common/resource_folder.h"
#include "core/families.h"
#include "core/study/study.h"
#include "core/study/study_cells.h"
#include "tests/architecture/documents.h"

#include <gtest/gtest.h>

#include <fstream>

using namespace lambdascope;

namespace {

namespace fs = std::filesystem;

constexpr int kMostReadmeLines = 150;

std::string devText() {
    return fileText(LAMBDASCOPE_TEST_SOURCE_DIR "/dev");
}

/// Two pages in a folder of their own.
class Pages : public ::testing::Test {
  protected:
    void SetUp() override {
        m_root = fs::path(LAMBDASCOPE_TEST_BINARY_DIR) / "architecture" /
                 ::testing::UnitTest::GetInstance()->current_test_info()->name();
        fs::remove_all(m_root);
        fs::create_directories(m_root / "resources/docs");
        write("README.md", "# Title\n[a page](resources/docs/a.md), [its part](resources/docs/a.md#second-part)\n");
        write("resources/docs/a.md", "# First\n## Second part\n[back](../../README.md#title) [here](#first)\n");
        ASSERT_EQ(faults(), std::vector<std::string>{});
    }
    void TearDown() override { fs::remove_all(m_root); }

    void write(const std::string& file, const std::string& text) const { std::ofstream(m_root / file) << text; }
    [[nodiscard]] std::vector<std::string> faults() const { return linkFaults(m_root, documentsOf(m_root)); }

    fs::path m_root;
};

TEST_F(Pages, DeadLinksAndPicturesAreFound) {
    write("README.md", "[a](resources/docs/a.md)\n[b](b.md) ![picture](c.png) [web](https://example.org/d)\n");
    EXPECT_EQ(faults(), (std::vector<std::string>{"README.md:2: there is no b.md", "README.md:2: there is no c.png",
                                                  "resources/docs/a.md:3: README.md has no heading #title"}));
}
TEST_F(Pages, DeadHeadingsAreFound) {
    write("README.md", "# Title\n[a](resources/docs/a.md#third)\n");
    EXPECT_EQ(faults(), std::vector<std::string>{"README.md:2: resources/docs/a.md has no heading #third"});
}
TEST_F(Pages, PagesThatNothingLinksToAreFound) {
    write("resources/docs/b.md", "[itself](b.md)\n");
    EXPECT_EQ(faults(), std::vector<std::string>{"resources/docs/b.md: no page links to it"});
}
TEST_F(Pages, BlocksAreNotSearchedForLinks) {
    write("resources/docs/a.md", "# First\n## Second part\n```sh\n[no](link.md)\n```\n");
    EXPECT_EQ(faults(), std::vector<std::string>{});
    const Document page = readDocument(m_root, "resources/docs/a.md");
    ASSERT_EQ(page.blocks.size(), 1U);
    EXPECT_EQ(page.blocks[0].language, "sh");
    EXPECT_EQ(page.blocks[0].line, 4);
    EXPECT_EQ(page.blocks[0].text(), "[no](link.md)\n");
}

} // namespace

TEST(DocumentCommands, AreToldApart) {
    const std::string dev = devText();
    EXPECT_EQ(classifyCommand("  # only words", dev).kind, CommandKind::Nothing);
    EXPECT_EQ(classifyCommand("build/release/app/lambdascope-cli runs", dev).kind, CommandKind::Engine);
    EXPECT_EQ(classifyCommand("python3 resources/certificate/check.py a b", dev).kind, CommandKind::Engine);
    EXPECT_EQ(classifyCommand("lambdascope --render runs --figure list", dev).kind, CommandKind::Window);
    EXPECT_EQ(classifyCommand("A=1 ./dev test -R Any # words", dev).kind, CommandKind::Script);
    for (const char* good : {"./dev run", "./dev bench --filter pu-speed", "./dev bench --only none",
                             "./dev check asan", "./dev build core-only", "./dev package", "lambdascope-cli run x"}) {
        EXPECT_EQ(classifyCommand(good, dev).fault, "") << good;
    }
    for (const char* bad : {"./dev", "./dev rum", "./dev bench --filter pu-sped", "./dev check msan", "lambdascope",
                            "rm -r /", "python3 x.py", "lambdascope-cli run \\"}) {
        EXPECT_NE(classifyCommand(bad, dev).fault, "") << bad;
    }
}

TEST(Documents, ReadmeIsReadToTheEnd) {
    EXPECT_LE(readDocument(LAMBDASCOPE_TEST_SOURCE_DIR, "README.md").lines, kMostReadmeLines);
}

TEST(Documents, HaveNoDeadLinks) {
    const auto documents = documentsOf(LAMBDASCOPE_TEST_SOURCE_DIR);
    EXPECT_GT(documents.size(), 10U);
    for (const std::string& fault : linkFaults(LAMBDASCOPE_TEST_SOURCE_DIR, documents)) {
        ADD_FAILURE() << fault;
    }
}

TEST(Documents, HaveOnlyCommandsThatAreTested) {
    const std::string dev = devText();
    int commands = 0;
    for (const Document& document : documentsOf(LAMBDASCOPE_TEST_SOURCE_DIR)) {
        for (const DocumentBlock& block : document.blocks) {
            for (std::size_t i = 0; block.language == "sh" && i < block.lines.size(); ++i) {
                const Command command = classifyCommand(block.lines[i], dev);
                EXPECT_EQ(command.fault, "") << document.name << ':' << block.line + static_cast<int>(i);
                commands += static_cast<int>(command.kind != CommandKind::Nothing);
            }
        }
    }
    EXPECT_GT(commands, 40);
}

/// What is wrong with a study whose experiment is a preset; empty when all its cells are valid.
std::string studyFault(const std::string& text, const std::string& name) {
    const auto document = parseJsonDocument(text, name);
    if (!document) {
        return document.error().describe();
    }
    const auto lookup = [](const std::string& preset) -> Result<NamedExperiment> {
        auto found = readJsonDocument((resourceFolder() / "presets" / (preset + ".json")).string());
        return found ? Result<NamedExperiment>({std::move(*found), {}}) : Failure{found.error()};
    };
    auto study = readStudy(*document, resourceFolder() / "studies", builtInCatalog(), lookup);
    if (!study) {
        return study.error().describe();
    }
    const auto all = studyCells(*study, builtInCatalog()); // also those whose data are elsewhere
    const auto absent = leaveOutAbsentData(*study);
    const auto cells =
        all && absent ? studyCells(*study, builtInCatalog()) : Failure{all ? absent.error() : all.error()};
    return !cells ? cells.error().describe() : cells->empty() ? "nothing of it can be computed with what is here" : "";
}

TEST(Studies, AreAllValidAndSayWhatTheyShow) {
    int count = 0;
    for (const auto& entry : fs::directory_iterator(resourceFolder() / "studies")) {
        EXPECT_EQ(studyFault(fileText(entry.path()), entry.path().filename().string()), "");
        EXPECT_NE(fileText(entry.path()).find("\"description\""), std::string::npos) << entry.path();
        ++count;
    }
    EXPECT_GE(count, 11);
    for (const char* published : {"yoshida-figure-12", "yoshida-figure-11b", "ogawa-figure-4", "ogawa-table-3",
                                  "ma-figure-2", "ma-figure-5", "ma-table-2", "usmo-table-3", "usmo-table-4"}) {
        EXPECT_TRUE(fs::exists(resourceFolder() / "studies" / (std::string(published) + ".json"))) << published;
    }
    EXPECT_NE(studyFault(R"({"experiment": "iris-six-lanes", "axes": [{"field": "problem.k", "values": [0]}]})", "x"),
              "");
}

TEST(Documents, HaveOnlyValidExperiments) {
    int experiments = 0;
    for (const Document& document : documentsOf(LAMBDASCOPE_TEST_SOURCE_DIR)) {
        for (const DocumentBlock& block : document.blocks) {
            if (block.language == "json" && block.text().find("\"axes\"") != std::string::npos) {
                EXPECT_EQ(studyFault(block.text(), document.name), "") << "block at line " << block.line;
            } else if (block.language == "json") {
                const auto experiment = readExperiment(block.text(), document.name, builtInCatalog());
                EXPECT_TRUE(experiment) << document.name << ", block at line " << block.line << ": "
                                        << experiment.error().describe();
                ++experiments;
            }
        }
    }
    EXPECT_GT(experiments, 5);
}
