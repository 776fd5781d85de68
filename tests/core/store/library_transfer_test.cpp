// SPDX-License-Identifier: GPL-3.0-or-later
// Run folders that are taken into the library, and experiments of the library that become run folders.
#include "core/record/event_log.h"
#include "core/store/library_sink.h"
#include "core/store/library_transfer.h"
#include "core/store/run_folder.h"
#include "core/store/run_folder_writer.h"
#include "core/store/sqlite_database.h"
#include "tests/core/run/toy_task.h"
#include "tests/core/store/scratch_folder.h"

namespace lambdascope {
namespace {

namespace fs = std::filesystem;

class LibraryTransfer : public testing_support::ScratchFolder {
  protected:
    void SetUp() override {
        auto opened = RunLibrary::open(scratch("library.sqlite"));
        ASSERT_TRUE(opened) << opened.error().describe();
        m_library = *opened;
    }

    /// A run folder; without its last events where it was interrupted.
    fs::path makeRun(const std::string& name, std::size_t left = 0) {
        RunWishes wishes;
        wishes.solutions = true;
        std::vector<RunEvent> events = toy::eventsOfRun(RunIdSource::next(), {}, wishes);
        events.resize(events.size() - left);
        RunFolderFacts facts;
        facts.experiment = Json{{"family", "toy"}, {"name", name}, {"data", {{"source", "iris"}}}};
        std::get<RunStarted>(events.front().body).experiment = facts.experiment;
        facts.dataSha256 = "abc";
        facts.solutions = true;
        facts.lanes = {"lane"};
        fs::create_directories((scratch("") / name).parent_path());
        facts.startedAt = "2031-04-05T06:07:08Z"; // else this process, which lives, is what computes it
        auto writer = RunFolderWriter::create(scratch("") / name, facts);
        EXPECT_TRUE(writer) << writer.error().describe();
        replay(events, **writer);
        EXPECT_TRUE((*writer)->finish());
        return scratch("") / name;
    }
    LibraryExperimentId imported(const fs::path& folder) {
        const auto done = importRuns(m_library, folder);
        EXPECT_TRUE(done) << done.error().describe();
        EXPECT_EQ(done ? done->added.size() : 0, 1U);
        return done && !done->added.empty() ? done->added.front() : LibraryExperimentId{};
    }
    [[nodiscard]] std::size_t experimentsKept() const { return m_library->experiments()->size(); }

    std::shared_ptr<RunLibrary> m_library;
};

TEST_F(LibraryTransfer, ARunComesBackAsItWas) {
    const fs::path folder = makeRun("a");
    LaneAudit audit;
    audit.lane = "lane";
    audit.report.decisions = 77;
    audit.path.points = 3;
    ASSERT_TRUE(writeAudit(folder, audit, "1.0"));
    const LibraryExperimentId id = imported(folder);
    const LibraryExperiment experiment = *m_library->experiment(id);
    EXPECT_EQ(experiment.name, "toy experiment") << "as its events call it";
    EXPECT_EQ(experiment.createdAt, "2031-04-05T06:07:08Z") << "when it began, not when it came";
    EXPECT_EQ(experiment.source, "iris");
    EXPECT_EQ(experiment.runs.at(0).state, RunRecord::State::Finished);
    EXPECT_EQ(m_library->audit(experiment.runs.at(0).id).value()->report.decisions, 77);
    ASSERT_TRUE(m_library->renameRun(experiment.runs.at(0).id, "another name"));

    const auto exported = exportRun(*m_library, id, scratch("b"), "1.2.3");
    ASSERT_TRUE(exported) << exported.error().describe();
    for (const char* file : {"path.csv", "dynamic.csv", "solution-0.csv", "solution-1.csv", "solution-2.csv"}) {
        EXPECT_EQ(contents(scratch("b") / "lane" / file), contents(folder / "lane" / file)) << file;
    }
    const auto bodiesOf = [](const fs::path& run) { // without the numbers that runs have within a process
        std::vector<std::string> bodies;
        std::vector<RunEvent> events = *readEventLog(run / "lane" / "events.jsonl");
        for (RunEvent& event : events) {
            event.run = RunId{};
            bodies.push_back(eventLine(event));
        }
        return bodies;
    };
    EXPECT_EQ(bodiesOf(scratch("b")), bodiesOf(folder));
    EXPECT_EQ(readAudit(scratch("b"), "lane")->report.decisions, 77);
    const Json before = *readRunSummary(folder);
    const Json after = *readRunSummary(scratch("b"));
    for (const char* key : {"family", "started", "state", "experiment", "solutions"}) {
        EXPECT_EQ(after.at(key), before.at(key)) << key;
    }
    EXPECT_EQ(after.at("lanes")[0].at("points"), before.at("lanes")[0].at("points"));
    EXPECT_FALSE(after.contains("machine")) << "nothing is known of it";
    EXPECT_FALSE(after.contains("build"));
    const auto again = importRuns(m_library, scratch("b"));
    ASSERT_TRUE(again) << again.error().describe();
    EXPECT_EQ(again->known, 1U) << "it is there already";
    EXPECT_TRUE(again->added.empty());
}

TEST_F(LibraryTransfer, WhatIsThereIsNotTakenTwiceButWhatWasDeletedIs) {
    const fs::path folder = makeRun("a");
    const LibraryExperimentId id = imported(folder);
    EXPECT_EQ(importRuns(m_library, folder)->known, 1U);
    EXPECT_EQ(experimentsKept(), 1U);
    ASSERT_TRUE(m_library->discard({id}));
    EXPECT_NE(imported(folder), id);
}

TEST_F(LibraryTransfer, TheCellsOfAStudyAreTaggedByItsName) {
    makeRun("study/cells/k-3");
    makeRun("study/cells/k-5");
    write(scratch("study/study.json"), R"({"format": "lambdascope-study", "name": "k and  seeds, 2"})");
    std::vector<std::size_t> told;
    const auto done = importRuns(m_library, scratch("study"),
                                 [&](std::size_t now, std::size_t all) { told.push_back(10 * now + all); });
    ASSERT_TRUE(done) << done.error().describe();
    EXPECT_EQ(done->added.size(), 2U);
    EXPECT_EQ(told, (std::vector<std::size_t>{12, 22}));
    const std::vector<LibraryExperiment> kept = *m_library->experiments();
    for (const LibraryExperiment& experiment : kept) {
        EXPECT_EQ(experiment.tags, std::vector<std::string>{"k-and-seeds-2"});
        EXPECT_EQ(experiment.notes, "A cell of the study k and  seeds, 2.");
    }
    std::stop_source stop;
    stop.request_stop();
    makeRun("some/c");
    EXPECT_TRUE(importRuns(m_library, scratch("some"), {}, stop.get_token())->added.empty());
    EXPECT_EQ(importRuns(m_library, scratch("some"))->added.size(), 1U) << "any folder with run folders in it";
}

TEST_F(LibraryTransfer, AnInterruptedRunStaysOne) {
    const LibraryExperimentId id = imported(makeRun("a", 2)); // without its last point and its end
    const LibraryExperiment experiment = *m_library->experiment(id);
    EXPECT_EQ(experiment.runs.at(0).state, RunRecord::State::Interrupted) << "although this process lives";
    EXPECT_EQ(experiment.runs.at(0).finishedPoints, 2);
    ASSERT_TRUE(exportRun(*m_library, id, scratch("b"), "1"));
    const auto records = readRunFolder(scratch("b"));
    ASSERT_TRUE(records) << records.error().describe();
    EXPECT_EQ(records->at(0).state(), RunRecord::State::Interrupted);
}

TEST_F(LibraryTransfer, WhatCannotBeReadLeavesNothing) {
    fs::create_directories(scratch("empty"));
    for (const char* name : {"empty", "nothing"}) {
        const auto done = importRuns(m_library, scratch(name));
        ASSERT_FALSE(done) << name;
        EXPECT_EQ(done.error().code, ErrorCode::BadUsage);
        EXPECT_NE(done.error().describe().find("holds no run"), std::string::npos) << done.error().describe();
    }
    const fs::path folder = makeRun("a");
    write(folder / "lane" / "events.jsonl", contents(folder / "lane" / "events.jsonl") + "odd\n");
    EXPECT_EQ(importRuns(m_library, folder).error().code, ErrorCode::InvalidData);
    const fs::path headless = makeRun("b");
    std::string events = contents(headless / "lane" / "events.jsonl");
    write(headless / "lane" / "events.jsonl", events.substr(events.find('\n') + 1));
    EXPECT_FALSE(importRuns(m_library, headless));
    EXPECT_EQ(experimentsKept(), 0U);
    // Of a process that lives, as this one does.
    RunFolderFacts facts;
    facts.experiment = Json{{"family", "toy"}};
    facts.lanes = {"lane"};
    auto writer = RunFolderWriter::create(scratch("c"), facts);
    ASSERT_TRUE(writer);
    EXPECT_NE(importRuns(m_library, scratch("c")).error().describe().find("is being computed"), std::string::npos);
    EXPECT_EQ(exportRun(*m_library, LibraryExperimentId{99}, scratch("d"), "1").error().code, ErrorCode::BadUsage);
    EXPECT_FALSE(fs::exists(scratch("d")));
}

TEST_F(LibraryTransfer, AFolderInUseIsNotWrittenOver) {
    const LibraryExperimentId id = imported(makeRun("a"));
    const auto done = exportRun(*m_library, id, scratch("a"), "1");
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, ErrorCode::FileUnwritable);
    LibraryExperiment experiment;
    experiment.id = LibraryExperimentId{7};
    experiment.name = "k = 3, \"wine\" / all";
    EXPECT_EQ(folderNameOf(experiment), "7-k-3-wine-all");
    experiment.name = "λ";
    EXPECT_EQ(folderNameOf(experiment), "7");
}

} // namespace
} // namespace lambdascope
