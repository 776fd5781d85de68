// SPDX-License-Identifier: GPL-3.0-or-later
// The lane that knows beforehand what another lane's solutions prove.
#include "core/inspect/audit_report.h"
#include "core/metric/path/metric_task.h"
#include "core/metric/path/prepared_metric.h"
#include "core/run/experiment_runner.h"
#include "tests/core/metric/inspect/metric_lens_fixture.h"
#include "tests/support/lens_capability.h"
#include "tests/support/walked_lane.h"

#include <gtest/gtest.h>

#include <algorithm>
namespace lambdascope::metric {
namespace {

using testing_support::WalkedLane;
using testing_support::walkLane;

struct OracleCase {
    const char* name;
    const char* engine;
    const char* method;
    bool isHinge;
    double tolerance;
    friend void PrintTo(const OracleCase& one, std::ostream* out) { *out << one.name; }
};

class MetricOracleLane : public testing::TestWithParam<OracleCase> {
  protected:
    [[nodiscard]] Experiment experiment() const {
        const OracleCase& one = GetParam();
        const Json lanes = Json::array({{{"name", "none"}},
                                        {{"name", "screened"}, {"bounds", {"RRPB", "PGB"}}},
                                        {{"name", "limit"}, {"oracle", "screened"}}});
        return lensExperiment(
            {{"problem", {{"loss", one.isHinge ? "hinge" : "smoothed-hinge"}}},
             {"solver", {{"engine", one.engine}, {"method", one.method}, {"tolerance", one.tolerance}}},
             {"lanes", lanes}});
    }
};

TEST_P(MetricOracleLane, KnowsAllThatTheOtherLaneFindsAndPaysNothingForIt) {
    const Experiment experiment = this->experiment();
    const auto prepared = preparedLens(experiment);
    WalkedLane screened = walkLane(*prepared, 1);
    WalkedLane limit = walkLane(*prepared, 2);
    // Paths that end by the loss may do so elsewhere where it is known loosely.
    const std::size_t points = std::min(limit.reports.size(), screened.reports.size());
    ASSERT_GT(points, 2U);
    limit.reports.resize(points);
    screened.reports.resize(points);
    EXPECT_EQ(limit.sum("cpu_screen"), 0);
    EXPECT_EQ(limit.sum("cpu_rule"), 0);
    EXPECT_EQ(limit.sum("path_R") + limit.sum("path_L"), limit.sum("final_R") + limit.sum("final_L"));
    EXPECT_GE(limit.sum("path_R") + limit.sum("path_L"), screened.sum("final_R") + screened.sum("final_L"));
    if (GetParam().method != std::string("newton")) { // which may take a step more from where it is led by the rest
        EXPECT_LE(limit.sum("counted_work"), screened.sum("counted_work"));
    }
    for (std::size_t p = 0; p < limit.reports.size(); ++p) {
        EXPECT_EQ(limit.reports[p].termination, screened.reports[p].termination) << p;
        const auto value = [p](const WalkedLane& rows, const char* key) {
            return rows.reports[p].values[placeOfColumn(rows.columns, key)];
        };
        EXPECT_NEAR(value(limit, "primal"), value(screened, "primal"),
                    (value(limit, "gap") + value(screened, "gap")) * (1 + 1e-9))
            << p;
    }
    const LaneDescription lane = prepared->makeTask(2)->describe();
    EXPECT_FALSE(lane.isBaseline);
    EXPECT_EQ(lane.facts.at("oracle"), "screened");
}

TEST_P(MetricOracleLane, IsTheSameWhetherTheOtherLaneHasRunBeforeOrNot) {
    const Experiment experiment = this->experiment();
    const auto first = preparedLens(experiment);
    (void)walkLane(*first, 1);
    const WalkedLane after = walkLane(*first, 2);
    const WalkedLane alone = walkLane(*preparedLens(experiment), 2);
    ASSERT_EQ(after.reports.size(), alone.reports.size());
    for (const char* key : {"primal", "gap", "path_R", "path_L", "iterations", "counted_work"}) {
        for (std::size_t p = 0; p < alone.reports.size(); ++p) {
            const std::size_t column = placeOfColumn(alone.columns, key);
            EXPECT_EQ(after.reports[p].values[column], alone.reports[p].values[column]) << key << " at " << p;
        }
    }
}

TEST_P(MetricOracleLane, HasItsDecisionsVerifiedAndExplainedLikeAnyOther) {
    const Experiment experiment = this->experiment();
    const auto prepared = preparedLens(experiment);
    const auto lens = prepared->makeLens(2);
    ASSERT_TRUE(lens->open(0, {}, {}));
    const auto audit = as<DecisionAuditor>(*lens).audit(0, {}, {});
    ASSERT_TRUE(audit);
    EXPECT_GT(audit->decisions, 0);
    EXPECT_EQ(audit->wrong, 0);
    EXPECT_EQ(audit->undecided, 0);
    EXPECT_TRUE(as<DecisionAuditor>(*lens).unsafeReason().empty());
    const auto notable = as<ItemExplainer>(*lens).notableItems(3, 30, {});
    ASSERT_TRUE(notable);
    ASSERT_FALSE(notable->empty());
    const auto why = as<ItemExplainer>(*lens).explain(notable->front().item, 3, {});
    ASSERT_TRUE(why);
    EXPECT_EQ(why->set, notable->front().set);
    ASSERT_EQ(why->used.size(), kOracleBounds.size());
    EXPECT_EQ(why->check, why->set.empty() ? -1 : 0);
    EXPECT_TRUE(as<RegionSlicer>(*lens).slice(3, {}));
}

INSTANTIATE_TEST_SUITE_P(Lanes, MetricOracleLane,
                         testing::Values(OracleCase{"pairs_gradient", "pairs", "projected-gradient", false, 1e-3},
                                         OracleCase{"pairs_newton", "pairs", "newton", false, 1e-6},
                                         OracleCase{"pairs_hinge", "pairs", "projected-gradient", true, 1e-3},
                                         OracleCase{"sorted_auto", "sorted", "auto", false, 1e-4},
                                         OracleCase{"triplets", "triplets", "projected-gradient", false, 1e-2}),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(MetricOracleLanes, AreRefusedWhereTheyKnowNothing) {
    const auto faults = [](const Json& lanes) {
        Json document = {{"family", "metric"}, {"data", {{"source", "iris"}}}, {"lanes", lanes}};
        const auto checked = validateExperiment(document, SchemaCatalog({family().schema}));
        return checked ? std::string() : checked.error().describe();
    };
    EXPECT_EQ(faults(Json::array({{{"name", "PGB"}, {"bounds", {"PGB"}}}, {{"name", "limit"}, {"oracle", "PGB"}}})),
              "");
    EXPECT_NE(
        faults(Json::array({{{"name", "none"}}, {{"name", "limit"}, {"oracle", "none"}}})).find("screens nothing"),
        std::string::npos);
    EXPECT_NE(faults(Json::array({{{"name", "PGB"}, {"bounds", {"PGB"}}}, {{"name", "limit"}, {"oracle", "PGP"}}}))
                  .find("Did you mean \"PGB\"?"),
              std::string::npos);
}

} // namespace
} // namespace lambdascope::metric
