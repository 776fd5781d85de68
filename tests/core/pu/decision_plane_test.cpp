// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/inspect/plane_axes.h"
#include "core/pu/inspect/plane_maker.h"
#include "tests/core/pu/prepared_pus.h"
#include "tests/support/lens_capability.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace lambdascope::pu {
namespace {

Json caseWith(const char* kernel) {
    const Json lanes = {{{"name", "none"}, {"bounds", Json::array()}},
                        {{"name", "GAP"}, {"bounds", {"GAP"}}, {"schedule", "every"}},
                        {{"name", "ramp"}, {"bounds", Json::array()}, {"solver", {{"method", "ramp"}}}}};
    return {{"problem", {{"kernel", kernel}, {"gamma", 0.5}, {"degree", 2}}},
            {"solver", {{"tolerance", 1e-7}}},
            {"lanes", lanes}};
}

class PuPlanes : public ::testing::TestWithParam<const char*> {};

/// f of the optimum, as near as it can be had, at the cells of a plane.
Eigen::VectorXd optimumAt(const PreparedPu& prepared, const PuProblem& problem, double lambda,
                          const DecisionPlane& plane) {
    const SolvedPu tight = solveAt(problem, lambda, {.tolerance = 1e-11}).solved;
    StopCheck never;
    return valuesOn(problem.space(), modelOf(problem, tight), planePlaces(prepared.data(), plane), never);
}

TEST_P(PuPlanes, ClaimNothingThatTheOptimumDoesNotKeep) {
    const Prepared prepared(caseWith(GetParam()));
    std::int64_t claimed = 0;
    for (const std::size_t lane : {0U, 1U}) {
        const auto lens = prepared.problem->makeLens(lane);
        ASSERT_TRUE(lens->open(0, {}, {}));
        EXPECT_TRUE(lens->lane().hasPlane);
        for (const std::int32_t point : {0, 2}) {
            const auto plane = as<PlaneSampler>(*lens).plane(point, {}, {});
            ASSERT_TRUE(plane);
            StopCheck never;
            const auto at = prepared.problem->problemAt(lens->path()[static_cast<std::size_t>(point)].axisValue, never);
            const Eigen::VectorXd f = optimumAt(*prepared.problem, *at.problem, at.lambda, *plane);
            ASSERT_EQ(static_cast<Eigen::Index>(plane->cells.size()), f.size());
            const double slack = 1e-5;
            std::int64_t here = 0;
            for (Eigen::Index k = 0; k < f.size(); ++k) {
                const std::int8_t area = plane->cells[static_cast<std::size_t>(k)];
                EXPECT_FALSE(area == 0 && f(k) > -1 + slack) << f(k);
                EXPECT_FALSE(area == 1 && std::abs(f(k)) > 1 + slack) << f(k);
                EXPECT_FALSE(area == 2 && f(k) < 1 - slack) << f(k);
                here += area >= 0 ? 1 : 0;
            }
            if (lane == 0) {
                EXPECT_EQ(here, 0);
            }
            claimed += here;
        }
    }
    EXPECT_GT(claimed, 1000) << "proves hardly anything";
}

TEST_P(PuPlanes, DrawTheBoundaryWhereFIsZeroAndSamplesByState) {
    const Prepared prepared(caseWith(GetParam()));
    const auto lens = prepared.problem->makeLens(1);
    ASSERT_TRUE(lens->open(0, {}, {}));
    const auto plane = as<PlaneSampler>(*lens).plane(2, {}, {});
    ASSERT_TRUE(plane);
    StopCheck never;
    const auto at = prepared.problem->problemAt(lens->path()[2].axisValue, never);
    const SolvedPu tight = solveAt(*at.problem, at.lambda, {.tolerance = 1e-11}).solved;
    const PuModel model = modelOf(*at.problem, tight);
    ASSERT_EQ(plane->levels.size(), 2U);
    EXPECT_TRUE(plane->levels[0].isBoundary);
    ASSERT_FALSE(plane->levels[0].lines.empty());
    const double steepest = 1e-2 + model.values.cwiseAbs().maxCoeff();
    for (const DecisionPlane::Place& place : plane->levels[0].lines.front()) {
        DenseRows row(1, 2);
        row << place.x, place.y;
        EXPECT_NEAR(valuesOn(at.problem->space(), model, row, never)(0), 0, 0.02 * steepest);
    }
    const std::vector<ColumnDescription>& columns = lens->lane().columns;
    const std::vector<double>& values = lens->path()[2].values;
    std::map<std::int32_t, double> counts;
    const PuSamples& samples = prepared.problem->samples();
    for (const DecisionPlane::Item& item : plane->items) {
        ++counts[item.state];
        EXPECT_TRUE(plane->xLow < item.x && item.x < plane->xHigh && plane->yLow < item.y && item.y < plane->yHigh);
        if (item.item >= 0) {
            const auto u = samples.positives + static_cast<SampleIndex>(item.item);
            EXPECT_EQ(item.x, samples.dense(u, 0));
            EXPECT_NEAR(item.value, model.values(u), 1e-3);
            EXPECT_EQ(item.side, samples.truth[static_cast<std::size_t>(item.item)] != 0 ? 0 : 1);
        }
    }
    EXPECT_EQ(plane->total, as<ItemExplainer>(*lens).items());
    EXPECT_EQ(static_cast<SampleIndex>(plane->items.size()), samples.size());
    EXPECT_EQ(counts[0], values[placeOfColumn(columns, "final_0")]);
    EXPECT_EQ(counts[1], values[placeOfColumn(columns, "final_half")]);
    EXPECT_EQ(counts[2], values[placeOfColumn(columns, "final_full")]);
    EXPECT_EQ(counts[8], samples.positives);
    EXPECT_EQ(counts[0] + counts[3], values[placeOfColumn(columns, "n_0")]);
    EXPECT_GT(counts[0] + counts[1] + counts[2], 0);
}

INSTANTIATE_TEST_SUITE_P(Kernels, PuPlanes, ::testing::Values("linear", "rbf", "polynomial"));

TEST(PuPlane, RefusesAxesThatAreNoneAndShowsOtherMethods) {
    const Prepared prepared(caseWith("rbf"));
    const auto lens = prepared.problem->makeLens(0);
    ASSERT_TRUE(lens->open(0, {}, {}));
    for (const PlaneAxes axes : {PlaneAxes{0, 0}, PlaneAxes{0, 7}, PlaneAxes{-1, 1}}) {
        EXPECT_FALSE(as<PlaneSampler>(*lens).plane(0, axes, {}));
    }
    EXPECT_FALSE(as<PlaneSampler>(*lens).plane(99, {}, {}));
    const auto ramp = prepared.problem->makeLens(2);
    ASSERT_TRUE(ramp->open(0, {}, {}));
    const auto plane = as<PlaneSampler>(*ramp).plane(0, PlaneAxes{1, 0}, {});
    ASSERT_TRUE(plane);
    EXPECT_EQ(plane->states.at(static_cast<std::size_t>(plane->items.front().state)), "unlabeled");
    std::stop_source source;
    source.request_stop();
    EXPECT_FALSE(as<PlaneSampler>(*lens).plane(0, {}, source.get_token()));
}

} // namespace
} // namespace lambdascope::pu
