// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmarks/svm_runs/objective_table.h"

#include "core/common/number_text.h"
#include "core/svm/rivals/liblinear_solver.h"
#include "tests/benchmarks/svm_runs/path_walk.h"
#include "tests/benchmarks/svm_runs/svm_samples.h"

#include <cmath>
#include <cstdio>

namespace lambdascope::benchmarks {

using namespace svm;

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
