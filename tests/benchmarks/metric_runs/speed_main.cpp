// SPDX-License-Identifier: GPL-3.0-or-later
// lambdascope_metric_speed [--long] [--list] [--only TEXT]: whole paths against the times of the published code, and
// what screening adds on each engine, each number from a single run; method "auto" against the two that it chooses
// from; and paths with screening over those without, by engine, method and preset. With --long also goals that take
// hours, and paths with screening and without in nine repeats of two seconds or more. Markdown on the standard output.
// Exit status 1 when a lane fails or a goal is missed by every lane.
#include "core/common/number_text.h"
#include "core/numeric/blas_library.h"
#include "core/numeric/memory_pages.h"
#include "tests/benchmarks/metric_runs/choice_table.h"
#include "tests/benchmarks/metric_runs/lane_measurement.h"
#include "tests/benchmarks/metric_runs/oracle_table.h"
#include "tests/benchmarks/metric_runs/screening_table.h"
#include "tests/benchmarks/metric_runs/speed_goals.h"
#include "tests/benchmarks/program_options.h"

#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <limits>

namespace lambdascope::benchmarks {
namespace {

/// Most memory that this process has held so far.
double peakMegabytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) * 1024 / 1e6;
}

/// True when some lane reaches the goal.
bool runGoal(const SpeedGoal& goal, int& failures) {
    const auto prepared = openBlock(goal, failures);
    if (!prepared) {
        return true;
    }
    std::printf("Published code: %s. Goal: %s of %s%s.\n\n", goal.published.c_str(), durationText(goal.seconds).c_str(),
                goal.threads > 1 ? "wall time" : "CPU time",
                goal.megabytes > 0 ? (", " + byteText(1e6 * goal.megabytes)).c_str() : "");
    std::printf(
        "| engine, method, lane | λ | last λ | iterations | CPU s | wall s | published / CPU | ratio to naive | "
        "loose ends | peak MB |\n|---|---|---|---|---|---|---|---|---|---|\n");
    double best = std::numeric_limits<double>::infinity();
    LaneMeasurement naive;
    const Experiment& experiment = prepared->experiment;
    for (std::size_t lane = 0; lane < experiment.laneNames.size(); ++lane) {
        const LaneMeasurement measured = measureLane(*prepared->problem, experiment, lane, goal.threads, false);
        if (!measured.failure.empty() || measured.points.empty()) {
            std::printf("\nFAILED: lane %s: %s\n", measured.name.c_str(), measured.failure.c_str());
            ++failures;
            continue;
        }
        const bool isNaive = experiment.document["lanes"][lane]["bounds"].empty();
        if (isNaive) {
            naive = measured;
        }
        const double cpu = measured.cpu(measured.points.size());
        std::printf("| %s | %zu | %s | %lld | %.2f | %.2f | %s | %s | %zu | %.0f |\n", measured.name.c_str(),
                    measured.points.size(), shortText(measured.points.back().lambda).c_str(),
                    static_cast<long long>(measured.iterations()), cpu, measured.wall,
                    goal.publishedSeconds > 0 ? (shortText(goal.publishedSeconds / cpu, 3) + "×").c_str() : "",
                    isNaive ? "" : shortText(cpuRatio(measured, naive), 3).c_str(), measured.looseEnds(),
                    peakMegabytes());
        std::fflush(stdout);
        best = std::min(best, goal.threads > 1 ? measured.wall : cpu);
    }
    const bool isMet = best <= goal.seconds && (goal.megabytes <= 0 || peakMegabytes() <= goal.megabytes);
    std::printf("\nGoal %s: best %.2f s.\n", isMet ? "met" : "MISSED", best);
    return isMet;
}

} // namespace
} // namespace lambdascope::benchmarks

int main(int argc, char** argv) {
    lambdascope::restartWithBetterBlasKernels(argv);
    lambdascope::keepFreedMemory();
    using namespace lambdascope;
    using namespace lambdascope::benchmarks;
    const ProgramOptions options = readOptions(argc, argv, "--long");
    pinBlasToOneThread();
    int failures = 0;
    bool areMet = true;
    for (const SpeedGoal& goal : speedGoals(options.switched)) {
        if (!options.wants(goal.title)) {
            continue;
        }
        if (options.lists) {
            std::printf("%s\n", goal.title.c_str());
        } else {
            areMet = runGoal(goal, failures) && areMet;
        }
    }
    for (const MetricBlock& block : choiceBlocks()) {
        if (!options.wants(block.title)) {
            continue;
        }
        if (options.lists) {
            std::printf("%s\n", block.title.c_str());
        } else {
            areMet = runChoice(block, failures) && areMet;
        }
    }
    for (const ScreeningBlock& block : screeningBlocks()) {
        if (!options.wants(block.title)) {
            continue;
        }
        if (options.lists) {
            std::printf("%s\n", block.title.c_str());
        } else {
            areMet = runScreening(block, options.switched, failures) && areMet;
        }
    }
    for (const MetricBlock& block : oracleBlocks()) {
        if (!options.wants(block.title)) {
            continue;
        }
        if (options.lists) {
            std::printf("%s\n", block.title.c_str());
        } else {
            runOracle(block, failures);
        }
    }
    return areMet && failures == 0 ? 0 : 1;
}
