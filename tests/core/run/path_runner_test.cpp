// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/clocks.h"
#include "core/record/run_record.h"
#include "core/run/path_runner.h"
#include "tests/core/run/toy_task.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>

namespace lambdascope {
namespace {

using Lines = std::vector<std::string>;
using toy::briefly;
using toy::makeRunner;
using toy::runToEnd;

std::optional<Result<PointReport>> asUsual() {
    return std::nullopt;
}

TEST(PathRunner, TellsTheWholeStoryOfAPathInOrder) {
    RecordingSink sink;
    toy::Task::Plan plan;
    plan.schedule = {4, 2};
    PathRunner runner = makeRunner(plan, RunContext(RunId{5}, sink));
    const LaneOutcome outcome = runToEnd(runner);

    EXPECT_EQ(briefly(sink.events()),
              (Lines{"started toy experiment/lane 1 of 2", "point 0 at 4 of about 2", "screened 0:0", "iterated 0:1",
                     "iterated 0:2", "finished 0 converged", "point 1 at 2 of about 2", "screened 1:0", "iterated 1:1",
                     "iterated 1:2", "finished 1 converged", "ended path ended after 2"}));
    for (std::size_t i = 0; i < sink.events().size(); ++i) {
        EXPECT_EQ(sink.events()[i].sequence, static_cast<std::int64_t>(i));
        EXPECT_EQ(sink.events()[i].run, RunId{5});
    }
    EXPECT_EQ(outcome.termination, Termination::PathEnded);
    EXPECT_EQ(outcome.finishedPoints, 2);
    EXPECT_EQ(outcome.cpuSolve, 4);
    EXPECT_EQ(outcome.cpuScreen, 2);
    EXPECT_FALSE(outcome.error);
}

TEST(PathRunner, FailsAtOnceOnAnEmptySchedule) {
    RecordingSink sink;
    toy::Task::Plan plan;
    plan.schedule = {};
    PathRunner runner = makeRunner(plan, RunContext(RunId{5}, sink));
    const LaneOutcome outcome = runToEnd(runner);
    ASSERT_TRUE(outcome.error);
    EXPECT_NE(outcome.error->describe().find("no point"), std::string::npos) << outcome.error->describe();
    ASSERT_EQ(sink.events().size(), 2U);
    EXPECT_TRUE(std::holds_alternative<RunStarted>(sink.events().front().body));
    EXPECT_TRUE(std::holds_alternative<RunFailed>(sink.events().back().body));
}

TEST(PathRunner, HandsTheWarmStartToTheNextPoint) {
    RecordingSink sink;
    std::vector<std::int32_t> seen;
    toy::Task::Plan plan;
    plan.warmStartsSeen = &seen;
    PathRunner runner = makeRunner(plan, RunContext(RunId{1}, sink));
    (void)runToEnd(runner);
    EXPECT_EQ(seen, (std::vector<std::int32_t>{-1, 1, 2}));
}

TEST(PathRunner, EndsWhereTheStopRuleSays) {
    RecordingSink sink;
    toy::Task::Plan plan;
    plan.schedule = {16, 8, 4, 2, 1};
    plan.endsPath = [](const std::vector<PointReport>& finished) { return finished.size() == 2; };
    PathRunner runner = makeRunner(plan, RunContext(RunId{1}, sink));
    const LaneOutcome outcome = runToEnd(runner);
    EXPECT_EQ(outcome.finishedPoints, 2);
    EXPECT_EQ(outcome.termination, Termination::PathEnded);
    EXPECT_EQ(briefly(sink.events()).back(), "ended path ended after 2");
}

TEST(PathRunner, KeepsFinishedPointsWhenStoppedWithinAPoint) {
    RecordingSink sink;
    std::stop_source stop;
    toy::Task::Plan plan;
    plan.onPoint = [&](const PathPoint& point, RunContext& context) -> std::optional<Result<PointReport>> {
        if (point.index == 1) {
            stop.request_stop();
        }
        if (!context.shouldStop()) {
            return asUsual();
        }
        PointReport report;
        report.termination = context.stopReason();
        return Result<PointReport>(report);
    };
    PathRunner runner = makeRunner(plan, RunContext(RunId{1}, sink, stop.get_token()));
    const LaneOutcome outcome = runToEnd(runner);
    EXPECT_EQ(outcome.termination, Termination::StoppedByUser);
    EXPECT_EQ(outcome.finishedPoints, 1);
    EXPECT_EQ(outcome.cpuSolve, 2);
    EXPECT_EQ(briefly(sink.events()), (Lines{"started toy experiment/lane 1 of 2", "point 0 at 4 of about 3",
                                             "screened 0:0", "iterated 0:1", "iterated 0:2", "finished 0 converged",
                                             "point 1 at 2 of about 3", "ended stopped by user after 1"}));
    EXPECT_FALSE(runner.advance());
    EXPECT_EQ(sink.events().size(), 8U);
}

TEST(PathRunner, StopBetweenPointsStartsNoFurtherPoint) {
    RecordingSink sink;
    std::stop_source stop;
    PathRunner runner = makeRunner({}, RunContext(RunId{1}, sink, stop.get_token()));
    runner.start();
    EXPECT_TRUE(runner.advance());
    stop.request_stop();
    EXPECT_FALSE(runner.advance());
    EXPECT_EQ(briefly(sink.events()).back(), "ended stopped by user after 1");
}

TEST(PathRunner, TimeLimitEndsTheLaneAndKeepsItsPoints) {
    RecordingSink sink;
    toy::Task::Plan plan;
    plan.onPoint = [&](const PathPoint& point, RunContext& context) -> std::optional<Result<PointReport>> {
        if (point.index == 0) {
            return asUsual();
        }
        while (!context.shouldStop()) {
            std::this_thread::yield();
        }
        PointReport report;
        report.termination = context.stopReason();
        return Result<PointReport>(report);
    };
    PathRunner runner = makeRunner(plan, RunContext(RunId{1}, sink), 0.05);
    const LaneOutcome outcome = runToEnd(runner);
    EXPECT_EQ(outcome.termination, Termination::TimeLimit);
    EXPECT_LE(outcome.finishedPoints, 1);
}

TEST(PathRunner, WallTimeLeavesOutTheTurnsOfOthers) {
    constexpr double kOthersTurn = 0.05;
    RecordingSink sink;
    PathRunner runner = makeRunner({}, RunContext(RunId{1}, sink), 30);
    const double start = wallSeconds();
    runner.start();
    EXPECT_TRUE(runner.advance());
    for (const double turn = wallSeconds(); wallSeconds() - turn < kOthersTurn;) {
        std::this_thread::yield();
    }
    while (runner.advance()) {
    }
    EXPECT_LE(runner.outcome().wall, wallSeconds() - start - kOthersTurn);
    EXPECT_EQ(runner.outcome().termination, Termination::PathEnded);
}

TEST(PathRunner, PauseHoldsTheRunAndDoesNotCount) {
    RecordingSink sink;
    PauseGate gate;
    double paused = 0;
    std::jthread resumer;
    toy::Task::Plan plan;
    plan.onPoint = [&](const PathPoint& point, RunContext& context) {
        if (point.index == 1) {
            gate.pause();
            resumer = std::jthread([&] {
                std::this_thread::sleep_for(std::chrono::milliseconds(50));
                gate.resume();
            });
            EXPECT_FALSE(context.shouldStop());
            EXPECT_FALSE(gate.isPaused());
            paused = context.pausedSeconds();
        }
        return asUsual();
    };
    PathRunner runner = makeRunner(plan, RunContext(RunId{1}, sink, {}, &gate));
    const double start = wallSeconds();
    const LaneOutcome outcome = runToEnd(runner);
    const double elapsed = wallSeconds() - start;
    EXPECT_EQ(outcome.termination, Termination::PathEnded);
    EXPECT_EQ(outcome.finishedPoints, 3);
    EXPECT_LE(outcome.wall, elapsed - paused);
    EXPECT_GT(outcome.wall, 0);
}

TEST(PathRunner, StopWakesAPausedRun) {
    RecordingSink sink;
    PauseGate gate;
    std::stop_source stop;
    gate.pause();
    PathRunner runner = makeRunner({}, RunContext(RunId{1}, sink, stop.get_token(), &gate));
    std::jthread stopper([&] { stop.request_stop(); });
    EXPECT_EQ(runToEnd(runner).termination, Termination::StoppedByUser);
    EXPECT_TRUE(gate.isPaused());
}

TEST(PathRunner, TurnsALibraryExceptionIntoRunFailedAndKeepsFinishedPoints) {
    RecordingSink sink;
    toy::Task::Plan plan;
    plan.onPoint = [](const PathPoint& point, RunContext&) -> std::optional<Result<PointReport>> {
        if (point.index == 2) {
            throw std::runtime_error("eig_sym(): decomposition failed");
        }
        return std::nullopt;
    };
    PathRunner runner = makeRunner(plan, RunContext(RunId{1}, sink));
    const LaneOutcome outcome = runToEnd(runner);
    ASSERT_TRUE(outcome.error);
    EXPECT_EQ(outcome.error->code, ErrorCode::Internal);
    EXPECT_EQ(outcome.finishedPoints, 2);
    EXPECT_EQ(briefly(sink.events()).back(), "failed");
    const auto& failed = std::get<RunFailed>(sink.events().back().body);
    EXPECT_NE(failed.message.find("decomposition failed"), std::string::npos) << failed.message;
    EXPECT_NE(failed.message.find("lane \"lane\""), std::string::npos) << failed.message;
}

TEST(PathRunner, CallsALackOfMemoryByItsName) {
    RecordingSink sink;
    toy::Task::Plan plan;
    plan.onPoint = [](const PathPoint&, RunContext&) -> std::optional<Result<PointReport>> { throw std::bad_alloc(); };
    PathRunner runner = makeRunner(plan, RunContext(RunId{1}, sink));
    const LaneOutcome outcome = runToEnd(runner);
    ASSERT_TRUE(outcome.error);
    EXPECT_EQ(outcome.error->code, ErrorCode::OutOfMemory);
    EXPECT_FALSE(outcome.error->faults.at(0).remedy.empty());
}

TEST(PathRunner, AnErrorOfTheTaskFailsTheLane) {
    RecordingSink sink;
    toy::Task::Plan plan;
    plan.onPoint = [](const PathPoint& point, RunContext&) -> std::optional<Result<PointReport>> {
        if (point.index == 1) {
            return Result<PointReport>(Failure{plainError(ErrorCode::OutOfMemory, "the kernel does not fit")});
        }
        return std::nullopt;
    };
    PathRunner runner = makeRunner(plan, RunContext(RunId{1}, sink));
    const LaneOutcome outcome = runToEnd(runner);
    ASSERT_TRUE(outcome.error);
    EXPECT_EQ(outcome.error->code, ErrorCode::OutOfMemory);
    EXPECT_EQ(outcome.finishedPoints, 1);
    EXPECT_EQ(briefly(sink.events()).back(), "failed");
}

TEST(PathRunner, AnnouncesTheLaneEvenWhenItsTaskCannotBeMade) {
    RecordingSink sink;
    LaneIdentity lane;
    lane.laneName = "naive";
    PathRunner runner([]() -> std::unique_ptr<PathTask> { throw std::bad_alloc(); }, lane, RunContext(RunId{1}, sink),
                      0);
    EXPECT_TRUE(runToEnd(runner).error.has_value());
    EXPECT_EQ(briefly(sink.events()), (Lines{"started /naive 0 of 1", "failed"}));
}

TEST(PathRunner, RefusesARowOfTheWrongLength) {
    RecordingSink sink;
    toy::Task::Plan plan;
    plan.onPoint = [](const PathPoint& point, RunContext&) -> std::optional<Result<PointReport>> {
        PointReport report = toy::Task::defaultReport(point);
        report.values.pop_back();
        return Result<PointReport>(report);
    };
    PathRunner runner = makeRunner(plan, RunContext(RunId{1}, sink));
    EXPECT_TRUE(runToEnd(runner).error.has_value());
}

TEST(PathRunner, SaysSoWhenAPointDidNotConverge) {
    RecordingSink sink;
    toy::Task::Plan plan;
    plan.onPoint = [](const PathPoint& point, RunContext&) -> std::optional<Result<PointReport>> {
        PointReport report = toy::Task::defaultReport(point);
        report.termination = point.index == 0   ? Termination::IterationLimit
                             : point.index == 1 ? Termination::ConvergedLoosely
                                                : Termination::Converged;
        return Result<PointReport>(report);
    };
    PathRunner runner = makeRunner(plan, RunContext(RunId{1}, sink));
    const LaneOutcome outcome = runToEnd(runner);
    EXPECT_EQ(outcome.termination, Termination::IterationLimit);
    EXPECT_EQ(outcome.finishedPoints, 3);
}

TEST(PathRunner, EvaluatesOnlyWhatIsWishedFor) {
    for (const bool wishes : {false, true}) {
        RecordingSink sink;
        int evaluations = 0;
        toy::Task::Plan plan;
        plan.evaluations = &evaluations;
        RunWishes wished;
        wished.embeddings = wishes;
        PathRunner runner = makeRunner(plan, RunContext(RunId{1}, sink, {}, nullptr, wished));
        (void)runToEnd(runner);
        EXPECT_EQ(evaluations, wishes ? 3 : 0);
        const auto* finished = std::get_if<PointFinished>(&sink.events().at(5).body);
        ASSERT_NE(finished, nullptr);
        EXPECT_EQ(finished->embedding != nullptr, wishes);
        EXPECT_EQ(finished->solution, nullptr);
    }
}

TEST(PathRunner, MeasuresTakeTheirPlacesAmongTheValues) {
    RecordingSink sink;
    RunWishes wished;
    wished.measures = true;
    PathRunner runner = makeRunner({}, RunContext(RunId{1}, sink, {}, nullptr, wished));
    (void)runToEnd(runner);
    const RunRecord record = recordsOf(sink.events()).front();
    EXPECT_EQ(columnByRole(record, ColumnRole::ItemsTotal), (std::vector<double>{100, 101, 102}));
    EXPECT_EQ(columnByRole(record, ColumnRole::Axis), (std::vector<double>{4, 2, 1}));
}

TEST(PathRunner, IsBaselineOnlyWhenNoEarlierLaneIs) {
    for (const bool mayBe : {false, true}) {
        RecordingSink sink;
        toy::Task::Plan plan;
        plan.isBaseline = true;
        PathRunner runner = makeRunner(plan, RunContext(RunId{1}, sink), 0, mayBe);
        runner.start();
        EXPECT_EQ(runner.isBaseline(), mayBe);
        EXPECT_EQ(std::get<RunStarted>(sink.events().front().body).isBaseline, mayBe);
    }
}

TEST(RunIdSource, NeverGivesAnIdTwice) {
    const RunId first = RunIdSource::next();
    const RunId second = RunIdSource::next();
    EXPECT_TRUE(first.isValid());
    EXPECT_LT(first, second);
}

} // namespace
} // namespace lambdascope
