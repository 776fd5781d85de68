// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmarks/metric_runs/oracle_table.h"

#include "core/common/number_text.h"
#include "core/run/path_runner.h"
#include "core/run/path_task.h"
#include "tests/benchmarks/metric_runs/choice_table.h"
#include "tests/benchmarks/metric_runs/schedule_search.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>
#include <utility>

namespace lambdascope::benchmarks {

namespace {

/// Lanes of a block.
enum : std::size_t { Gradient, Newton, Auto };
/// λ of a path at most where projected gradient takes long at its end.
constexpr int kShortPath = 100;
constexpr int kWholePath = 1000;

MetricBlock blockOn(const std::string& title, const Json& data, const Json& k, const std::string& engine, int points) {
    MetricBlock block = methodBlock("oracle: " + title, data, k, engine);
    block.experiment["path"] = {{"max_points", points}};
    return block;
}

Json componentsOf(const std::string& source, int count) {
    Json data = scaledData(source);
    data["pca"] = count;
    return data;
}

/// Tasks of the three lanes, for solving any λ by any method from anywhere.
class Solver {
  public:
    explicit Solver(const PreparedBlock& prepared) : m_context(RunIdSource::next(), m_sink, {}) {
        for (std::size_t lane = 0; lane < kMethods.size(); ++lane) {
            m_tasks.push_back(prepared.problem->makeTask(lane));
        }
        m_column = placeOfColumn(m_tasks.front()->describe().columns, "counted_work");
    }

    [[nodiscard]] const PathTask& task() const { return *m_tasks.front(); }
    [[nodiscard]] double workOf(const PointReport& report) const { return report.values[m_column]; }

    PointReport solve(std::size_t lane, const PathPoint& point, const std::shared_ptr<const WarmStart>& start) {
        auto report = m_tasks[lane]->solvePoint(point, start, m_context);
        if (!report) {
            std::printf("FAILED: %s\n", report.error().describe().c_str());
            std::exit(1);
        }
        return std::move(*report);
    }

  private:
    NullSink m_sink;
    RunContext m_context;
    std::vector<std::unique_ptr<PathTask>> m_tasks;
    std::size_t m_column = 0;
};

struct Measured {
    std::vector<StepWork> steps;
    std::vector<double> chosen; ///< of "auto"
};

/// From the points that each method kept throughout leaves behind, both methods at the next λ.
Measured measure(Solver& solver) {
    Measured measured;
    std::array<std::shared_ptr<const WarmStart>, 3> starts;
    std::vector<PointReport> finished;
    std::int32_t index = 0;
    for (const double lambda : solver.task().schedule()) {
        const PathPoint point{index, lambda};
        StepWork work{};
        std::array<PointReport, 2> kept;
        for (const std::size_t method : {Gradient, Newton}) {
            kept[method] = solver.solve(method, point, starts[method]);
            work[method][method] = solver.workOf(kept[method]);
        }
        for (const std::size_t method : {Gradient, Newton}) {
            const std::size_t other = 1 - method;
            work[other][method] =
                index == 0 ? work[method][method] : solver.workOf(solver.solve(method, point, starts[other]));
        }
        const PointReport chosen = solver.solve(Auto, point, starts[Auto]);
        measured.steps.push_back(work);
        measured.chosen.push_back(solver.workOf(chosen));
        starts = {kept[Gradient].warmStart, kept[Newton].warmStart, chosen.warmStart};
        finished.push_back(std::move(kept[Gradient]));
        ++index;
        if (solver.task().endsPath(finished)) {
            break;
        }
    }
    return measured;
}

/// Follows a schedule.
std::vector<double> replay(Solver& solver, const std::vector<std::size_t>& methods) {
    std::vector<double> work;
    std::shared_ptr<const WarmStart> start;
    const std::vector<double> schedule = solver.task().schedule();
    for (std::size_t at = 0; at < methods.size(); ++at) {
        const PointReport report = solver.solve(methods[at], {static_cast<std::int32_t>(at), schedule[at]}, start);
        work.push_back(solver.workOf(report));
        start = report.warmStart;
    }
    return work;
}

/// Worst windows over the better of two.
class Ratios {
  public:
    explicit Ratios(const std::vector<StepWork>& steps)
        : m_both({workOfOne(steps, Gradient), workOfOne(steps, Newton)}) {}

    [[nodiscard]] double worst(const std::vector<double>& work, std::size_t window,
                               std::size_t* first = nullptr) const {
        double worst = 0;
        for (std::size_t at = 0; at + window <= work.size(); ++at) {
            const double ratio =
                sum(work, at, window) / std::min(sum(m_both[0], at, window), sum(m_both[1], at, window));
            if (ratio > worst) {
                worst = ratio;
                if (first != nullptr) {
                    *first = at;
                }
            }
        }
        return worst;
    }

  private:
    static double sum(const std::vector<double>& values, std::size_t first, std::size_t count) {
        const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first);
        return std::accumulate(begin, begin + static_cast<std::ptrdiff_t>(count), 0.0);
    }

    std::array<std::vector<double>, 2> m_both;
};

} // namespace

std::vector<MetricBlock> oracleBlocks() {
    std::vector<MetricBlock> blocks;
    const auto add = [&](const std::string& title, const Json& data, const Json& k, int points) {
        for (const std::string engine : {"pairs", "sorted"}) {
            blocks.push_back(blockOn(title, data, k, engine, points));
        }
    };
    add("iris, k = all", scaledData("iris"), "all", kWholePath);
    add("wine, k = all", scaledData("wine"), "all", kWholePath);
    add("segment, k = 20", scaledData("segment.arff"), 20, kWholePath);
    add("pendigits, k = 10", scaledData("pendigits.arff"), 10, kWholePath);
    add("held out: phishing, k = 7", scaledData("phishing.csv"), 7, kShortPath);
    add("held out: breast cancer, k = 10", scaledData("breast-cancer"), 10, kShortPath);
    add("held out: digits by 20 components, k = 10", componentsOf("digits", 20), 10, kShortPath);
    add("held out: usps test part by 30 components, k = 10", componentsOf("usps.t.libsvm", 30), 10, kShortPath);
    add("held out: isolet by 15 components, k = all", componentsOf("isolet1560.libsvm.gz", 15), "all", kShortPath);
    return blocks;
}

void runOracle(const MetricBlock& block, int& failures) {
    const auto prepared = openBlock(block, failures);
    if (!prepared) {
        return;
    }
    Solver solver(*prepared);
    const Measured measured = measure(solver);
    const std::size_t points = measured.steps.size();
    const std::size_t window = std::min(kWindow, points);
    const MethodSchedule best = leastWorstSchedule(measured.steps, window);
    const std::vector<double> followed = replay(solver, best.methods);
    const Ratios ratios(measured.steps);
    std::size_t first = 0;
    const double worst = ratios.worst(measured.chosen, window, &first);
    const auto newtons = std::count(best.methods.begin(), best.methods.end(), std::size_t{Newton});
    std::printf("| | worst of %zu λ in a row | whole path |\n|---|---|---|\n", window);
    std::printf("| best schedule | %.3f | %.3f |\n", best.worstWindow, best.wholePath);
    std::printf("| the same, followed | %.3f | %.3f |\n", ratios.worst(followed, window),
                ratios.worst(followed, points));
    std::printf("| auto | %.3f | %.3f |\n\n", worst, ratios.worst(measured.chosen, points));
    const char* word = worst <= kPromised ? "pass" : best.worstWindow > kPromised ? "out of reach" : "FAIL";
    std::printf("%zu λ, Newton at %td of them in the best schedule; auto is worst at points %zu to %zu: %s.\n", points,
                newtons, first, first + window - 1, word);
    std::fflush(stdout);
}

} // namespace lambdascope::benchmarks
