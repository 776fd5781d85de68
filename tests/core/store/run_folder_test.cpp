// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/event_log.h"
#include "core/store/run_folder.h"
#include "core/store/run_folder_writer.h"
#include "tests/core/run/toy_task.h"
#include "tests/core/store/scratch_folder.h"
#include "tests/support/without_privileges.h"

#include <fstream>

namespace lambdascope {
namespace {

namespace fs = std::filesystem;

RunFolderFacts toyFacts() {
    RunFolderFacts facts;
    facts.experiment = Json{{"family", "toy"}, {"name", "toy experiment"}, {"run", {{"seed", 7}}}};
    facts.version = "1.2.3";
    facts.dataSha256 = "abc";
    facts.threads = 2;
    facts.lanes = {"lane"};
    return facts;
}

class RunFolder : public testing_support::ScratchFolder {
  protected:
    fs::path writeToyRun(RunFolderFacts facts = toyFacts(), RunWishes wishes = {}) {
        const fs::path folder = scratch("out");
        auto writer = RunFolderWriter::create(folder, std::move(facts));
        EXPECT_TRUE(writer) << writer.error().describe();
        replay(toy::eventsOfRun(RunId{1}, {}, wishes), **writer);
        EXPECT_TRUE((*writer)->finish());
        return folder;
    }
};

TEST_F(RunFolder, HasTheFilesOfTheContract) {
    const fs::path folder = writeToyRun();
    EXPECT_EQ(contents(folder / "lane" / "path.csv"), "index,lambda,n_items,path_R,path_L,final_R,cpu_solve,cpu_screen,"
                                                      "wall\n0,4,10,1,2,4,2,1,0.5\n1,2,10,1,2,4,2,1,0.5\n"
                                                      "2,1,10,1,2,4,2,1,0.5\n");
    // Three of six decidable items are fixed: final rates, not the provisional 0.3.
    EXPECT_EQ(contents(folder / "lane" / "dynamic.csv"), "index,check,iteration,R,L,rate,gap,radius,cpu\n"
                                                         "0,0,0,1,2,0.5,0.5,0.25,1\n1,0,0,1,2,0.5,0.5,0.25,1\n"
                                                         "2,0,0,1,2,0.5,0.5,0.25,1\n");
    EXPECT_EQ(toy::briefly(*readEventLog(folder / "lane" / "events.jsonl")), toy::briefly(toy::eventsOfRun(RunId{1})));
    EXPECT_FALSE(fs::exists(folder / "lane" / "solution-0.csv"));
    EXPECT_FALSE(fs::exists(folder / "lane" / "ranges.csv"));
    const auto summary = readRunSummary(folder);
    ASSERT_TRUE(summary);
    EXPECT_EQ((*summary)["version"], "1.2.3");
    EXPECT_EQ((*summary)["state"], "finished");
    EXPECT_EQ((*summary)["seed"], 7);
    EXPECT_EQ((*summary)["data_sha256"], "abc");
    EXPECT_EQ((*summary)["threads"], 2);
    EXPECT_GT((*summary)["machine"]["cores"].get<int>(), 0);
    EXPECT_EQ((*summary)["lanes"][0]["termination"], "path ended");
    EXPECT_EQ((*summary)["lanes"][0]["points"], 3);
    EXPECT_EQ((*summary)["lanes"][0]["cpu_solve"], 6);
    EXPECT_EQ((*summary)["experiment"]["name"], "toy experiment");
}

TEST_F(RunFolder, WritesSolutionsThatReadBackExactly) {
    RunFolderFacts facts = toyFacts();
    facts.solutions = true;
    RunWishes wishes;
    wishes.solutions = true;
    const fs::path folder = writeToyRun(facts, wishes);
    EXPECT_EQ(contents(folder / "lane" / "solution-2.csv"),
              "# M 2 3\n0.3333333333333333,0.3333333333333333,0.3333333333333333\n"
              "0.3333333333333333,0.3333333333333333,0.3333333333333333\n");
}

TEST_F(RunFolder, WritesRangesOfEachReference) {
    RunWishes wishes;
    wishes.ranges = true;
    EXPECT_EQ(contents(writeToyRun(toyFacts(), wishes) / "lane" / "ranges.csv"),
              "reference,target,rate\n4,4,1\n4,2,0.5\n2,2,1\n2,1,0.5\n1,1,1\n1,0.5,0.5\n");
}

/// A toy run of two parts; the values of each point are told twice, and the last ones count.
std::vector<RunEvent> eventsWithParts() {
    std::vector<RunEvent> events;
    for (RunEvent event : toy::eventsOfRun(RunId{1})) {
        if (auto* start = std::get_if<RunStarted>(&event.body)) {
            start->parts = {"pairs", {"b against a", "c, d"}, {{"gap", "", "", {}, false}, {"n_R", "", "", {}, true}}};
        } else if (const auto* point = std::get_if<PointFinished>(&event.body)) {
            const double value = point->index;
            events.push_back({event.run, 0, PartsSolved{point->index, {0, 0, 0, 0}}});
            events.push_back({event.run, 0, PartsSolved{point->index, {value + 0.5, 1, value / 4, 2}}});
        }
        events.push_back(event);
    }
    for (std::size_t i = 0; i < events.size(); ++i) {
        events[i].sequence = static_cast<std::int64_t>(i);
    }
    return events;
}

TEST_F(RunFolder, WritesARowForEachPartOfAPoint) {
    const fs::path folder = scratch("parts");
    auto writer = RunFolderWriter::create(folder, toyFacts());
    ASSERT_TRUE(writer);
    replay(eventsWithParts(), **writer);
    ASSERT_TRUE((*writer)->finish());
    EXPECT_EQ(contents(folder / "lane" / "parts.csv"), "index,lambda,part,gap,n_R\n"
                                                       "0,4,b against a,0.5,1\n0,4,\"c, d\",0,2\n"
                                                       "1,2,b against a,1.5,1\n1,2,\"c, d\",0.25,2\n"
                                                       "2,1,b against a,2.5,1\n2,1,\"c, d\",0.5,2\n");
    const auto records = readRunFolder(folder);
    ASSERT_TRUE(records);
    const RunRecord& record = records->front();
    EXPECT_EQ(record.start().parts.names, (std::vector<std::string>{"b against a", "c, d"}));
    EXPECT_EQ(record.points()[1].partValues, (std::vector<double>{1.5, 1, 0.25, 2}));
    EXPECT_FALSE(fs::exists(writeToyRun() / "lane" / "parts.csv"));
    writer->reset(); // lets go of the folder
    // Another run in its place leaves nothing of it.
    auto again = RunFolderWriter::create(folder, toyFacts(), ExistingRun::Replace);
    ASSERT_TRUE(again);
    EXPECT_FALSE(fs::exists(folder / "lane" / "parts.csv"));
}

TEST_F(RunFolder, ReadsBackAsTheRecordOfTheRun) {
    RunWishes wishes;
    wishes.embeddings = true;
    const auto records = readRunFolder(writeToyRun(toyFacts(), wishes));
    ASSERT_TRUE(records);
    ASSERT_EQ(records->size(), 1U);
    const RunRecord& record = records->front();
    EXPECT_TRUE(record.id().isValid());
    EXPECT_EQ(record.state(), RunRecord::State::Finished);
    const auto expected = recordsOf(toy::eventsOfRun(RunId{1}, {}, wishes)).front();
    ASSERT_EQ(record.finishedPointCount(), expected.finishedPointCount());
    for (std::size_t i = 0; i < record.points().size(); ++i) {
        EXPECT_EQ(record.points()[i].values, expected.points()[i].values);
        EXPECT_EQ(record.points()[i].embedding->coordinates, expected.points()[i].embedding->coordinates);
        EXPECT_EQ(record.points()[i].screenings.size(), 1U);
        EXPECT_EQ(record.points()[i].iterations.size(), 2U);
    }
}

TEST_F(RunFolder, ReadsSolutionsBackExactly) {
    RunFolderFacts facts = toyFacts();
    facts.solutions = true;
    RunWishes wishes;
    wishes.solutions = true;
    const fs::path folder = writeToyRun(facts, wishes);
    auto records = readRunFolder(folder);
    ASSERT_TRUE(records);
    const auto expected = recordsOf(toy::eventsOfRun(RunId{1}, {}, wishes)).front();
    for (std::size_t i = 0; i < expected.points().size(); ++i) {
        const auto& solution = records->front().points()[i].solution;
        ASSERT_NE(solution, nullptr);
        ASSERT_EQ(solution->size(), 1U);
        EXPECT_EQ(solution->front().name, "M");
        EXPECT_TRUE(solution->front().values == expected.points()[i].solution->front().values);
    }
    // A damaged file is no solution, and no reason to refuse the run.
    std::ofstream(folder / "lane" / "solution-1.csv") << "# M 2 3\n1,2,x\n4,5,6\n";
    std::ofstream(folder / "lane" / "solution-2.csv") << "# M 2 3\n1,2,3\n";
    records = readRunFolder(folder);
    ASSERT_TRUE(records);
    EXPECT_NE(records->front().points()[0].solution, nullptr);
    EXPECT_EQ(records->front().points()[1].solution, nullptr);
    EXPECT_EQ(records->front().points()[2].solution, nullptr);
}

TEST_F(RunFolder, IsWholeAfterEveryPoint) {
    const fs::path folder = scratch("out");
    auto writer = RunFolderWriter::create(folder, toyFacts());
    ASSERT_TRUE(writer);
    std::size_t finished = 0;
    for (const RunEvent& event : toy::eventsOfRun(RunId{1})) {
        (*writer)->publish(event);
        finished += std::holds_alternative<PointFinished>(event.body) ? 1 : 0;
        const auto records = readRunFolder(folder);
        ASSERT_TRUE(records);
        ASSERT_EQ(records->size(), 1U);
        EXPECT_EQ(records->front().finishedPointCount(), finished);
        const std::string rows = contents(folder / "lane" / "path.csv");
        EXPECT_EQ(static_cast<std::size_t>(std::count(rows.begin(), rows.end(), '\n')), finished + 1);
    }
    EXPECT_EQ((*readRunSummary(folder))["state"], "running");
    ASSERT_TRUE((*writer)->finish());
    EXPECT_EQ((*readRunSummary(folder))["state"], "finished");
}

TEST_F(RunFolder, ToleratesALogCutAtAnyByte) {
    const fs::path folder = writeToyRun();
    const fs::path log = folder / "lane" / "events.jsonl";
    const std::string text = contents(log);
    std::size_t last = 0;
    for (std::size_t length = 0; length < text.size(); length += 7) {
        write(log, text.substr(0, length));
        const auto records = readRunFolder(folder);
        ASSERT_TRUE(records) << records.error().describe();
        const std::size_t points = records->empty() ? 0 : records->front().finishedPointCount();
        EXPECT_GE(points, last);
        last = points;
        if (!records->empty() && length + 1 < text.size()) {
            EXPECT_EQ(records->front().state(), RunRecord::State::Interrupted) << length;
        }
    }
    EXPECT_EQ(last, 3U);
}

TEST_F(RunFolder, RefusesAnEarlierRunUnlessToldToReplaceIt) {
    const fs::path folder = writeToyRun();
    write(folder / "notes.txt", "mine");
    write(folder / "lane" / "solution-9.csv", "old");
    const auto refused = RunFolderWriter::create(folder, toyFacts());
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::FileUnwritable);
    EXPECT_NE(refused.error().describe().find("--force"), std::string::npos);
    EXPECT_TRUE(fs::exists(folder / "lane" / "path.csv"));

    RunFolderFacts facts = toyFacts();
    facts.lanes = {"other"};
    const auto replaced = RunFolderWriter::create(folder, facts, ExistingRun::Replace);
    ASSERT_TRUE(replaced) << replaced.error().describe();
    EXPECT_FALSE(fs::exists(folder / "lane"));
    EXPECT_EQ(contents(folder / "notes.txt"), "mine");
}

TEST_F(RunFolder, BeginsAnewWhereARunWasKilledAtOnce) {
    fs::create_directory(scratch("killed"));
    write(scratch("killed") / "run.json.part", "{");
    EXPECT_TRUE(RunFolderWriter::create(scratch("killed"), toyFacts()));
    EXPECT_FALSE(fs::exists(scratch("killed") / "run.json.part"));
}

TEST_F(RunFolder, LeavesARunInWorkAlone) {
    const fs::path folder = scratch("out");
    auto writer = RunFolderWriter::create(folder, toyFacts());
    ASSERT_TRUE(writer);
    const auto second = RunFolderWriter::create(folder, toyFacts(), ExistingRun::Replace);
    ASSERT_FALSE(second);
    EXPECT_NE(second.error().describe().find("another process"), std::string::npos);
}

TEST_F(RunFolder, RefusesPlacesThatAreNoRunFolder) {
    fs::create_directory(scratch("full"));
    write(scratch("full") / "thesis.tex", "precious");
    write(scratch("file"), "text");
    fs::create_directory(scratch("empty"));
    EXPECT_TRUE(checkRunFolder(scratch("empty"), ExistingRun::Refuse));
    EXPECT_TRUE(checkRunFolder(scratch("new") / "deep", ExistingRun::Refuse));
    EXPECT_FALSE(fs::exists(scratch("new"))) << "a check changes nothing";
    for (const fs::path& place : {scratch("full"), scratch("file"), scratch("file") / "inside", fs::path()}) {
        for (const ExistingRun existing : {ExistingRun::Refuse, ExistingRun::Replace}) {
            const auto checked = checkRunFolder(place, existing);
            ASSERT_FALSE(checked) << place;
            ASSERT_EQ(checked.error().faults.size(), 1U);
            EXPECT_FALSE(checked.error().faults[0].remedy.empty());
        }
    }
    EXPECT_EQ(contents(scratch("full") / "thesis.tex"), "precious");
}

TEST_F(RunFolder, RefusesAFolderThatMayNotBeWritten) {
    const WithoutPrivileges nobody(scratch(""));
    if (!nobody.isInForce()) {
        GTEST_SKIP() << "root may write everywhere";
    }
    fs::create_directory(scratch("locked"));
    fs::permissions(scratch("locked"), fs::perms::owner_read | fs::perms::owner_exec);
    EXPECT_FALSE(checkRunFolder(scratch("locked"), ExistingRun::Refuse));
    EXPECT_FALSE(checkRunFolder(scratch("locked") / "out", ExistingRun::Refuse));
    fs::permissions(scratch("locked"), fs::perms::owner_all);
}

TEST_F(RunFolder, FailsCleanlyWhereNothingCanBeMade) {
    // Even the super-user cannot make a folder there.
    const auto writer = RunFolderWriter::create("/proc/lambdascope-out", toyFacts());
    ASSERT_FALSE(writer);
    EXPECT_EQ(writer.error().code, ErrorCode::FileUnwritable);
}

TEST_F(RunFolder, AFileInTheWayOfALaneIsToldAndTheResultsAreKeptElsewhere) {
    const fs::path folder = scratch("out");
    std::vector<Error> notices;
    auto writer = RunFolderWriter::create(folder, toyFacts(), ExistingRun::Refuse,
                                          [&](const Error& error) { notices.push_back(error); });
    ASSERT_TRUE(writer);
    write(folder / "lane", "in the way");
    replay(toy::eventsOfRun(RunId{1}), **writer);
    EXPECT_TRUE((*writer)->finish());
    EXPECT_FALSE(notices.empty());
    EXPECT_NE((*writer)->folder(), folder);
    const auto kept = readRunFolder((*writer)->folder());
    ASSERT_TRUE(kept);
    EXPECT_EQ(kept->size(), 1U);
    EXPECT_EQ(contents(folder / "lane"), "in the way");
}

TEST_F(RunFolder, ReadingNamesWhatIsMissing) {
    const auto nothing = readRunFolder(scratch("nowhere"));
    ASSERT_FALSE(nothing);
    EXPECT_EQ(nothing.error().code, ErrorCode::FileNotFound);
    fs::create_directory(scratch("other"));
    write(scratch("other") / "run.json", "{\"format\": \"something else\"}");
    const auto foreign = readRunFolder(scratch("other"));
    ASSERT_FALSE(foreign);
    EXPECT_EQ(foreign.error().code, ErrorCode::InvalidData);
}

} // namespace
} // namespace lambdascope
