// SPDX-License-Identifier: GPL-3.0-or-later
// A weight is worth as many copies of a sample; a weight of 0 is worth none.
#include "core/inspect/audit_report.h"
#include "core/svm/inspect/libsvm_model.h"
#include "core/svm/path/answer_measures.h"
#include "core/svm/problem/sample_weights.h"
#include "tests/core/store/scratch_folder.h"
#include "tests/core/svm/small_svms.h"
#include "tests/core/svm/svm_experiment.h"
#include "tests/support/lens_capability.h"

#include <cmath>

namespace lambdascope::svm {
namespace {

/// A problem with weights 0 … 3, and the same with copies in place of weights.
struct WeightsAndCopies {
    WeightsAndCopies(const KernelFunction& kernel, std::uint64_t seed) {
        const auto plain = smallSvm({.name = "weighed", .rows = 60}, kernel, seed);
        const Eigen::VectorXd& y = plain->problem->y();
        Eigen::VectorXd weights(y.size());
        for (Eigen::Index i = 0; i < y.size(); ++i) {
            weights(i) = static_cast<double>((i * 7 + 2) % 4);
            for (int copy = 0; copy < static_cast<int>(weights(i)); ++copy) {
                originals.push_back(static_cast<SampleIndex>(i));
            }
        }
        weighted = svmOf(plain->dense, y, kernel, weights);
        copied = svmOf(plain->dense(originals, Eigen::all), y(originals), kernel);
    }
    std::vector<SampleIndex> originals; ///< of each copy
    std::unique_ptr<SmallSvm> weighted;
    std::unique_ptr<SmallSvm> copied;
};

TEST(SampleWeights, AreWorthAsManyCopies) {
    for (const KernelFunction& kernel : smallKernels()) {
        if (kernel.kind == KernelKind::Precomputed) {
            continue; // its rows are the samples
        }
        const WeightsAndCopies both(kernel, 5);
        const SvmProblem& weighted = *both.weighted->problem;
        const SvmProblem& copied = *both.copied->problem;
        const double least = cMinOf(weighted);
        EXPECT_NEAR(least / cMinOf(copied), 1, 1e-9) << kernelName(kernel);
        for (const double factor : {1.0, 5.0, 80.0}) {
            const PointOutcome a = solveAt(weighted, factor * least, 1e-9);
            const PointOutcome b = solveAt(copied, factor * least, 1e-9);
            const double doubt = a.solved.gap + b.solved.gap + a.dual.error + b.dual.error;
            EXPECT_NEAR(a.dual.value, b.dual.value, doubt) << kernelName(kernel) << " " << factor;
            for (std::size_t k = 0; k < both.originals.size(); ++k) {
                const SampleIndex i = both.originals[k];
                const double reach =
                    std::sqrt(a.solved.gap) + std::sqrt(b.solved.gap) + a.solved.marginError + b.solved.marginError;
                EXPECT_NEAR(a.solved.margins(i), b.solved.margins(static_cast<Eigen::Index>(k)),
                            1.001 * reach * weighted.norms()(i));
            }
        }
    }
}

TEST(SampleWeights, OfZeroDoNotHoldCMinDown) {
    const FeatureRows::Dense x = (FeatureRows::Dense(3, 1) << 1, -1, 5).finished();
    const Eigen::VectorXd y = (Eigen::VectorXd(3) << 1, -1, 1).finished();
    const auto svm = svmOf(x, y, {}, (Eigen::VectorXd(3) << 1, 1, 0).finished());
    EXPECT_NEAR(cMinOf(*svm->problem), 0.5, 1e-12); // w = 2 at C = 1; the third sample has margin 10 and no bound
}

TEST(SampleWeights, ScreenWhatIsDecidedForTheirCopiesToo) {
    struct Decisions final : ScreeningObserver {
        void checked(const ScreeningCheck& check) override {
            decisions.assign(check.decisions.begin(), check.decisions.end());
        }
        std::vector<Decision> decisions;
    };
    std::int64_t decided = 0;
    for (const BoundKind bound : allBounds()) {
        const WeightsAndCopies both({.kind = KernelKind::Rbf, .gamma = 0.5}, 6);
        const SvmProblem& weighted = *both.weighted->problem;
        PointSettings settings;
        settings.bounds = {bound};
        settings.screenEvery = 2;
        PointSolver solver(weighted, settings);
        Decisions observer;
        solver.observe(&observer);
        NullSink sink;
        RunContext context(RunId{0}, sink);
        SolvedSvm last = bottomOf(weighted);
        for (double c = cMinOf(weighted); c < 200 * cMinOf(weighted); c *= 1.3) {
            last = solver.solve(c, last, 0, context).solved;
            const SolvedSvm truth = solveAt(*both.copied->problem, c, 1e-11).solved;
            for (std::size_t k = 0; k < both.originals.size(); ++k) {
                const Decision decision = observer.decisions.at(static_cast<std::size_t>(both.originals[k]));
                const auto at = static_cast<Eigen::Index>(k);
                const double doubt = 1.001 * (std::sqrt(truth.gap) + truth.marginError) * weighted.norms()(0) * 2;
                decided += decision != Decision::Keep ? 1 : 0;
                if (decision == Decision::Zero) {
                    EXPECT_GE(truth.margins(at), 1 - doubt) << boundName(bound);
                } else if (decision == Decision::Full) {
                    EXPECT_LE(truth.margins(at), 1 + doubt) << boundName(bound);
                }
            }
        }
    }
    EXPECT_GT(decided, 1000);
}

TEST(SampleWeights, CountInErrors) {
    const Eigen::VectorXd y = (Eigen::VectorXd(4) << 1, 1, -1, -1).finished();
    const Eigen::VectorXd scores = (Eigen::VectorXd(4) << 2, -1, 1, -2).finished();
    const Eigen::VectorXd weights = (Eigen::VectorXd(4) << 3, 1, 2, 0).finished();
    const auto errorWith = [&](const Eigen::VectorXd& w) {
        return measureAnswers(TaskKind::Classification, scores, y, w).front();
    };
    EXPECT_DOUBLE_EQ(errorWith({}), 0.5);
    EXPECT_DOUBLE_EQ(errorWith(weights), 0.5);
    EXPECT_DOUBLE_EQ(errorWith((Eigen::VectorXd(4) << 3, 1, 0, 1).finished()), 0.2);
}

class SampleWeightsFile : public testing_support::ScratchFolder {
  protected:
    static constexpr int kRows = 40;

    static Json overlay(const std::string& file) {
        return {{"data", {{"source", "toy:svm-figure1?n=40"}, {"subset", 1}}}, {"problem", {{"weights", file}}}};
    }
    std::string fileOf(const std::string& text) {
        write(scratch("weights.txt"), text);
        return scratch("weights.txt").string();
    }
    static std::string numbers(int count, const char* number = "1") {
        std::string text;
        for (int i = 0; i < count; ++i) {
            text += std::string(number) + "\n";
        }
        return text;
    }
    /// The faults of reading a text as weights of kRows rows.
    std::vector<Fault> faultsOf(const std::string& text) {
        const auto read = readSampleWeights(fileOf(text), kRows, {}, {});
        EXPECT_FALSE(read) << text;
        return read ? std::vector<Fault>() : read.error().faults;
    }
};

TEST_F(SampleWeightsFile, ReachesSolverFoldsAndExport) {
    std::string text = "# one per row\n";
    for (int i = 0; i < kRows; ++i) {
        text += std::to_string(i % 3) + " # of row " + std::to_string(i) + "\n\n";
    }
    Json more = overlay(fileOf(text));
    more["problem"]["folds"] = 3;
    more["problem"]["positive_weight"] = 2;
    const Prepared prepared(more);
    const SvmProblem& problem = prepared.problem->problem();
    for (SampleIndex i = 0; i < problem.size(); ++i) {
        EXPECT_EQ(problem.weights()(i), (i % 3) * (problem.y()(i) > 0 ? 2 : 1));
    }
    EXPECT_EQ(prepared.problem->facts().at("left_out"), 14);
    const auto lens = prepared.lensOf("Shrink+IT");
    const auto error = lens->path().back().values[placeOfColumn(lens->lane().columns, "cv_error")];
    EXPECT_TRUE(error >= 0 && error <= 1) << error;
    NullSink sink;
    RunContext context(RunId{0}, sink);
    PointSolver solver(problem, {});
    const SolvedSvm solved = solver.solve(5, prepared.problem->bottom(), 0, context).solved;
    const auto model = libsvmModel(*prepared.problem, solved);
    ASSERT_TRUE(model);
    StopCheck never;
    const Eigen::VectorXd values = model->values(prepared.problem->data(), never);
    for (SampleIndex i = 0; i < problem.size(); ++i) {
        EXPECT_NEAR(problem.y()(i) * values(i), solved.margins(i), 1e-9);
        EXPECT_TRUE(problem.weights()(i) > 0 || solved.alpha(i) == 0);
    }
}

TEST_F(SampleWeightsFile, WeighedPathsPassTheirAudit) {
    std::string text;
    for (int i = 0; i < kRows; ++i) {
        text += std::to_string(0.5 * (i % 5)) + "\n";
    }
    for (const char* kernel : {"linear", "rbf"}) {
        Json more = overlay(fileOf(text));
        more["problem"]["kernel"] = kernel;
        more["problem"]["negative_weight"] = 3;
        const Prepared prepared(more);
        for (const char* lane : {"BT1", "Shrink+IT", "Shrink+IT+GAP"}) {
            const auto report = as<DecisionAuditor>(*prepared.lensOf(lane)).audit(0, {}, {});
            ASSERT_TRUE(report) << kernel << ", " << lane;
            EXPECT_EQ(report->wrong, 0) << kernel << ", " << lane;
            EXPECT_GT(report->decisions, 20) << kernel << ", " << lane;
            EXPECT_LE(report->largestGap, 1e-9);
        }
    }
}

TEST_F(SampleWeightsFile, IsRefusedWithWhatToDo) {
    EXPECT_NE(faultsOf(numbers(39)).at(0).message.find("39 weights, but the data have 40 rows"), std::string::npos);
    EXPECT_NE(faultsOf(numbers(41)).at(0).message.find("more than 40"), std::string::npos);
    EXPECT_NE(faultsOf("").at(0).message.find("0 weights"), std::string::npos);
    EXPECT_NE(faultsOf(numbers(40, "0")).at(0).message.find("all weights are 0"), std::string::npos);
    const auto faults = faultsOf("1\n-2\nnan\ninf\ntwo\n1 3\n" + numbers(34));
    ASSERT_EQ(faults.size(), 5u);
    for (std::size_t f = 0; f < faults.size(); ++f) {
        EXPECT_EQ(faults[f].place.line, f + 2) << faults[f].message;
        EXPECT_FALSE(faults[f].remedy.empty());
    }
    EXPECT_FALSE(readSampleWeights(scratch("none.txt"), kRows, {}, {}));
}

TEST_F(SampleWeightsFile, NeedsWeightInEitherClass) {
    const auto labels = [] {
        const Prepared prepared(Json{{"data", {{"source", "toy:svm-figure1?n=40"}, {"subset", 1}}}});
        return prepared.problem->problem().y();
    }();
    std::string text;
    for (Eigen::Index i = 0; i < labels.size(); ++i) {
        text += labels(i) > 0 ? "0\n" : "1\n";
    }
    const auto experiment = validateExperiment(documentWith(overlay(fileOf(text))), catalog());
    ASSERT_TRUE(experiment);
    const auto data = loadDataset((*experiment)->data, {});
    const auto made = family().prepare(**experiment, *data, {}, {}, {});
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().faults.at(0).key, "problem.weights");
}

TEST_F(SampleWeightsFile, GoesWithAllRowsAndOwnSolverOnly) {
    Json document = overlay(fileOf(numbers(kRows)));
    document["data"]["subset"] = 0.5;
    document["data"]["missing"] = "drop-rows";
    document["problem"]["kernel"] = "linear";
    document["lanes"] = Json::array({{{"name", "library"}, {"solver", {{"method", "liblinear"}}}}});
    const auto refused = validateExperiment(documentWith(document), catalog());
    ASSERT_FALSE(refused);
    std::vector<std::string> keys;
    for (const Fault& fault : refused.error().faults) {
        keys.push_back(fault.key);
    }
    EXPECT_EQ(keys, (std::vector<std::string>{"data.subset", "data.missing", "lanes[0].solver.method"}));
}

} // namespace
} // namespace lambdascope::svm
