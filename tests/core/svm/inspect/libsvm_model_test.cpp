// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/inspect/libsvm_model.h"
#include "core/svm/inspect/svm_lens.h"
#include "core/svm/path/svm_task.h"
#include "core/svm/problem/feature_vector_products.h"
#include "tests/core/svm/svm_experiment.h"
#include "tests/support/lens_capability.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#ifdef LAMBDASCOPE_HAS_LIBSVM
#include <libsvm/svm.h>
#endif

namespace lambdascope::svm {
namespace {

std::vector<Json> modelCases() {
    return {
        {{"problem", {{"kernel", "linear"}}}},
        {{"problem", {{"kernel", "linear"}, {"bias", 2}}}},
        {{"problem", {{"kernel", "rbf"}, {"bias", 0.5}}}},
        {{"problem", {{"kernel", "polynomial"}, {"degree", 3}, {"offset", 0.5}}}},
        {{"problem", {{"kernel", "rbf"}, {"intercept", "free"}}}, {"lanes", {{{"name", "Shrink+IT"}}}}},
        {{"problem", {{"kernel", "linear"}, {"intercept", "free"}, {"bias", 2}}}, {"lanes", {{{"name", "Shrink+IT"}}}}},
        {{"data", {{"source", "wine"}, {"scale", "minmax"}}},
         {"problem", {{"kernel", "rbf"}, {"positive", "class_1"}}}},
        {{"data", {{"source", "diabetes"}, {"scale", "minmax"}}},
         {"problem", {{"task", "regression"}, {"epsilon", 20}, {"kernel", "rbf"}, {"intercept", "free"}}},
         {"lanes", {{{"name", "Shrink+IT"}}}}},
        {{"data", {{"source", "wine"}, {"scale", "minmax"}}},
         {"problem", {{"task", "novelty"}, {"kernel", "rbf"}}},
         {"path", {{"ratio", 2}}},
         {"lanes", {{{"name", "Shrink+IT"}}}}},
        {{"data", {{"source", "toy:sine?n=80"}}},
         {"problem", {{"task", "regression"}, {"kernel", "linear"}, {"bias", 2}}},
         {"path", {{"ratio", 2}}}}};
}

class LibsvmModels : public ::testing::TestWithParam<std::size_t> {
  protected:
    LibsvmModels() : prepared(modelCases()[GetParam()]), lens(prepared.lensOf("Shrink+IT")) {
        const auto written = as<ModelExporter>(*lens).exportModel(kPoint, {});
        EXPECT_TRUE(written) << (written ? "" : written.error().describe());
        text = written.value_or("");
    }
    /// f of the training rows as the solver has it.
    Eigen::VectorXd expected() const {
        const auto task = prepared.problem->makeTask(prepared.lane("Shrink+IT"));
        NullSink sink;
        RunContext context(RunId{0}, sink, {}, nullptr, {}, prepared.problem->seed());
        std::shared_ptr<const WarmStart> last;
        for (std::int32_t p = 0; p <= kPoint; ++p) {
            last = task->solvePoint({p, task->schedule()[static_cast<std::size_t>(p)]}, last, context)->warmStart;
        }
        const SolvedSvm& solved = dynamic_cast<const SvmWarmStart&>(*last).solution();
        const SvmProblem& problem = prepared.problem->problem();
        const double unit = problem.balance() != 0 ? solved.c : 1; // LIBSVM's scale
        return (problem.y().cwiseProduct(solved.margins).head(problem.rowCount()).array() + solved.bias) / unit +
               prepared.problem->targetMean();
    }
    static constexpr std::int32_t kPoint = 2;
    Prepared prepared;
    std::unique_ptr<RunLens> lens;
    std::string text;
};

TEST_P(LibsvmModels, PredictWhatTheSolverFoundWhenReadBack) {
    const auto model = readLibsvmModel(text, "m");
    ASSERT_TRUE(model) << model.error().describe();
    StopCheck never;
    const Eigen::VectorXd f = model->values(prepared.problem->data(), never);
    const Eigen::VectorXd should = expected();
    EXPECT_LE((f - should).cwiseAbs().maxCoeff(), 1e-9 * (1 + should.cwiseAbs().maxCoeff()));
    EXPECT_EQ(writeLibsvmModel(*model), text);
    const bool hasConstant = prepared.problem->config().bias > 0 || prepared.problem->config().hasFreeBias();
    EXPECT_EQ(model->rho != 0, hasConstant);
    EXPECT_EQ(model->task, prepared.problem->config().task);
    if (model->task != TaskKind::Classification) {
        EXPECT_TRUE((model->coefficients.array() != 0).all());
        return;
    }
    EXPECT_EQ(model->counts[0] + model->counts[1], model->coefficients.size());
    EXPECT_GT(model->coefficients.head(model->counts[0]).minCoeff(), 0);
    EXPECT_LT(model->coefficients.tail(model->counts[1]).maxCoeff(), 0);
}

#ifdef LAMBDASCOPE_HAS_LIBSVM
TEST_P(LibsvmModels, MeanTheSameToLibsvm) {
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / ("lambdascope-model-" + std::to_string(GetParam()) + ".model");
    std::ofstream(file) << text;
    svm_model* model = svm_load_model(file.c_str());
    std::filesystem::remove(file);
    ASSERT_NE(model, nullptr);
    const auto own = readLibsvmModel(text, "m");
    ASSERT_TRUE(own);
    EXPECT_EQ(svm_get_nr_sv(model), own->coefficients.size());
    const bool hasClasses = own->task == TaskKind::Classification;
    const bool isNovelty = own->task == TaskKind::Novelty;
    EXPECT_EQ(svm_get_svm_type(model), hasClasses ? C_SVC : isNovelty ? ONE_CLASS : EPSILON_SVR);
    int labels[2] = {0, 0};
    if (hasClasses) {
        svm_get_labels(model, labels);
        EXPECT_EQ(labels[0], own->labels[0]);
    }
    const DenseRows x = prepared.problem->data().toDense();
    const Eigen::VectorXd should = expected();
    for (Eigen::Index i = 0; i < x.rows(); ++i) {
        std::vector<svm_node> nodes;
        for (Eigen::Index j = 0; j < x.cols(); ++j) {
            nodes.push_back({static_cast<int>(j + 1), x(i, j)});
        }
        nodes.push_back({-1, 0});
        double f = 0;
        const double answer = svm_predict_values(model, nodes.data(), &f);
        EXPECT_NEAR(f, should(i), 1e-9 * (1 + std::abs(should(i)))) << i;
        if (isNovelty && std::abs(should(i)) < 1e-9) {
            continue; // on the edge: which side is rounding
        }
        EXPECT_EQ(answer, isNovelty       ? (should(i) > 0 ? 1 : -1)
                          : !hasClasses   ? f
                          : should(i) > 0 ? labels[0]
                                          : labels[1]);
    }
    svm_free_and_destroy_model(&model);
}

/// LIBSVM's α at one C in our own numbers: its kernel values are float, and what it says of itself is no proof. Of
/// regression with `targets` and ε, else of classes.
SolvedSvm libsvmSolution(const SvmProblem& problem, const DenseRows& x, double c, bool isLinear, double gamma,
                         const Eigen::VectorXd& targets = {}, double epsilon = 0) {
    std::vector<svm_node> nodes;
    std::vector<svm_node*> rows;
    const bool isRegression = targets.size() > 0;
    const Eigen::VectorXd answers = isRegression ? targets : problem.y();
    std::vector<double> labels(answers.begin(), answers.end());
    nodes.reserve(static_cast<std::size_t>(x.rows() * (x.cols() + 1)));
    for (Eigen::Index i = 0; i < x.rows(); ++i) {
        rows.push_back(nodes.data() + nodes.size());
        for (Eigen::Index f = 0; f < x.cols(); ++f) {
            nodes.push_back({static_cast<int>(f) + 1, x(i, f)});
        }
        nodes.push_back({-1, 0});
    }
    svm_problem data{static_cast<int>(x.rows()), labels.data(), rows.data()};
    svm_parameter parameter{};
    parameter.svm_type = isRegression ? EPSILON_SVR : C_SVC;
    parameter.p = epsilon;
    parameter.kernel_type = isLinear ? LINEAR : RBF;
    parameter.gamma = gamma;
    parameter.cache_size = 100;
    parameter.eps = 1e-4;
    parameter.C = c;
    if (problem.balance() != 0) {
        parameter.svm_type = ONE_CLASS;
        parameter.nu = 1 / (c * static_cast<double>(x.rows()));
    }
    const double unit = problem.balance() != 0 ? c : 1; // of its α
    parameter.shrinking = 1;
    svm_set_print_string_function([](const char*) {});
    svm_model* model = svm_train(&data, &parameter);
    SolvedSvm solved;
    solved.c = c;
    solved.alpha = Eigen::VectorXd::Zero(problem.size());
    FeatureVectorProducts products(problem);
    for (int k = 0; k < model->l; ++k) {
        const SampleIndex row = model->sv_indices[k] - 1;
        const bool isBelow = isRegression && model->sv_coef[0][k] < 0;
        const SampleIndex i = isBelow ? row + problem.rowCount() : row;
        solved.alpha(i) = std::min(unit * std::abs(model->sv_coef[0][k]), c);
        products.add(i, solved.alpha(i));
    }
    svm_free_and_destroy_model(&model);
    solved.margins = products.products();
    solved.marginError = products.error();
    completeSolved(problem, solved);
    return solved;
}

/// Points at which our objectives and LIBSVM's were compared: neither is worse by more than both gaps.
struct LibsvmComparison {
    int points = 0;
    int closer = 0; ///< with our gap the smaller one

    /// All points of a path, whose gaps are to be at most `tolerance` times `size` of the solution.
    template <class Size>
    void follow(const Prepared& prepared, const std::string& words, double tolerance, const Size& size) {
        const SvmProblem& problem = prepared.problem->problem();
        const DenseRows x = prepared.problem->data().toDense();
        const double gamma = prepared.problem->config().kernelFor(x.cols()).gamma;
        const bool isLinear = problem.sharedRows()->kernel().kind == KernelKind::Linear;
        const double epsilon = prepared.problem->config().epsilon;
        Eigen::VectorXd targets;
        if (prepared.problem->config().isRegression()) {
            targets = problem.thresholds().head(problem.rowCount()).array() + epsilon;
        }
        const auto task = prepared.problem->makeTask(0);
        NullSink sink;
        RunContext context(RunId{0}, sink);
        std::shared_ptr<const WarmStart> last;
        for (std::size_t p = 0; p < prepared.problem->schedule().size(); ++p) {
            const double c = prepared.problem->schedule()[p];
            SCOPED_TRACE(words + ", C = " + std::to_string(c));
            last = task->solvePoint({static_cast<std::int32_t>(p), task->schedule()[p]}, last, context)->warmStart;
            const SolvedSvm& ours = dynamic_cast<const SvmWarmStart&>(*last).solution();
            const SolvedSvm theirs = libsvmSolution(problem, x, c, isLinear, gamma, targets, epsilon);
            const Bounded mine = primalValue(ours);
            const Bounded other = primalValue(theirs);
            EXPECT_LE(ours.gap, tolerance * size(problem, ours));
            EXPECT_LE(mine.value, other.value + ours.gap + mine.error + other.error);
            EXPECT_LE(other.value, mine.value + theirs.gap + mine.error + other.error);
            ++points;
            closer += ours.gap <= theirs.gap ? 1 : 0;
        }
    }

    void expectPoints(int all) const {
        testing::Test::RecordProperty("ours_closer", closer);
        EXPECT_EQ(points, all);
        EXPECT_GT(closer, points / 2);
    }
};

double primalSize(const SvmProblem& /*problem*/, const SolvedSvm& solved) {
    return primalValue(solved).value;
}

TEST(FreeBiasAgainstLibsvm, ObjectivesDifferByNoMoreThanBothGaps) {
    LibsvmComparison compared;
    struct Case {
        std::string source;
        const char* positive = "auto";
        double subset = 1;
    };
    for (const Case& set :
         {Case{"breast-cancer"}, Case{"wine", "class_1"}, Case{"iris", "versicolor"}, Case{"digits", "8", 0.15},
          Case{"toy:two-moons?n=300"}, Case{"toy:two-moons?n=150&noise=0.5"}, Case{"toy:svm-figure1?n=200"},
          Case{"toy:spirals?n=150"}, Case{"toy:gaussian-classes?n=200&classes=2&separation=1"},
          Case{"toy:gaussian-classes?n=200&d=20&classes=2&separation=2"}}) {
        for (const std::string kernel : {"linear", "rbf"}) {
            const Prepared prepared(
                {{"data", {{"source", set.source}, {"scale", "minmax"}, {"subset", set.subset}}},
                 {"problem", {{"kernel", kernel}, {"intercept", "free"}, {"positive", set.positive}}},
                 {"path", {{"kind", "grid"}, {"ratio", 4}, {"max_points", 7}, {"max_c", 1e9}}},
                 {"lanes", {{{"name", "Shrink"}}}}});
            compared.follow(prepared, set.source + ", " + kernel, 1e-6, primalSize);
        }
    }
    compared.expectPoints(140);
}

TEST(RegressionAgainstLibsvm, ObjectivesDifferByNoMoreThanBothGaps) {
    LibsvmComparison compared;
    struct Case {
        std::string source;
        const char* target; ///< column of numbers
        double range;       ///< of the targets, roughly
    };
    for (const Case& set :
         {Case{"diabetes", "auto", 300}, Case{"toy:sine?n=200", "auto", 2}, Case{"wine", "proline", 1400},
          Case{"iris", "petal length (cm)", 6}, Case{"breast-cancer", "mean area", 2400}}) {
        for (const std::string kernel : {"linear", "rbf"}) {
            for (const double share : {0.0, 0.01, 0.05, 0.1, 0.25}) {
                const double epsilon = share * set.range;
                const Prepared prepared(
                    {{"data", {{"source", set.source}, {"target", set.target}, {"scale", "minmax"}, {"subset", 1}}},
                     {"problem",
                      {{"task", "regression"}, {"epsilon", epsilon}, {"kernel", kernel}, {"intercept", "free"}}},
                     {"path", {{"kind", "list"}, {"values", {0.01 * set.range, 0.1 * set.range, 1 * set.range}}}},
                     {"lanes", {{{"name", "GAP"}, {"bounds", {"GAP"}}}}}});
                compared.follow(prepared, set.source + ", " + kernel + ", ε = " + std::to_string(epsilon), 1.001e-6,
                                primalSize);
            }
        }
    }
    compared.expectPoints(150);
}

TEST(OneClassAgainstLibsvm, ObjectivesDifferByNoMoreThanBothGaps) {
    LibsvmComparison compared;
    for (const std::string source : {"breast-cancer", "wine", "iris", "toy:two-moons?n=300", "diabetes"}) {
        for (const std::string kernel : {"linear", "rbf"}) {
            const Prepared prepared(
                {{"data", {{"source", source}, {"scale", "minmax"}, {"subset", 1}}},
                 {"problem", {{"task", "novelty"}, {"kernel", kernel}}},
                 {"path", {{"kind", "list"}, {"unit", "c-min"}, {"values", {1 / 0.8, 1 / 0.5, 1 / 0.2, 10, 20}}}},
                 {"lanes", {{{"name", "none"}}}}});
            compared.follow(prepared, source + ", " + kernel, 1.001e-6, sizeOf);
        }
    }
    compared.expectPoints(50);
}

#endif

INSTANTIATE_TEST_SUITE_P(Kernels, LibsvmModels, ::testing::Range<std::size_t>(0, modelCases().size()));

TEST(LibsvmModel, IsRefusedWhereThereIsNone) {
    const Prepared prepared(Json{{"problem", {{"kernel", "linear"}}},
                                 {"lanes", {{{"name", "LIBLINEAR"}, {"solver", {{"method", "liblinear"}}}}}}});
    const auto model = as<ModelExporter>(*prepared.lensOf("LIBLINEAR")).exportModel(0, {});
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().code, ErrorCode::BadUsage);
    EXPECT_FALSE(as<ModelExporter>(*prepared.lensOf("LIBLINEAR")).exportModel(99, {}));
}

TEST(LibsvmModel, ReaderNamesTheLineOfWhatItCannotRead) {
    const std::string good = "svm_type c_svc\nkernel_type rbf\ngamma 0.5\nnr_class 2\ntotal_sv 2\nrho 0.25\n"
                             "label 1 -1\nnr_sv 1 1\nSV\n1.5 1:0.5 3:2 \n-1.5 2:1 \n";
    const auto model = readLibsvmModel(good, "m");
    ASSERT_TRUE(model) << model.error().describe();
    EXPECT_EQ(model->supports.cols(), 3);
    EXPECT_EQ(model->rho, 0.25);
    struct Broken {
        const char* what;
        const char* with;
        std::size_t line;
    };
    for (const Broken& broken :
         {Broken{"c_svc", "nu_svc", 1}, Broken{"rbf", "sigmoid", 2}, Broken{"0.5\n", "x\n", 3},
          Broken{"nr_class 2", "nr_class 3", 4}, Broken{"total_sv 2", "total_sv 3", 0},
          Broken{"rho 0.25", "rho nan", 6}, Broken{"label 1 -1", "label 1", 7}, Broken{"1:0.5 3:2", "3:2 1:0.5", 10},
          Broken{"2:1", "2", 11}, Broken{"2:1", "0:1", 11}, Broken{"kernel_type rbf\n", "", 0},
          Broken{"gamma", "gamna", 3}, Broken{"SV\n1.5", "1.5", 9}}) {
        std::string text = good;
        text.replace(text.find(broken.what), std::string(broken.what).size(), broken.with);
        const auto read = readLibsvmModel(text, "m");
        ASSERT_FALSE(read) << broken.what;
        EXPECT_EQ(read.error().code, ErrorCode::InvalidData);
        ASSERT_EQ(read.error().faults.size(), 1u);
        EXPECT_EQ(read.error().faults[0].place.line, broken.line) << broken.what;
        EXPECT_FALSE(read.error().faults[0].remedy.empty());
    }
    EXPECT_FALSE(readLibsvmModel("", "m"));
}

TEST(LibsvmModelDeathTest, ReaderNeedsMemoryForValuesAndNoneForTheLargestIndex) {
#ifdef LAMBDASCOPE_SANITIZED
    GTEST_SKIP() << "sanitizers need more address space than the limit";
#endif
    const auto readInOneGigabyte = [] {
        const rlimit limit{1U << 30U, 1U << 30U};
        setrlimit(RLIMIT_AS, &limit);
        const auto model =
            readLibsvmModel("svm_type c_svc\nkernel_type linear\nSV\n0.5 1:0.2 2147483647:3\n-1 2:4\n", "m");
        return model && model->supports.cols() == 2147483647 && model->supports.coeff(0, 2147483646) == 3 &&
               model->supports.coeff(1, 1) == 4 && model->supports.nonZeros() == 3;
    };
    EXPECT_EXIT(std::exit(readInOneGigabyte() ? 0 : 1), testing::ExitedWithCode(0), "");
}

} // namespace
} // namespace lambdascope::svm
