// SPDX-License-Identifier: GPL-3.0-or-later
// SVMs with a free bias: gaps by definition, where paths begin, whole lanes.
#include "core/common/random_stream.h"
#include "core/svm/inspect/svm_lens.h"
#include "core/svm/solver/accurate_points.h"
#include "tests/core/svm/small_svms.h"
#include "tests/core/svm/svm_experiment.h"
#include "tests/support/lens_capability.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

namespace lambdascope::svm {
namespace {

class FreeBiasSolver : public ::testing::TestWithParam<std::size_t> {
  protected:
    [[nodiscard]] SmallShape shape() const { return allShapes(true)[GetParam()]; }
    int m_points = 0;
    int m_missed = 0;

    /// P(w(α), best b) − D(α) from its definition in extended precision, and P.
    struct Values {
        long double primal;
        long double gap;
    };
    static Values exactValues(const SmallSvm& svm, const KernelFunction& kernel, const SolvedSvm& solved) {
        const SvmProblem& problem = *svm.problem;
        const auto products = exactMargins(svm, kernel, solved.alpha);
        long double square = 0;
        long double sum = 0;
        for (SampleIndex i = 0; i < problem.size(); ++i) {
            square += solved.alpha(i) * products[static_cast<std::size_t>(i)];
            sum += problem.thresholds()(i) * solved.alpha(i);
        }
        const auto hinges = [&](long double b) {
            long double loss = 0;
            for (SampleIndex i = 0; i < problem.size(); ++i) {
                loss += problem.weights()(i) *
                        std::max(0.0L,
                                 problem.thresholds()(i) - products[static_cast<std::size_t>(i)] - problem.y()(i) * b);
            }
            return loss;
        };
        long double least = std::numeric_limits<long double>::infinity();
        for (SampleIndex i = 0; i < problem.size(); ++i) {
            least = std::min(
                least, hinges(problem.y()(i) * (problem.thresholds()(i) - products[static_cast<std::size_t>(i)])));
        }
        const long double primal = square / 2 + solved.c * least;
        return {primal, primal - (sum - square / 2)};
    }
};

TEST_P(FreeBiasSolver, DecidesByTheDistanceFromTheOptimumMoreThanByTheGapAndNothingFalse) {
    std::int64_t byGap = 0;
    std::int64_t byDistance = 0;
    for (const KernelFunction& kernel : smallKernels()) {
        const auto svm = smallSvm(shape(), kernel, 5);
        const SvmProblem& problem = *svm->problem;
        const double c = 20 * cMinOf(problem);
        const PointOutcome accurate = solveAt(problem, c, 1e-10);
        if (problem.productError() >= 1e-10 || accurate.termination != Termination::Converged) {
            continue; // rounding hides the optimum
        }
        const SolvedSvm rough = solveAt(problem, c, 1e-2).solved;
        StopCheck never;
        const auto space = makeSpace(problem);
        space->load(rough, c, never);
        const std::vector<BoundKind> gap = {BoundKind::Gap};
        PointScreening gapScreening(problem, gap);
        ScreeningReference reference = referenceAt(rough);
        (void)gapScreening.judge(reference, space->members());
        PointScreening screening(problem, gap);
        const std::int64_t found = screening.judgeByDistance(rough, accurate.solved, *space);
        EXPECT_EQ(found, screening.decided().sum());
        for (SampleIndex i = 0; i < problem.size(); ++i) {
            const double beyond = accurate.solved.marginOf(i, problem.y()(i)) - problem.thresholds()(i);
            const double rounding = 1e-9 * (problem.largestThreshold() + std::abs(accurate.solved.bias));
            const Decision decision = screening.decisions()[static_cast<std::size_t>(i)];
            EXPECT_TRUE(decision != Decision::Zero || beyond > -rounding) << i;
            EXPECT_TRUE(decision != Decision::Full || beyond < rounding) << i;
        }
        byGap += gapScreening.decided().sum();
        byDistance += screening.decided().sum();

        PointSettings settings;
        settings.bounds = gap;
        settings.knowsDistance = true;
        NullSink sink;
        RunContext context(RunId{0}, sink);
        for (const std::int64_t every : {0, 1}) {
            settings.screenEvery = every;
            const PointOutcome told =
                PointSolver(problem, settings).solve(c, bottomOf(problem), 0, context, &accurate.solved);
            EXPECT_EQ(told.termination, Termination::Converged);
            EXPECT_NEAR(told.primal.value, accurate.primal.value, 2e-6 * sizeOf(problem, accurate.solved));
            EXPECT_EQ(told.cpuScreen, 0);
        }
    }
    EXPECT_GE(byDistance, byGap);
}

TEST_P(FreeBiasSolver, TellsFromADrawWhatALaterLookIsLikelyToDecide) {
    SmallShape plain = shape(); // without a bias a look decides what its ball does
    plain.hasFreeBias = plain.isOneClass = false;
    for (const KernelFunction& kernel : smallKernels()) {
        const auto svm = smallSvm(plain, kernel, 6);
        const SvmProblem& problem = *svm->problem;
        if (problem.productError() >= 1e-10) {
            continue;
        }
        const SolvedSvm rough = solveAt(problem, 5 * cMinOf(problem), 1e-3).solved;
        StopCheck never;
        const auto space = makeSpace(problem);
        space->load(rough, rough.c, never);
        const std::vector<BoundKind> gap = {BoundKind::Gap};
        PointScreening screening(problem, gap);
        const auto likely = screening.likelyLater(*space, std::sqrt(rough.gap));
        ScreeningReference reference = referenceAt(rough);
        (void)screening.judge(reference, space->members());
        const auto truth = static_cast<double>(screening.decided().sum()) / problem.size();
        EXPECT_GT(likely.drawn, 0);
        const double draw = likely.drawn < problem.size() ? 0.25 : 1.5 / problem.size();
        EXPECT_NEAR(likely.share, truth, draw) << kernelName(kernel);
        const auto again = screening.likelyLater(*space, std::sqrt(rough.gap));
        EXPECT_LE(again.share * again.drawn, 1); // the same look is not likely to decide any more
    }
}

TEST_P(FreeBiasSolver, FindsTheBalanceWhereNoSampleIsBetweenItsBounds) {
    for (const KernelFunction& kernel : smallKernels()) {
        const auto svm = smallSvm(shape(), kernel, 7);
        const SvmProblem& problem = *svm->problem;
        const double c = 20 * cMinOf(problem);
        for (const std::uint64_t seed : {1, 2, 3}) {
            SolvedSvm start = bottomOf(problem);
            start.c = c;
            RandomStream random(seed, "bounds");
            for (SampleIndex i = 0; i < problem.size(); ++i) {
                start.alpha(i) = random.uniform() < 0.5 ? 0 : c * problem.weights()(i);
            }
            StopCheck never;
            const auto space = makeSpace(problem);
            space->load(start, c, never);
            std::vector<std::int32_t> visit(static_cast<std::size_t>(problem.size()));
            std::iota(visit.begin(), visit.end(), 0);
            (void)space->sweep(visit, ShrinkLimits(), random, never);
            const Eigen::VectorXd& alpha = space->alpha();
            EXPECT_LE(std::abs(imbalanceOf(problem, alpha)), 1e-12 * start.alpha.sum());
            EXPECT_GE(alpha.minCoeff(), 0);
            EXPECT_TRUE((alpha.array() <= c * problem.weights().array()).all());
        }
    }
}

TEST_P(FreeBiasSolver, ClosesTheGapByDefinition) {
    for (const KernelFunction& kernel : smallKernels()) {
        const auto svm = smallSvm(shape(), kernel, 3);
        const double scale = cMinOf(*svm->problem);
        SolvedSvm last = bottomOf(*svm->problem);
        for (const double factor : {1e-3, 0.5, 3.0, 100.0, 1e4, 1e6}) {
            SCOPED_TRACE(shape().name + ", " + kernelName(kernel) + ", " + std::to_string(factor));
            const PointOutcome outcome = solveAt(*svm->problem, factor * scale, 1e-7, &last);
            last = outcome.solved;
            // What the rounding of kernel values makes of margins that should be 1 cannot be told from a gap.
            const Eigen::VectorXd doubt = last.marginError * svm->problem->norms().array() +
                                          4 * kUnitRoundoff * (svm->problem->largestThreshold() + std::abs(last.bias));
            const double rounding = 2 * last.c * svm->problem->weights().dot(doubt);
            EXPECT_LE(last.gap, std::max(1e-7 * outcome.primal.value, rounding));
            EXPECT_TRUE(outcome.termination == Termination::Converged || rounding > 1e-8 * outcome.primal.value);
            const Values exact = exactValues(*svm, kernel, last);
            EXPECT_LE(static_cast<double>(exact.gap), last.gap + 1e-15 * std::abs(outcome.primal.value));
            EXPECT_NEAR(outcome.primal.value, static_cast<double>(exact.primal),
                        outcome.primal.error + 1e-12 * static_cast<double>(exact.primal) + 1e-300);
            const double length = last.alpha.sum();
            EXPECT_LE(std::abs(imbalanceOf(*svm->problem, last.alpha)), 1e-12 * length);
            EXPECT_GE(last.alpha.minCoeff(), 0);
            EXPECT_TRUE((last.alpha.array() <= last.c * svm->problem->weights().array()).all());
        }
    }
}

TEST_P(FreeBiasSolver, PathsBeginWhereTheSolutionLeavesProportionality) {
    for (const KernelFunction& kernel : smallKernels()) {
        const auto svm = smallSvm(shape(), kernel, 4);
        const SvmProblem& problem = *svm->problem;
        SCOPED_TRACE(shape().name + ", " + kernelName(kernel));
        NullSink sink;
        RunContext context(RunId{0}, sink);
        StopCheck never;
        const PathStart start = pathStart(problem, never, context);
        if (!std::isfinite(start.cMin)) {
            const SolvedSvm far = solveAt(problem, 1e3 * cMinOf(problem), 1e-9).solved;
            EXPECT_LE(far.squaredNorm.value, 1e-6 * far.c * far.hingeSum.value) << "w is not 0";
            continue;
        }
        const auto optimum = [&](double c) { return solveAt(problem, c, 1e-9, &start.solved).solved; };
        const double rate = std::sqrt(optimum(start.cMin).squaredNorm.value);
        EXPECT_NEAR(std::sqrt(optimum(0.3 * start.cMin).squaredNorm.value), 0.3 * rate, 1e-2 * rate);
        EXPECT_LT(std::sqrt(optimum(4 * start.cMin).squaredNorm.value), 3.99 * rate);
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, FreeBiasSolver, ::testing::Range<std::size_t>(0, allShapes(true).size()));

TEST_P(FreeBiasSolver, AccuratePointsKeepTheirPromiseByDefinition) {
    for (const KernelFunction& kernel : smallKernels()) {
        const auto svm = smallSvm(shape(), kernel, 7);
        AccuratePoints accurate(*svm->problem);
        const SolvedSvm bottom = bottomOf(*svm->problem);
        for (const double factor : {0.5, 100.0, 1e4}) {
            SCOPED_TRACE(shape().name + ", " + kernelName(kernel) + ", " + std::to_string(factor));
            const double c = factor * cMinOf(*svm->problem);
            const auto point = accurate.at(c, bottom, {});
            ASSERT_NE(point, nullptr);
            const double size = std::max(1.0, point->primal.value);
            m_missed += point->solved.gap <= AccuratePoints::kPromisedGap * size ? 0 : 1;
            ++m_points;
            if ((point->alphaLow.array() == 0).all()) {
                const Values exact = exactValues(*svm, kernel, point->solved);
                EXPECT_LE(static_cast<double>(exact.gap), point->solved.gap + 1e-15 * size);
            }
            // Wherever α was rounded, the optimum is no further than both solutions say.
            const SolvedSvm other = solveAt(*svm->problem, c, 1e-6).solved;
            EXPECT_LE(point->primal.lower() - point->solved.gap, primalValue(other).upper());
            EXPECT_GE(point->primal.upper(), primalValue(other).lower() - other.gap);
            const double product = other.alpha.dot(point->solved.margins);
            const double square = other.squaredNorm.value + point->solved.squaredNorm.value - 2 * product;
            const double rounding = other.squaredNorm.error + point->solved.squaredNorm.error +
                                    2 * point->solved.marginError * other.alpha.dot(svm->problem->norms()) +
                                    1e-13 * (other.squaredNorm.value + point->solved.squaredNorm.value);
            EXPECT_LE(std::sqrt(std::max(0.0, square - rounding)),
                      1.001 * (std::sqrt(other.gap) + std::sqrt(point->solved.gap)));
        }
    }
    EXPECT_LE(m_missed, m_points / 5);
}

Json freeBias(const char* kernel) {
    return {{"problem", {{"kernel", kernel}, {"intercept", "free"}, {"positive_weight", 2}, {"folds", 2}}},
            {"lanes",
             {{{"name", "Shrink"}},
              {{"name", "Full"}, {"shrink", false}},
              {{"name", "GAP"}, {"bounds", {"GAP"}}, {"schedule", "every"}},
              {{"name", "often"}, {"bounds", {"GAP"}}, {"shrink", false}, {"schedule", "every"}, {"every", 1}},
              {{"name", "oracle"}, {"oracle", "GAP"}}}}};
}

TEST(FreeBiasLanes, ReachTheSameOptimaAndTellTheBias) {
    for (const char* kernel : {"linear", "rbf", "polynomial"}) {
        const Prepared prepared(freeBias(kernel));
        const auto first = prepared.lensOf("Shrink");
        ASSERT_GT(first->path().size(), 4U);
        for (const std::string& name : prepared.experiment.laneNames) {
            SCOPED_TRACE(std::string(kernel) + ", " + name);
            const auto lens = prepared.lensOf(name);
            const LaneDescription description = lens->lane();
            const std::size_t bias = placeOfColumn(description.columns, "bias");
            double screened = 0;
            for (std::size_t p = 0; p < lens->path().size(); ++p) {
                const std::vector<double>& values = lens->path()[p].values;
                EXPECT_EQ(values.size(), description.columns.size());
                EXPECT_LE(values[5], 1e-6 * values[3]) << p;
                EXPECT_NEAR(values[3] / first->path()[p].values[3], 1, 2e-6) << p;
                EXPECT_TRUE(std::isfinite(values[bias]));
                screened += values[placeOfColumn(description.columns, "final_R")] +
                            values[placeOfColumn(description.columns, "final_L")];
            }
            const auto audit = as<DecisionAuditor>(*lens).audit(100, {}, {});
            ASSERT_TRUE(audit);
            EXPECT_EQ(audit->wrong, 0);
            EXPECT_EQ(static_cast<double>(audit->decisions), screened);
            EXPECT_EQ(screened > 0, name == "GAP" || name == "often" || name == "oracle");
        }
    }
}

TEST(FreeBiasLanes, AnOldBiasIsAFeatureAndNoneIsNone) {
    const auto biasOf = [](const Json& problem) {
        return Prepared(Json{{"problem", problem}}).problem->config().kernelFor(2).bias;
    };
    EXPECT_EQ(biasOf({{"bias", 0.5}}), 0.5);
    EXPECT_EQ(biasOf({{"bias", 0.5}, {"intercept", "feature"}}), 0.5);
    EXPECT_EQ(biasOf({{"bias", 0.5}, {"intercept", "none"}}), 0);
    EXPECT_EQ(biasOf(Json::object()), 0);
}

TEST(FreeBiasLanes, TranslatedDataOfALinearKernelMoveOnlyTheBias) {
    // f(x + t) = wᵀx + (b + wᵀt): a free bias takes any translation of the data, which a bias feature does not.
    const auto here = smallSvm({.name = "plain", .hasFreeBias = true}, {.kind = KernelKind::Linear}, 6);
    const auto there = smallSvm({.name = "plain", .offset = 3, .hasFreeBias = true}, {.kind = KernelKind::Linear}, 6);
    for (const double c : {0.01, 1.0, 100.0}) {
        const SolvedSvm first = solveAt(*here->problem, c, 1e-10).solved;
        const SolvedSvm second = solveAt(*there->problem, c, 1e-10).solved;
        EXPECT_NEAR(first.squaredNorm.value, second.squaredNorm.value, 1e-4 * first.squaredNorm.value) << c;
        const double moved = 3 * first.weights.sum();
        EXPECT_NEAR(second.bias, first.bias - moved, 1e-3 * (1 + std::abs(moved))) << c;
    }
}

TEST(FreeBiasLanes, RefuseWhatHasNoProof) {
    const auto faultsOf = [](const Json& lane) {
        Json document = documentWith({{"problem", {{"intercept", "free"}, {"kernel", "linear"}}}});
        document["lanes"] = Json::array();
        document["lanes"].push_back(lane);
        const auto read = validateExperiment(document, catalog());
        return read ? std::string() : read.error().describe();
    };
    EXPECT_EQ(faultsOf({{"name", "a"}}), "");
    EXPECT_EQ(faultsOf({{"name", "a"}, {"bounds", {"GAP"}}}), "");
    EXPECT_EQ(faultsOf({{"name", "a"}, {"bounds", {"BT1", "BT2", "IT", "GAP"}}}), "");
    EXPECT_NE(faultsOf({{"name", "a"}, {"bounds", {"GAP", "DT"}}}).find("not proven for a free bias"),
              std::string::npos);
    EXPECT_NE(faultsOf({{"name", "a"}, {"solver", {{"method", "liblinear"}}}}).find("no free bias"), std::string::npos);
}

TEST(FreeBiasLanes, ExplainADecisionByWhatBoundsTheBias) {
    const Prepared prepared(freeBias("rbf"));
    const auto lens = prepared.lensOf("often");
    int decided = 0;
    int tied = 0;
    for (std::int32_t point = 0; point < 3; ++point) {
        for (std::int64_t item = 0; item < 160; item += 2) {
            const auto why = as<ItemExplainer>(*lens).explain(item, point, {});
            ASSERT_TRUE(why);
            EXPECT_EQ(why->scale.quantity, "zᵀw + yb");
            if (why->set.empty()) {
                continue;
            }
            ++decided;
            ASSERT_EQ(why->used.size(), 1U);
            EXPECT_EQ(why->used[0].set, why->set);
            const std::string& inequality = why->used[0].inequality;
            const bool isTied = inequality.find(why->set == "R" ? " + yb > 1" : " + yb < 1") != std::string::npos;
            tied += isTied ? 1 : 0;
            EXPECT_TRUE(isTied || inequality.find(why->set == "R" ? "min yb > 1" : "max yb < 1") != std::string::npos)
                << inequality;
            EXPECT_GE(why->used[0].terms.size(), 5U);
            EXPECT_EQ(why->trueSet, why->set);
        }
    }
    EXPECT_GT(decided, 10);
    EXPECT_GT(tied, 5);
}

} // namespace
} // namespace lambdascope::svm
