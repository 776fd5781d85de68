// SPDX-License-Identifier: GPL-3.0-or-later
// What is screened before a point is solved, and what only the finished solution tells.
#include "core/inspect/audit_report.h"
#include "tests/core/pu/prepared_pus.h"
#include "tests/support/lens_capability.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::pu {
namespace {

Json autoLane() {
    return {{"name", "where it pays"}, {"bounds", {"GAP"}}, {"schedule", "auto"}};
}

/// Sums of what a lane reports over its path.
struct KnownAlongPath {
    double onArrival = 0;
    double beforeSolved = 0;
    double afterwards = 0;
};

KnownAlongPath knownBy(const PathTask& task, const std::vector<PointReport>& reports) {
    KnownAlongPath known;
    for (const PointReport& report : reports) {
        const auto at = [&](const std::string& key) { return Prepared::at(task, report, key); };
        const double final = at("final_0") + at("final_half") + at("final_full");
        const double after = at("after_0") + at("after_half") + at("after_full");
        const auto decidable = static_cast<double>(report.decidableItems);
        EXPECT_DOUBLE_EQ(at("final_rate"), decidable > 0 ? std::min(1.0, final / decidable) : 0);
        EXPECT_DOUBLE_EQ(at("after_rate"), decidable > 0 ? std::min(1.0, after / decidable) : 0);
        EXPECT_LE(at("path_rate"), at("final_rate"));
        EXPECT_LE(at("final_rate"), at("after_rate"));
        known.onArrival += at("path_0") + at("path_half") + at("path_full");
        known.beforeSolved += final;
        known.afterwards += after;
    }
    return known;
}

class PuLanesThatScreenWhereItPays : public ::testing::TestWithParam<const char*> {};

TEST_P(PuLanesThatScreenWhereItPays, DoNotCountAsScreenedWhatTheFinishedSolutionTells) {
    const Prepared prepared(Json{{"problem", {{"kernel", GetParam()}}}, {"lanes", Json::array({autoLane()})}});
    const std::size_t lane = 0;
    const KnownAlongPath known = knownBy(*prepared.problem->makeTask(lane), prepared.walk(lane));
    EXPECT_EQ(known.onArrival, 0) << "so small a problem is not worth a look";
    EXPECT_EQ(known.beforeSolved, 0);
    EXPECT_GT(known.afterwards, 100);
}

TEST_P(PuLanesThatScreenWhereItPays, AreAuditedInWhatTheyJudgeAfterwardsAndEachDecisionOnce) {
    const Prepared prepared(Json{{"problem", {{"kernel", GetParam()}}}, {"lanes", Json::array({autoLane()})}});
    const std::size_t lane = 0;
    const auto lens = prepared.problem->makeLens(lane);
    ASSERT_TRUE(lens->open(0, {}, {}));
    const auto audit = as<DecisionAuditor>(*lens).audit(0, {}, {});
    ASSERT_TRUE(audit);
    const KnownAlongPath known = knownBy(*prepared.problem->makeTask(lane), prepared.walk(lane));
    EXPECT_EQ(static_cast<double>(audit->decisions), known.afterwards);
    EXPECT_EQ(audit->wrong, 0);
    const auto plane = as<PlaneSampler>(*lens).plane(1, {}, {});
    ASSERT_TRUE(plane);
    EXPECT_EQ(plane->states.front(), "σ = 0, certain");
    for (const DecisionPlane::Item& item : plane->items) {
        const bool isLate = item.title.ends_with(", judged afterwards");
        EXPECT_EQ(isLate, item.state < plane->screenedStates) << item.title;
        if (isLate) {
            const auto why = as<ItemExplainer>(*lens).explain(item.item, 1, {});
            ASSERT_TRUE(why);
            EXPECT_TRUE(why->isAfterwards);
            EXPECT_EQ(why->set, why->trueSet);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Kernels, PuLanesThatScreenWhereItPays, ::testing::Values("linear", "rbf"));

TEST(PuTask, HasNoColumnsOfWhatIsJudgedAfterwardsInOtherLanes) {
    const Json overlay{{"lanes",
                        {{{"name", "none"}},
                         {{"name", "by the violation"}, {"bounds", {"GAP"}}, {"schedule", "every"}},
                         {{"name", "screens nothing"}, {"schedule", "auto"}}}}};
    const Prepared prepared(overlay);
    for (std::size_t lane = 0; lane < prepared.experiment.laneNames.size(); ++lane) {
        for (const ColumnDescription& column : prepared.problem->makeTask(lane)->describe().columns) {
            EXPECT_FALSE(column.key.starts_with("after_")) << prepared.experiment.laneNames[lane];
        }
    }
}

TEST(PuTask, SaysOfLanesThatMayBeginWithWhatWasLeftOpenThatTheyDo) {
    const auto says = [](const Json& problem, const Json& lane) {
        const Prepared prepared(Json{{"problem", problem}, {"lanes", Json::array({lane})}});
        return prepared.problem->makeTask(0)->describe().facts.contains("begins_with");
    };
    EXPECT_TRUE(says({{"kernel", "rbf"}}, autoLane()));
    EXPECT_FALSE(says({{"kernel", "linear"}}, autoLane()));
    EXPECT_FALSE(says({{"kernel", "rbf"}}, {{"name", "every"}, {"bounds", {"GAP"}}, {"schedule", "every"}}));
    EXPECT_FALSE(says({{"kernel", "rbf"}}, {{"name", "none"}, {"bounds", Json::array()}}));
}

/// A solve, its checks, and what they have to be.
void expectScreeningInTime(const PuProblem& problem, double lambda, const PointSettings& settings, SolvedPu& start) {
    RecordingSink sink;
    RunContext context(RunId{0}, sink);
    PointOutcome outcome = PointSolver(problem, settings).solve(lambda, start, 0, context);
    EXPECT_LE(outcome.pathScreened.zero, outcome.finalScreened.zero);
    EXPECT_LE(outcome.pathScreened.half, outcome.finalScreened.half);
    EXPECT_LE(outcome.pathScreened.full, outcome.finalScreened.full);
    EXPECT_LE(outcome.finalScreened.zero, outcome.afterScreened.zero);
    EXPECT_LE(outcome.finalScreened.half, outcome.afterScreened.half);
    EXPECT_LE(outcome.finalScreened.full, outcome.afterScreened.full);
    if (settings.isAuto) {
        EXPECT_GE(outcome.afterScreened.sum(), outcome.setCounts.sum());
    } else {
        EXPECT_EQ(outcome.afterScreened.sum(), outcome.finalScreened.sum());
    }
    const double target =
        settings.tolerance * std::max(1.0, std::abs(outcome.solved.primal) - std::abs(outcome.solved.gap));
    SampleCounts last;
    std::int64_t checks = 0;
    for (const RunEvent& event : sink.events()) {
        if (const auto* check = std::get_if<Screened>(&event.body)) {
            ++checks;
            last = {check->fixedLow, check->fixedHigh, 0};
            EXPECT_TRUE(check->iteration == 0 || check->optimality > 0.999 * target)
                << "screened at a gap of " << check->optimality << ", solved at " << target;
        }
    }
    EXPECT_EQ(checks, outcome.checks);
    EXPECT_EQ(outcome.finalScreened.sum(), last.sum()) << "the last check before the point was solved has them all";
    start = std::move(outcome.solved);
}

TEST(PuPointSolver, ScreensNothingOnceThePointIsSolved) {
    for (const KernelFunction& kernel :
         {KernelFunction{.kind = KernelKind::Rbf, .gamma = 0.3}, KernelFunction{.kind = KernelKind::Linear}}) {
        for (std::uint64_t seed = 1; seed <= 6; ++seed) {
            for (const double tolerance : {1e-2, 1e-4, 1e-7}) {
                for (const bool isAuto : {false, true}) {
                    SCOPED_TRACE(kernelName(kernel) + " seed " + std::to_string(seed) + " tolerance " +
                                 std::to_string(tolerance) + (isAuto ? " where it pays" : ""));
                    const auto problem =
                        smallPu({.name = "in time", .positives = 20, .unlabeled = 200, .spread = 1.0}, kernel, seed);
                    PointSettings settings{.tolerance = tolerance, .screens = true, .isAuto = isAuto};
                    settings.screenFall = 0.7; // looks often
                    SolvedPu start = startOf(*problem);
                    for (const double lambda : {0.1, 0.03, 0.01, 0.003}) {
                        expectScreeningInTime(*problem, lambda, settings, start);
                    }
                }
            }
        }
    }
}

} // namespace
} // namespace lambdascope::pu
