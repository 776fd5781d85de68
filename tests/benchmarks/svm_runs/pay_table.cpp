// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmarks/svm_runs/pay_table.h"

#include "core/common/number_text.h"
#include "tests/benchmarks/lane_ratios.h"
#include "tests/benchmarks/svm_runs/path_walk.h"
#include "tests/benchmarks/svm_runs/svm_samples.h"

#include <cstdio>

namespace lambdascope::benchmarks {

using namespace svm;

namespace {

constexpr double kTolerance = 1e-6;
constexpr SampleIndex kMostForRows = 10'000; ///< samples of which kernel rows are made
constexpr double kSeconds = 2;
constexpr int kRepeats = 9;
constexpr double kMostWork = 1.00;

struct Row {
    PathTotals shrink;
    PathTotals screened;
    PathTotals oracle;
};

void printRow(const std::string& kernel, std::size_t points, const Row& row, const std::vector<Spread>& cpu,
              TableTotals& totals) {
    const double work = row.screened.operations / row.shrink.operations;
    const double limit = row.oracle.operations / row.shrink.operations;
    totals.failures += work <= kMostWork ? 0 : 1;
    std::printf("| %s | %zu | %s%.2f%s | %.2f | %s | %s | %.1f | %s | %d |\n", kernel.c_str(), points,
                work <= kMostWork ? "" : "**", work, work <= kMostWork ? "" : "**", limit, spreadText(cpu[1]).c_str(),
                spreadText(cpu[2]).c_str(), 100 * row.screened.rate(), groupedText(row.screened.carried).c_str(),
                row.shrink.loose + row.screened.loose + row.oracle.loose);
    std::fflush(stdout);
}

} // namespace

void printPays(const std::string& data, bool isQuick, TableTotals& totals) {
    const Samples& samples = samplesOf(data);
    std::printf("| kernel | values of C | work | work, oracle | CPU | CPU, oracle | rate %% | carried | loose ends |\n"
                "|---|---|---|---|---|---|---|---|---|\n");
    for (const NamedKernel& kernel : paperKernels(samples)) {
        if (kernel.kernel.kind != KernelKind::Linear && samples.y.size() > kMostForRows) {
            continue;
        }
        const SvmProblem problem = samples.problem(kernel.kernel);
        const std::vector<double> values = epsilonPath(problem);
        const PointSettings shrink = laneOf("Shrink", kTolerance);
        PointSettings screened = laneOf("Shrink+IT+GAP", kTolerance);
        screened.schedule = ScheduleKind::Auto;
        PointSettings knowing = shrink;
        knowing.bounds = kOracleBounds;
        std::vector<SolvedSvm> known;
        Row row;
        row.shrink = walkPath(problem, values, shrink);
        row.screened =
            walkPath(problem, values, screened, [&](const PointOutcome& outcome) { known.push_back(outcome.solved); });
        row.oracle = walkPath(problem, values, knowing, {}, known);
        const auto cpu = interleavedRatios({[&] { return walkPath(problem, values, shrink).cpu; },
                                            [&] { return walkPath(problem, values, screened).cpu; },
                                            [&] { return walkPath(problem, values, knowing, {}, known).cpu; }},
                                           isQuick ? 0 : kSeconds, isQuick ? 3 : kRepeats);
        printRow(kernel.name, values.size(), row, cpu, totals);
    }
}

} // namespace lambdascope::benchmarks
