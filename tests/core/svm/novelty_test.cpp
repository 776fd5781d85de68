// SPDX-License-Identifier: GPL-3.0-or-later
// One class: yᵀα = s in place of 0, from the solver to whole lanes.
#include "core/svm/inspect/decision_audit.h"
#include "core/svm/inspect/svm_lens.h"
#include "core/svm/problem/decision_functions.h"
#include "core/svm/screening/bias_bracket.h"
#include "tests/core/svm/small_svms.h"
#include "tests/core/svm/svm_experiment.h"
#include "tests/support/lens_capability.h"
#include "tests/support/walked_lane.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>

namespace lambdascope::svm {
namespace {

/// ½‖w‖² + C Σ ω max(0, −f) + b at its best b, and −½‖w‖², from their definitions.
std::pair<long double, long double> valuesOf(const SmallSvm& svm, const KernelFunction& kernel,
                                             const SolvedSvm& solved) {
    const SvmProblem& problem = *svm.problem;
    const auto scores = exactMargins(svm, kernel, solved.alpha);
    long double square = 0;
    for (SampleIndex i = 0; i < problem.size(); ++i) {
        square += solved.alpha(i) * scores[static_cast<std::size_t>(i)];
    }
    const auto costOf = [&](long double b) {
        long double cost = b;
        for (SampleIndex i = 0; i < problem.size(); ++i) {
            cost += solved.c * problem.weights()(i) * std::max(0.0L, -scores[static_cast<std::size_t>(i)] - b);
        }
        return cost;
    };
    long double least = std::numeric_limits<long double>::infinity();
    for (const long double score : scores) {
        least = std::min(least, costOf(-score));
    }
    return {square / 2 + least, -square / 2};
}

TEST(Novelty, ClosesTheGapByDefinitionAndScreensNothingWrong) {
    NullSink sink;
    RunContext context(RunId{0}, sink);
    StopCheck never;
    std::int64_t decided = 0;
    int missed = 0;
    for (const SmallShape& shape : oneClassShapes()) {
        for (const KernelFunction& kernel : smallKernels()) {
            SCOPED_TRACE(shape.name + ", " + kernelName(kernel));
            const auto svm = smallSvm(shape, kernel, 5);
            const SvmProblem& problem = *svm->problem;
            const PathStart start = pathStart(problem, never, context);
            EXPECT_DOUBLE_EQ(start.cMin, 1 / problem.weights().sum());
            PointSettings settings;
            settings.bounds = {BoundKind::Gap};
            settings.screenEvery = 2;
            PointSolver solver(problem, settings);
            struct Last final : ScreeningObserver {
                void checked(const ScreeningCheck& check) override {
                    decisions.assign(check.decisions.begin(), check.decisions.end());
                }
                std::vector<Decision> decisions;
            } observer;
            solver.observe(&observer);
            SolvedSvm last = start.solved;
            for (const double nu : {1.0, 0.5, 0.2, 0.05}) {
                const double c = start.cMin / nu;
                const PointOutcome outcome = solver.solve(c, last, 0, context);
                last = outcome.solved;
                EXPECT_LE(std::abs(imbalanceOf(problem, last.alpha)), 1e-12);
                EXPECT_TRUE((last.alpha.array() <= c * problem.weights().array()).all());
                const auto [primal, dual] = valuesOf(*svm, kernel, last);
                const double size = sizeOf(problem, last);
                EXPECT_LE(static_cast<double>(primal - dual), last.gap + 1e-14 * size) << nu;
                EXPECT_NEAR(outcome.primal.value, static_cast<double>(primal), outcome.primal.error + 1e-12 * size);
                missed += outcome.termination == Termination::Converged ? 0 : 1;
                const SolvedSvm tight = solveAt(problem, c, 1e-10, &last).solved;
                const DecisionAudit audit =
                    auditDecisions(problem, observer.decisions, tight, optimumNear(problem, tight));
                EXPECT_EQ(audit.wrong, 0) << nu;
                decided += audit.decided;
                // At most a share ν lies outside, at least as many are support vectors.
                double outside = 0;
                double supports = 0;
                for (SampleIndex i = 0; i < problem.size(); ++i) {
                    const double f = tight.marginOf(i, 1);
                    outside += f < -1e-6 * std::sqrt(size) ? problem.weights()(i) : 0;
                    supports += tight.alpha(i) > 0 ? problem.weights()(i) : 0;
                }
                const double all = problem.weights().sum();
                EXPECT_LE(outside, (nu + 1e-9) * all);
                EXPECT_GE(supports, (nu - 1e-9) * all);
            }
        }
    }
    EXPECT_GT(decided, 2000);
    EXPECT_LE(missed, 12); // of kernel values that round too much
}

Json novelty() {
    return {{"data", {{"source", "toy:two-moons?n=200"}, {"scale", "none"}, {"subset", 0.8}}},
            {"problem", {{"task", "novelty"}, {"kernel", "rbf"}, {"gamma", 2}, {"gamma_unit", "absolute"}}},
            {"path", {{"kind", "grid"}, {"ratio", 1.5}, {"max_c", 1e4}}},
            {"lanes",
             {{{"name", "Shrink"}},
              {{"name", "GAP"}, {"bounds", {"GAP"}}, {"schedule", "every"}},
              {{"name", "often"}, {"bounds", {"GAP"}}, {"shrink", false}, {"schedule", "every"}, {"every", 1}}}}};
}

TEST(NoveltyLanes, ReachTheSameOptimaTellNuAndAuditNothingWrong) {
    const Prepared prepared(novelty());
    const auto first = prepared.lensOf("Shrink");
    EXPECT_LE(prepared.problem->schedule().back(), 1);
    for (const std::string& name : prepared.experiment.laneNames) {
        const auto lens = prepared.lensOf(name);
        const auto& columns = lens->lane().columns;
        const auto at = [&](const char* key) { return placeOfColumn(columns, key); };
        EXPECT_EQ(lens->lane().axisLabel, "ν");
        EXPECT_TRUE(lens->lane().axisFalls);
        for (std::size_t p = 0; p < lens->path().size(); ++p) {
            const std::vector<double>& values = lens->path()[p].values;
            EXPECT_EQ(values[at("C")], prepared.problem->schedule()[p]);
            EXPECT_NEAR(values[at("primal")] / first->path()[p].values[at("primal")], 1, 2e-6) << name << p;
            EXPECT_NEAR(values[at("nu")] * values[at("C")] * 160, 1, 1e-12);
            EXPECT_LE(values[at("n_L")], values[at("nu")] * 160 + 1e-6);
            EXPECT_EQ(values[at("test_outside_goal")], values[at("nu")]) << "what the share outside is to come near";
            EXPECT_TRUE(values[at("test_outside")] >= 0 && values[at("test_outside")] <= 1);
        }
        // The test of lifetimes looks at other C, and has no proof here.
        const auto lifetimes = as<RegionSlicer>(*lens).lifetimes(2, 100, {});
        ASSERT_TRUE(lifetimes);
        EXPECT_TRUE(lifetimes->intervals.empty() && lifetimes->total == 0);
        EXPECT_FALSE(as<RegionSlicer>(*lens).ranges({}, {}));
        const auto audit = as<DecisionAuditor>(*lens).audit(0, {}, {});
        ASSERT_TRUE(audit) << audit.error().describe();
        EXPECT_EQ(audit->wrong, 0);
        EXPECT_EQ(audit->decisions > 0, name != "Shrink");
    }
}

TEST(NoveltyLanes, TakeNoMoreWorkWhereLooksAreMadeByWhatTheySave) {
    Json config = novelty();
    config["data"]["source"] = "toy:two-moons?n=800";
    config["path"]["ratio"] = 1.3;
    config["lanes"] = {{{"name", "none"}, {"shrink", false}},
                       {{"name", "GAP"}, {"bounds", {"GAP"}}, {"shrink", false}, {"schedule", "auto"}}};
    const Prepared prepared(config);
    const auto work = [&](const char* lane) {
        return testing_support::walkLane(*prepared.problem, prepared.lane(lane)).sum("work");
    };
    EXPECT_LE(work("GAP"), work("none"));
}

TEST(NoveltyLanes, TellWhetherASampleIsInsideWithoutWordsOfClasses) {
    const Prepared prepared(novelty());
    const auto lens = prepared.lensOf("often");
    int inside = 0;
    int outside = 0;
    for (std::int64_t item = 0; item < prepared.problem->problem().size(); item += 3) {
        const auto why = as<ItemExplainer>(*lens).explain(item, 6, {});
        ASSERT_TRUE(why) << why.error().describe();
        EXPECT_EQ(why->scale.quantity, "f");
        ASSERT_EQ(why->scale.sets, (std::vector<std::string>{"L: outside", "R: inside"}));
        ASSERT_EQ(why->scale.edges.size(), 1U);
        EXPECT_EQ(why->scale.edges[0].value, 0);
        const double value = *why->scale.atSolution;
        inside += why->trueSet == "R" && value > 0 ? 1 : 0;
        outside += why->trueSet == "L" && value < 0 ? 1 : 0;
        EXPECT_TRUE(why->trueSet == "E" || why->trueSet == (value > 0 ? "R" : "L"));
        for (const BoundDecision& decision : why->used) {
            for (const NamedValue& term : decision.terms) {
                EXPECT_EQ(term.meaning.find("class of the sample"), std::string::npos);
            }
        }
    }
    EXPECT_GT(inside, 20);
    EXPECT_GT(outside, 0);
}

TEST(NoveltyPlanes, ClaimNothingThatTheOptimumDoesNotKeep) {
    Json config = novelty();
    config["data"]["source"] = "toy:two-moons?n=500"; // fewer are solved before there is anything to look from
    const Prepared prepared(config);
    const SvmProblem& problem = prepared.problem->problem();
    const DenseRows x = prepared.problem->data().toDense();
    constexpr double kDoubt = 1e-4; // of a solution that is not so exact, and of its bias
    std::map<std::string, std::int64_t> inside;
    std::map<std::string, std::int64_t> outside;
    for (const std::string& name : prepared.experiment.laneNames) {
        const auto lens = prepared.lensOf(name);
        EXPECT_TRUE(lens->lane().hasPlane);
        for (std::int32_t point = 0; point < static_cast<std::int32_t>(lens->path().size()); point += 3) {
            const double c = prepared.problem->schedule()[static_cast<std::size_t>(point)];
            const SolvedSvm exact = solveAt(problem, c, 1e-11).solved;
            const auto plane = as<PlaneSampler>(*lens).plane(point, {}, {});
            ASSERT_TRUE(plane) << plane.error().describe();
            const auto centres = cellCentres(*plane);
            DenseRows places(static_cast<Eigen::Index>(centres.size()), 2);
            for (std::size_t k = 0; k < centres.size(); ++k) {
                places.row(static_cast<Eigen::Index>(k)) << centres[k].x, centres[k].y;
            }
            const DecisionFunctions functions(prepared.problem->config().kernelFor(2), x,
                                              problem.rowCoefficients(exact.alpha));
            StopCheck never;
            const Eigen::VectorXd f = functions.values(places, never).col(0).array() + exact.bias;
            for (std::size_t k = 0; k < centres.size(); ++k) {
                const double value = f(static_cast<Eigen::Index>(k));
                ASSERT_FALSE((plane->cells[k] == 0 && value < -kDoubt) || (plane->cells[k] == 1 && value > kDoubt))
                    << name << ", point " << point << ", place " << centres[k].x << " " << centres[k].y;
                inside[name] += plane->cells[k] == 0 ? 1 : 0;
                outside[name] += plane->cells[k] == 1 ? 1 : 0;
            }
            ASSERT_EQ(static_cast<SampleIndex>(plane->items.size()), problem.size());
            for (const DecisionPlane::Item& item : plane->items) {
                const std::string state = plane->states[static_cast<std::size_t>(item.state)];
                EXPECT_EQ(item.side, 0);
                EXPECT_TRUE(state.starts_with("inside")    ? item.value > 0
                            : state.starts_with("outside") ? item.value < 0
                                                           : std::abs(item.value) < 1e-3)
                    << state << " " << item.value;
            }
        }
    }
    EXPECT_EQ(inside["Shrink"] + outside["Shrink"], 0) << "it has no bounds";
    EXPECT_GT(inside["often"], 1000);
    EXPECT_GT(outside["often"], 1000);
}

TEST(NoveltyLanes, RefuseWhatHasNoProof) {
    const auto faultsOf = [](const Json& patch) {
        Json document = documentWith(novelty());
        document.mergePatch(patch);
        const auto read = validateExperiment(document, catalog());
        return read ? std::string() : read.error().describe();
    };
    EXPECT_EQ(faultsOf(Json::object()), "");
    Json lanes = Json::array({{{"name", "a"}, {"bounds", {"BT1"}}}});
    EXPECT_NE(faultsOf({{"lanes", lanes}}).find("not proven for one class"), std::string::npos);
    EXPECT_NE(faultsOf({{"path", {{"kind", "approximation"}}}}).find("not proven for one class"), std::string::npos);
    EXPECT_NE(faultsOf({{"path", {{"kind", "reference"}, {"values", std::vector<double>{0.5}}}}})
                  .find("no test that looks at another C"),
              std::string::npos);
    EXPECT_NE(faultsOf({{"problem", {{"folds", 3}}}}).find("problem.folds"), std::string::npos);
}

TEST(NoveltyLanes, TakeSharesBetweenZeroAndOne) {
    const auto pathOf = [](const Json& path) {
        Json document = documentWith(novelty());
        document["path"] = path;
        return document;
    };
    const auto faultOf = [&](const Json& path) {
        const auto read = validateExperiment(pathOf(path), catalog());
        return read ? std::string() : read.error().describe();
    };
    const auto list = [](const std::vector<double>& values) {
        return Json{{"kind", "list"}, {"unit", "nu"}, {"values", values}};
    };
    EXPECT_NE(faultOf(list({1.2, 0.5})).find("has ν = 1.2, but ν is a share"), std::string::npos);
    EXPECT_NE(faultOf(list({0.2, 0.5})).find("Give falling values of ν"), std::string::npos);
    EXPECT_NE(faultOf(list({0.5, 0})), "");
    EXPECT_NE(faultOf({{"kind", "grid"}, {"unit", "nu"}, {"start", 2}}).find("is ν = 2"), std::string::npos);
    Json classes = pathOf(list({0.5, 0.2}));
    classes["problem"]["task"] = "classification";
    const auto read = validateExperiment(classes, catalog());
    ASSERT_FALSE(read);
    EXPECT_NE(read.error().describe().find("is nu, which only one class has"), std::string::npos);

    EXPECT_EQ(faultOf(list({1, 0.5, 0.125})), "");
    const Prepared shares(pathOf(list({1, 0.5, 0.125})));
    const std::vector<double>& c = shares.problem->schedule();
    ASSERT_EQ(c.size(), 3U);
    EXPECT_DOUBLE_EQ(c[0], 1 / 160.0);
    EXPECT_DOUBLE_EQ(c[1], 1 / 80.0);
    EXPECT_DOUBLE_EQ(c[2], 1 / 20.0);
    const std::vector<double> axis = shares.problem->makeTask(0)->schedule();
    ASSERT_EQ(axis.size(), 3U); // ν itself
    EXPECT_DOUBLE_EQ(axis[0], 1);
    EXPECT_DOUBLE_EQ(axis[1], 0.5);
    EXPECT_DOUBLE_EQ(axis[2], 0.125);
}

} // namespace
} // namespace lambdascope::svm
