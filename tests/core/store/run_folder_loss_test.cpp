// SPDX-License-Identifier: GPL-3.0-or-later
// A run folder that is removed, renamed or damaged while it is written.
#include "core/store/run_folder.h"
#include "core/store/run_folder_writer.h"
#include "tests/core/run/toy_task.h"
#include "tests/core/store/scratch_folder.h"
#include "tests/support/without_privileges.h"

#include <sys/stat.h>

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>
#include <variant>
#include <vector>

namespace lambdascope {
namespace {

namespace fs = std::filesystem;

RunFolderFacts plainFacts() {
    RunFolderFacts facts;
    facts.experiment = Json{{"family", "toy"}, {"name", "toy experiment"}};
    facts.lanes = {"lane"};
    return facts;
}

struct Disturbance {
    const char* name;
    std::function<void(const fs::path& folder)> act;
};

std::vector<Disturbance> disturbances() {
    return {{"the folder is removed", [](const fs::path& folder) { fs::remove_all(folder); }},
            {"the folder around it is removed", [](const fs::path& folder) { fs::remove_all(folder.parent_path()); }},
            {"the folder is renamed", [](const fs::path& folder) { fs::rename(folder, folder.string() + "-old"); }},
            {"the folder around it is renamed",
             [](const fs::path& folder) { fs::rename(folder.parent_path(), folder.parent_path().string() + "-old"); }},
            {"another folder takes its name",
             [](const fs::path& folder) {
                 fs::rename(folder, folder.string() + "-old");
                 fs::create_directory(folder);
                 testing_support::ScratchFolder::write(folder / "mine.txt", "mine");
             }},
            {"a file takes its name",
             [](const fs::path& folder) {
                 fs::remove_all(folder);
                 testing_support::ScratchFolder::write(folder, "mine");
             }},
            {"its contents are removed",
             [](const fs::path& folder) {
                 fs::remove_all(folder / "lane");
                 fs::remove(folder / "run.json");
             }},
            {"the log is removed", [](const fs::path& folder) { fs::remove(folder / "lane" / "events.jsonl"); }},
            {"the path is renamed",
             [](const fs::path& folder) { fs::rename(folder / "lane" / "path.csv", folder / "lane" / "mine.csv"); }},
            {"run.json is removed", [](const fs::path& folder) { fs::remove(folder / "run.json"); }}};
}

class RunFolderLoss : public testing_support::ScratchFolder {
  protected:
    RunFolderLoss() : m_events(toy::eventsOfRun(RunId{1}, {}, {})) {
        setenv("XDG_DATA_HOME", scratch("data").c_str(), 1);
    }

    struct Ending {
        fs::path folder;
        std::vector<Error> notices;
        bool isKept = false;
    };
    /// Writes the run and disturbs it before event number `when`.
    Ending run(const fs::path& folder, std::size_t when, const std::function<void(const fs::path&)>& disturb) {
        Ending ending;
        auto writer = RunFolderWriter::create(folder, plainFacts(), ExistingRun::Refuse,
                                              [&](const Error& error) { ending.notices.push_back(error); });
        EXPECT_TRUE(writer) << writer.error().describe();
        for (std::size_t i = 0; i < m_events.size(); ++i) {
            if (i == when) {
                disturb(folder);
            }
            (*writer)->publish(m_events[i]);
        }
        if (when >= m_events.size()) {
            disturb(folder);
        }
        ending.isKept = (*writer)->finish().has_value();
        ending.folder = (*writer)->folder();
        return ending;
    }
    void expectComplete(const fs::path& folder, const fs::path& undisturbed) const {
        for (const char* file : {"path.csv", "dynamic.csv", "events.jsonl"}) {
            EXPECT_EQ(contents(folder / "lane" / file), contents(undisturbed / "lane" / file));
        }
        const auto summary = readRunSummary(folder);
        ASSERT_TRUE(summary) << summary.error().describe();
        EXPECT_EQ((*summary)["state"], "finished");
        EXPECT_EQ((*summary)["lanes"][0]["points"], 3);
        const auto records = readRunFolder(folder);
        ASSERT_TRUE(records) << records.error().describe();
        EXPECT_EQ(records->at(0).finishedPointCount(), 3U);
    }

    /// Large states take a while to be written: `disturb` runs as soon as one is seen, and says whether it was in time.
    void disturbWhileAStateIsWritten(const std::function<bool(const fs::path&)>& disturb,
                                     const std::function<void(const Ending&, const fs::path&, bool)>& expect) {
        const auto state = std::make_shared<const std::string>(std::size_t{32} << 20, 'x');
        for (RunEvent& event : m_events) {
            if (auto* finished = std::get_if<PointFinished>(&event.body); finished != nullptr && finished->index == 0) {
                finished->state = state;
            }
        }
        const Ending calm = run(scratch("calm"), 0, [](const fs::path&) {});
        bool wasDisturbed = false;
        for (int attempt = 0; attempt < 10 && !wasDisturbed; ++attempt) {
            const fs::path folder = scratch("out-" + std::to_string(attempt));
            std::jthread other;
            const Ending ending = run(folder, 1, [&](const fs::path&) {
                other = std::jthread([&](const std::stop_token& stop) {
                    while (!stop.stop_requested() && !wasDisturbed) {
                        wasDisturbed = fs::exists(folder / "lane" / "state-1.bin.part") && disturb(folder);
                    }
                });
            });
            other.request_stop();
            other.join();
            EXPECT_TRUE(ending.isKept);
            expect(ending, folder, wasDisturbed);
            expectComplete(ending.folder, calm.folder);
        }
        EXPECT_TRUE(wasDisturbed);
    }

    std::vector<RunEvent> m_events;
};

TEST_F(RunFolderLoss, IsToldAndNothingIsMissing) {
    const Ending calm = run(scratch("calm"), 0, [](const fs::path&) {});
    ASSERT_TRUE(calm.isKept);
    EXPECT_TRUE(calm.notices.empty());
    int number = 0;
    for (const Disturbance& disturbance : disturbances()) {
        for (std::size_t when = 0; when <= m_events.size(); ++when) {
            if (when == 0 && std::string(disturbance.name).find("the path") != std::string::npos) {
                continue; // the lane has no files yet
            }
            SCOPED_TRACE(disturbance.name + std::string(" before event ") + std::to_string(when));
            const fs::path around = scratch("run-" + std::to_string(number++));
            fs::create_directory(around);
            const Ending ending = run(around / "out", when, disturbance.act);
            EXPECT_TRUE(ending.isKept);
            const bool wasAnythingThere = when > 0 || disturbance.name != std::string("the log is removed");
            EXPECT_EQ(ending.notices.size(), wasAnythingThere ? 1U : 0U);
            for (const Error& notice : ending.notices) {
                EXPECT_NE(notice.describe().find(ending.folder.string()), std::string::npos) << notice.describe();
            }
            expectComplete(ending.folder, calm.folder);
        }
    }
}

TEST_F(RunFolderLoss, AFolderRenamedWhileAStateIsWrittenIsFollowed) {
    const auto renamed = [](const fs::path& folder) { return fs::path(folder.string() + "-renamed"); };
    disturbWhileAStateIsWritten(
        [&](const fs::path& folder) {
            fs::rename(folder, renamed(folder));
            return true;
        },
        [&](const Ending& ending, const fs::path& folder, bool wasDisturbed) {
            EXPECT_EQ(ending.folder, wasDisturbed ? renamed(folder) : folder);
            EXPECT_EQ(fs::exists(folder), !wasDisturbed);
        });
}

// It went on in another place, although its own was there.
TEST_F(RunFolderLoss, FilesRemovedWhileAStateIsWrittenAreWrittenAgain) {
    disturbWhileAStateIsWritten(
        [](const fs::path& folder) {
            std::error_code wasReplaced; // by the run, which writes there
            fs::remove_all(folder / "lane", wasReplaced);
            return !wasReplaced;
        },
        [](const Ending& ending, const fs::path& folder, bool) { EXPECT_EQ(ending.folder, folder); });
}

TEST_F(RunFolderLoss, LeavesAloneWhatTookTheName) {
    fs::create_directory(scratch("around"));
    const auto act = disturbances()[4].act;
    const Ending ending = run(scratch("around") / "out", 3, act);
    EXPECT_EQ(ending.folder, scratch("around") / "out-old") << "a renamed folder is found again";
    EXPECT_EQ(contents(scratch("around") / "out" / "mine.txt"), "mine");
    EXPECT_FALSE(fs::exists(scratch("around") / "out" / "run.json"));
    const Ending second = run(scratch("around") / "two", 3, disturbances()[5].act);
    EXPECT_EQ(second.folder, scratch("around") / "two-kept");
    EXPECT_EQ(contents(scratch("around") / "two"), "mine");
}

TEST_F(RunFolderLoss, CountsTheSolutionsThatAreGone) {
    RunWishes wishes;
    wishes.solutions = true;
    m_events = toy::eventsOfRun(RunId{1}, {}, wishes);
    RunFolderFacts facts = plainFacts();
    facts.solutions = true;
    std::vector<Error> notices;
    auto writer = RunFolderWriter::create(scratch("out"), facts, ExistingRun::Refuse,
                                          [&](const Error& error) { notices.push_back(error); });
    ASSERT_TRUE(writer);
    bool isRemoved = false;
    for (const RunEvent& event : m_events) {
        (*writer)->publish(event);
        const auto* point = std::get_if<PointFinished>(&event.body);
        if (point != nullptr && point->index == 1) {
            fs::remove_all(scratch("out"));
            isRemoved = true;
        }
    }
    ASSERT_TRUE(isRemoved);
    EXPECT_TRUE((*writer)->finish());
    ASSERT_EQ(notices.size(), 1U);
    EXPECT_NE(notices[0].describe().find("2 solutions"), std::string::npos) << notices[0].describe();
    EXPECT_TRUE(fs::exists(scratch("out") / "lane" / "solution-2.csv"));
}

TEST_F(RunFolderLoss, AFullDiskMovesTheRun) {
    const Ending calm = run(scratch("calm"), 0, [](const fs::path&) {});
    const Ending ending = run(scratch("out"), 0, [](const fs::path& folder) {
        fs::create_directory(folder / "lane");
        fs::create_symlink("/dev/full", folder / "lane" / "events.jsonl"); // every write fails with ENOSPC
    });
    EXPECT_TRUE(ending.isKept);
    ASSERT_EQ(ending.notices.size(), 1U);
    EXPECT_NE(ending.notices[0].describe().find("No space left"), std::string::npos) << ending.notices[0].describe();
    EXPECT_EQ(ending.folder, scratch("out-kept"));
    expectComplete(ending.folder, calm.folder);
}

TEST_F(RunFolderLoss, AFolderThatBecomesReadOnlyMovesTheRun) {
    const WithoutPrivileges nobody(scratch(""));
    if (!nobody.isInForce()) {
        GTEST_SKIP() << "root may write everywhere";
    }
    const Ending calm = run(scratch("calm"), 0, [](const fs::path&) {});
    for (const std::size_t when : {std::size_t{0}, m_events.size()}) {
        const fs::path folder = scratch("out-" + std::to_string(when));
        const Ending ending = run(folder, when, [](const fs::path& made) {
            fs::permissions(made, fs::perms::owner_read | fs::perms::owner_exec);
        });
        fs::permissions(folder, fs::perms::owner_all);
        EXPECT_TRUE(ending.isKept);
        EXPECT_EQ(ending.notices.size(), 1U);
        EXPECT_EQ(ending.folder, folder.string() + "-kept");
        expectComplete(ending.folder, calm.folder);
    }
}

} // namespace
} // namespace lambdascope
