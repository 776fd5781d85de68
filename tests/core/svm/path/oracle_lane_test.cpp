// SPDX-License-Identifier: GPL-3.0-or-later
// The lane that knows beforehand what another lane's solutions prove, and what screening by "auto" spares.
#include "core/inspect/audit_report.h"
#include "tests/core/svm/svm_experiment.h"
#include "tests/support/lens_capability.h"
#include "tests/support/walked_lane.h"

#include <gtest/gtest.h>

namespace lambdascope::svm {
namespace {

using testing_support::WalkedLane;

struct OracleCase {
    const char* name;
    const char* kernel;
    const char* path;
    double tolerance;
    friend void PrintTo(const OracleCase& one, std::ostream* out) { *out << one.name; }
};

class SvmOracleLane : public testing::TestWithParam<OracleCase> {
  protected:
    [[nodiscard]] Prepared prepared() const {
        const OracleCase& one = GetParam();
        Json path = {{"kind", one.path}};
        if (std::string_view(one.path) == "reference") {
            path["values"] = {0.25, 0.5, 0.9};
        }
        return Prepared({{"problem", {{"kernel", one.kernel}}},
                         {"solver", {{"tolerance", one.tolerance}}},
                         {"path", path},
                         {"lanes", Json::array({{{"name", "none"}},
                                                {{"name", "screened"}, {"bounds", {"IT", "GAP"}}},
                                                {{"name", "limit"}, {"oracle", "screened"}}})}});
    }

    static WalkedLane walk(const Prepared& prepared, std::string_view lane) {
        return testing_support::walkLane(*prepared.problem, prepared.lane(lane));
    }
};

TEST_P(SvmOracleLane, KnowsAllThatTheOtherLaneFindsAndPaysNothingForIt) {
    const Prepared prepared = this->prepared();
    const WalkedLane screened = walk(prepared, "screened");
    const WalkedLane limit = walk(prepared, "limit");
    ASSERT_EQ(limit.reports.size(), screened.reports.size());
    EXPECT_EQ(limit.sum("cpu_screen"), 0);
    EXPECT_EQ(limit.sum("cpu_rule"), 0);
    EXPECT_EQ(limit.sum("path_R") + limit.sum("path_L"), limit.sum("final_R") + limit.sum("final_L"));
    EXPECT_GE(limit.sum("path_R") + limit.sum("path_L"), 0.99 * (screened.sum("final_R") + screened.sum("final_L")));
    EXPECT_LE(limit.sum("work"), screened.sum("work"));
    for (std::size_t p = 0; p < limit.reports.size(); ++p) {
        EXPECT_EQ(limit.reports[p].termination, Termination::Converged) << p;
        const auto value = [p](const WalkedLane& rows, const char* key) {
            return rows.reports[p].values[placeOfColumn(rows.columns, key)];
        };
        EXPECT_NEAR(value(limit, "primal"), value(screened, "primal"),
                    (value(limit, "gap") + value(screened, "gap")) * (1 + 1e-9))
            << p;
    }
    const LaneDescription lane = prepared.problem->makeTask(prepared.lane("limit"))->describe();
    EXPECT_FALSE(lane.isBaseline);
    EXPECT_EQ(lane.facts.at("oracle"), "screened");
}

TEST_P(SvmOracleLane, IsTheSameWhetherTheOtherLaneHasRunBeforeOrNot) {
    const Prepared first = prepared();
    (void)walk(first, "screened");
    const WalkedLane after = walk(first, "limit");
    const WalkedLane alone = walk(prepared(), "limit");
    for (const char* key : {"primal", "gap", "path_R", "path_L", "iterations", "work"}) {
        for (std::size_t p = 0; p < alone.reports.size(); ++p) {
            const std::size_t column = placeOfColumn(alone.columns, key);
            EXPECT_EQ(after.reports.at(p).values[column], alone.reports[p].values[column]) << key << " at " << p;
        }
    }
}

TEST_P(SvmOracleLane, HasItsDecisionsVerifiedAndExplainedLikeAnyOther) {
    const Prepared prepared = this->prepared();
    const auto lens = prepared.lensOf("limit");
    const auto audit = as<DecisionAuditor>(*lens).audit(0, {}, {});
    ASSERT_TRUE(audit);
    EXPECT_GT(audit->decisions, 0);
    EXPECT_EQ(audit->wrong, 0);
    EXPECT_EQ(audit->undecided, 0);
    const auto notable = as<ItemExplainer>(*lens).notableItems(1, 30, {});
    ASSERT_TRUE(notable);
    ASSERT_FALSE(notable->empty());
    const auto why = as<ItemExplainer>(*lens).explain(notable->front().item, 1, {});
    ASSERT_TRUE(why);
    EXPECT_EQ(why->set, notable->front().set);
    ASSERT_EQ(why->used.size(), 1u);
    EXPECT_EQ(why->used.front().bound, "GAP");
    EXPECT_TRUE(as<RegionSlicer>(*lens).slice(1, {}));
    EXPECT_TRUE(as<PlaneSampler>(*lens).plane(1, {}, {}));
}

INSTANTIATE_TEST_SUITE_P(Lanes, SvmOracleLane,
                         testing::Values(OracleCase{"rbf", "rbf", "grid", 1e-6},
                                         OracleCase{"linear_loose", "linear", "grid", 1e-2},
                                         OracleCase{"polynomial", "polynomial", "grid", 1e-4},
                                         OracleCase{"rbf_reference", "rbf", "reference", 1e-6}),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(SvmOracleLanes, AreRefusedWithTheLibraryAndWhereTheyKnowNothing) {
    const auto faults = [](const Json& overlay) {
        const auto checked = validateExperiment(documentWith(overlay), catalog());
        return checked ? std::string() : checked.error().describe();
    };
    const Json source = {{"name", "IT"}, {"bounds", {"IT"}}};
    EXPECT_EQ(faults({{"lanes", Json::array({source, {{"name", "limit"}, {"oracle", "IT"}}})}}), "");
    EXPECT_NE(
        faults({{"lanes", Json::array({source, {{"name", "limit"}, {"oracle", "TI"}}})}}).find("no lane is called"),
        std::string::npos);
    const Json library = {{"name", "limit"}, {"oracle", "IT"}, {"solver", {{"method", "liblinear"}}}};
    EXPECT_NE(faults({{"problem", {{"kernel", "linear"}}}, {"lanes", Json::array({source, library})}})
                  .find("screens nothing"),
              std::string::npos);
}

TEST(SvmOracleLanes, NeedTheLaneTheyKnowAmongThoseThatRun) {
    const Json overlay = {
        {"lanes", Json::array({{{"name", "IT"}, {"bounds", {"IT"}}}, {{"name", "limit"}, {"oracle", "IT"}}})}};
    auto experiment = validateExperiment(documentWith(overlay), catalog());
    ASSERT_TRUE(experiment);
    ExperimentOptions options;
    options.lanes = {"limit"};
    ExperimentRunner runner(*experiment, family(), options);
    const auto ready = runner.prepare();
    ASSERT_FALSE(ready);
    EXPECT_NE(ready.error().describe().find("Run \"IT\" too"), std::string::npos) << ready.error().describe();
    ExperimentRunner both(*experiment, family(), {});
    ASSERT_TRUE(both.prepare());
    EXPECT_EQ(both.dataset().rows(), 160);
    NullSink sink;
    const auto outcome = both.run(sink);
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->lanes[1].termination, Termination::PathEnded);
    EXPECT_EQ(outcome->lanes[1].finishedPoints, outcome->lanes[0].finishedPoints);
}

// On a fine path with a free bias.
TEST(SvmSparedWork, ByAutoIsThatOfTheBoundsOfThePathWithGapBesideThemOrNot) {
    const Prepared prepared({{"data", {{"source", "breast-cancer"}, {"scale", "minmax"}}},
                             {"problem", {{"gamma", 1}, {"gamma_unit", "per-feature"}, {"intercept", "free"}}},
                             {"path", {{"ratio", 1.1}}},
                             {"lanes", Json::array({{{"name", "none"}},
                                                    {{"name", "BT1"}, {"bounds", {"BT1"}}},
                                                    {{"name", "BT1+GAP"}, {"bounds", {"BT1", "GAP"}}},
                                                    {{"name", "IT"}, {"bounds", {"IT"}}}})}});
    const auto work = [&](std::string_view lane) {
        return testing_support::walkLane(*prepared.problem, prepared.lane(lane)).sum("work");
    };
    const double none = work("none");
    const double path = work("BT1");
    EXPECT_LT(path, 0.7 * none);
    EXPECT_LT(work("IT"), 0.85 * none);
    EXPECT_LT(work("BT1+GAP"), 1.01 * path);
}

// A single look at each point cannot pay for what DT solves besides.
TEST(SvmSparedWork, ByAutoIsNeverLessThanNothingOverReferences) {
    const Prepared prepared({{"data", {{"source", "breast-cancer"}, {"scale", "minmax"}}},
                             {"path", {{"kind", "reference"}, {"c", 10}, {"values", {0.1, 0.5, 0.9, 1}}}},
                             {"lanes", Json::array({{{"name", "none"}},
                                                    {{"name", "BT2"}, {"bounds", {"BT2"}}},
                                                    {{"name", "IT"}, {"bounds", {"IT"}}},
                                                    {{"name", "DT"}, {"bounds", {"DT"}}}})}});
    const auto work = [&](std::string_view lane) {
        return testing_support::walkLane(*prepared.problem, prepared.lane(lane)).sum("work");
    };
    const double none = work("none");
    for (const char* lane : {"BT2", "IT", "DT"}) {
        EXPECT_LE(work(lane), none) << lane;
    }
}

} // namespace
} // namespace lambdascope::svm
