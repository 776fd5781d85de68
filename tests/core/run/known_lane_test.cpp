// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/known_lane.h"
#include "tests/core/run/toy_task.h"

#include <gtest/gtest.h>

namespace lambdascope {
namespace {

std::vector<std::string> faultsOf(const std::vector<OracleLane>& lanes) {
    std::vector<Fault> faults;
    checkOracles(lanes, faults);
    std::vector<std::string> texts;
    for (const Fault& fault : faults) {
        texts.push_back(fault.key + ": " + fault.message + " | " + fault.remedy);
    }
    return texts;
}

TEST(CheckOracles, AcceptsALaneThatNamesAnEarlierOneThatScreens) {
    EXPECT_TRUE(
        faultsOf({{"none", "", false, false}, {"PGB", "", true, true}, {"limit", "PGB", false, false}}).empty());
}

TEST(CheckOracles, SaysWhatIsWrongAndWhatToDo) {
    const OracleLane none{"none", "", false, false};
    const OracleLane pgb{"PGB", "", true, true};
    const auto only = [](const char* text) { return std::vector<std::string>{text}; };
    EXPECT_EQ(faultsOf({none, pgb, {"limit", "PGBB", false, false}}),
              only("lanes[2].oracle: no lane is called \"PGBB\" | Did you mean \"PGB\"?"));
    EXPECT_EQ(faultsOf({none, pgb, {"limit", "unheard of", false, false}}),
              only("lanes[2].oracle: no lane is called \"unheard of\" | Name a lane of the experiment that screens."));
    EXPECT_EQ(faultsOf({none, pgb, {"limit", "none", false, false}}),
              only("lanes[2].oracle: names \"none\", which screens nothing | Name a lane with bounds."));
    EXPECT_EQ(faultsOf({pgb, {"limit", "PGB", false, false}, {"again", "limit", false, false}}),
              only("lanes[2].oracle: names \"limit\", which is an oracle itself | Name the lane that finds the sets, "
                   "\"PGB\"."));
    EXPECT_EQ(faultsOf({{"limit", "limit", false, false}}),
              only("lanes[0].oracle: names \"limit\", which is an oracle itself | Name the lane that finds the sets, "
                   "\"limit\"."));
    EXPECT_EQ(faultsOf({{"limit", "PGB", false, false}, pgb}),
              only("lanes[0].oracle: names \"PGB\", which comes after it | Move the lane behind \"PGB\"."));
    EXPECT_EQ(faultsOf({pgb, {"limit", "PGB", true, true}}),
              only("lanes[1].bounds: are not asked in a lane that knows the sets of another | Leave bounds empty, or "
                   "remove oracle."));
}

struct Bytes final : WarmStart {
    explicit Bytes(double total) : count(total) {}
    [[nodiscard]] double bytes() const override { return count; }
    double count;
};

TEST(FinishedPoints, AreFoundByLaneIndexAndValueUntilTheBudgetIsSpent) {
    FinishedPoints points(250);
    for (int p = 0; p < 3; ++p) {
        points.keep("a", {p, 4.0 - p}, std::make_shared<Bytes>(100));
    }
    EXPECT_EQ(points.find("a", {0, 4.0}), nullptr) << "the oldest goes first";
    EXPECT_NE(points.find("a", {1, 3.0}), nullptr);
    EXPECT_EQ(points.find("a", {1, 3.5}), nullptr);
    EXPECT_EQ(points.find("b", {1, 3.0}), nullptr);
    const auto anew = std::make_shared<Bytes>(100);
    points.keep("a", {2, 2.0}, anew); // in place of the one before
    EXPECT_EQ(points.find("a", {2, 2.0}), anew);
    EXPECT_NE(points.find("a", {1, 3.0}), nullptr);
    points.keep("a", {3, 1.0}, std::make_shared<Bytes>(1000));
    EXPECT_NE(points.find("a", {3, 1.0}), nullptr) << "one is kept whatever it takes";
    EXPECT_EQ(points.find("a", {2, 2.0}), nullptr);
}

/// A lane known by toy tasks, which count how often points are solved.
struct KnownToy {
    int solved = 0;
    std::shared_ptr<FinishedPoints> finished = std::make_shared<FinishedPoints>();
    std::function<std::optional<Result<PointReport>>(const PathPoint&, RunContext&)> onPoint =
        [this](const PathPoint&, RunContext&) -> std::optional<Result<PointReport>> {
        ++solved;
        return std::nullopt;
    };
    KnownLane lane{"a",
                   [this] {
                       toy::Task::Plan plan;
                       plan.onPoint = onPoint;
                       return std::make_unique<toy::Task>(plan);
                   },
                   finished};
    NullSink sink;
    RunContext context{RunId{1}, sink};

    int pointsSeen(const PathPoint& point) {
        const auto found = lane.at(point, context);
        EXPECT_TRUE(found);
        return dynamic_cast<const toy::CountingWarmStart&>(**found).points;
    }
};

TEST(KnownLane, TakesWhatTheLaneHasLeft) {
    KnownToy toy;
    const auto left = std::make_shared<toy::CountingWarmStart>(77);
    toy.finished->keep("a", {1, 2.0}, left);
    EXPECT_EQ(toy.pointsSeen({1, 2.0}), 77);
    EXPECT_EQ(toy.solved, 0);
}

TEST(KnownLane, ComputesWhatIsMissingFromTheStartOnAndGoesOnFromThere) {
    KnownToy toy;
    EXPECT_EQ(toy.pointsSeen({1, 2.0}), 2);
    EXPECT_EQ(toy.solved, 2);
    EXPECT_EQ(toy.pointsSeen({2, 1.0}), 3);
    EXPECT_EQ(toy.solved, 3);
    EXPECT_EQ(toy.pointsSeen({0, 4.0}), 1); // back again
    EXPECT_EQ(toy.solved, 4);
}

TEST(KnownLane, IsComputedByTheSameClockButWithoutWishes) {
    KnownToy toy;
    toy.context = RunContext(RunId{1}, toy.sink, {}, nullptr, {.measures = true, .threads = 3});
    toy.onPoint = [](const PathPoint&, RunContext& context) -> std::optional<Result<PointReport>> {
        EXPECT_FALSE(context.wishes().measures);
        EXPECT_EQ(context.wishes().threads, 3);
        EXPECT_FALSE(context.shouldStop());
        context.setTimeLimit(1e-9);
        return std::nullopt;
    };
    EXPECT_EQ(toy.pointsSeen({0, 4.0}), 1);
    EXPECT_TRUE(toy.context.shouldStop()) << "a time limit and pauses hold for what it takes too";
    EXPECT_TRUE(toy.context.wishes().measures);
}

TEST(KnownLane, HandsOnStopsAndErrors) {
    KnownToy stopped;
    stopped.onPoint = [](const PathPoint& point, RunContext&) {
        PointReport report = toy::Task::defaultReport(point);
        report.termination = Termination::StoppedByUser;
        return std::optional<Result<PointReport>>(std::move(report));
    };
    const auto nothing = stopped.lane.at({0, 4.0}, stopped.context);
    ASSERT_TRUE(nothing);
    EXPECT_EQ(*nothing, nullptr);

    KnownToy failing;
    failing.onPoint = [](const PathPoint&, RunContext&) {
        return std::optional<Result<PointReport>>(Failure{plainError(ErrorCode::Internal, "no such luck")});
    };
    const auto failed = failing.lane.at({0, 4.0}, failing.context);
    ASSERT_FALSE(failed);
    EXPECT_NE(failed.error().describe().find("no such luck"), std::string::npos);
}

} // namespace
} // namespace lambdascope
