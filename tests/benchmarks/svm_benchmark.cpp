// SPDX-License-Identifier: GPL-3.0-or-later
// Whole regularization paths of SVMs: against LIBSVM and LIBLINEAR, each C from nothing, and what IT saves on top of
// shrinking. LIBSVM's problem has a bias and so one equality constraint more than ours without one, whose objective is
// not its own; with a free bias both solve the same problem.
#include "core/common/clocks.h"
#include "core/svm/rivals/liblinear_solver.h"
#include "tests/benchmarks/ratio_table.h"
#include "tests/benchmarks/svm_runs/libsvm_solver.h"
#include "tests/benchmarks/svm_runs/path_walk.h"
#include "tests/benchmarks/svm_runs/svm_samples.h"
#include "tests/benchmarks/svm_runs/table_totals.h"

#include <functional>
#include <map>
#include <memory>

namespace lambdascope::benchmarks {
namespace {

using namespace svm;

/// Violation at which LIBSVM's objective counts as optimal: its error is then about a thousandth of the default's.
constexpr double kLibsvmAccurate = 1e-6;
constexpr double kLibsvmDefault = 1e-3;
/// Tolerance of ours, which stops at a relative duality gap, at which both objectives are nearer to the optimum than
/// LIBSVM's are by default. The counters of both benchmarks show by how much.
constexpr double kAsLibsvm = 1e-5;
constexpr double kAccurate = 1e-10;

struct OurLane {
    std::string name = "Shrink+IT";
    double tolerance = 1e-6;
    int threads = 1;
    bool showsErrors = false; ///< of the objectives, against a solution to 1e-10
    bool hasFreeBias = false;
};

std::vector<Objectives> objectivesAlong(const SvmProblem& problem, const std::vector<double>& values,
                                        const PointSettings& settings) {
    std::vector<Objectives> found;
    (void)walkPath(problem, values, settings, [&](const PointOutcome& outcome) {
        found.push_back({outcome.primal.value, outcome.dual.value});
    });
    return found;
}

/// What `compute` finds for a path, found once for all repetitions.
const std::vector<Objectives>& onceFor(const std::string& path,
                                       const std::function<std::vector<Objectives>()>& compute) {
    static std::map<std::string, std::vector<Objectives>> known;
    std::vector<Objectives>& found = known[path];
    if (found.empty()) {
        found = compute();
    }
    return found;
}

void show(benchmark::State& state, const ObjectiveErrors& errors) {
    state.counters["primal error"] = errors.primal;
    state.counters["dual error"] = errors.dual;
}

/// Our path, kernel rows included.
void ourPath(benchmark::State& state, const std::string& name, const KernelFunction& kernel,
             const std::vector<double>& values, const OurLane& lane) {
    const Samples& samples = samplesOf(name);
    PointSettings settings = laneOf(lane.name, lane.tolerance);
    settings.threads = lane.threads;
    PathTotals totals;
    double seconds = 0;
    for (auto unused : state) {
        const double start = threadCpuSeconds();
        totals = walkPath(samples.problem(kernel, 1, lane.threads, lane.hasFreeBias), values, settings);
        seconds += threadCpuSeconds() - start;
    }
    state.counters["primal"] = totals.primal;
    state.counters["rate"] = totals.rate();
    state.counters["rule share"] = totals.rules / (seconds / static_cast<double>(state.iterations()));
    if (lane.showsErrors) {
        const SvmProblem problem = samples.problem(kernel, 1, 1, lane.hasFreeBias);
        const std::vector<Objectives>& optimal =
            onceFor(name + (lane.hasFreeBias ? " optimum, free bias" : " optimum"),
                    [&] { return objectivesAlong(problem, values, laneOf(lane.name, kAccurate)); });
        show(state, worstErrors(objectivesAlong(problem, values, settings), optimal));
    }
}

void libsvmPath(benchmark::State& state, const std::string& name, const KernelFunction& kernel,
                const std::vector<double>& values) {
    LibsvmSolver library(samplesOf(name), kernel.gamma);
    std::vector<LibsvmSolver::Model> models;
    for (auto unused : state) {
        for (const double c : values) {
            models.push_back(library.train(c, kLibsvmDefault));
        }
    }
    std::vector<Objectives> found;
    for (std::size_t k = 0; k < values.size(); ++k) {
        found.push_back(library.objectivesOf(*models[k], values[k]));
    }
    show(state, worstErrors(found, onceFor(name + " optimum of LIBSVM", [&] {
                                std::vector<Objectives> optimal;
                                for (const double c : values) {
                                    optimal.push_back(library.objectivesOf(*library.train(c, kLibsvmAccurate), c));
                                }
                                return optimal;
                            })));
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
    ourPath(state, name, kernel.kernel, values, {.name = lane});
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
            [rbf, lane](benchmark::State& s) { ourPath(s, "clusters", rbf, decades(), {.name = lane}); });
    }
    for (const int threads : {1, 2}) {
        const std::string place = "svm/rbf-path/as-accurate-as-libsvm/threads:" + std::to_string(threads);
        add(place, 3, [rbf, threads](benchmark::State& s) {
            ourPath(s, "clusters", rbf, decades(), {.tolerance = kAsLibsvm, .threads = threads, .showsErrors = true});
        });
        ratioLines().push_back({"svm/rbf-path/libsvm", place, threads == 2 ? 6.0 : 0.0, RatioClock::Wall});
    }
    for (const auto& [name, size] : {std::pair<std::string, std::string>{"clusters", ""}, {kManyClusters, "/20000"}}) {
        const std::string theirs = "svm/rbf-path/libsvm" + size;
        for (const std::string lane : {"Shrink", "Shrink+BT1+GAP"}) {
            const std::string place = "svm/rbf-path/free-bias/" + lane + size;
            add(place, 3, [name = name, rbf, lane](benchmark::State& s) {
                ourPath(s, name, rbf, decades(),
                        {.name = lane, .tolerance = kAsLibsvm, .showsErrors = true, .hasFreeBias = true});
            });
            ratioLines().push_back({theirs, place, 5});
        }
        add(theirs, size.empty() ? 3 : 1,
            [name = name, rbf](benchmark::State& s) { libsvmPath(s, name, rbf, decades()); });
    }
    ratioLines().push_back({"svm/rbf-path/libsvm", "svm/rbf-path/Shrink+IT"});

    // Tolerances at which the sum of our primal values is no larger than the library's.
    for (const auto& [name, tolerance] : {std::pair<std::string, double>{"w8a", 1e-3}, {"reuters", 2e-4}}) {
        if (hasSamples(name)) {
            const std::string place = "svm/linear-path/" + name;
            add(place + "/Shrink+IT", 3, [name = name, tolerance = tolerance](benchmark::State& s) {
                ourPath(s, name, {}, decades(), {.tolerance = tolerance});
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
