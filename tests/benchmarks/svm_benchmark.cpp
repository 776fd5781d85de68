// SPDX-License-Identifier: GPL-3.0-or-later
// Whole regularization paths of SVMs: against LIBSVM and LIBLINEAR, each C from nothing, and what IT saves on top of
// shrinking. LIBSVM's problem has a bias and so one equality constraint more than ours; its objective is not ours.
#include "core/common/clocks.h"
#include "core/common/random_stream.h"
#include "core/data/data_source.h"
#include "core/svm/liblinear_solver.h"
#include "core/svm/path_plan.h"
#include "tests/benchmarks/ratio_table.h"

#include <libsvm/svm.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <numeric>

namespace lambdascope::benchmarks {
namespace {

using namespace svm;

/// Samples with labels ±1 and the kernel they are compared by.
struct Samples {
    std::shared_ptr<const Dataset> data;
    Eigen::VectorXd y;

    [[nodiscard]] FeatureRows features() const {
        return data->isSparse() ? FeatureRows(static_cast<const SparseRows::Base&>(data->sparse()))
                                : FeatureRows(data->dense());
    }
    [[nodiscard]] SvmProblem problem(const KernelFunction& kernel) const {
        std::shared_ptr<KernelRows> rows;
        if (kernel.kind != KernelKind::Linear) {
            rows = std::make_shared<KernelRows>(kernel, features(), 4e9);
            WorkPoll never;
            rows->fill(never);
        }
        return {features(), y, Eigen::VectorXd::Ones(y.size()), std::move(rows)};
    }
};

/// Two classes of four Gaussian clusters each in 20 dimensions, of which half tell nothing; one label in fifty is
/// wrong.
Samples clusters(Eigen::Index n) {
    RandomStream random(1, "clusters of the SVM benchmark");
    constexpr Eigen::Index kFeatures = 20;
    DenseRows centres(8, kFeatures);
    for (Eigen::Index i = 0; i < centres.size(); ++i) {
        centres.data()[i] = i % kFeatures < kFeatures / 2 ? (random.uniform() < 0.5 ? -0.8 : 0.8) : 0.0;
    }
    Dataset::Parts parts;
    parts.dense.resize(n, kFeatures);
    Samples samples;
    samples.y.resize(n);
    for (Eigen::Index i = 0; i < n; ++i) {
        const Eigen::Index cluster = i % 8;
        samples.y(i) = (cluster < 4 ? 1 : -1) * (random.uniform() < 0.02 ? -1 : 1);
        for (Eigen::Index f = 0; f < kFeatures; ++f) {
            parts.dense(i, f) = centres(cluster, f) + random.normal();
        }
    }
    samples.data = std::make_shared<const Dataset>(std::move(parts));
    return samples;
}

/// A file of the shared data, if it is there; class `positive` against the rest.
Samples fromFile(const std::string& file, const std::string& labels, std::int32_t positive, Scaling scale) {
    DataConfig config;
    config.source = std::string(LAMBDASCOPE_TEST_SOURCE_DIR) + "/../shared/data/svm/" + file;
    config.labels = labels;
    config.scale = scale;
    Samples samples;
    if (!std::filesystem::exists(config.source)) {
        return samples;
    }
    const auto data = loadDataset(config, {});
    if (!data) {
        return samples;
    }
    samples.data = *data;
    samples.y.resize(samples.data->rows());
    for (Eigen::Index i = 0; i < samples.y.size(); ++i) {
        samples.y(i) = samples.data->labels()[static_cast<std::size_t>(i)] == positive ? 1 : -1;
    }
    return samples;
}

const Samples& samplesOf(const std::string& name) {
    static std::map<std::string, Samples> known;
    if (const auto found = known.find(name); found != known.end()) {
        return found->second;
    }
    Samples samples = name == "clusters"  ? clusters(5000)
                      : name == "wdbc"    ? fromFile("wdbc.csv", "Class", 1, Scaling::MinMax)
                      : name == "dna"     ? fromFile("dna.scale.libsvm", "auto", 2, Scaling::None)
                      : name == "digit1"  ? fromFile("digit1.libsvm.gz", "auto", 1, Scaling::MinMax)
                      : name == "splice"  ? fromFile("splice.libsvm", "auto", 1, Scaling::MinMax)
                      : name == "w8a"     ? fromFile("w8a.libsvm.gz", "auto", 1, Scaling::None)
                      : name == "reuters" ? fromFile("reuters.trn.libsvm.gz", "auto", 1, Scaling::None)
                                          : Samples();
    return known.emplace(name, std::move(samples)).first->second;
}

/// 21 values of C from 1e-2 to 1e2.
std::vector<double> decades() {
    std::vector<double> values;
    for (int t = 0; t <= 20; ++t) {
        values.push_back(std::pow(10.0, -2 + 0.2 * t));
    }
    return values;
}

struct PathTotals {
    double primal = 0; ///< summed over the path
    double rules = 0;  ///< CPU seconds of rules and of what they need
    double screened = 0;
    double all = 0;
};

PathTotals walkPath(const SvmProblem& problem, const std::vector<double>& values, const PointSettings& settings) {
    NullSink sink;
    RunContext context(RunId{0}, sink);
    WorkPoll never;
    SolvedSvm last = bottomPoint(problem, 1, never);
    last = bottomPoint(problem, std::min(smallestC(last, problem), values.front()), never);
    PointSolver solver(problem, settings);
    PathTotals totals;
    std::int32_t index = 0;
    for (const double c : values) {
        PointOutcome outcome = solver.solve(c, last, index++, context);
        totals.primal += outcome.primal.value;
        totals.rules += outcome.ledger.rule;
        totals.screened += static_cast<double>(outcome.finalScreened.sum());
        totals.all += static_cast<double>(outcome.census.sum());
        last = std::move(outcome.solved);
    }
    return totals;
}

PointSettings laneOf(const std::string& lane, double tolerance) {
    PointSettings settings;
    settings.tolerance = tolerance;
    settings.shrinks = lane.find("Shrink") != std::string::npos;
    if (lane.find("IT") != std::string::npos) {
        settings.bounds.push_back(BoundKind::Intersection);
    }
    if (lane.find("GAP") != std::string::npos) {
        settings.bounds.push_back(BoundKind::Gap);
    }
    return settings;
}

/// Our path, kernel rows included.
void ourPath(benchmark::State& state, const std::string& name, const KernelFunction& kernel,
             const std::vector<double>& values, const std::string& lane, double tolerance = 1e-6) {
    const Samples& samples = samplesOf(name);
    PathTotals totals;
    double seconds = 0;
    for (auto unused : state) {
        const double start = threadCpuSeconds();
        totals = walkPath(samples.problem(kernel), values, laneOf(lane, tolerance));
        seconds += threadCpuSeconds() - start;
    }
    state.counters["primal"] = totals.primal;
    state.counters["rate"] = totals.all > 0 ? totals.screened / totals.all : 0;
    state.counters["rule share"] = totals.rules / (seconds / static_cast<double>(state.iterations()));
}

void libsvmPath(benchmark::State& state, const std::string& name, const KernelFunction& kernel,
                const std::vector<double>& values) {
    const Samples& samples = samplesOf(name);
    const DenseRows x = samples.data->toDense();
    std::vector<svm_node> nodes;
    std::vector<svm_node*> rows;
    for (Eigen::Index i = 0; i < x.rows(); ++i) {
        for (Eigen::Index f = 0; f < x.cols(); ++f) {
            nodes.push_back({static_cast<int>(f) + 1, x(i, f)});
        }
        nodes.push_back({-1, 0});
    }
    for (Eigen::Index i = 0; i < x.rows(); ++i) {
        rows.push_back(nodes.data() + i * (x.cols() + 1));
    }
    svm_set_print_string_function([](const char*) {});
    std::vector<double> y(samples.y.data(), samples.y.data() + samples.y.size());
    svm_problem problem{static_cast<int>(x.rows()), y.data(), rows.data()};
    double objective = 0;
    for (auto unused : state) {
        objective = 0;
        for (const double c : values) {
            svm_parameter parameter{};
            parameter.svm_type = C_SVC;
            parameter.kernel_type = RBF;
            parameter.gamma = kernel.gamma;
            parameter.cache_size = 1000;
            parameter.eps = 1e-3; // the library's own default
            parameter.C = c;
            parameter.shrinking = 1;
            svm_model* model = svm_train(&problem, &parameter);
            for (int k = 0; k < model->l; ++k) {
                objective += std::abs(model->sv_coef[0][k]); // the linear part of its dual value
            }
            svm_free_and_destroy_model(&model);
        }
    }
    state.counters["sum of α"] = objective;
}

void liblinearPath(benchmark::State& state, const std::string& name, const std::vector<double>& values,
                   double tolerance) {
    const SvmProblem problem = samplesOf(name).problem({});
    LiblinearSolver library(problem);
    NullSink sink;
    RunContext context(RunId{0}, sink);
    double primal = 0;
    for (auto unused : state) {
        primal = 0;
        for (const double c : values) {
            primal += library.solve(c, tolerance, context).primal.value;
        }
    }
    state.counters["primal"] = primal;
}

/// The ε-path of [S, appendix D], computed once.
const std::vector<double>& epsilonPath(const std::string& name, const KernelFunction& kernel) {
    static std::map<std::string, std::vector<double>> known;
    std::vector<double>& values = known[name + std::to_string(kernel.gamma)];
    if (values.empty()) {
        const SvmProblem problem = samplesOf(name).problem(kernel);
        WorkPoll never;
        NullSink sink;
        RunContext context(RunId{0}, sink);
        SolvedSvm bottom = bottomPoint(problem, 1, never);
        const double least = smallestC(bottom, problem);
        bottom = bottomPoint(problem, least, never);
        PathConfig config;
        config.kind = PathKind::Approximation;
        values = pathSchedule(config, problem, bottom, least, context, {});
    }
    return values;
}

void tableFour(benchmark::State& state, const std::string& name, double gamma, const std::string& lane) {
    const Samples& samples = samplesOf(name);
    KernelFunction kernel;
    if (gamma > 0) {
        kernel = {.kind = KernelKind::Rbf, .gamma = gamma / static_cast<double>(samples.data->features())};
    }
    ourPath(state, name, kernel, epsilonPath(name, kernel), lane);
    state.counters["points"] = static_cast<double>(epsilonPath(name, kernel).size());
}

const bool kRegistered = [] {
    const auto add = [](const std::string& name, int repetitions, auto run) {
        benchmark::RegisterBenchmark(name.c_str(), run)
            ->Unit(benchmark::kMillisecond)
            ->Iterations(1)
            ->Repetitions(repetitions);
    };
    const auto exists = [](const std::string& file) {
        return std::filesystem::exists(std::string(LAMBDASCOPE_TEST_SOURCE_DIR) + "/../shared/data/svm/" + file);
    };
    const KernelFunction rbf{.kind = KernelKind::Rbf, .gamma = 0.05};
    for (const std::string lane : {"Shrink", "Shrink+IT", "Shrink+IT+GAP"}) {
        add("svm/rbf-path/" + lane, 3,
            [rbf, lane](benchmark::State& s) { ourPath(s, "clusters", rbf, decades(), lane); });
    }
    add("svm/rbf-path/libsvm", 3, [rbf](benchmark::State& s) { libsvmPath(s, "clusters", rbf, decades()); });
    ratioLines().push_back({"svm/rbf-path/libsvm", "svm/rbf-path/Shrink+IT", 6});

    for (const auto& [name, file] :
         {std::pair<std::string, std::string>{"w8a", "w8a.libsvm.gz"}, {"reuters", "reuters.trn.libsvm.gz"}}) {
        if (exists(file)) {
            const std::string place = "svm/linear-path/" + name;
            add(place + "/Shrink+IT", 3,
                [name = name](benchmark::State& s) { ourPath(s, name, {}, decades(), "Shrink+IT", 2e-4); });
            add(place + "/liblinear", 3,
                [name = name](benchmark::State& s) { liblinearPath(s, name, decades(), 1e-3); });
            ratioLines().push_back({place + "/liblinear", place + "/Shrink+IT", 2});
        }
    }
    for (const auto& [name, file] : {std::pair<std::string, std::string>{"wdbc", "wdbc.csv"},
                                     {"dna", "dna.scale.libsvm"},
                                     {"digit1", "digit1.libsvm.gz"},
                                     {"splice", "splice.libsvm"}}) {
        for (const double gamma : {0.0, 0.1, 1.0, 10.0}) {
            if (!exists(file)) {
                continue;
            }
            const std::string place =
                "svm/table-4/" + name + "/" + (gamma == 0 ? "linear" : "rbf " + std::to_string(gamma).substr(0, 4));
            for (const std::string lane : {"Shrink", "Shrink+IT"}) {
                add(place + "/" + lane, 3,
                    [name = name, gamma, lane](benchmark::State& s) { tableFour(s, name, gamma, lane); });
            }
            ratioLines().push_back({place + "/Shrink", place + "/Shrink+IT", gamma == 10 ? 1.5 : 0.97});
        }
    }
    return true;
}();

} // namespace
} // namespace lambdascope::benchmarks
