// SPDX-License-Identifier: GPL-3.0-or-later
// Planes of regression: the tube along one feature, lines of equal values over two.
#include "core/inspect/decision_plane.h"
#include "core/inspect/plane_axes.h"
#include "core/svm/inspect/svm_lens.h"
#include "core/svm/problem/decision_functions.h"
#include "tests/core/svm/small_svms.h"
#include "tests/core/svm/svm_experiment.h"
#include "tests/support/lens_capability.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace lambdascope::svm {
namespace {

constexpr double kEpsilon = 0.2;

struct TubeCase {
    const char* name;
    Json problem;
    Json lanes;

    friend void PrintTo(const TubeCase& one, std::ostream* out) { *out << one.name; }
};

const Json kWithBias = {{{"name", "none"}},
                        {{"name", "GAP"}, {"bounds", {"GAP"}}, {"schedule", "every"}, {"every", 1}},
                        {{"name", "BT1+GAP"}, {"bounds", {"BT1", "GAP"}}, {"schedule", "every"}, {"every", 1}}};
const Json kWithoutBias = {{{"name", "none"}},
                           {{"name", "IT"}, {"bounds", {"IT"}}},
                           {{"name", "DT"}, {"bounds", {"DT"}}},
                           {{"name", "IT+GAP"}, {"bounds", {"IT", "GAP"}}, {"schedule", "every"}, {"every", 2}}};

std::vector<TubeCase> tubeCases() {
    return {{"rbfFree", {{"kernel", "rbf"}, {"intercept", "free"}}, kWithBias},
            {"linearFree", {{"kernel", "linear"}, {"intercept", "free"}}, kWithBias},
            {"rbf", {{"kernel", "rbf"}, {"intercept", "none"}}, kWithoutBias},
            {"linearFeature", {{"kernel", "linear"}, {"intercept", "feature"}}, kWithoutBias}};
}

Json experimentOf(const TubeCase& one) {
    Json document = {{"data", {{"source", "toy:sine?n=70&noise=0.2&seed=3"}, {"scale", "standardize"}}},
                     {"problem", {{"task", "regression"}, {"epsilon", kEpsilon}}},
                     {"solver", {{"tolerance", 1e-9}}},
                     {"path", {{"kind", "grid"}, {"ratio", 2.5}, {"max_c", 20}}},
                     {"lanes", one.lanes}};
    document["problem"].mergePatch(one.problem);
    return document;
}

/// f of a solution at rows of features, the constant one of a bias not among them.
Eigen::VectorXd valuesAt(const PreparedSvm& prepared, const SolvedSvm& solved, const DenseRows& places) {
    const SvmProblem& problem = prepared.problem();
    const DenseRows x = prepared.data().toDense();
    const DecisionFunctions functions(prepared.config().kernelFor(x.cols()), x, problem.rowCoefficients(solved.alpha));
    StopCheck never;
    return functions.values(places, never).col(0).array() + solved.bias + prepared.targetMean();
}

DenseRows columnsOf(const DecisionPlane& plane) {
    DenseRows columns(plane.columns, 1);
    for (std::int32_t k = 0; k < plane.columns; ++k) {
        columns(k, 0) = columnCentre(plane, k);
    }
    return columns;
}

class TubePlanes : public ::testing::TestWithParam<TubeCase> {};

TEST_P(TubePlanes, ClaimNothingThatTheOptimumDoesNotKeep) {
    const Prepared prepared(experimentOf(GetParam()));
    std::map<std::string, std::int64_t> known;
    for (const std::string& name : prepared.experiment.laneNames) {
        const auto lens = prepared.lensOf(name);
        EXPECT_TRUE(lens->lane().hasPlane);
        const auto points = static_cast<std::int32_t>(lens->path().size());
        ASSERT_GT(points, 3);
        for (std::int32_t point = 0; point < points; ++point) {
            const double c = prepared.problem->schedule()[static_cast<std::size_t>(point)];
            const SolvedSvm exact = solveAt(prepared.problem->problem(), c, 1e-11).solved;
            const auto plane = as<PlaneSampler>(*lens).plane(point, {}, {});
            ASSERT_TRUE(plane) << plane.error().describe();
            ASSERT_EQ(plane->axes, (PlaneAxes{0, -1}));
            const Eigen::VectorXd f = valuesAt(*prepared.problem, exact, columnsOf(*plane));
            const auto centres = cellCentres(*plane);
            constexpr double kDoubt = 1e-4; // of a solution that is not so exact, and of its bias
            for (std::size_t k = 0; k < centres.size(); ++k) {
                const double off = centres[k].y - f(static_cast<Eigen::Index>(k) % plane->columns);
                const std::int8_t area = plane->cells[k];
                ASSERT_FALSE((area == 0 && std::abs(off) > kEpsilon + kDoubt) ||
                             (area == 1 && off < kEpsilon - kDoubt) || (area == 2 && off > kDoubt - kEpsilon))
                    << name << ", point " << point << ", place " << centres[k].x << " " << centres[k].y;
                known[name] += area >= 0 ? 1 : 0;
            }
        }
    }
    EXPECT_EQ(known["none"], 0);
    const std::string& last = prepared.experiment.laneNames.back();
    EXPECT_GT(known[last], 10'000);
    EXPECT_GE(known[last], known[prepared.experiment.laneNames[1]]) << "of more bounds more is known";
}

TEST_P(TubePlanes, DrawTheCurveTheTubeAndEveryRowWhereAndAsItIs) {
    const Prepared prepared(experimentOf(GetParam()));
    const std::string& name = prepared.experiment.laneNames.back();
    const auto lens = prepared.lensOf(name);
    const std::int32_t point = 2;
    const auto plane = as<PlaneSampler>(*lens).plane(point, {}, {});
    ASSERT_TRUE(plane);
    const double c = prepared.problem->schedule()[point];
    const SvmProblem& problem = prepared.problem->problem();
    const SolvedSvm exact = solveAt(problem, c, 1e-11).solved;
    ASSERT_EQ(plane->levels.size(), 2U);
    EXPECT_TRUE(plane->levels[0].isBoundary);
    ASSERT_EQ(plane->levels[1].lines.size(), 2U);
    const Eigen::VectorXd f = valuesAt(*prepared.problem, exact, columnsOf(*plane));
    for (std::int32_t k = 0; k < plane->columns; ++k) {
        const auto place = static_cast<std::size_t>(k);
        EXPECT_NEAR(plane->levels[0].lines[0][place].y, f(k), 1e-4);
        EXPECT_NEAR(plane->levels[1].lines[0][place].y, f(k) + kEpsilon, 1e-4);
        EXPECT_NEAR(plane->levels[1].lines[1][place].y, f(k) - kEpsilon, 1e-4);
        EXPECT_TRUE(plane->yLow < f(k) - kEpsilon && f(k) + kEpsilon < plane->yHigh);
    }
    const DenseRows x = prepared.problem->data().toDense();
    const Eigen::VectorXd fitted = valuesAt(*prepared.problem, exact, x);
    std::map<std::int32_t, int> counts;
    ASSERT_EQ(static_cast<SampleIndex>(plane->items.size()), problem.rowCount());
    for (const DecisionPlane::Item& item : plane->items) {
        const SampleIndex row = problem.rowOf(static_cast<SampleIndex>(item.item));
        EXPECT_EQ(item.x, x(row, 0));
        EXPECT_EQ(item.y, prepared.problem->data().targets()(row));
        EXPECT_NEAR(item.value, item.y - fitted(row), 1e-4);
        EXPECT_EQ(item.item < problem.rowCount(), item.value >= 0) << "the side that it lies on";
        const double beyond = std::abs(item.value) - kEpsilon;
        const std::string state = plane->states[static_cast<std::size_t>(item.state)];
        EXPECT_TRUE(state.starts_with("inside")   ? beyond < 1e-4
                    : state.starts_with("beyond") ? beyond > -1e-4
                                                  : std::abs(beyond) < 1e-4)
            << item.title << " is " << state << " at " << item.value;
        ++counts[item.state];
    }
    const auto counted = [&](const char* key) {
        return lens->path()[point].values[placeOfColumn(lens->lane().columns, key)];
    };
    EXPECT_EQ(counts[1], counted("final_L")) << "one side of a row at most lies beyond";
    EXPECT_LE(2 * counts[0], counted("final_R"));
    EXPECT_GE(2 * counts[0] + counts[1] + (problem.rowCount() - counts[0] - counts[1]), counted("final_R"));
    EXPECT_GT(counts[0] + counts[1], 0);
}

INSTANTIATE_TEST_SUITE_P(Kernels, TubePlanes, ::testing::ValuesIn(tubeCases()),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(TubePlanesOfTwoFeatures, DrawLinesOfEqualValuesAndProveWhereTheyAreWithinTheTubeOfTheOptimum) {
    const Prepared prepared(
        {{"data", {{"source", "diabetes"}, {"scale", "standardize"}, {"subset", 0.3}}},
         {"problem", {{"task", "regression"}, {"epsilon", 30}, {"kernel", "rbf"}, {"intercept", "free"}}},
         {"path", {{"kind", "grid"}, {"ratio", 3}, {"max_c", 30}}},
         {"lanes", {{{"name", "BT1+GAP"}, {"bounds", {"BT1", "GAP"}}, {"schedule", "every"}, {"every", 1}}}}});
    const auto lens = prepared.lensOf("BT1+GAP");
    const Dataset& data = prepared.problem->data();
    EXPECT_EQ(lens->lane().hasPlane, true);
    std::int64_t known = 0;
    for (std::int32_t point = 0; point < static_cast<std::int32_t>(lens->path().size()); ++point) {
        const auto plane = as<PlaneSampler>(*lens).plane(point, {}, {});
        ASSERT_TRUE(plane) << plane.error().describe();
        EXPECT_EQ(plane->axes, separatingAxes(data, data.targets())) << "those that the target goes with";
        const double c = prepared.problem->schedule()[static_cast<std::size_t>(point)];
        const SolvedSvm exact = solveAt(prepared.problem->problem(), c, 1e-10).solved;
        const Eigen::VectorXd f = valuesAt(*prepared.problem, exact, planePlaces(data, *plane));
        for (std::size_t k = 0; k < plane->cells.size(); ++k) {
            known += plane->cells[k] == 0 ? 1 : 0;
        }
        EXPECT_LE(plane->levels.size(), 8U);
        for (const DecisionPlane::Level& level : plane->levels) {
            const double value = std::stod(level.name.substr(4));
            for (const auto& line : level.lines) {
                DenseRows places = featureMeans(data).transpose().replicate(static_cast<Eigen::Index>(line.size()), 1);
                for (std::size_t k = 0; k < line.size(); ++k) {
                    places(static_cast<Eigen::Index>(k), plane->axes.x) = line[k].x;
                    places(static_cast<Eigen::Index>(k), plane->axes.y) = line[k].y;
                }
                const Eigen::VectorXd along = valuesAt(*prepared.problem, exact, places);
                EXPECT_LT((along.array() - value).abs().maxCoeff(), 0.05 * (f.maxCoeff() - f.minCoeff()) + 1e-3);
            }
        }
    }
    EXPECT_GT(known, 1'000);
}

TEST(RoundNumbers, LieBetweenAndAreAsManyAsWanted) {
    EXPECT_EQ(roundNumbers(0.3, 7.4, 4), (std::vector<double>{2, 4, 6}));
    EXPECT_EQ(roundNumbers(-1.1, 1.1, 5), (std::vector<double>{-1, -0.5, 0, 0.5, 1}));
    EXPECT_TRUE(roundNumbers(2, 2, 5).empty());
    for (const double scale : {1e-9, 0.03, 1.0, 777.0, 4e12}) {
        for (const int most : {3, 6, 10}) {
            const std::vector<double> numbers = roundNumbers(-0.37 * scale, 1.9 * scale, most);
            EXPECT_LE(numbers.size(), static_cast<std::size_t>(most) + 1);
            EXPECT_GE(2.5 * static_cast<double>(numbers.size()) + 1.5, most);
            EXPECT_TRUE(std::is_sorted(numbers.begin(), numbers.end()));
        }
    }
}

} // namespace
} // namespace lambdascope::svm
