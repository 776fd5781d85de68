// SPDX-License-Identifier: GPL-3.0-or-later
// Whole regularization paths of SVMs: against LIBSVM and LIBLINEAR, each C from nothing, and what IT saves on top of
// shrinking. LIBSVM's problem has a bias and so one equality constraint more than ours; its objective is not ours.
#include "core/common/clocks.h"
#include "core/svm/liblinear_solver.h"
#include "tests/benchmarks/ratio_table.h"
#include "tests/benchmarks/svm_runs/path_walk.h"
#include "tests/benchmarks/svm_runs/svm_samples.h"

#include <libsvm/svm.h>

#include <cmath>
#include <cstdio>
#include <map>
#include <memory>

namespace lambdascope::benchmarks {
namespace {

using namespace svm;

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
    state.counters["rate"] = totals.rate();
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

/// The ε-path, computed once.
const std::vector<double>& epsilonPathOf(const std::string& name, const NamedKernel& kernel) {
    static std::map<std::string, std::vector<double>> known;
    std::vector<double>& values = known[name + kernel.name];
    if (values.empty()) {
        values = epsilonPath(samplesOf(name).problem(kernel.kernel));
    }
    return values;
}

void tableFour(benchmark::State& state, const std::string& name, const NamedKernel& kernel, const std::string& lane) {
    const std::vector<double>& values = epsilonPathOf(name, kernel);
    ourPath(state, name, kernel.kernel, values, lane);
    state.counters["points"] = static_cast<double>(values.size());
}

const bool kRegistered = [] {
    const auto add = [](const std::string& name, int repetitions, auto run) {
        benchmark::RegisterBenchmark(name.c_str(), run)
            ->Unit(benchmark::kMillisecond)
            ->Iterations(1)
            ->Repetitions(repetitions);
    };
    const KernelFunction rbf{.kind = KernelKind::Rbf, .gamma = 0.05};
    for (const std::string lane : {"Shrink", "Shrink+IT", "Shrink+IT+GAP"}) {
        add("svm/rbf-path/" + lane, 3,
            [rbf, lane](benchmark::State& s) { ourPath(s, "clusters", rbf, decades(), lane); });
    }
    add("svm/rbf-path/libsvm", 3, [rbf](benchmark::State& s) { libsvmPath(s, "clusters", rbf, decades()); });
    ratioLines().push_back({"svm/rbf-path/libsvm", "svm/rbf-path/Shrink+IT", 6});

    // Tolerances at which the sum of our primal values is no larger than the library's.
    for (const auto& [name, tolerance] : {std::pair<std::string, double>{"w8a", 1e-3}, {"reuters", 2e-4}}) {
        if (hasSamples(name)) {
            const std::string place = "svm/linear-path/" + name;
            add(place + "/Shrink+IT", 3, [name = name, tolerance = tolerance](benchmark::State& s) {
                ourPath(s, name, {}, decades(), "Shrink+IT", tolerance);
            });
            add(place + "/liblinear", 3,
                [name = name](benchmark::State& s) { liblinearPath(s, name, decades(), 1e-3); });
            ratioLines().push_back({place + "/liblinear", place + "/Shrink+IT", 2});
        }
    }
    for (const std::string name : {"wdbc", "dna 3", "digit1", "splice"}) {
        if (!hasSamples(name)) {
            continue;
        }
        for (const NamedKernel& kernel : paperKernels(samplesOf(name))) {
            const std::string place = "svm/table-4/" + name + "/" + kernel.name;
            for (const std::string lane : {"Shrink", "Shrink+IT"}) {
                add(place + "/" + lane, 3,
                    [name, kernel, lane](benchmark::State& s) { tableFour(s, name, kernel, lane); });
            }
            ratioLines().push_back({place + "/Shrink", place + "/Shrink+IT", kernel.name == "RBF 10/d" ? 1.5 : 0.97});
        }
    }
    return true;
}();

} // namespace
} // namespace lambdascope::benchmarks
