// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmarks/svm_runs/cost_tables.h"

#include "core/common/clocks.h"
#include "core/common/number_text.h"
#include "core/svm/rivals/liblinear_solver.h"
#include "tests/benchmarks/lane_ratios.h"
#include "tests/benchmarks/svm_runs/path_walk.h"
#include "tests/benchmarks/svm_runs/svm_samples.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace lambdascope::benchmarks {

using namespace svm;

namespace {

constexpr double kTolerance = 1e-6;
/// Of the solutions that tell which samples are at a bound.
constexpr double kTrueTolerance = 1e-10;
/// Short paths are measured this often, round by round, and count with their fastest round.
constexpr int kRounds = 3;
constexpr double kShort = 2; ///< seconds

const std::vector<std::string> kLanes = {"Full", "Shrink",    "BT1",           "Shrink+BT1",
                                         "IT",   "Shrink+IT", "Shrink+IT+GAP", "Shrink+oracle"};

/// Solutions along the path, for a lane that knows what they prove: what it takes no rule can beat.
std::vector<SolvedSvm> solutionsAlong(const SvmProblem& problem, const std::vector<double>& values) {
    std::vector<SolvedSvm> solutions;
    walkPath(problem, values, laneOf("Shrink+IT", kTrueTolerance),
             [&](const PointOutcome& outcome) { solutions.push_back(outcome.solved); });
    return solutions;
}

void printKernel(const std::string& name, const SvmProblem& problem, double rowSeconds) {
    const std::vector<double> values = epsilonPath(problem);
    std::vector<PathTotals> lanes(kLanes.size());
    const std::vector<SolvedSvm> solutions = solutionsAlong(problem, values);
    for (int round = 0; round < kRounds; ++round) {
        for (std::size_t l = 0; l < lanes.size(); ++l) {
            if (round == 0 || lanes[l].cpu < kShort) {
                PointSettings settings = laneOf(kLanes[l], kTolerance);
                const bool isOracle = kLanes[l] == "Shrink+oracle";
                if (isOracle) {
                    settings.bounds = kOracleBounds;
                }
                const PathTotals totals =
                    walkPath(problem, values, settings, {}, isOracle ? solutions : std::vector<SolvedSvm>());
                if (round == 0 || totals.cpu < lanes[l].cpu) {
                    lanes[l] = totals;
                }
            }
        }
    }
    const auto best = std::min_element(lanes.begin(), lanes.end() - 1, // the oracle is no approach
                                       [](const PathTotals& a, const PathTotals& b) { return a.cpu < b.cpu; });
    const double shrink = lanes[1].cpu;
    std::printf(
        "\n%s: %zu values of C, kernel rows %.2f s.\n\n"
        "| approach | CPU s | of Shrink | rate %% | updates | sweeps | rules %% of CPU | products for rules %% | "
        "loose ends |\n|---|---|---|---|---|---|---|---|---|\n",
        name.c_str(), values.size(), rowSeconds);
    for (std::size_t l = 0; l < lanes.size(); ++l) {
        const PathTotals& lane = lanes[l];
        const char* mark = &lane == &*best ? "**" : "";
        std::printf("| %s%s%s | %s%.3f%s | %.2f | %.1f | %s | %s | %.1f | %.1f | %d |\n", mark, kLanes[l].c_str(), mark,
                    mark, lane.cpu, mark, lane.cpu / shrink, 100 * lane.rate(), groupedText(lane.updates).c_str(),
                    groupedText(lane.sweeps).c_str(), 100 * lane.rules / lane.cpu, 100 * lane.images / lane.cpu,
                    lane.loose);
    }
    std::fflush(stdout);
}

constexpr SampleIndex kMostForRows = 10'000; ///< samples of which kernel rows are made
constexpr double kSeconds = 2;
constexpr int kRepeats = 9;
constexpr double kLong = 30;        ///< seconds of a walk, of which there are fewer repeats
constexpr double kMostWork = 1.005; ///< 1.00 to two digits: finding out that no look pays costs a little

struct Row {
    PathTotals shrink;
    double balls = 0; ///< counted work of the limit of balls
    PathTotals screened;
    PathTotals oracle;
};

/// Counted work of a lane that is told how far it is from the optimum, and decides what follows from that: the least of
/// several that are told before the first sweep and after each, after each, or after every third.
double workOfBalls(const SvmProblem& problem, const std::vector<double>& values) {
    PointSettings settings = laneOf("Shrink+IT+GAP", kTolerance);
    settings.knowsDistance = true;
    const std::vector<SolvedSvm> solutions = solutionsAlong(problem, values);
    double least = std::numeric_limits<double>::infinity();
    for (const std::int64_t every : {0, 1, 3}) {
        settings.screenEvery = every;
        least = std::min(least, walkPath(problem, values, settings, {}, solutions).operations);
    }
    return least;
}

void printRow(const std::string& kernel, std::size_t points, const Row& row, const std::vector<Spread>& cpu,
              TableTotals& totals) {
    const double work = row.screened.operations / row.shrink.operations;
    const double limit = row.oracle.operations / row.shrink.operations;
    totals.failures += work <= kMostWork ? 0 : 1;
    ++totals.paths;
    totals.workRatios += work;
    totals.timeRatios += cpu[1].median;
    totals.oracleRatios += limit;
    const double balls = row.balls / row.shrink.operations;
    totals.ballRatios += balls;
    std::printf("| %s | %zu | %s%.3f%s | %.2f | %s | %s | %s | %.1f | %s | %d |\n", kernel.c_str(), points,
                work <= kMostWork ? "" : "**", work, work <= kMostWork ? "" : "**", limit,
                balls > 0 ? shortText(balls, 2).c_str() : "", spreadText(cpu[1]).c_str(), spreadText(cpu[2]).c_str(),
                100 * row.screened.rate(), groupedText(row.screened.carried).c_str(),
                row.shrink.loose + row.screened.loose + row.oracle.loose);
    std::fflush(stdout);
}

} // namespace

void printApproaches(const std::string& data) {
    const Samples& samples = samplesOf(data);
    for (const NamedKernel& kernel : paperKernels(samples)) {
        const double start = threadCpuSeconds();
        const SvmProblem problem = samples.problem(kernel.kernel);
        printKernel(kernel.name, problem, threadCpuSeconds() - start);
    }
}

void printPays(const std::string& data, bool hasFreeBias, bool isQuick, TableTotals& totals) {
    const Samples& samples = samplesOf(data);
    std::printf("| kernel | values of C | work | work, oracle | work, balls | CPU | CPU, oracle | rate %% | carried | "
                "loose ends |\n"
                "|---|---|---|---|---|---|---|---|---|---|\n");
    for (const NamedKernel& kernel : paperKernels(samples)) {
        if (kernel.kernel.kind != KernelKind::Linear && samples.y.size() > kMostForRows) {
            continue;
        }
        const SvmProblem problem = samples.problem(kernel.kernel, 1, 1, hasFreeBias);
        const std::vector<double> values = hasFreeBias ? decades() : epsilonPath(problem);
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
        if (hasFreeBias) {
            row.balls = workOfBalls(problem, values);
        }
        const int few = row.shrink.cpu > kLong ? 1 : 3;
        const int repeats = isQuick ? few : row.shrink.cpu > kLong ? 3 : kRepeats;
        const auto cpu = interleavedRatios({[&] { return walkPath(problem, values, shrink).cpu; },
                                            [&] { return walkPath(problem, values, screened).cpu; },
                                            [&] { return walkPath(problem, values, knowing, {}, known).cpu; }},
                                           isQuick ? 0 : kSeconds, repeats);
        printRow(kernel.name, values.size(), row, cpu, totals);
    }
}

namespace {

constexpr double kAgreement = 1e-6;
constexpr double kOurTolerance = 1e-9;
/// The library's own measure, the spread of projected slopes; it gives up after 1000 sweeps.
constexpr double kLibraryTolerance = 1e-7;

/// Multiple of C_min up to which the library has to come to its end.
constexpr double kSafelySolved = 100;

bool isAtBounds(const SvmProblem& problem, const PointOutcome& outcome) {
    return outcome.solved.alpha == outcome.solved.c * problem.weights();
}

} // namespace

void printObjectives(const std::string& data, TableTotals& totals) {
    const SvmProblem problem = samplesOf(data).problem({});
    const double least = leastC(problem);
    std::printf(
        "C_min = %s\n\n| C | ours | gap / primal | LIBLINEAR | difference / primal | |\n|---|---|---|---|---|---|\n",
        shortText(least).c_str());
    LiblinearSolver library(problem);
    NullSink sink;
    RunContext context(RunId{0}, sink);
    walkPath(problem, {0.5 * least, least, 10 * least, 100 * least, 1000 * least}, laneOf("Shrink+IT", kOurTolerance),
             [&](const PointOutcome& ours) {
                 const double c = ours.solved.c;
                 const double theirs = library.solve(c, kLibraryTolerance, context).primal.value;
                 const double difference = theirs / ours.primal.value - 1;
                 const bool isStart = c <= least;
                 // The library stops after 1000 sweeps, wherever it is then; our gap proves how far off.
                 const bool isLibraryShort = difference > kAgreement &&
                                             ours.solved.gap <= 1e-3 * kAgreement * ours.primal.value &&
                                             c > kSafelySolved * least;
                 const bool isGood =
                     (std::abs(difference) <= kAgreement || isLibraryShort) && (!isStart || isAtBounds(problem, ours));
                 totals.failures += isGood ? 0 : 1;
                 std::printf("| %s | %s | %.1e | %s | %+.1e | %s%s |\n", shortText(c).c_str(),
                             shortText(ours.primal.value, 10).c_str(), ours.solved.gap / ours.primal.value,
                             shortText(theirs, 10).c_str(), difference,
                             isStart          ? "α = C"
                             : isLibraryShort ? "the library gave up, as our gap proves"
                                              : "",
                             isGood ? "" : " FAILED");
                 std::fflush(stdout);
             });
}

} // namespace lambdascope::benchmarks
