// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmarks/svm_runs/rate_table.h"

#include "tests/benchmarks/svm_runs/path_walk.h"
#include "tests/benchmarks/svm_runs/svm_samples.h"
#include "tests/core/svm/screening_at.h"

#include <algorithm>
#include <cstdio>

namespace lambdascope::benchmarks {

using namespace svm;

namespace {

constexpr double kC = 10;
constexpr double kTolerance = 1e-6;
constexpr double kBeyond = 1.3; ///< of DT
const std::vector<double> kShares = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99};

/// Samples that `first` decides and `second` does not.
std::int64_t lost(const std::vector<Decision>& first, const std::vector<Decision>& second) {
    std::int64_t count = 0;
    for (std::size_t i = 0; i < first.size(); ++i) {
        count += first[i] != Decision::Keep && second[i] != first[i] ? 1 : 0;
    }
    return count;
}

std::int64_t decided(const std::vector<Decision>& decisions) {
    return std::count_if(decisions.begin(), decisions.end(),
                         [](Decision decision) { return decision != Decision::Keep; });
}

void printKernel(const NamedKernel& kernel, const SvmProblem& problem, TableTotals& totals) {
    NullSink sink;
    RunContext context(RunId{0}, sink);
    std::vector<SolvedSvm> references;
    std::vector<double> values;
    for (const double share : kShares) {
        values.push_back(share * kC);
    }
    walkPath(problem, values, laneOf("Shrink", kTolerance),
             [&](const PointOutcome& outcome) { references.push_back(outcome.solved); });
    PointSolver plain(problem, laneOf("Shrink", kTolerance));
    const PointOutcome optimum = plain.solve(kC, references.back(), 0, context);
    const PointOutcome beyond = plain.solve(kBeyond * kC, references.back(), 0, context);
    PointSolver dynamic(problem, laneOf("Shrink+GAP", kTolerance));
    const auto decidable = static_cast<double>(std::max<std::int64_t>(optimum.setCounts.sum(), 1));
    std::printf("\n%s: %.1f %% of the samples in R or L at C = %g.\n\n"
                "| C_ref/C | BT1 %% | BT2 %% | IT %% | DT %% | GAP at the start %% | GAP at the end %% |\n"
                "|---|---|---|---|---|---|---|\n",
                kernel.name.c_str(), 100 * decidable / static_cast<double>(problem.size()), kC);
    for (std::size_t r = 0; r < references.size(); ++r) {
        ScreeningAt screening(problem, references[r]);
        screening.moveTo(kC, &beyond.solved);
        std::printf("| %.2f ", kShares[r]);
        for (const BoundKind kind : allBounds()) {
            std::printf("| %.1f ", 100 * static_cast<double>(decided(screening.decisions(kind))) / decidable);
        }
        const PointOutcome outcome = dynamic.solve(kC, references[r], 0, context);
        std::printf("| %.1f |", 100 * static_cast<double>(outcome.finalScreened.sum()) / decidable);
        const std::vector<Decision> both = screening.decisions(BoundKind::Intersection);
        const std::int64_t missed =
            lost(screening.decisions(BoundKind::BallOne), both) + lost(screening.decisions(BoundKind::BallTwo), both);
        totals.failures += missed == 0 ? 0 : 1;
        std::printf("%s\n", missed == 0 ? "" : " FAILED: IT lost samples");
    }
    std::fflush(stdout);
}

} // namespace

void printRates(const std::string& data, TableTotals& totals) {
    const Samples& samples = samplesOf(data);
    for (const NamedKernel& kernel : paperKernels(samples)) {
        printKernel(kernel, samples.problem(kernel.kernel), totals);
    }
}

} // namespace lambdascope::benchmarks
