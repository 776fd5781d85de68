// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/random_stream.h"
#include "core/record/run_record.h"
#include "tests/core/run/toy_task.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lambdascope {
namespace {

RunRecord recordOf(const std::vector<RunEvent>& events) {
    RunRecord record;
    for (const RunEvent& event : events) {
        record.apply(event);
    }
    return record;
}

TEST(RunRecord, HoldsEveryFinishedPoint) {
    const RunRecord record = recordOf(toy::eventsOfRun(RunId{3}));
    EXPECT_EQ(record.id(), RunId{3});
    EXPECT_EQ(record.state(), RunRecord::State::Finished);
    EXPECT_EQ(record.termination(), Termination::PathEnded);
    ASSERT_EQ(record.finishedPointCount(), 3U);
    EXPECT_EQ(record.points().size(), 3U);
    EXPECT_EQ(columnByRole(record, ColumnRole::Axis), (std::vector<double>{4, 2, 1}));
    EXPECT_EQ(record.estimatedPointCount(), 3);
    EXPECT_EQ(record.progress(), 1);
    EXPECT_EQ(record.cpuSolve(), 6);
    EXPECT_EQ(record.cpuScreen(), 3);
    EXPECT_EQ(record.currentPoint(), nullptr);
    ASSERT_NE(record.finishedPoint(2), nullptr);
    EXPECT_EQ(record.finishedPoint(2)->axisValue, 1);
    EXPECT_EQ(record.finishedPoint(3), nullptr);
    EXPECT_EQ(record.finishedPoint(-1), nullptr);
}

TEST(RunRecord, RatesBecomeFinalWhenThePointEnds) {
    const std::vector<RunEvent> events = toy::eventsOfRun(RunId{3});
    RunRecord record;
    for (std::size_t i = 0; i < 4; ++i) {
        record.apply(events[i]);
    }
    ASSERT_NE(record.currentPoint(), nullptr);
    EXPECT_EQ(record.currentPoint()->screenings.at(0).rate, 0.3);
    record.apply(events[4]);
    record.apply(events[5]);
    EXPECT_EQ(record.currentPoint(), nullptr);
    // 1 + 2 items are fixed and 6 could be.
    EXPECT_EQ(record.points().at(0).screenings.at(0).rate, 0.5);
}

TEST(RunRecord, RateIsZeroWhereNothingIsDecidable) {
    toy::Task::Plan plan;
    plan.schedule = {1};
    plan.onPoint = [](const PathPoint& point, RunContext& context) -> std::optional<Result<PointReport>> {
        context.publish(Screened{point.index, 0, 0, 0, 0, 10, 0, 0.5, 0.25, 1.0});
        PointReport report = toy::Task::defaultReport(point);
        report.decidableItems = 0;
        return Result<PointReport>(report);
    };
    EXPECT_EQ(recordOf(toy::eventsOfRun(RunId{1}, plan)).points().at(0).screenings.at(0).rate, 0);
}

TEST(RunRecord, IgnoresEventsOfOtherRuns) {
    RunRecord record = recordOf(toy::eventsOfRun(RunId{3}));
    for (const RunEvent& event : toy::eventsOfRun(RunId{4})) {
        record.apply(event);
    }
    EXPECT_EQ(record.id(), RunId{3});
    EXPECT_EQ(record.finishedPointCount(), 3U);
}

TEST(RunRecord, ShowsThePointInWorkAndForgetsNothingFinished) {
    const std::vector<RunEvent> events = toy::eventsOfRun(RunId{3});
    RunRecord record;
    for (std::size_t i = 0; i < 9; ++i) { // up to the first Iterated of point 1
        record.apply(events[i]);
    }
    EXPECT_EQ(record.state(), RunRecord::State::Running);
    EXPECT_EQ(record.finishedPointCount(), 1U);
    ASSERT_NE(record.currentPoint(), nullptr);
    EXPECT_EQ(record.currentPoint()->index, 1);
    EXPECT_EQ(record.lastIteration()->iteration, 1);
    EXPECT_EQ(columnByRole(record, ColumnRole::Axis), (std::vector<double>{4}));
    EXPECT_NEAR(record.progress(), 1.0 / 3, 1e-15);
    record.markInterrupted();
    EXPECT_EQ(record.state(), RunRecord::State::Interrupted);
    EXPECT_EQ(record.currentPoint(), nullptr);
    EXPECT_EQ(record.estimatedPointCount(), 1);
}

TEST(RunRecord, AStopIsNoFinish) {
    RunRecord record;
    record.apply({RunId{1}, 0, RunStarted{}});
    record.apply({RunId{1}, 1, RunFinished{Termination::StoppedByUser, 0, 0, 0, 0}});
    EXPECT_EQ(record.state(), RunRecord::State::Stopped);
    RunRecord failed;
    failed.apply({RunId{1}, 0, RunStarted{}});
    failed.apply({RunId{1}, 1, RunFailed{"no memory"}});
    EXPECT_EQ(failed.state(), RunRecord::State::Failed);
    EXPECT_EQ(failed.failure(), "no memory");
    EXPECT_FALSE(failed.termination());
}

TEST(RunRecord, KeepsMemoryOfIterationsBoundedWithFirstAndLast) {
    RunRecord record;
    record.apply({RunId{1}, 0, RunStarted{}});
    record.apply({RunId{1}, 1, PointStarted{0, 1.0, 1}});
    for (std::int64_t i = 0; i < 100'000; ++i) {
        Iterated iterated;
        iterated.iteration = i;
        record.apply({RunId{1}, 2 + i, iterated});
        const auto& kept = record.currentPoint()->iterations;
        ASSERT_LE(kept.size(), RunRecord::kKeptIterations);
        ASSERT_EQ(kept.front().iteration, 0);
        ASSERT_EQ(kept.back().iteration, i);
    }
    const auto& kept = record.currentPoint()->iterations;
    EXPECT_GT(kept.size(), RunRecord::kKeptIterations / 4);
    const std::int64_t stride = kept[1].iteration - kept[0].iteration;
    for (std::size_t i = 0; i + 1 < kept.size(); ++i) {
        EXPECT_LE(kept[i + 1].iteration - kept[i].iteration, stride);
        EXPECT_GT(kept[i + 1].iteration, kept[i].iteration);
    }
}

// Four hours of iterations took more memory point by point, without end.
TEST(RunRecord, KeepsFewerIterationsOfOlderPointsAsThePathGrows) {
    RunRecord record;
    record.apply({RunId{1}, 0, RunStarted{}});
    std::int64_t sequence = 1;
    const auto kept = [&record] {
        std::size_t sum = 0;
        for (const PointRecord& point : record.points()) {
            sum += point.iterations.size();
        }
        return sum;
    };
    for (std::int32_t point = 0; point < 600; ++point) {
        record.apply({RunId{1}, sequence++, PointStarted{point, 1.0, 600}});
        for (std::int64_t i = 0; i < 100; ++i) {
            Iterated iterated;
            iterated.pointIndex = point;
            iterated.iteration = i;
            record.apply({RunId{1}, sequence++, iterated});
        }
        PointFinished finished;
        finished.index = point;
        record.apply({RunId{1}, sequence++, finished});
        const std::size_t least = 8U * static_cast<std::size_t>(point); // whatever the sum
        EXPECT_LE(kept(), std::max<std::size_t>(4096, least) + 2 * 16 * 100) << point;
        EXPECT_EQ(record.points().back().iterations.size(), 100U) << "the newest are whole";
        if (point == 39) {
            EXPECT_EQ(kept(), 4000U) << "a path of usual length is";
        }
    }
    for (const PointRecord& point : record.points()) {
        ASSERT_GE(point.iterations.size(), 5U);
        EXPECT_EQ(point.iterations.front().iteration, 0);
        EXPECT_EQ(point.iterations.back().iteration, 99);
    }
}

TEST(RunRecord, CopiesShareTheEmbeddings) {
    RunWishes wishes;
    wishes.embeddings = true;
    const RunRecord record = recordOf(toy::eventsOfRun(RunId{1}, {}, wishes));
    const RunRecord copy = record;
    ASSERT_NE(record.points().at(1).embedding, nullptr);
    EXPECT_EQ(copy.points().at(1).embedding, record.points().at(1).embedding);
}

TEST(RecordFigures, ColumnsOfOneRoleAddUp) {
    const RunRecord record = recordOf(toy::eventsOfRun(RunId{1}));
    EXPECT_EQ(columnByRole(record, ColumnRole::PathFixed), (std::vector<double>{3, 3, 3}));
    const ActiveCounts active = activeCounts(record);
    EXPECT_EQ(active.afterPathScreening, (std::vector<double>{7, 7, 7}));
    EXPECT_EQ(active.afterLastScreening, (std::vector<double>{6, 6, 6}));
    EXPECT_TRUE(columnByRole(record, ColumnRole::Objective).empty());
    EXPECT_EQ(columnValues(record, *record.columnWithKey("path_L")), (std::vector<double>{2, 2, 2}));
    EXPECT_FALSE(record.columnWithKey("nothing"));
    EXPECT_EQ(record.columnWithRole(ColumnRole::PathFixed), 3U);
}

TEST(RecordFigures, RatiosUseOnlyPointsBothHave) {
    toy::Task::Plan shortPlan;
    shortPlan.schedule = {4, 2};
    const RunRecord baseline = recordOf(toy::eventsOfRun(RunId{1}));
    const RunRecord lane = recordOf(toy::eventsOfRun(RunId{2}, shortPlan));
    const std::vector<AxisValue> ratios = cpuRatio(lane, baseline);
    ASSERT_EQ(ratios.size(), 2U);
    EXPECT_EQ(ratios[1].index, 1);
    EXPECT_EQ(ratios[1].axisValue, 2);
    EXPECT_EQ(ratios[1].value, 1);
    EXPECT_EQ(totalCpuRatio(lane, baseline), 1.0);
    EXPECT_EQ(cpuRatio(baseline, lane).size(), 2U);
    EXPECT_FALSE(totalCpuRatio(lane, RunRecord{}));
}

TEST(RecordFigures, RatioIsCpuOverCpuOfTheBaseline) {
    toy::Task::Plan fast;
    fast.onPoint = [](const PathPoint& point, RunContext&) -> std::optional<Result<PointReport>> {
        PointReport report = toy::Task::defaultReport(point);
        report.values[6] = 0.5;
        report.values[7] = 0.25;
        return Result<PointReport>(report);
    };
    const RunRecord baseline = recordOf(toy::eventsOfRun(RunId{1}));
    const RunRecord lane = recordOf(toy::eventsOfRun(RunId{2}, fast));
    EXPECT_EQ(totalCpuRatio(lane, baseline), 0.25);
    EXPECT_EQ(cpuRatio(lane, baseline).at(2).value, 0.25);
}

/// A run whose points take these CPU seconds in all; a third of it for screening.
RunRecord recordTaking(RunId id, const std::vector<double>& seconds) {
    toy::Task::Plan plan;
    plan.onPoint = [&seconds](const PathPoint& point, RunContext&) -> std::optional<Result<PointReport>> {
        PointReport report = toy::Task::defaultReport(point);
        report.values[6] = seconds[static_cast<std::size_t>(point.index)] * 2 / 3;
        report.values[7] = seconds[static_cast<std::size_t>(point.index)] / 3;
        return Result<PointReport>(report);
    };
    return recordOf(toy::eventsOfRun(id, plan));
}

TEST(RecordFigures, BreakEvenIsWhereTheCostStaysEarnedBack) {
    const RunRecord baseline = recordTaking(RunId{1}, {3, 3, 3});
    const auto indexOf = [&](const std::vector<double>& seconds) {
        const auto place = breakEven(recordTaking(RunId{2}, seconds), baseline);
        return place ? place->index : -1;
    };
    EXPECT_EQ(indexOf({1, 1, 1}), 0);
    EXPECT_EQ(indexOf({5, 1, 1}), 1);  // 6 of 6
    EXPECT_EQ(indexOf({5, 2, 1}), 2);  // 7 of 6, then 8 of 9
    EXPECT_EQ(indexOf({1, 9, 1}), -1); // cheap at first, but not in the end
    EXPECT_EQ(indexOf({1, 9, 0}), -1);
    EXPECT_EQ(indexOf({1, 7, 1}), 2); // dearer in between
    EXPECT_EQ(indexOf({9, 9, 9}), -1);
    EXPECT_FALSE(breakEven(baseline, RunRecord{}));
    EXPECT_EQ(breakEven(baseline, baseline)->index, 0);
    const auto place = breakEven(recordTaking(RunId{2}, {5, 1, 1}), baseline);
    EXPECT_EQ(place->axisValue, 2);
    EXPECT_DOUBLE_EQ(place->value, 1);
}

TEST(RecordFigures, CumulativeRatiosEndWithTheRatioOfTheTotals) {
    const RunRecord baseline = recordTaking(RunId{1}, {3, 3, 6});
    const RunRecord lane = recordTaking(RunId{2}, {3, 1.5, 1.5});
    const std::vector<AxisValue> ratios = cumulativeCpuRatio(lane, baseline);
    ASSERT_EQ(ratios.size(), 3U);
    EXPECT_DOUBLE_EQ(ratios[0].value, 1);
    EXPECT_DOUBLE_EQ(ratios[1].value, 0.75);
    EXPECT_DOUBLE_EQ(ratios[2].value, *totalCpuRatio(lane, baseline));
    const RunRecord idle = recordTaking(RunId{3}, {0, 0, 0});
    EXPECT_TRUE(cpuRatio(lane, idle).empty());
    EXPECT_TRUE(cumulativeCpuRatio(lane, idle).empty());
    EXPECT_FALSE(totalCpuRatio(lane, idle));
}

TEST(RecordFigures, TheLedgerTakesPartsWhereThereAreSomeAndAddsUp) {
    const RunRecord plain = recordTaking(RunId{1}, {3, 6, 9});
    const std::vector<CpuPart> two = cpuLedger(plain);
    ASSERT_EQ(two.size(), 2U);
    EXPECT_EQ(two[0].key, "cpu_solve");
    EXPECT_EQ(two[1].seconds, (std::vector<double>{1, 2, 3}));

    std::vector<RunEvent> events = toy::eventsOfRun(RunId{2});
    auto& columns = std::get<RunStarted>(events.front().body).columns;
    columns[3] = {"cpu_rule", "Rule", "s", ColumnRole::CpuPart, false};
    columns[4] = {"cpu_other", "Other", "s", ColumnRole::CpuPart, false};
    const std::vector<CpuPart> parts = cpuLedger(recordOf(events));
    ASSERT_EQ(parts.size(), 2U);
    EXPECT_EQ(parts[0].label, "Rule");
    EXPECT_EQ(parts[1].seconds.size(), 3U);
    EXPECT_TRUE(cpuLedger(RunRecord{}).empty());
}

TEST(RecordFigures, RecordsOfMixedEventsComeApart) {
    std::vector<RunEvent> a = toy::eventsOfRun(RunId{1});
    const std::vector<RunEvent> b = toy::eventsOfRun(RunId{2});
    std::vector<RunEvent> mixed;
    for (std::size_t i = 0; i < a.size(); ++i) {
        mixed.push_back(a[i]);
        mixed.push_back(b[i]);
    }
    const std::vector<RunRecord> records = recordsOf(mixed);
    ASSERT_EQ(records.size(), 2U);
    EXPECT_EQ(records[0].id(), RunId{1});
    EXPECT_EQ(records[1].finishedPointCount(), 3U);
    EXPECT_EQ(baselineOf(records[0], {&records[0], &records[1]}), nullptr);
}

} // namespace
} // namespace lambdascope
