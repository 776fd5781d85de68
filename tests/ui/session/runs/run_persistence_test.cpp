// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/library_sink.h"
#include "core/store/run_folder.h"
#include "core/store/run_folder_writer.h"
#include "core/store/run_library.h"
#include "tests/ui/session/tiny_family.h"
#include "ui/session/runs/run_persistence.h"

#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QUndoStack>

namespace lambdascope {
namespace {

class RunPersistenceTest : public testing::Test {
  protected:
    void SetUp() override {
        auto opened = RunLibrary::open(file());
        ASSERT_TRUE(opened);
        library = *opened;
        keeper = std::make_unique<RunPersistence>(runs, library, "0");
    }
    [[nodiscard]] std::filesystem::path file() const { return folder.filePath("library.sqlite").toStdString(); }
    /// As a run that computes: to the library first, then to the window.
    void compute(const TinyRun& run) {
        const std::vector<RunEvent> events = tinyEvents(run);
        LibrarySink sink(library);
        for (const RunEvent& event : events) {
            sink.publish(event);
        }
        runs.apply(events);
    }
    [[nodiscard]] std::vector<std::string> kept() const {
        std::vector<std::string> names;
        const auto experiments = library->experiments();
        for (const LibraryExperiment& experiment : *experiments) {
            for (const LibraryRun& run : experiment.runs) {
                names.push_back(run.lane);
            }
        }
        return names;
    }
    static LaneAudit auditOf(std::int64_t decisions) {
        LaneAudit audit;
        audit.lane = "half";
        audit.report.decisions = decisions;
        return audit;
    }

    QTemporaryDir folder;
    std::shared_ptr<RunLibrary> library;
    QUndoStack undo;
    RunCollection runs{&undo};
    std::unique_ptr<RunPersistence> keeper;
    using Names = std::vector<std::string>;
};

TEST_F(RunPersistenceTest, NamesAndDeletionsReachTheLibraryAndComeBackWithUndo) {
    compute({.id = RunId{41}, .lane = "plain"});
    compute({.id = RunId{42}, .lane = "half", .isBaseline = false, .share = 0.5});
    EXPECT_EQ(kept(), (Names{"half", "plain"})); // newest first
    runs.rename(RunId{42}, "mine");
    EXPECT_EQ(kept(), (Names{"mine", "plain"}));
    runs.remove({RunId{41}, RunId{42}});
    EXPECT_EQ(kept(), Names{});
    undo.undo();
    EXPECT_EQ(kept(), (Names{"mine", "plain"}));
    undo.undo();
    EXPECT_EQ(kept(), (Names{"half", "plain"}));
    undo.redo();
    undo.redo();
    EXPECT_EQ(kept(), Names{});
    keeper.reset();
    library.reset(); // the program ends
    library = *RunLibrary::open(file());
    undo.clear();
    EXPECT_EQ(kept(), Names{});
}

TEST_F(RunPersistenceTest, ACertificateIsKeptInTheLibraryAndComesWithTheRun) {
    compute({.id = RunId{43}, .lane = "half", .isBaseline = false, .share = 0.5});
    const auto id = library->keptRun(RunId{43});
    ASSERT_TRUE(id);
    runs.setAudit(RunId{43}, auditOf(77));
    ASSERT_TRUE(library->audit(*id)->has_value());
    EXPECT_EQ(library->audit(*id)->value().report.decisions, 77);
    auto record = library->loadRecord(*id);
    ASSERT_TRUE(record);
    std::vector<RunRecord> records;
    records.push_back(std::move(*record));
    const std::vector<RunId> opened = runs.add(std::move(records), RunOrigin::Library, {"shown name"});
    ASSERT_TRUE(runs.display(opened.front()).audit);
    EXPECT_EQ(runs.display(opened.front()).audit->report.decisions, 77);
    EXPECT_EQ(runs.display(opened.front()).name, "shown name");
}

TEST_F(RunPersistenceTest, ACertificateOfARunFolderStaysInTheFolder) {
    const std::filesystem::path place = folder.filePath("run").toStdString();
    RunFolderFacts facts;
    facts.experiment = Json::object();
    facts.lanes = {"half"};
    auto writer = RunFolderWriter::create(place, facts);
    ASSERT_TRUE(writer);
    for (const RunEvent& event : tinyEvents({.id = RunId{44}, .lane = "half", .isBaseline = false, .share = 0.5})) {
        (*writer)->publish(event);
    }
    ASSERT_TRUE((*writer)->finish());
    const auto open = [&] {
        auto records = readRunFolder(place);
        EXPECT_TRUE(records);
        return runs.add(std::move(*records), RunOrigin::Folder, {}, place).front();
    };
    const RunId first = open();
    EXPECT_FALSE(runs.display(first).audit);
    runs.setAudit(first, auditOf(5));
    ASSERT_TRUE(readAudit(place, "half"));
    EXPECT_EQ(runs.display(open()).audit.value_or(LaneAudit()).report.decisions, 5);
    runs.remove({first}); // of the window, not of the disk
    EXPECT_TRUE(readRunFolder(place));
}

TEST_F(RunPersistenceTest, WhatCannotBeKeptIsTold) {
    compute({.id = RunId{45}, .lane = "half"});
    QSignalSpy warnings(keeper.get(), &RunPersistence::warned);
    ASSERT_TRUE(library->removeRun(*library->keptRun(RunId{45}))); // by another program
    runs.rename(RunId{45}, "mine");
    EXPECT_EQ(warnings.count(), 1);
    EXPECT_EQ(runs.display(RunId{45}).name, "mine");
}

} // namespace
} // namespace lambdascope
