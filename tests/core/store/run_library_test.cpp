// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/event_json.h"
#include "core/record/event_log.h"
#include "core/store/library_sink.h"
#include "core/store/run_library.h"
#include "core/store/sqlite_database.h"
#include "tests/core/run/toy_task.h"
#include "tests/core/store/scratch_folder.h"

#include <thread>

namespace lambdascope {
namespace {

class Library : public testing_support::ScratchFolder {
  protected:
    [[nodiscard]] std::filesystem::path file() const { return scratch("data") / "library.sqlite"; }
    std::shared_ptr<RunLibrary> open() {
        auto library = RunLibrary::open(file());
        EXPECT_TRUE(library) << library.error().describe();
        return *library;
    }
    static LibraryRunId record(const std::shared_ptr<RunLibrary>& library, RunId run, RunWishes wishes = {}) {
        LibrarySink sink(library);
        replay(toy::eventsOfRun(run, {}, wishes), sink);
        EXPECT_FALSE(sink.error()) << sink.error()->describe();
        return sink.libraryRun(run).value_or(LibraryRunId{});
    }
};

TEST_F(Library, GivesBackTheEventsOfARun) {
    RunWishes wishes;
    wishes.embeddings = true;
    wishes.solutions = true;
    const LibraryRunId id = record(open(), RunId{4}, wishes);
    const auto library = open(); // a second time, as the next start of the program would
    const auto events = library->loadEvents(id, RunId{4});
    ASSERT_TRUE(events);
    const std::vector<RunEvent> expected = toy::eventsOfRun(RunId{4}, {}, wishes);
    ASSERT_EQ(events->size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        if (const auto* end = std::get_if<RunFinished>(&(*events)[i].body)) {
            EXPECT_EQ(end->finishedPoints, 3); // its wall time differs from run to run
            continue;
        }
        EXPECT_EQ(eventLine((*events)[i]), eventLine(expected[i]));
    }
    const auto record = library->loadRecord(id);
    ASSERT_TRUE(record);
    EXPECT_EQ(record->state(), RunRecord::State::Finished);
    const auto& solution = record->finishedPoint(1)->solution;
    ASSERT_NE(solution, nullptr);
    EXPECT_EQ(solution->at(0).name, "M");
    EXPECT_EQ(solution->at(0).values, MatrixValues(2, 3, 2.0 / 3));
}

TEST_F(Library, ListsExperimentsNewestFirstWithTheirTotals) {
    const auto library = open();
    (void)record(library, RunId{1});
    LibrarySink sink(library);
    replay(toy::eventsOfRun(RunId{2}), sink);
    replay(toy::eventsOfRun(RunId{3}), sink);
    const auto experiments = library->experiments();
    ASSERT_TRUE(experiments);
    ASSERT_EQ(experiments->size(), 2U);
    EXPECT_GT(experiments->at(0).id, experiments->at(1).id);
    EXPECT_EQ(experiments->at(0).id, sink.experimentId());
    ASSERT_EQ(experiments->at(0).runs.size(), 2U);
    const LibraryRun& run = experiments->at(0).runs.at(0);
    EXPECT_EQ(run.lane, "lane");
    EXPECT_EQ(run.state, RunRecord::State::Finished);
    EXPECT_EQ(run.termination, Termination::PathEnded);
    EXPECT_EQ(run.finishedPoints, 3);
    EXPECT_EQ(run.cpuSolve, 6);
    EXPECT_EQ(run.cpuScreen, 3);
    EXPECT_EQ(experiments->at(0).family, "toy");
    EXPECT_EQ((*library->experimentDocument(experiments->at(0).id))["name"], "toy experiment");
}

TEST_F(Library, SavesEachPointAsItEnds) {
    const auto library = open();
    const auto reader = open();
    LibrarySink sink(library);
    std::size_t finished = 0;
    for (const RunEvent& event : toy::eventsOfRun(RunId{1})) {
        sink.publish(event);
        finished += std::holds_alternative<PointFinished>(event.body) ? 1 : 0;
        const auto record = reader->loadRecord(*sink.libraryRun(RunId{1}));
        ASSERT_TRUE(record) << record.error().describe();
        EXPECT_EQ(record->finishedPointCount(), finished);
        EXPECT_EQ(reader->experiments()->at(0).runs.at(0).finishedPoints, static_cast<std::int32_t>(finished));
    }
}

TEST_F(Library, RenamesAndRemoves) {
    const auto library = open();
    LibrarySink sink(library);
    replay(toy::eventsOfRun(RunId{1}), sink);
    replay(toy::eventsOfRun(RunId{2}), sink);
    const LibraryExperimentId experiment = *sink.experimentId();
    ASSERT_TRUE(library->renameExperiment(experiment, "Größe 'x'; --"));
    ASSERT_TRUE(library->renameRun(*sink.libraryRun(RunId{1}), "first"));
    EXPECT_EQ(library->experiment(experiment)->name, "Größe 'x'; --");
    EXPECT_EQ(library->experiment(experiment)->runs.at(0).lane, "first");
    ASSERT_TRUE(library->removeRun(*sink.libraryRun(RunId{1})));
    EXPECT_EQ(library->experiment(experiment)->runs.size(), 1U);
    ASSERT_TRUE(library->removeRun(*sink.libraryRun(RunId{2})));
    EXPECT_TRUE(library->experiments()->empty()) << "an experiment goes with the last of its runs";

    const LibraryRunId other = record(library, RunId{3});
    ASSERT_TRUE(library->removeExperiment(library->experiments()->at(0).id));
    EXPECT_FALSE(library->loadEvents(other, RunId{3}));
    SqliteDatabase database(file());
    for (const char* table : {"experiments", "runs", "events", "points", "solutions"}) {
        SqliteStatement count = database.prepare(std::string("SELECT count(*) FROM ") + table);
        ASSERT_TRUE(count.step());
        EXPECT_EQ(count.integer(0), 0) << table << " keeps orphans";
    }
}

TEST_F(Library, UnknownIdsAreErrors) {
    const auto library = open();
    EXPECT_EQ(library->loadRecord(LibraryRunId{7}).error().code, ErrorCode::BadUsage);
    EXPECT_EQ(library->experiment(LibraryExperimentId{7}).error().code, ErrorCode::BadUsage);
    EXPECT_EQ(library->experimentDocument(LibraryExperimentId{7}).error().code, ErrorCode::BadUsage);
    EXPECT_FALSE(library->renameRun(LibraryRunId{7}, "x"));
    EXPECT_FALSE(library->renameExperiment(LibraryExperimentId{7}, "x"));
    EXPECT_FALSE(library->removeRun(LibraryRunId{7}));
    EXPECT_FALSE(library->removeExperiment(LibraryExperimentId{7}));
}

TEST_F(Library, HiddenRunsComeBackUntilTheProgramIsDoneWithTheLibrary) {
    const auto library = open();
    const LibraryRunId first = record(library, RunId{1});
    const LibraryRunId second = record(library, RunId{2});
    ASSERT_TRUE(library->hideRun(first));
    ASSERT_EQ(library->experiments()->size(), 1U);
    EXPECT_EQ(library->experiments()->front().runs.front().id, second);
    (void)open(); // another program, or another part of this one, has a look meanwhile
    ASSERT_TRUE(library->restoreRun(first));
    EXPECT_EQ(library->experiments()->size(), 2U);
    EXPECT_TRUE(library->loadRecord(first));
    EXPECT_FALSE(library->hideRun(LibraryRunId{77}));
    EXPECT_FALSE(library->restoreRun(LibraryRunId{77}));
}

TEST_F(Library, HiddenRunsGoForGoodWithTheProgramThatHidThem) {
    LibraryRunId first;
    LibraryRunId second;
    {
        const auto library = open();
        first = record(library, RunId{1});
        second = record(library, RunId{2});
        ASSERT_TRUE(library->hideRun(first));
    }
    EXPECT_FALSE(open()->loadRecord(first));
    {
        // A program that was killed: its mark is there, it is not.
        const auto library = open();
        SqliteDatabase database(file());
        database.prepare("UPDATE runs SET deleted_by = 'no-such-boot 1 1' WHERE id = ?").bind(1, second.value).run();
    }
    EXPECT_TRUE(open()->experiments()->empty());
    EXPECT_FALSE(open()->loadRecord(second));
}

TEST_F(Library, KeepsTheLatestAuditOfARun) {
    LaneAudit audit;
    audit.lane = "a";
    audit.unsafeReason = "a guess";
    audit.report.decisions = 12345678901;
    audit.report.wrong = 2;
    audit.report.smallestSlack = 0.1;
    audit.report.examples = {"one", "two"};
    audit.path.points = 7;
    LibraryRunId id;
    {
        const auto library = open();
        id = record(library, RunId{1});
        EXPECT_FALSE(library->audit(id)->has_value());
        ASSERT_TRUE(library->setAudit(id, {}));
        ASSERT_TRUE(library->setAudit(id, audit));
        EXPECT_FALSE(library->setAudit(LibraryRunId{77}, audit));
    }
    const auto library = open();
    const auto kept = library->audit(id);
    ASSERT_TRUE(kept && *kept);
    EXPECT_EQ(auditToJson(**kept), auditToJson(audit));
    EXPECT_EQ(judgementOf(**kept).verdict, Verdict::Wrong);
    ASSERT_TRUE(library->removeRun(id));
    EXPECT_FALSE(library->audit(id)->has_value());
}

TEST_F(Library, KnowsWhichRunsOfThisProcessItKeeps) {
    const auto library = open();
    const LibraryRunId id = record(library, RunId{11});
    EXPECT_EQ(library->keptRun(RunId{11}), id);
    const auto again = library->loadRecord(id);
    ASSERT_TRUE(again);
    EXPECT_NE(again->id(), RunId{11});
    EXPECT_EQ(library->keptRun(again->id()), id);
    EXPECT_FALSE(library->keptRun(RunId{12}));
}

TEST_F(Library, OpensAFileOfTheFirstVersion) {
    LibraryRunId id;
    {
        const auto library = open();
        id = record(library, RunId{1});
    }
    {
        SqliteDatabase older(file());
        older.execute("DROP TRIGGER labels_of_new");
        older.execute("DROP TABLE labels");
        older.execute("DROP TABLE audits");
        older.execute("DROP TABLE states");
        older.execute("ALTER TABLE runs DROP COLUMN deleted_by");
        older.execute("PRAGMA user_version = 1");
    }
    const auto library = open();
    EXPECT_TRUE(library->loadRecord(id));
    EXPECT_TRUE(library->setAudit(id, {}));
    EXPECT_TRUE(library->hideRun(id));
    EXPECT_TRUE(library->experiments()->empty());
}

TEST_F(Library, LeavesForeignFilesAlone) {
    write(scratch("notes.txt"), "These are not the runs you are looking for, but quite a long text instead.\n");
    const std::string before = contents(scratch("notes.txt"));
    EXPECT_FALSE(RunLibrary::open(scratch("notes.txt")));
    EXPECT_EQ(contents(scratch("notes.txt")), before);
    {
        SqliteDatabase other(scratch("other.sqlite"));
        other.execute("CREATE TABLE recipes(name TEXT)");
    }
    EXPECT_FALSE(RunLibrary::open(scratch("other.sqlite")));
    {
        (void)open();
        SqliteDatabase newer(file());
        newer.execute("PRAGMA user_version = 99");
    }
    const auto refused = RunLibrary::open(file());
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().describe().find("newer"), std::string::npos);
    write(scratch("plain"), "");
    EXPECT_FALSE(RunLibrary::open(scratch("plain") / "library.sqlite"));
    EXPECT_FALSE(RunLibrary::open(scratch("data"))) << "a folder is no library";
}

TEST_F(Library, TakesManyWritersAndReadersAtOnce) {
    constexpr int kWriters = 3;
    constexpr int kRunsEach = 4;
    std::vector<std::jthread> threads;
    for (int writer = 0; writer < kWriters; ++writer) {
        threads.emplace_back([this, writer] {
            // Opens for itself, as another process would; all of them may be making the file just now.
            const auto library = RunLibrary::open(file());
            ASSERT_TRUE(library) << library.error().describe();
            for (int i = 0; i < kRunsEach; ++i) {
                LibrarySink sink(*library);
                replay(toy::eventsOfRun(RunId{100 * writer + i}), sink);
                EXPECT_FALSE(sink.error()) << sink.error()->describe();
                EXPECT_TRUE((*library)->experiments());
            }
        });
    }
    threads.clear();
    const auto experiments = open()->experiments();
    ASSERT_TRUE(experiments);
    EXPECT_EQ(experiments->size(), static_cast<std::size_t>(kWriters * kRunsEach));
    for (const LibraryExperiment& experiment : *experiments) {
        EXPECT_EQ(experiment.runs.at(0).finishedPoints, 3);
    }
}

TEST_F(Library, AFailingWriteEndsTheWritingNotTheRun) {
    const auto library = open();
    LibrarySink sink(library);
    const std::vector<RunEvent> events = toy::eventsOfRun(RunId{1});
    sink.publish(events[0]);
    SqliteDatabase(file()).execute("DROP TABLE points");
    for (std::size_t i = 1; i < events.size(); ++i) {
        sink.publish(events[i]);
    }
    ASSERT_TRUE(sink.error());
    EXPECT_EQ(sink.error()->code, ErrorCode::FileUnwritable);
}

TEST(LibraryPath, FollowsTheStandardForUserData) {
    const char* before = std::getenv("XDG_DATA_HOME");
    const std::string kept = before != nullptr ? before : "";
    setenv("XDG_DATA_HOME", "/somewhere/data", 1);
    EXPECT_EQ(RunLibrary::defaultPath(), "/somewhere/data/lambdascope/library.sqlite");
    setenv("XDG_DATA_HOME", "relative", 1);
    setenv("HOME", "/home/someone", 1);
    EXPECT_EQ(RunLibrary::defaultPath(), "/home/someone/.local/share/lambdascope/library.sqlite");
    setenv("XDG_DATA_HOME", kept.c_str(), 1);
}

} // namespace
} // namespace lambdascope
