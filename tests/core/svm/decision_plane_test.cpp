// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/inspect/decision_plane.h"
#include "core/inspect/plane_axes.h"
#include "core/svm/inspect/svm_lens.h"
#include "core/svm/problem/decision_functions.h"
#include "tests/core/svm/outline_depth.h"
#include "tests/core/svm/small_svms.h"
#include "tests/core/svm/svm_experiment.h"
#include "tests/support/lens_capability.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

namespace lambdascope::svm {
namespace {

DecisionPlane emptyPlane(int columns, int rows) {
    DecisionPlane plane;
    plane.xLow = -2;
    plane.xHigh = 2;
    plane.yLow = -1.5;
    plane.yHigh = 1.5;
    plane.columns = columns;
    plane.rows = rows;
    return plane;
}

TEST(LevelLines, OfACircleAreOneClosedLineOnIt) {
    const DecisionPlane plane = emptyPlane(80, 61);
    std::vector<double> squares;
    for (const DecisionPlane::Place& node : cellCentres(plane)) {
        squares.push_back(node.x * node.x + node.y * node.y);
    }
    const auto lines = levelLines(plane, squares, 1);
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_EQ(lines[0].front().x, lines[0].back().x);
    EXPECT_EQ(lines[0].front().y, lines[0].back().y);
    double length = 0;
    for (std::size_t k = 1; k < lines[0].size(); ++k) {
        EXPECT_NEAR(std::hypot(lines[0][k].x, lines[0][k].y), 1, 2e-3);
        length += std::hypot(lines[0][k].x - lines[0][k - 1].x, lines[0][k].y - lines[0][k - 1].y);
    }
    EXPECT_NEAR(length, 2 * std::numbers::pi, 0.01);
}

TEST(LevelLines, OpenOnesEndAtTheEdgeAndSaddlesDoNotCross) {
    const DecisionPlane plane = emptyPlane(40, 30);
    const auto nodes = cellCentres(plane);
    std::vector<double> saddle;
    for (const DecisionPlane::Place& node : nodes) {
        saddle.push_back(node.x * node.y);
    }
    for (const double level : {0.01, -0.01, 0.4}) {
        const auto lines = levelLines(plane, saddle, level);
        EXPECT_EQ(lines.size(), 2u) << level;
        for (const auto& line : lines) {
            for (const DecisionPlane::Place& end : {line.front(), line.back()}) {
                const bool isAtEdge = std::abs(std::abs(end.x) - nodes.back().x) < 1e-9 ||
                                      std::abs(std::abs(end.y) - nodes.back().y) < 1e-9;
                EXPECT_TRUE(isAtEdge) << end.x << ' ' << end.y;
            }
            for (const DecisionPlane::Place& place : line) {
                EXPECT_NEAR(place.x * place.y, level, 0.02);
            }
        }
    }
    EXPECT_TRUE(levelLines(plane, std::vector<double>(nodes.size(), 1), 1).empty());
}

/// A kernel and how the path goes.
struct PlaneCase {
    const char* name;
    Json overlay;

    friend void PrintTo(const PlaneCase& one, std::ostream* out) { *out << one.name; }
};

std::vector<PlaneCase> planeCases() {
    const Json lanes = {{{"name", "none"}},
                        {{"name", "BT1"}, {"bounds", {"BT1"}}, {"schedule", "every"}},
                        {{"name", "BT2"}, {"bounds", {"BT2"}}, {"schedule", "every"}},
                        {{"name", "IT"}, {"bounds", {"IT"}}, {"schedule", "every"}},
                        {{"name", "IT+GAP"}, {"bounds", {"IT", "GAP"}}, {"schedule", "every"}, {"every", 2}},
                        {{"name", "DT"}, {"bounds", {"DT"}}, {"schedule", "every"}}};
    const Json reference = {{"kind", "reference"}, {"c", 5}, {"values", {0.5, 0.9}}};
    std::vector<PlaneCase> cases = {{"linear", {{"problem", {{"kernel", "linear"}}}, {"path", reference}}},
                                    {"bias", {{"problem", {{"kernel", "linear"}, {"bias", 1.5}}}, {"path", reference}}},
                                    {"rbf", {{"path", reference}}},
                                    {"polynomial",
                                     {{"problem", {{"kernel", "polynomial"}, {"degree", 2}, {"positive_weight", 2}}},
                                      {"path", {{"kind", "reference"}, {"c", 0.05}, {"values", {0.5, 0.9}}}}}}};
    for (PlaneCase& each : cases) {
        each.overlay["lanes"] = lanes;
        each.overlay["solver"] = {{"tolerance", 1e-9}};
    }
    return cases;
}

/// Four features, of which the second and the fourth are drawn.
const Json kManyFeatures = {{"data", {{"source", "toy:gaussian-classes?n=160&d=4&classes=2"}, {"scale", "minmax"}}}};
constexpr PlaneAxes kSecondAndFourth{1, 3};

class DecisionPlanes : public ::testing::TestWithParam<PlaneCase> {};

/// The cells of a plane as rows of all features, those without an axis at their means.
FeatureRows::Dense placesIn(const DenseRows& x, const DecisionPlane& plane) {
    const auto centres = cellCentres(plane);
    FeatureRows::Dense places = x.colwise().mean().replicate(static_cast<Eigen::Index>(centres.size()), 1);
    for (Eigen::Index k = 0; k < places.rows(); ++k) {
        places(k, plane.axes.x) = centres[static_cast<std::size_t>(k)].x;
        places(k, plane.axes.y) = centres[static_cast<std::size_t>(k)].y;
    }
    return places;
}

/// f of a solution at the cells of a plane.
Eigen::VectorXd valuesAt(const PreparedSvm& prepared, const SolvedSvm& solved, const DecisionPlane& plane) {
    const DenseRows x = prepared.data().toDense();
    const FeatureRows::Dense places = placesIn(x, plane);
    const DecisionFunctions functions(prepared.config().kernelFor(x.cols()), x,
                                      solved.alpha.cwiseProduct(prepared.problem().y()));
    StopCheck never;
    return functions.values(places, never).col(0);
}

/// Cells whose area the exact solution, at its accuracy, does not allow.
std::int64_t wrongCells(const PreparedSvm& prepared, const SolvedSvm& exact, const DecisionPlane& plane) {
    const Eigen::VectorXd f = valuesAt(prepared, exact, plane);
    EXPECT_EQ(static_cast<Eigen::Index>(plane.cells.size()), f.size());
    const DenseRows x = prepared.data().toDense();
    const KernelFunction kernel = prepared.config().kernelFor(x.cols());
    const Eigen::VectorXd squares = placesIn(x, plane).rowwise().squaredNorm();
    std::int64_t wrong = 0;
    for (Eigen::Index k = 0; k < f.size(); ++k) {
        const std::int8_t area = plane.cells[static_cast<std::size_t>(k)];
        const double d = std::sqrt(exact.gap * kernelDiagonal(kernel, squares(k))); // how far off f may be here
        wrong += (area == 0 && f(k) < 1 - d) || (area == 1 && f(k) > -1 + d) || (area == 2 && std::abs(f(k)) > 1 + d) ||
                 (area == 3 && f(k) < -1 - d) || (area == 4 && f(k) > 1 + d);
    }
    return wrong;
}

double shareKnown(const DecisionPlane& plane) {
    const auto unknown = std::count(plane.cells.begin(), plane.cells.end(), std::int8_t{-1});
    return 1 - static_cast<double>(unknown) / static_cast<double>(plane.cells.size());
}

TEST_P(DecisionPlanes, ClaimNothingThatTheOptimumDoesNotKeep) {
    const Prepared prepared(GetParam().overlay);
    const SolvedSvm exact = solveAt(prepared.problem->problem(), prepared.problem->fixedC(), 1e-10).solved;
    std::map<std::string, double> shares;
    for (const char* name : {"none", "BT1", "BT2", "IT", "IT+GAP", "DT"}) {
        const auto lens = prepared.lensOf(name);
        for (const std::int32_t point : {0, 1}) {
            const auto plane = as<PlaneSampler>(*lens).plane(point, {}, {});
            ASSERT_TRUE(plane);
            EXPECT_EQ(wrongCells(*prepared.problem, exact, *plane), 0) << name << ' ' << point;
            shares[name] += shareKnown(*plane);
        }
    }
    EXPECT_EQ(shares["none"], 0);
    EXPECT_GT(shares["BT1"], 0.1);
    EXPECT_GE(shares["IT"] + 1e-9, std::max(shares["BT1"], shares["BT2"]));
    EXPECT_GE(shares["IT+GAP"] + 1e-9, shares["IT"]);
}

TEST(DecisionPlanesWithAFreeBias, ClaimNothingThatTheOptimumDoesNotKeepAndDrawTheBoundary) {
    const Prepared prepared(
        Json{{"problem", {{"intercept", "free"}, {"negative_weight", 3}}},
             {"lanes", {{{"name", "GAP"}, {"bounds", {"GAP"}}, {"schedule", "every"}, {"every", 1}}}}});
    const SvmProblem& problem = prepared.problem->problem();
    const auto lens = prepared.lensOf("GAP");
    double known = 0;
    for (std::int32_t point = 0; point < static_cast<std::int32_t>(lens->path().size()); ++point) {
        const double c = prepared.problem->schedule()[static_cast<std::size_t>(point)];
        const SolvedSvm exact = solveAt(problem, c, 1e-11).solved;
        const auto plane = as<PlaneSampler>(*lens).plane(point, {}, {});
        ASSERT_TRUE(plane);
        const Eigen::VectorXd f = valuesAt(*prepared.problem, exact, *plane).array() + exact.bias;
        const double doubt = 1e-4; // of a solution that is not so exact, and of its bias
        for (std::size_t k = 0; k < plane->cells.size(); ++k) {
            const double value = f(static_cast<Eigen::Index>(k));
            const std::int8_t area = plane->cells[k];
            EXPECT_FALSE((area == 0 && value < 1 - doubt) || (area == 1 && value > -1 + doubt) ||
                         (area == 2 && std::abs(value) > 1 + doubt) || (area == 3 && value < -1 - doubt) ||
                         (area == 4 && value > 1 + doubt))
                << point << " " << k;
        }
        known += shareKnown(*plane);
        if (point + 1 == static_cast<std::int32_t>(lens->path().size())) {
            ASSERT_FALSE(plane->levels[0].lines.empty());
            const DecisionFunctions functions(prepared.problem->config().kernelFor(2), problem.features(),
                                              exact.alpha.cwiseProduct(problem.y()));
            StopCheck never;
            for (const auto& place : plane->levels[0].lines[0]) {
                FeatureRows::Dense row(1, 2);
                row << place.x, place.y;
                EXPECT_NEAR(functions.values(row, never)(0, 0) + exact.bias, 0, 0.02);
            }
        }
    }
    EXPECT_GT(known, 0.2);
}

TEST_P(DecisionPlanes, ShowSamplesWhereTheyAreAndAsTheRunCountedThem) {
    const Prepared prepared(GetParam().overlay);
    const auto lens = prepared.lensOf("IT+GAP");
    const auto plane = as<PlaneSampler>(*lens).plane(1, {}, {});
    ASSERT_TRUE(plane);
    const std::vector<ColumnDescription>& columns = lens->lane().columns;
    const std::vector<double>& row = lens->path()[1].values;
    std::map<std::int32_t, double> counts;
    const DenseRows x = prepared.problem->data().toDense();
    for (const DecisionPlane::Item& item : plane->items) {
        ++counts[item.state];
        EXPECT_EQ(item.x, x(item.item, 0));
        EXPECT_EQ(item.y, x(item.item, 1));
        EXPECT_EQ(item.side, prepared.problem->problem().y()(item.item) > 0 ? 0 : 1);
        EXPECT_TRUE(plane->xLow < item.x && item.x < plane->xHigh && plane->yLow < item.y && item.y < plane->yHigh);
    }
    EXPECT_EQ(plane->total, as<ItemExplainer>(*lens).items());
    EXPECT_EQ(static_cast<std::int64_t>(plane->items.size()), as<ItemExplainer>(*lens).items());
    EXPECT_EQ(counts[0], row[placeOfColumn(columns, "final_R")]);
    EXPECT_EQ(counts[1], row[placeOfColumn(columns, "final_L")]);
    EXPECT_GT(counts[0] + counts[1], 0);
    EXPECT_TRUE(lens->lane().hasPlane);
}

TEST_P(DecisionPlanes, DrawTheBoundaryWhereTheDecisionChanges) {
    const Prepared prepared(GetParam().overlay);
    const auto plane = as<PlaneSampler>(*prepared.lensOf("none")).plane(1, {}, {});
    ASSERT_TRUE(plane);
    const SolvedSvm exact = solveAt(prepared.problem->problem(), prepared.problem->fixedC(), 1e-10).solved;
    const DenseRows x = prepared.problem->data().toDense();
    const DecisionFunctions functions(prepared.problem->config().kernelFor(2), x,
                                      exact.alpha.cwiseProduct(prepared.problem->problem().y()));
    ASSERT_EQ(plane->levels.size(), 2u);
    EXPECT_TRUE(plane->levels[0].isBoundary);
    StopCheck never;
    for (const DecisionPlane::Level& level : plane->levels) {
        ASSERT_FALSE(level.lines.empty()) << level.name;
        for (const auto& line : level.lines) {
            FeatureRows::Dense places(static_cast<Eigen::Index>(line.size()), 2);
            for (Eigen::Index k = 0; k < places.rows(); ++k) {
                places.row(k) << line[static_cast<std::size_t>(k)].x, line[static_cast<std::size_t>(k)].y;
            }
            const Eigen::VectorXd f = functions.values(places, never).col(0);
            const double expected = level.isBoundary ? 0 : 1;
            EXPECT_LT((f.cwiseAbs().array() - expected).abs().maxCoeff(), 0.02) << level.name;
        }
    }
}

TEST_P(DecisionPlanes, SlicesShowWhatBallsHaveInCommonAndItHoldsTheOptimum) {
    const Prepared prepared(GetParam().overlay);
    for (const char* name : {"BT1", "IT", "DT"}) {
        const auto slice = as<RegionSlicer>(*prepared.lensOf(name)).slice(1, {});
        ASSERT_TRUE(slice);
        ASSERT_EQ(slice->parts.size(), std::string(name) == "DT" ? 2u : 1u);
        for (const BallSlice::Part& part : slice->parts) {
            EXPECT_EQ(part.isUsed, part.name == name);
            ASSERT_GT(part.outline.size(), 1u) << name << ' ' << part.name;
            EXPECT_GT(depthIn(part.outline, 0, 0), -1e-9 * slice->balls[0].fullRadius) << name << ' ' << part.name;
            for (const BallSlice::Corner& corner : part.outline) {
                for (const BallSlice::Ball& ball : slice->balls) {
                    if (part.name == "IT" && ball.name != "GAP") {
                        EXPECT_LE(std::hypot(corner.x - ball.x, corner.y - ball.y), ball.radius * (1 + 1e-9));
                    }
                }
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Kernels, DecisionPlanes, ::testing::ValuesIn(planeCases()),
                         [](const auto& each) { return std::string(each.param.name); });

TEST_P(DecisionPlanes, OfTwoAmongMoreFeaturesAreAsSafe) {
    Json overlay = GetParam().overlay;
    overlay.mergePatch(kManyFeatures);
    const Prepared prepared(overlay);
    const SolvedSvm exact = solveAt(prepared.problem->problem(), prepared.problem->fixedC(), 1e-10).solved;
    const auto lens = prepared.lensOf("IT+GAP");
    const auto plane = as<PlaneSampler>(*lens).plane(1, kSecondAndFourth, {});
    ASSERT_TRUE(plane);
    EXPECT_EQ(plane->axes, kSecondAndFourth);
    EXPECT_EQ(plane->features.size(), 4u);
    EXPECT_EQ(plane->yLabel, plane->features[3]);
    EXPECT_EQ(wrongCells(*prepared.problem, exact, *plane), 0);
    EXPECT_GT(shareKnown(*plane), 0.01);
    const DenseRows x = prepared.problem->data().toDense();
    for (const DecisionPlane::Item& item : plane->items) {
        EXPECT_EQ(item.x, x(item.item, 1));
        EXPECT_EQ(item.y, x(item.item, 3));
    }
    const auto own = as<PlaneSampler>(*lens).plane(1, {}, {}); // features of its own choice
    ASSERT_TRUE(own);
    EXPECT_EQ(own->axes, separatingAxes(prepared.problem->data(), prepared.problem->problem().y()));
}

TEST(PlaneAxes, AreTheFeaturesThatSeparateTheClasses) {
    Dataset::Parts parts;
    parts.dense.resize(6, 4);                                       // constant, noise, weakly and strongly separating
    parts.dense << 5, 1, 0.0, 0.0, 5, -1, 1.0, 0.1, 5, 0, 0.5, 0.2, //
        5, 1, 1.0, 3.0, 5, -1, 2.0, 3.1, 5, 0, 1.5, 3.2;
    Eigen::VectorXd y(6);
    y << 1, 1, 1, -1, -1, -1;
    Dataset::Parts sparse = parts;
    sparse.isSparse = true;
    sparse.sparse = parts.dense.sparseView();
    const Dataset dense(parts);
    const Dataset other(sparse);
    EXPECT_EQ(separatingAxes(dense, y), (PlaneAxes{2, 3}));
    EXPECT_EQ(separatingAxes(other, y), (PlaneAxes{2, 3}));
    EXPECT_LT((featureMeans(dense) - featureMeans(other)).norm(), 1e-15);
    EXPECT_EQ(featureColumn(dense, 2), featureColumn(other, 2));
    EXPECT_EQ(featureTitles(dense), (std::vector<std::string>{"x₁", "x₂", "x₃", "x₄"}));
}

TEST(DecisionPlane, NeedsTwoDifferentFeaturesAndAKernelOfFeatures) {
    const Prepared line(
        Json{{"data", {{"source", "toy:gaussian-classes?n=60&d=1&classes=2"}}}, {"problem", {{"kernel", "rbf"}}}});
    const auto lens = line.lensOf("Full");
    EXPECT_FALSE(lens->lane().hasPlane);
    const auto plane = as<PlaneSampler>(*lens).plane(0, {}, {});
    ASSERT_FALSE(plane);
    EXPECT_EQ(plane.error().code, ErrorCode::BadUsage);
    EXPECT_NE(plane.error().message.find("two features"), std::string::npos);
    const Prepared plain(Json::object());
    const auto whole = plain.lensOf("Full");
    EXPECT_FALSE(as<PlaneSampler>(*whole).plane(1000, {}, {}));
    for (const PlaneAxes& axes : {PlaneAxes{0, 0}, PlaneAxes{0, 2}, PlaneAxes{-1, 1}}) {
        const auto none = as<PlaneSampler>(*whole).plane(0, axes, {});
        ASSERT_FALSE(none);
        EXPECT_NE(none.error().describe().find("two different features"), std::string::npos);
    }
}

} // namespace
} // namespace lambdascope::svm
