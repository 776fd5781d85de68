// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/time_comparison.h"
#include "core/run/timing_repeats.h"
#include "tests/core/run/toy_task.h"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>

namespace lambdascope {
namespace {

using Lines = std::vector<std::string>;

/// A runner whose computations spend these seconds solving, one after another, each in a point's turn, and a quarter of
/// it screening.
PathRunner repeatedRunner(std::vector<double> seconds, RunContext context, std::int64_t repeats,
                          const std::function<void(const PathPoint&)>& onPoint = {}) {
    auto spent = std::make_shared<std::vector<double>>(std::move(seconds));
    auto calls = std::make_shared<std::size_t>(0);
    toy::Task::Plan plan;
    plan.schedule = {4, 2};
    plan.onPoint = [spent, calls, onPoint](const PathPoint& point, RunContext&) -> std::optional<Result<PointReport>> {
        PointReport report = toy::Task::defaultReport(point);
        report.cpuSolve = spent->at((*calls)++ % spent->size());
        report.cpuScreen = report.cpuSolve / 4;
        report.values[6] = report.cpuSolve;
        report.values[7] = report.cpuScreen;
        report.warmStart = std::make_shared<toy::CountingWarmStart>(point.index + 1);
        if (onPoint) {
            onPoint(point);
        }
        return Result<PointReport>(std::move(report));
    };
    LaneIdentity lane{.experimentName = "toy experiment", .family = "toy", .laneName = "lane", .experiment = {}};
    return PathRunner([plan] { return std::make_unique<toy::Task>(plan); }, std::move(lane), std::move(context), 0,
                      true, repeats);
}

RunRecord recordOf(PathRunner& runner, RecordingSink& sink) {
    (void)toy::runToEnd(runner);
    return recordsOf(sink.events()).front();
}

double valueAt(const RunRecord& record, std::size_t point, const char* key) {
    return record.points().at(point).values.at(*record.columnWithKey(key));
}

TEST(TimingRepeats, TimesAreMediansWithQuartilesAndAllElseIsThatOfTheFirstTime) {
    RecordingSink once;
    RecordingSink often;
    PathRunner single = repeatedRunner({2, 2}, RunContext(RunId{1}, once), 1);
    PathRunner repeated = repeatedRunner({5, 1, 2, 3, 40, 8, 8, 8, 8, 8}, RunContext(RunId{1}, often), 5);
    const RunRecord plain = recordOf(single, once);
    const RunRecord record = recordOf(repeated, often);
    EXPECT_EQ(toy::briefly(once.events()), toy::briefly(often.events())) << "nobody hears of repeats";
    EXPECT_DOUBLE_EQ(valueAt(record, 0, "cpu_solve"), 3);
    EXPECT_DOUBLE_EQ(valueAt(record, 0, "cpu_solve_q1"), 2);
    EXPECT_DOUBLE_EQ(valueAt(record, 0, "cpu_solve_q3"), 5);
    EXPECT_DOUBLE_EQ(valueAt(record, 0, "cpu_screen"), 0.75);
    EXPECT_DOUBLE_EQ(valueAt(record, 1, "cpu_solve_q1"), 8);
    EXPECT_DOUBLE_EQ(record.cpuSolve(), 11);
    EXPECT_DOUBLE_EQ(record.cpuScreen(), 2.75);
    ASSERT_FALSE(plain.columnWithKey("cpu_solve_q1"));
    for (std::size_t k = 0; k < plain.start().columns.size(); ++k) {
        if (plain.start().columns[k].unit != "s") {
            EXPECT_EQ(plain.points()[0].values[k], record.points()[0].values[k]) << plain.start().columns[k].key;
        }
    }
}

TEST(TimingRepeats, EachTaskHandsItsOwnWarmStartsOn) {
    RecordingSink sink;
    std::vector<std::int32_t> seen;
    toy::Task::Plan plan;
    plan.schedule = {4, 2};
    plan.warmStartsSeen = &seen;
    PathRunner runner([plan] { return std::make_unique<toy::Task>(plan); },
                      {.experimentName = "toy", .family = "toy", .laneName = "lane", .experiment = {}},
                      RunContext(RunId{1}, sink), 0, true, 3);
    (void)toy::runToEnd(runner);
    EXPECT_EQ(seen, (std::vector<std::int32_t>{-1, -1, -1, 1, 1, 1}));
}

TEST(TimingRepeats, LanesTakeTurnsBetweenTwoComputationsOfAPoint) {
    RecordingSink sink;
    Lines order;
    const auto logged = [&order](const std::string& lane) {
        return [&order, lane](const PathPoint& point) { order.push_back(lane + std::to_string(point.index)); };
    };
    PathRunner a = repeatedRunner({1}, RunContext(RunId{1}, sink), 2, logged("a"));
    PathRunner b = repeatedRunner({1}, RunContext(RunId{2}, sink), 2, logged("b"));
    a.start();
    b.start();
    for (bool isMoving = true; isMoving;) {
        const bool didA = a.advance();
        const bool didB = b.advance();
        isMoving = didA || didB;
    }
    EXPECT_EQ(order, (Lines{"a0", "b0", "a0", "b0", "a1", "b1", "a1", "b1"}));
}

TEST(TimingRepeats, AStopAmongThemKeepsThePoint) {
    RecordingSink sink;
    std::stop_source stop;
    int calls = 0;
    PathRunner runner =
        repeatedRunner({2, 4, 100}, RunContext(RunId{1}, sink, stop.get_token()), 3, [&](const PathPoint&) {
            if (++calls == 2) {
                stop.request_stop();
            }
        });
    const RunRecord record = recordOf(runner, sink);
    EXPECT_EQ(record.finishedPointCount(), 1U);
    EXPECT_DOUBLE_EQ(valueAt(record, 0, "cpu_solve"), 3) << "the median of the two";
    EXPECT_EQ(record.termination(), Termination::StoppedByUser);
}

TEST(TimingRepeats, APointThatComesOutOtherwiseFailsTheLane) {
    toy::Task::Plan plan;
    auto shared = std::make_shared<int>(0);
    plan.onPoint = [shared](const PathPoint& point, RunContext&) -> std::optional<Result<PointReport>> {
        PointReport report = toy::Task::defaultReport(point);
        report.values[3] += ++*shared == 4 ? 1 : 0; // the second computation of the second point
        return Result<PointReport>(std::move(report));
    };
    RecordingSink sink;
    PathRunner wrong([plan] { return std::make_unique<toy::Task>(plan); },
                     {.experimentName = "toy", .family = "toy", .laneName = "lane", .experiment = {}},
                     RunContext(RunId{2}, sink), 0, true, 2);
    const RunRecord failed = recordOf(wrong, sink);
    EXPECT_EQ(failed.finishedPointCount(), 1U);
    EXPECT_NE(failed.failure().find("point 1 came out otherwise"), std::string::npos) << failed.failure();
}

TEST(TimingRepeats, PartsStillAddUp) {
    RecordingSink sink;
    std::vector<ColumnDescription> columns{{"cpu_solve", "Solve", "s", ColumnRole::CpuSolve, false},
                                           {"cpu_screen", "Screen", "s", ColumnRole::CpuScreen, false},
                                           {"cpu_a", "a", "s", ColumnRole::CpuPart, false},
                                           {"cpu_b", "b", "s", ColumnRole::CpuPart, false}};
    const auto reportOf = [](double a, double b) {
        PointReport report;
        report.values = {0.75 * (a + b), 0.25 * (a + b), a, b};
        report.cpuSolve = report.values[0];
        report.cpuScreen = report.values[1];
        return report;
    };
    class Scripted : public toy::Task {
      public:
        Scripted(PointReport report) : toy::Task({}), m_report(std::move(report)) {}
        Result<PointReport> solvePoint(const PathPoint&, const std::shared_ptr<const WarmStart>&,
                                       RunContext&) override {
            return m_report;
        }

      private:
        PointReport m_report;
    };
    std::vector<PointReport> others{reportOf(1, 9), reportOf(5, 2)};
    TimingRepeats repeats(
        [&] {
            auto task = std::make_unique<Scripted>(others.back());
            others.pop_back();
            return task;
        },
        3, RunContext(RunId{1}, sink));
    repeats.addColumns(columns);
    ASSERT_EQ(columns.size(), 8U);
    repeats.begin({0, 1.0}, reportOf(2, 3), 0);
    while (repeats.isUnderWay()) {
        ASSERT_TRUE(repeats.advance(0));
    }
    const PointReport report = repeats.take().report;
    ASSERT_EQ(report.values.size(), 8U);
    EXPECT_DOUBLE_EQ(report.values[2] + report.values[3], report.values[0] + report.values[1]);
    EXPECT_DOUBLE_EQ(report.values[2] / report.values[3], 2.0 / 3.0) << "medians of the parts: 2 and 3";
}

// What a single time could turn, quartiles of several cannot.
TEST(TimingRepeats, QuartilesDecideWhichLaneIsFaster) {
    const auto lane = [](std::vector<double> seconds) {
        RecordingSink sink;
        PathRunner runner = repeatedRunner(std::move(seconds), RunContext(RunId{1}, sink), 5);
        return recordOf(runner, sink);
    };
    const RunRecord steady = lane({1.00, 1.01, 1.02, 1.03, 1.04});
    const RunRecord faster = lane({0.90, 0.91, 0.92, 0.93, 0.94});
    const RunRecord noisy = lane({0.50, 0.80, 0.92, 1.30, 2.00});
    EXPECT_EQ(compareTimes(faster, steady).verdict, TimeVerdict::Faster) << "quartiles lie apart";
    EXPECT_EQ(compareTimes(noisy, steady).verdict, TimeVerdict::TooClose);
}

} // namespace
} // namespace lambdascope
