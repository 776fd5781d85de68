// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmarks/metric_runs/choice_table.h"

#include "core/common/number_text.h"
#include "tests/benchmarks/metric_runs/lane_measurement.h"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <string>
#include <utility>

namespace lambdascope::benchmarks {

namespace {

constexpr int kRepeats = 3;

MetricBlock blockOn(const std::string& title, const std::string& source, const Json& k, const std::string& engine) {
    return methodBlock("choice: " + title, scaledData(source), k, engine);
}

/// What a lane took per λ.
struct Costs {
    std::vector<double> work;
    std::vector<double> cpu; ///< medians
    std::vector<std::int64_t> evaluations;

    [[nodiscard]] static double sum(const std::vector<double>& values, std::size_t first, std::size_t count) {
        double total = 0;
        for (std::size_t at = first; at < first + count; ++at) {
            total += values[at];
        }
        return total;
    }
};

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

using AllCosts = std::array<Costs, kMethods.size()>;

/// The worst ratio of "auto" to the better method over windows of so many λ.
struct Worst {
    double ratio = 0;
    std::size_t first = 0;
};

Worst worstWindow(const AllCosts& costs, std::vector<double> Costs::*field, std::size_t points, std::size_t window) {
    Worst worst;
    for (std::size_t first = 0; first + window <= points; ++first) {
        const auto total = [&](std::size_t method) { return Costs::sum(costs[method].*field, first, window); };
        const double ratio = total(2) / std::min(total(0), total(1));
        if (ratio > worst.ratio) {
            worst = {ratio, first};
        }
    }
    return worst;
}

/// Runs all methods in turns; false when a lane failed.
bool measure(const PreparedBlock& prepared, AllCosts& costs, int& failures) {
    std::array<std::vector<std::vector<double>>, kMethods.size()> cpu; // per λ, of each repeat
    for (int repeat = 0; repeat < kRepeats; ++repeat) {
        for (std::size_t method = 0; method < kMethods.size(); ++method) {
            const LaneMeasurement lane = measureLane(*prepared.problem, prepared.experiment, method, 1, false);
            if (!lane.failure.empty() || lane.points.empty()) {
                std::printf("\nFAILED: lane %s: %s\n", lane.name.c_str(), lane.failure.c_str());
                ++failures;
                return false;
            }
            Costs seen;
            cpu[method].resize(lane.points.size());
            for (std::size_t at = 0; at < lane.points.size(); ++at) {
                const MeasuredPoint& point = lane.points[at];
                seen.work.push_back(point.countedWork);
                seen.evaluations.push_back(point.evaluations);
                cpu[method][at].push_back(point.cpuSolve + point.cpuScreen);
            }
            if (repeat > 0 && seen.work != costs[method].work) {
                std::printf("\nFAILED: lane %s counted other work when repeated\n", lane.name.c_str());
                ++failures;
            }
            costs[method] = std::move(seen);
        }
    }
    for (std::size_t method = 0; method < kMethods.size(); ++method) {
        for (const std::vector<double>& each : cpu[method]) {
            costs[method].cpu.push_back(median(each));
        }
    }
    return true;
}

void printMethods(const AllCosts& costs, std::size_t points) {
    std::printf(
        "| method | λ | evaluations | work, millions | CPU s | CPU ns per unit of work |\n|---|---|---|---|---|---|\n");
    for (std::size_t method = 0; method < kMethods.size(); ++method) {
        const double work = Costs::sum(costs[method].work, 0, points);
        const double seconds = Costs::sum(costs[method].cpu, 0, points);
        const auto first = costs[method].evaluations.begin();
        const auto evaluations = std::accumulate(first, first + static_cast<std::ptrdiff_t>(points), std::int64_t{0});
        std::printf("| %s | %zu | %s | %.0f | %.3f | %.2f |\n", kMethods[method], points,
                    groupedText(evaluations).c_str(), work * 1e-6, seconds, 1e9 * seconds / work);
    }
}

} // namespace

Json scaledData(const std::string& source) {
    return {{"source", source}, {"scale", "minmax"}, {"storage", "dense"}};
}

MetricBlock methodBlock(const std::string& title, const Json& data, const Json& k, const std::string& engine) {
    MetricBlock block;
    block.title = title + ", " + engine;
    Json lanes = Json::array();
    for (const std::string method : kMethods) {
        lanes.push_back(
            {{"name", method}, {"bounds", Json::array()}, {"solver", {{"engine", engine}, {"method", method}}}});
    }
    block.experiment = {{"family", "metric"},
                        {"data", data},
                        {"problem", {{"k", k}}},
                        {"solver", {{"tolerance", 1e-6}, {"tolerance_kind", "relative"}}},
                        {"lanes", lanes}};
    return block;
}

std::vector<MetricBlock> choiceBlocks() {
    return {blockOn("segment, k = 20", "segment.arff", 20, "pairs"),
            blockOn("phishing, k = 7", "phishing.csv", 7, "pairs"),
            blockOn("iris, k = all", "iris", "all", "pairs"),
            blockOn("wine, k = all", "wine", "all", "pairs"),
            blockOn("pendigits, k = 10", "pendigits.arff", 10, "pairs"),
            blockOn("segment, k = 20", "segment.arff", 20, "sorted"),
            blockOn("iris, k = all", "iris", "all", "sorted"),
            blockOn("wine, k = all", "wine", "all", "sorted"),
            blockOn("pendigits, k = 10", "pendigits.arff", 10, "sorted")};
}

bool runChoice(const MetricBlock& block, int& failures) {
    const auto prepared = openBlock(block, failures);
    AllCosts costs;
    if (!prepared || !measure(*prepared, costs, failures)) {
        return true;
    }
    std::size_t points = costs[0].work.size();
    for (const Costs& each : costs) {
        points = std::min(points, each.work.size());
    }
    printMethods(costs, points);
    const std::size_t window = std::min(kWindow, points);
    const Worst byWork = worstWindow(costs, &Costs::work, points, window);
    const Worst byCpu = worstWindow(costs, &Costs::cpu, points, window);
    const Worst wholeWork = worstWindow(costs, &Costs::work, points, points);
    const Worst wholeCpu = worstWindow(costs, &Costs::cpu, points, points);
    const bool isKept = byWork.ratio <= kPromised;
    std::printf("\nauto over the better method, worst of %zu λ in a row: work %.3f (points %zu to %zu) %s; CPU %.3f "
                "(points %zu to %zu). Whole path: work %.3f, CPU %.3f.\n",
                window, byWork.ratio, byWork.first, byWork.first + window - 1, isKept ? "pass" : "FAIL", byCpu.ratio,
                byCpu.first, byCpu.first + window - 1, wholeWork.ratio, wholeCpu.ratio);
    std::fflush(stdout);
    return isKept;
}

} // namespace lambdascope::benchmarks
