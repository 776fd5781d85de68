// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/numeric/ranking_measures.h"
#include "core/svm/family.h"
#include "core/svm/path/fold_paths.h"
#include "core/svm/problem/decision_functions.h"
#include "tests/core/svm/small_svms.h"
#include "tests/core/svm/svm_experiment.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace lambdascope::svm {
namespace {

constexpr std::int32_t kFolds = 4;

std::vector<KernelFunction> kernels() {
    KernelFunction linear;
    KernelFunction rbf;
    rbf.kind = KernelKind::Rbf;
    rbf.gamma = 0.4;
    return {linear, rbf};
}

/// What a problem of the other folds alone makes of the samples of each fold.
Eigen::VectorXd valuesOfReducedProblems(const SmallSvm& svm, const KernelFunction& kernel, double c,
                                        const std::vector<std::int32_t>& foldOf) {
    const Eigen::VectorXd& y = svm.problem->y();
    Eigen::VectorXd values(y.size());
    for (std::int32_t fold = 0; fold < kFolds; ++fold) {
        std::vector<Eigen::Index> in, out;
        for (Eigen::Index i = 0; i < y.size(); ++i) {
            (foldOf[static_cast<std::size_t>(i)] == fold ? out : in).push_back(i);
        }
        const FeatureRows::Dense x = svm.dense(in, Eigen::all);
        const auto reduced = svmOf(x, y(in), kernel);
        const SolvedSvm solved = solveAt(*reduced->problem, c, 1e-10).solved;
        const DecisionFunctions functions(kernel, x, solved.alpha.cwiseProduct(reduced->problem->y()));
        const FeatureRows::Dense places = svm.dense(out, Eigen::all);
        StopCheck never;
        values(out) = functions.values(places, never).col(0);
    }
    return values;
}

TEST(FoldPaths, MeasureWhatProblemsWithoutTheFoldGive) {
    for (const KernelFunction& kernel : kernels()) {
        for (const std::uint64_t seed : {1, 2}) {
            const auto svm = smallSvm({.name = "two", .rows = 60, .features = 3, .spread = 1.5}, kernel, seed);
            const std::vector<double> cs = {0.01, 0.2, 3};
            FoldPaths folds(*svm->problem, cs, kFolds, 1e-10, seed);
            const std::vector<std::int32_t> foldOf = dealtFolds(svm->problem->y(), kFolds, seed);
            for (std::int32_t p = 0; p < 3; ++p) {
                const Eigen::VectorXd f =
                    valuesOfReducedProblems(*svm, kernel, cs[static_cast<std::size_t>(p)], foldOf);
                const auto measures = folds.at(p, {});
                ASSERT_GT(f.cwiseAbs().minCoeff(), 1e-6); // else rounding could decide
                const double wrong = static_cast<double>((f.array() * svm->problem->y().array() <= 0).count());
                EXPECT_DOUBLE_EQ(measures[0], wrong / 60) << kernelName(kernel) << ' ' << p;
                EXPECT_NEAR(measures[1], areaUnderCurve(f, svm->problem->y()), 2e-3);
            }
        }
    }
}

TEST(FoldPaths, GiveTheSameWhoeverAsksFirstAndStopWhenAsked) {
    const auto svm = smallSvm({.name = "two", .rows = 50}, kernels()[1], 3);
    const std::vector<double> cs = {0.1, 1, 10};
    FoldPaths upwards(*svm->problem, cs, kFolds, 1e-6, 5);
    FoldPaths atOnce(*svm->problem, cs, kFolds, 1e-6, 5);
    const auto last = atOnce.at(2, {});
    std::stop_source stop;
    stop.request_stop();
    EXPECT_TRUE(std::isnan(upwards.at(0, stop.get_token())[0]));
    for (std::int32_t p = 0; p < 3; ++p) {
        EXPECT_EQ(upwards.at(p, {})[1], atOnce.at(p, {})[1]);
    }
    EXPECT_EQ(upwards.at(2, {})[0], last[0]);
}

TEST(FoldPaths, DealSamplesOutEvenlyAndMakeNoKernelRowsOfTheirOwn) {
    const auto svm = smallSvm({.name = "few", .rows = 43, .share = 0.3}, kernels()[1], 7);
    const std::vector<std::int32_t> foldOf = dealtFolds(svm->problem->y(), kFolds, 7);
    for (const double side : {1.0, -1.0}) {
        std::vector<int> counts(kFolds, 0);
        for (std::size_t i = 0; i < foldOf.size(); ++i) {
            counts[static_cast<std::size_t>(foldOf[i])] +=
                svm->problem->y()(static_cast<Eigen::Index>(i)) == side ? 1 : 0;
        }
        EXPECT_LE(*std::max_element(counts.begin(), counts.end()) - *std::min_element(counts.begin(), counts.end()), 1);
    }
    const std::int64_t made = svm->problem->rows().rowsMade();
    FoldPaths folds(*svm->problem, {1}, kFolds, 1e-6, 7);
    EXPECT_FALSE(std::isnan(folds.at(0, {})[0]));
    EXPECT_EQ(svm->problem->rows().rowsMade(), made);
}

TEST(FoldPaths, FillColumnsOfTheirOwnForAllLanesAlike) {
    const Prepared prepared(Json{{"problem", {{"folds", 3}}}, {"path", {{"max_c", 10}}}});
    const auto full = prepared.lensOf("Full");
    const auto screened = prepared.lensOf("Shrink+IT");
    const std::vector<ColumnDescription>& columns = full->lane().columns;
    for (std::size_t p = 0; p < full->path().size(); ++p) {
        const std::vector<double>& row = full->path()[p].values;
        ASSERT_EQ(row.size(), columns.size());
        const double error = row[placeOfColumn(columns, "cv_error")];
        EXPECT_TRUE(error >= 0 && error < 0.5) << error;
        EXPECT_GT(row[placeOfColumn(columns, "cv_auc")], 0.5);
        EXPECT_EQ(screened->path()[p].values[placeOfColumn(columns, "cv_error")], error);
    }
    const auto without = Prepared(Json{{"path", {{"max_c", 1}}}}).lensOf("Full");
    EXPECT_EQ(placeOfColumn(without->lane().columns, "cv_error"), without->lane().columns.size());
}

TEST(FoldPaths, TooManyOrOneAreRefused) {
    const auto one = validateExperiment(documentWith({{"problem", {{"folds", 1}}}}), catalog());
    ASSERT_FALSE(one);
    EXPECT_EQ(one.error().faults.at(0).key, "problem.folds");
    const auto many = validateExperiment(
        documentWith({{"problem", {{"folds", 90}}}, {"data", {{"source", "toy:svm-figure1?n=100"}}}}), catalog());
    ASSERT_TRUE(many);
    const auto data = loadDataset((*many)->data, {});
    const auto made = family().prepare(**many, *data, {}, {}, {});
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().faults.at(0).key, "problem.folds");
}

} // namespace
} // namespace lambdascope::svm
