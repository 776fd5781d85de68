// SPDX-License-Identifier: GPL-3.0-or-later
// Regression: both sides of a tube as samples with thresholds, from the solver to whole lanes.
#include "core/svm/inspect/svm_lens.h"
#include "core/svm/path/answer_measures.h"
#include "tests/core/svm/screening_at.h"
#include "tests/core/svm/small_svms.h"
#include "tests/core/svm/svm_experiment.h"
#include "tests/support/lens_capability.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lambdascope::svm {
namespace {

Json regression(const Json& problem = Json::object()) {
    Json document = {{"data", {{"source", "diabetes"}, {"scale", "standardize"}, {"subset", 0.5}}},
                     {"problem", {{"task", "regression"}, {"epsilon", 30}, {"kernel", "rbf"}, {"intercept", "free"}}},
                     {"path", {{"kind", "grid"}, {"ratio", 3}, {"max_c", 1000}}},
                     {"lanes",
                      {{{"name", "Shrink"}},
                       {{"name", "Full"}, {"shrink", false}},
                       {{"name", "GAP"}, {"bounds", {"GAP"}}, {"schedule", "every"}, {"every", 1}},
                       {{"name", "often"}, {"bounds", {"GAP"}}, {"shrink", false}, {"schedule", "every"}, {"every", 1}},
                       {{"name", "oracle"}, {"oracle", "GAP"}}}}};
    document["problem"].mergePatch(problem);
    return document;
}

/// C Σ ω max(0, |target − f| − ε) + ½‖w‖², from its definition.
double tubeValue(const SmallSvm& svm, const KernelFunction& kernel, const SolvedSvm& solved) {
    const SvmProblem& problem = *svm.problem;
    const auto margins = exactMargins(svm, kernel, solved.alpha);
    const SampleIndex n = problem.rowCount();
    long double value = 0;
    for (SampleIndex i = 0; i < problem.size(); ++i) {
        value += 0.5L * solved.alpha(i) * margins[static_cast<std::size_t>(i)];
    }
    for (SampleIndex i = 0; i < n; ++i) {
        const double above = problem.thresholds()(i);      // target − ε
        const double below = -problem.thresholds()(i + n); // target + ε
        const long double target = 0.5L * (above + below);
        const long double epsilon = 0.5L * (below - above);
        const long double f = margins[static_cast<std::size_t>(i)] + solved.bias;
        value += solved.c * problem.weights()(i) * std::max(0.0L, std::abs(target - f) - epsilon);
    }
    return static_cast<double>(value);
}

TEST(Regression, IsTheTubeProblemByDefinition) {
    for (const bool hasFreeBias : {false, true}) {
        for (SmallShape shape : tubeShapes()) {
            shape.hasFreeBias = hasFreeBias;
            for (const KernelFunction& kernel : smallKernels()) {
                SCOPED_TRACE(shape.name + ", " + kernelName(kernel) + (hasFreeBias ? ", free" : ""));
                const auto svm = smallSvm(shape, kernel, 11);
                const SvmProblem& problem = *svm->problem;
                SolvedSvm last = bottomOf(problem);
                for (const double factor : {0.1, 3.0, 100.0}) {
                    const PointOutcome outcome = solveAt(problem, factor * cMinOf(problem), 1e-8, &last);
                    last = outcome.solved;
                    const double value = tubeValue(*svm, kernel, last);
                    EXPECT_NEAR(outcome.primal.value, value, outcome.primal.error + 1e-11 * std::abs(value) + 1e-300);
                    // No row is pulled at from both sides, where the tube has any width.
                    for (SampleIndex i = 0; shape.epsilon > 0.1 && i < problem.rowCount(); ++i) {
                        EXPECT_TRUE(last.alpha(i) == 0 || last.alpha(i + problem.rowCount()) == 0) << i;
                    }
                }
            }
        }
    }
}

TEST(Regression, ATubeRoundAllTargetsScreensEverySide) {
    for (const bool hasFreeBias : {false, true}) {
        for (const KernelFunction& kernel : smallKernels()) {
            const auto svm =
                smallSvm({.name = "tube", .hasFreeBias = hasFreeBias, .isTube = true, .epsilon = 10}, kernel, 3);
            const SvmProblem& problem = *svm->problem;
            PointSettings settings;
            settings.bounds = {BoundKind::Gap};
            PointSolver solver(problem, settings);
            NullSink sink;
            RunContext context(RunId{0}, sink);
            const PointOutcome outcome = solver.solve(7, bottomOf(problem), 0, context);
            // A free bias is known as one at which some side lies on the edge of the tube.
            EXPECT_GE(outcome.pathScreened.zero, problem.size() - (hasFreeBias ? 1 : 0)) << kernelName(kernel);
            EXPECT_EQ(outcome.solved.alpha.maxCoeff(), 0);
            EXPECT_EQ(outcome.primal.value, 0);
            EXPECT_EQ(outcome.termination, Termination::Converged);
            StopCheck never;
            EXPECT_TRUE(std::isinf(pathStart(problem, never, context).cMin));
        }
    }
}

TEST(Regression, BallsAndBracketsThatAreTooSmallMiss) {
    StopCheck never;
    NullSink sink;
    RunContext context(RunId{0}, sink);
    int wrong = 0;
    int right = 0;
    for (const SmallShape& shape : allShapes(true)) {
        if (!shape.isTube) {
            continue;
        }
        for (const KernelFunction& kernel : smallKernels()) {
            const auto svm = smallSvm(shape, kernel, 21);
            const SvmProblem& problem = *svm->problem;
            std::vector<SampleIndex> all(static_cast<std::size_t>(problem.size()));
            std::iota(all.begin(), all.end(), SampleIndex{0});
            for (const double factor : {1.0, 30.0}) {
                const double c = factor * cMinOf(problem);
                const SolvedSvm tight = solveAt(problem, c, 1e-11).solved;
                const SolvedSvm loose = solveAt(problem, c, 0.1).solved;
                for (const bool isBroken : {false, true}) {
                    ScreeningReference from = referenceAt(loose);
                    from.gap *= isBroken ? 1e-4 : 1; // a hundredth of the radius
                    bracketBiases(problem, {}, from);
                    const auto region = makeRegion(BoundKind::Gap, problem, from);
                    ASSERT_NE(region, nullptr);
                    std::vector<Decision> decisions(all.size());
                    region->judge(all, decisions);
                    for (const SampleIndex i : all) {
                        const Decision decision = decisions[static_cast<std::size_t>(i)];
                        const double excess = tight.marginOf(i, problem.y()(i)) - problem.thresholds()(i);
                        const double slack = decision == Decision::Zero ? excess : -excess;
                        const bool isMiss = decision != Decision::Keep && slack < -1e-3 * problem.largestThreshold();
                        (isBroken ? wrong : right) += isMiss ? 1 : 0;
                    }
                }
            }
        }
    }
    EXPECT_EQ(right, 0);
    EXPECT_GT(wrong, 8);
}

TEST(RegressionLanes, ReachTheSameOptimaMeasureAndAuditNothingWrong) {
    for (const Json& problem : {Json{{"kernel", "rbf"}}, Json{{"kernel", "linear"}}, Json{{"epsilon", 0}},
                                Json{{"kernel", "polynomial"}, {"folds", 3}}}) {
        const Prepared prepared(regression(problem));
        const auto first = prepared.lensOf("Shrink");
        ASSERT_GT(first->path().size(), 4U);
        for (const std::string& name : prepared.experiment.laneNames) {
            SCOPED_TRACE(problem.dump() + ", " + name);
            const auto lens = prepared.lensOf(name);
            const LaneDescription description = lens->lane();
            EXPECT_EQ(description.itemNoun, "sides of the tube");
            EXPECT_TRUE(description.hasPlane);
            const auto at = [&](const char* key) { return placeOfColumn(description.columns, key); };
            for (std::size_t p = 0; p < lens->path().size(); ++p) {
                const std::vector<double>& values = lens->path()[p].values;
                ASSERT_EQ(values.size(), description.columns.size());
                EXPECT_NEAR(values[at("primal")] / first->path()[p].values[at("primal")], 1, 2e-6) << p;
                EXPECT_EQ(values[at("n_items")], 2 * prepared.problem->problem().rowCount());
                EXPECT_TRUE(values[at("bias")] > 50 && values[at("bias")] < 300) << values[at("bias")];
                EXPECT_GT(values[at("test_mse")], 0);
                EXPECT_LE(values[at("test_mae")], std::sqrt(values[at("test_mse")]) * (1 + 1e-12));
                EXPECT_LT(values[at("r2")], 1);
                if (prepared.problem->config().folds > 0) {
                    EXPECT_GT(values[at("cv_mse")], 0);
                }
            }
            const auto audit = as<DecisionAuditor>(*lens).audit(0, {}, {});
            ASSERT_TRUE(audit) << audit.error().describe();
            EXPECT_EQ(audit->wrong, 0);
            EXPECT_EQ(audit->decisions > 0, !description.isBaseline || name == "oracle");
        }
    }
}

TEST(RegressionLanes, WithoutAFreeBiasAllTestsOfClassesDecide) {
    for (const char* kernel : {"linear", "rbf"}) {
        Json document = regression({{"kernel", kernel}, {"intercept", "feature"}, {"bias", 1}});
        document["lanes"] = {{{"name", "BT1"}, {"bounds", {"BT1"}}, {"schedule", "every"}},
                             {{"name", "BT2"}, {"bounds", {"BT2"}}, {"schedule", "every"}},
                             {{"name", "IT+GAP"}, {"bounds", {"IT", "GAP"}}, {"schedule", "every"}},
                             {{"name", "DT"}, {"bounds", {"DT"}}, {"schedule", "every"}}};
        const Prepared prepared(document);
        for (const std::string& name : prepared.experiment.laneNames) {
            const auto lens = prepared.lensOf(name);
            const auto audit = as<DecisionAuditor>(*lens).audit(0, {}, {});
            ASSERT_TRUE(audit) << audit.error().describe();
            EXPECT_EQ(audit->wrong, 0) << kernel << ' ' << name;
            EXPECT_GT(audit->decisions, 300) << kernel << ' ' << name;
        }
    }
}

TEST(RegressionLanes, TellOfASideWhatDecidesIt) {
    const Prepared prepared(regression());
    const auto lens = prepared.lensOf("GAP");
    auto& explainer = as<ItemExplainer>(*lens);
    const SampleIndex n = prepared.problem->problem().rowCount();
    const auto last = static_cast<std::int32_t>(lens->path().size()) - 1;
    const auto both = explainer.itemsOfSample(5, last, 10, {});
    ASSERT_TRUE(both);
    ASSERT_EQ(both->size(), 2U);
    EXPECT_EQ((*both)[0].item, 5);
    EXPECT_EQ((*both)[1].item, n + 5);
    EXPECT_EQ((*both)[0].title, "side of row 5 above the tube");
    EXPECT_EQ((*both)[1].title, "side of row 5 below the tube");
    int decided = 0;
    for (std::int64_t item = 0; item < 2 * n; item += 17) {
        const auto why = explainer.explain(item, last - 2, {});
        ASSERT_TRUE(why) << why.error().describe();
        // Of f and of the target themselves, whatever was taken off them to solve the problem.
        const double target = prepared.problem->targets()(item % n);
        const double edge = item < n ? target - 30 : target + 30;
        ASSERT_EQ(why->scale.edges.size(), 1U);
        EXPECT_NEAR(why->scale.edges[0].value, edge, 1e-9);
        const bool isAbove = *why->scale.atSolution > edge;
        EXPECT_TRUE(why->trueSet == "E" || why->scale.sets[isAbove ? 1 : 0].starts_with(why->trueSet + ": ")) << item;
        // f above y + ε is a target below the tube, f below y − ε one above it.
        EXPECT_EQ(why->scale.sets, item < n ? (std::vector<std::string>{"L: above", "R: not above"})
                                            : (std::vector<std::string>{"R: not below", "L: below"}));
        for (const auto* decisions : {&why->used, &why->rivals}) { // y is the target, and nothing else
            for (const BoundDecision& decision : *decisions) {
                EXPECT_EQ(decision.inequality.find("yb"), std::string::npos) << decision.inequality;
                const auto& terms = decision.terms;
                EXPECT_EQ(std::count_if(terms.begin(), terms.end(), [](auto& term) { return term.symbol == "y"; }), 0);
                const auto side = std::find_if(terms.begin(), terms.end(), [](auto& t) { return t.symbol == "s"; });
                ASSERT_NE(side, terms.end());
                EXPECT_EQ(side->value, item < n ? 1 : -1);
            }
        }
        const auto other = explainer.explain((item + n) % (2 * n), last - 2, {});
        ASSERT_TRUE(other);
        EXPECT_NEAR(*other->scale.atSolution, *why->scale.atSolution, 1e-6) << "f is one, whichever side asks";
        EXPECT_NE(other->scale.sets, why->scale.sets);
        if (!why->set.empty()) {
            ++decided;
            const BoundDecision& used = why->used.at(0);
            EXPECT_NEAR(used.threshold, edge, 1e-9);
            const bool saysAbove = used.inequality.find('>') != std::string::npos;
            EXPECT_EQ(saysAbove, (why->set == "R") == (item < n)) << used.inequality;
            EXPECT_TRUE(saysAbove ? used.left > edge : used.left < edge);
            EXPECT_TRUE(used.values->low <= *why->scale.atSolution && *why->scale.atSolution <= used.values->high);
            EXPECT_EQ(why->trueSet, why->set);
        }
    }
    EXPECT_GT(decided, 0);
}

TEST(RegressionMeasures, AreTheirDefinitions) {
    const Eigen::VectorXd targets = (Eigen::VectorXd(4) << 1, 2, 3, 6).finished();
    const Eigen::VectorXd f = (Eigen::VectorXd(4) << 1, 1, 5, 6).finished();
    const auto plain = measureAnswers(TaskKind::Regression, f, targets);
    EXPECT_DOUBLE_EQ(plain[0], 5.0 / 4);
    EXPECT_DOUBLE_EQ(plain[1], 3.0 / 4);
    EXPECT_DOUBLE_EQ(plain[2], 1 - 5.0 / 14);
    const auto weighted =
        measureAnswers(TaskKind::Regression, f, targets, (Eigen::VectorXd(4) << 1, 2, 0, 1).finished());
    EXPECT_DOUBLE_EQ(weighted[0], 0.5);
    EXPECT_DOUBLE_EQ(weighted[1], 0.5);
    EXPECT_TRUE(std::isnan(measureAnswers(TaskKind::Regression, f, Eigen::VectorXd::Ones(4))[2]));
}

TEST(RegressionExperiments, SayWhatIsWrongWithThem) {
    const auto faultsOf = [](const Json& overlay) {
        const auto read = validateExperiment(documentWith(overlay), catalog());
        if (!read) {
            return read.error().describe();
        }
        const auto data = loadDataset((*read)->data, {});
        if (!data) {
            return data.error().describe();
        }
        const auto made = family().prepare(**read, *data, {}, {}, {});
        return made ? std::string() : made.error().describe();
    };
    const auto with = [](const Json& problem, const Json& data = Json::object()) {
        Json document = regression(problem);
        document["data"].mergePatch(data);
        document["lanes"] = Json::array({{{"name", "GAP"}, {"bounds", {"GAP"}}, {"schedule", "every"}}});
        return document;
    };
    EXPECT_EQ(faultsOf(with(Json::object())), "");
    EXPECT_EQ(faultsOf(with({{"epsilon", 0.1}}, {{"source", "toy:svm-figure1?n=50"}})), ""); // labels that are numbers
    EXPECT_NE(faultsOf(with(Json::object(), {{"source", "iris"}})).find("labels are words"), std::string::npos);
    EXPECT_NE(faultsOf(with(Json::object(), {{"source", "toy:ordinal-gaussian"}})).find("data.target"),
              std::string::npos);
    EXPECT_NE(faultsOf(with({{"epsilon", 500}})).find("a constant fits best at every C"), std::string::npos);
    Json library = with({{"intercept", "feature"}, {"kernel", "linear"}});
    library["lanes"] = Json::array({{{"name", "a"}, {"solver", {{"method", "liblinear"}}}}});
    EXPECT_NE(faultsOf(library).find("called for classification only"), std::string::npos);
    Json sequential = with(Json::object());
    sequential["lanes"] = Json::array({{{"name", "a"}, {"bounds", {"DT"}}}});
    EXPECT_NE(faultsOf(sequential).find("not proven for a free bias"), std::string::npos);
}

} // namespace
} // namespace lambdascope::svm
