// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/run_record.h"
#include "tests/ui/session/tiny_family.h"
#include "ui/session/runs/run_collection.h"

#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QUndoStack>

namespace lambdascope {

namespace {

constexpr RunId kPlain{11};
constexpr RunId kHalf{12};

void fill(RunCollection& runs) {
    runs.beginBatch();
    runs.apply(tinyEvents({.id = kPlain}));
    runs.apply(tinyEvents({.id = kHalf, .lane = "half", .isBaseline = false, .share = 0.5, .cpuPerPoint = 1}));
}

} // namespace

TEST(RunCollection, AddsRunsAndFollowsTheirEvents) {
    RunCollection runs;
    QSignalSpy added(&runs, &RunCollection::runsAdded);
    QSignalSpy updated(&runs, &RunCollection::runsUpdated);
    const auto events = tinyEvents({.id = kPlain});
    runs.apply({events.begin(), events.begin() + 3});
    ASSERT_EQ(added.count(), 1);
    EXPECT_EQ(updated.count(), 0);
    EXPECT_EQ(runs.display(kPlain).name, "plain");
    EXPECT_FALSE(runs.record(kPlain)->hasEnded());
    runs.apply({events.begin() + 3, events.end()});
    EXPECT_EQ(added.count(), 1);
    EXPECT_EQ(updated.count(), 1);
    EXPECT_EQ(runs.record(kPlain)->finishedPointCount(), 3U);
    EXPECT_EQ(runs.record(kPlain)->state(), RunRecord::State::Finished);
    EXPECT_FALSE(runs.display(kPlain).note.isEmpty());
}

TEST(RunCollection, LooksForTheBaselineInTheSameBatchOnly) {
    RunCollection runs;
    fill(runs);
    runs.beginBatch();
    runs.apply(tinyEvents({.id = RunId{13}, .lane = "alone", .isBaseline = false}));
    EXPECT_EQ(runs.baselineOf(kHalf), runs.record(kPlain));
    EXPECT_EQ(runs.baselineOf(kPlain), runs.record(kPlain));
    EXPECT_EQ(runs.baselineOf(RunId{13}), nullptr);
    EXPECT_EQ(runs.baselineOf(RunId{99}), nullptr);
}

TEST(RunCollection, GivesEachRunAStyleOfItsOwn) {
    RunCollection runs;
    fill(runs);
    EXPECT_NE(runs.display(kPlain).styleIndex, runs.display(kHalf).styleIndex);
    runs.remove({kPlain});
    runs.apply(tinyEvents({.id = RunId{13}}));
    EXPECT_EQ(runs.display(RunId{13}).styleIndex, 0);
}

TEST(RunCollection, RenamesDeletesAndHidesUndoably) {
    QUndoStack undo;
    RunCollection runs(&undo);
    fill(runs);
    QSignalSpy visibility(&runs, &RunCollection::visibilityChanged);
    runs.rename(kHalf, "  better ");
    runs.showOnly({kHalf});
    runs.remove({kPlain});
    EXPECT_EQ(undo.count(), 3);
    EXPECT_EQ(runs.display(kHalf).name, "better");
    EXPECT_FALSE(runs.contains(kPlain));
    undo.undo();
    EXPECT_EQ(runs.ids(), (std::vector{kPlain, kHalf}));
    EXPECT_FALSE(runs.display(kPlain).isShown);
    undo.undo();
    EXPECT_EQ(runs.shownIds(), (std::vector{kPlain, kHalf}));
    EXPECT_EQ(visibility.count(), 2);
    undo.undo();
    EXPECT_EQ(runs.display(kHalf).name, "half");
    undo.redo();
    undo.redo();
    undo.redo();
    EXPECT_FALSE(runs.contains(kPlain));
}

TEST(RunCollection, IgnoresChangesThatChangeNothing) {
    QUndoStack undo;
    RunCollection runs(&undo);
    fill(runs);
    runs.rename(kHalf, "half");
    runs.rename(kHalf, "   ");
    runs.setShown(kHalf, true);
    runs.remove({RunId{99}});
    EXPECT_EQ(undo.count(), 0);
}

TEST(RunCollection, ARunDeletedWhileComputingMissesNothingWhenItComesBack) {
    QUndoStack undo;
    RunCollection runs(&undo);
    const auto events = tinyEvents({.id = kPlain});
    runs.apply({events.begin(), events.begin() + 5});
    runs.remove({kPlain});
    runs.apply({events.begin() + 5, events.end()});
    EXPECT_FALSE(runs.contains(kPlain));
    undo.undo();
    EXPECT_EQ(runs.record(kPlain)->finishedPointCount(), 3U);
    EXPECT_TRUE(runs.record(kPlain)->hasEnded());
}

TEST(RunCollection, AddsRecordsOfOneFolderAsOneBatch) {
    RunCollection runs;
    fill(runs);
    auto events = tinyEvents({.id = RunId{21}});
    const auto more = tinyEvents({.id = RunId{22}, .lane = "half", .isBaseline = false, .share = 0.5});
    events.insert(events.end(), more.begin(), more.end());
    const std::vector<RunId> ids = runs.add(recordsOf(events), RunOrigin::Folder, {"first", ""});
    ASSERT_EQ(ids.size(), 2U);
    EXPECT_EQ(runs.display(ids[0]).name, "first");
    EXPECT_EQ(runs.display(ids[1]).name, "half");
    EXPECT_EQ(runs.display(ids[0]).origin, RunOrigin::Folder);
    EXPECT_EQ(runs.baselineOf(ids[1]), runs.record(ids[0]));
    EXPECT_NE(runs.display(ids[0]).batch, runs.display(kPlain).batch);
}

} // namespace lambdascope
