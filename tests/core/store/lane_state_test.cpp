// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/random_stream.h"
#include "core/store/lane_state.h"
#include "core/store/library_resume.h"
#include "core/store/library_sink.h"
#include "core/store/run_folder_writer.h"
#include "core/store/run_resume.h"
#include "tests/core/run/toy_task.h"
#include "tests/core/store/scratch_folder.h"

#include <algorithm>

namespace lambdascope {
namespace {

namespace fs = std::filesystem;

StateOwner owner() {
    return stateOwner(Json{{"name", "experiment"}}, "abc", "lane");
}

KeptState stateAfter(std::int32_t points) {
    return {
        points, 3 * points, {10, 20, 30, 0}, std::make_shared<const std::string>("state of " + std::to_string(points))};
}

class LaneState : public testing_support::ScratchFolder {};

TEST_F(LaneState, ShowsEveryDamage) {
    const std::string bytes = encodedState(owner(), stateAfter(7));
    const auto whole = decodedState(bytes);
    ASSERT_TRUE(whole);
    EXPECT_EQ(whole->owner, owner());
    EXPECT_EQ(whole->kept.points, 7);
    EXPECT_EQ(*whole->kept.state, "state of 7");
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        std::string damaged = bytes;
        damaged[at] = static_cast<char>(damaged[at] ^ 4);
        EXPECT_FALSE(decodedState(damaged)) << at;
        EXPECT_FALSE(decodedState(std::string_view(bytes).substr(0, at))) << at;
    }
}

/// CRC-32 of zlib.
std::uint32_t checksum(std::string_view bytes) {
    std::uint32_t sum = ~std::uint32_t{0};
    for (const char byte : bytes) {
        sum ^= static_cast<unsigned char>(byte);
        for (int bit = 0; bit < 8; ++bit) {
            sum = (sum >> 1U) ^ ((sum & 1U) != 0 ? 0xEDB88320U : 0U);
        }
    }
    return ~sum;
}

/// `bytes` of a state as a version before would have written them.
std::string ofVersion(char version, std::string bytes) {
    bytes[bytes.find('\n') - 1] = version;
    bytes.resize(bytes.size() - sizeof(std::uint32_t));
    const std::uint32_t sum = checksum(bytes);
    return bytes.append(reinterpret_cast<const char*>(&sum), sizeof sum);
}

TEST_F(LaneState, OfAnEarlierVersionCountsAsNone) {
    const std::string bytes = encodedState(owner(), stateAfter(7));
    const char now = bytes[bytes.find('\n') - 1];
    const auto before = static_cast<char>(now - 1);
    ASSERT_TRUE(decodedState(ofVersion(now, bytes))) << "the bytes are put together as they were";
    EXPECT_FALSE(decodedState(ofVersion(before, bytes)));
    EXPECT_FALSE(decodedState(ofVersion('x', bytes)));
    write(scratch("state-7.bin"), ofVersion(before, bytes));
    EXPECT_TRUE(readStates(scratch("")).empty());
    ASSERT_TRUE(writeState(scratch(""), owner(), stateAfter(6)));
    ASSERT_EQ(readStates(scratch("")).size(), 1U);
    EXPECT_EQ(readStates(scratch("")).front().kept.points, 6);
}

TEST_F(LaneState, KeepsTheLastTwoAndFallsBackToTheOneBefore) {
    for (const std::int32_t points : {9, 10, 11}) {
        ASSERT_TRUE(writeState(scratch(""), owner(), stateAfter(points)));
    }
    auto states = readStates(scratch(""));
    ASSERT_EQ(states.size(), 2U);
    EXPECT_EQ(states[0].kept.points, 11);
    EXPECT_EQ(states[1].kept.points, 10);
    fs::resize_file(scratch("state-11.bin"), 30);
    states = readStates(scratch(""));
    ASSERT_EQ(states.size(), 1U);
    EXPECT_EQ(states[0].kept.points, 10);
    write(scratch("state-12.bin.part"), "a draft of a killed process");
    EXPECT_EQ(readStates(scratch("")).size(), 1U);
    removeStates(scratch(""));
    EXPECT_TRUE(fs::is_empty(scratch("")));
}

TEST_F(LaneState, TellsWhoseItIs) {
    EXPECT_FALSE(foreignState(owner(), owner()));
    StateOwner other = owner();
    other.build += ' ';
    EXPECT_NE(foreignState(other, owner())->describe().find("another build"), std::string::npos);
    other = stateOwner(Json{{"name", "another"}}, "abc", "lane");
    EXPECT_NE(foreignState(other, owner())->describe().find("another experiment"), std::string::npos);
    other = stateOwner(Json{{"name", "experiment"}}, "abd", "lane");
    EXPECT_NE(foreignState(other, owner())->describe().find("other data"), std::string::npos);
    EXPECT_EQ(stateOwner(RunStarted()).data, "") << "a lane without facts has an owner too";
}

/// A toy path that is stopped in the middle, in folder and library, and goes on.
class LeftToyRun : public testing_support::ScratchFolder {
  protected:
    static toy::Task::Plan plan() {
        toy::Task::Plan plan;
        plan.schedule = {32, 16, 8, 4, 2, 1};
        return plan;
    }
    static RunFolderFacts facts() {
        RunFolderFacts facts;
        facts.experiment = Json{{"name", "toy experiment"}, {"lanes", Json::array({Json{{"name", "lane"}}})}};
        facts.lanes = {"lane"};
        facts.solutions = true;
        return facts;
    }
    static RunWishes wishes() {
        RunWishes wishes;
        wishes.solutions = wishes.ranges = wishes.embeddings = true;
        wishes.stateInterval = 0;
        return wishes;
    }
    static LaneIdentity identity() {
        return {.experimentName = "toy experiment",
                .family = "toy",
                .laneName = "lane",
                .laneIndex = 0,
                .laneCount = 1,
                .experiment = facts().experiment};
    }
    static void run(EventSink& sink, RunId id, int stopAt, const LaneHistory* history = nullptr) {
        std::stop_source stop;
        toy::Task::Plan stopped = plan();
        stopped.onPoint = [&](const PathPoint& point, RunContext&) -> std::optional<Result<PointReport>> {
            if (point.index == stopAt) {
                PointReport report;
                report.termination = Termination::StoppedByUser;
                return report;
            }
            return std::nullopt;
        };
        PathRunner runner([&] { return std::make_unique<toy::Task>(stopped); }, identity(),
                          RunContext(id, sink, stop.get_token(), nullptr, wishes()), 0);
        if (history != nullptr) {
            runner.resume(*history);
        } else {
            runner.start();
        }
        while (runner.advance()) {
        }
    }
    std::vector<std::string> tables(const std::string& folder) const {
        std::vector<std::string> texts;
        std::vector<fs::path> files;
        for (const auto& entry : fs::directory_iterator(scratch(folder) / "lane")) {
            if (entry.path().filename() != "events.jsonl") { // whose last line has the wall time
                files.push_back(entry.path());
            }
        }
        std::sort(files.begin(), files.end());
        for (const fs::path& file : files) {
            texts.push_back(file.filename().string() + '\n' + contents(file));
        }
        return texts;
    }
};

TEST_F(LeftToyRun, GoesOnInItsFolderToTheFilesOfAWholeRun) {
    auto whole = RunFolderWriter::create(scratch("whole"), facts());
    ASSERT_TRUE(whole);
    run(**whole, RunId{1}, -1);
    ASSERT_TRUE((*whole)->finish());
    {
        auto first = RunFolderWriter::create(scratch("parts"), facts());
        ASSERT_TRUE(first);
        EXPECT_FALSE(readRunToResume(scratch("parts"))) << "is being written";
        run(**first, RunId{2}, 3);
        ASSERT_TRUE((*first)->finish());
    }
    EXPECT_TRUE(fs::exists(scratch("parts") / "lane" / "state-3.bin"));
    EXPECT_TRUE(fs::exists(scratch("parts") / "lane" / "state-2.bin"));
    EXPECT_FALSE(fs::exists(scratch("parts") / "lane" / "state-1.bin"));
    auto left = readRunToResume(scratch("parts"));
    ASSERT_TRUE(left) << left.error().describe();
    EXPECT_FALSE(haveEnded(left->lanes));
    EXPECT_FALSE(readRunToResume(scratch("parts"))) << "is held";
    adoptIds(left->lanes, {RunId{3}});
    auto second = RunFolderWriter::resume(*left, facts());
    ASSERT_TRUE(second) << second.error().describe();
    run(**second, RunId{3}, -1, &left->lanes[0].history);
    ASSERT_TRUE((*second)->finish());
    EXPECT_EQ(tables("parts"), tables("whole"));
    const auto summary = readRunSummary(scratch("parts"));
    EXPECT_EQ((*summary)["continued"].size(), 1U);
    EXPECT_EQ((*summary)["lanes"][0]["points"].get<std::int64_t>(), 6);
    EXPECT_EQ((*summary)["lanes"][0]["cpu_solve"].get<double>(), 12) << "totals are those of both parts";
}

TEST_F(LeftToyRun, GoesOnInTheLibraryToTheEventsOfAWholeRun) {
    const auto library = RunLibrary::open(scratch("library.sqlite"));
    ASSERT_TRUE(library);
    LibrarySink whole(*library);
    run(whole, RunId{1}, -1);
    LibraryExperimentId id;
    {
        LibrarySink first(*library);
        run(first, RunId{2}, 3);
        id = *first.experimentId();
    }
    EXPECT_FALSE(*(*library)->state(*whole.libraryRun(RunId{1}))) << "a lane that has ended needs none";
    auto left = readRunToResume(**library, id);
    ASSERT_TRUE(left) << left.error().describe();
    ASSERT_TRUE(left->lanes[0].at) << left->lanes[0].why;
    EXPECT_EQ(left->lanes[0].at->points, 3);
    adoptIds(left->lanes, {RunId{3}});
    LibrarySink second(*library);
    ASSERT_TRUE(second.resume(*left));
    run(second, RunId{3}, -1, &left->lanes[0].history);
    EXPECT_FALSE(second.error());
    const auto events = (*library)->loadEvents(*second.libraryRun(RunId{3}), RunId{1});
    const auto expected = (*library)->loadEvents(*whole.libraryRun(RunId{1}), RunId{1});
    ASSERT_TRUE(events && expected);
    EXPECT_EQ(toy::briefly(*events), toy::briefly(*expected));
    const auto listed = (*library)->experiment(id);
    EXPECT_EQ(listed->runs.size(), 1U);
    EXPECT_EQ(listed->runs[0].finishedPoints, 6);
    EXPECT_EQ(listed->runs[0].cpuSolve, 12);
    EXPECT_TRUE(haveEnded(readRunToResume(**library, id)->lanes));
}

} // namespace
} // namespace lambdascope
