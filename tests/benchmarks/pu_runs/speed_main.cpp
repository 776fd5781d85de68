// SPDX-License-Identifier: GPL-3.0-or-later
// lambdascope_pu_speed [--list] [--only TEXT]: the pair steps against the published method, whole solves of large
// problems, what screening adds to shrinking, and how time grows with n; Markdown on the standard output, each number
// from a single run. Exit status 1 when a goal is missed.
#include "core/common/clocks.h"
#include "core/common/number_text.h"
#include "core/numeric/blas_library.h"
#include "core/numeric/memory_pages.h"
#include "core/pu/rivals/usmo.h"
#include "tests/benchmarks/program_options.h"
#include "tests/benchmarks/pu_runs/growth_curves.h"
#include "tests/benchmarks/pu_runs/pu_sets.h"

#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>

namespace lambdascope::benchmarks {
namespace {

using namespace lambdascope::pu;

constexpr double kTau = 1e-3;
const PointSettings kToViolation{.tolerance = kTau, .toleranceKind = ToleranceKind::Violation};

double peakMegabytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) * 1024 / 1e6;
}

/// Kernel values are part of either's time: the pair steps keep the rows they ask for, the published method makes them
/// each time (its memory is linear in n). The last column gives it ready rows too, which is not what was published.
bool againstPublished() {
    std::printf(
        "| data | kernel | λ | pairs, s | USMO, s | ratio | USMO on ready rows, s |\n|---|---|---|---|---|---|---|\n");
    bool isMet = true;
    const auto compare = [&](const std::string& name, const PuProblem& problem, double lambda) {
        const KernelFunction& kernel = problem.space().kernel();
        const auto again = [&](double budget) {
            return problemOn(problem.space().sharedSamples(), kernel, problem.prior(), budget, false);
        };
        const auto published = [&](const PuProblem& on, bool& hasConverged) {
            StopCheck never;
            Usmo usmo(on, lambda, kTau);
            hasConverged = usmo.solve(uniformStart(on), 10000, never).hasConverged;
        };
        double start = threadCpuSeconds();
        (void)solve(*again(2e9), lambda, kToViolation);
        const double pairs = threadCpuSeconds() - start;
        bool hasConverged = false;
        start = threadCpuSeconds();
        published(*again(0), hasConverged);
        const double theirs = threadCpuSeconds() - start;
        start = threadCpuSeconds();
        published(problem, hasConverged);
        const double ready = threadCpuSeconds() - start;
        std::printf("| %s | %s | %g | %.3f | %.3f%s | %.1f | %.3f |\n", name.c_str(),
                    problem.space().isLinear() ? "linear" : "Gaussian", lambda, pairs, theirs,
                    hasConverged ? "" : " (not converged)", theirs / pairs, ready);
        std::fflush(stdout);
        isMet = isMet && theirs >= 5 * pairs;
    };
    const PaperSet& krvskp = paperSets()[8];
    for (const KernelKind kind : {KernelKind::Linear, KernelKind::Rbf}) {
        if (const auto problem = paperProblem(krvskp, {.kind = kind, .gamma = 1}, 1)) {
            compare("Krvskp", *problem, 1e-2);
            compare("Krvskp", *problem, 1e-3);
        }
        compare("gaussians, n = 4000", *problemOn(gaussians(4000, 10, 1), {.kind = kind, .gamma = 1}, 0.4, 2e9, true),
                1e-2);
    }
    return isMet;
}

bool largeLinear() {
    const auto samples = gaussians(1000000, 10, 1);
    const double start = wallSeconds();
    const auto problem = problemOn(samples, {.kind = KernelKind::Linear}, 0.4, 1e9, false);
    const PointOutcome outcome = solve(*problem, 1e-2, kToViolation);
    const double seconds = wallSeconds() - start;
    std::printf("1,000,000 × 10, λ = 0.01: %.2f s, violation %.1e, peak %.0f MB with the data. Goal: 30 s, 1000 MB.\n",
                seconds, outcome.solved.violation * problem->unit(1e-2), peakMegabytes());
    return seconds <= 30 && peakMegabytes() <= 1000 && outcome.termination == Termination::Converged;
}

bool largeKernel() {
    const auto samples = gaussians(20000, 10, 1);
    const double start = wallSeconds();
    const auto problem = problemOn(samples, {.kind = KernelKind::Rbf, .gamma = 1}, 0.4, 2e9, false);
    const PointOutcome outcome = solve(*problem, 1e-2, kToViolation);
    const double seconds = wallSeconds() - start;
    std::printf("20,000 unlabeled, Gaussian, λ = 0.01, 2 GB of rows: %.2f s, %s rows made, %s steps. Goal: 10 s.\n",
                seconds, groupedText(problem->space().rowsMade()).c_str(), groupedText(outcome.steps).c_str());
    return seconds <= 10 && outcome.termination == Termination::Converged;
}

/// The share of a path's steps times samples that were provably settled at the time of the step, when somebody looks
/// again whenever the violation has fallen by a tenth.
class ProvableShare final : public ScreeningObserver {
  public:
    void checked(const ScreeningCheck& check) override {
        spend(check.steps);
        m_decided = static_cast<double>(std::count_if(check.decisions.begin(), check.decisions.end(),
                                                      [](Decision decision) { return decision != Decision::Keep; })) /
                    static_cast<double>(check.decisions.size());
    }
    void finish(std::int64_t steps) {
        spend(steps);
        m_steps += static_cast<double>(steps);
        m_before = 0;
        m_decided = 0;
    }
    [[nodiscard]] double share() const { return m_provable / m_steps; }

  private:
    void spend(std::int64_t steps) {
        m_provable += m_decided * static_cast<double>(steps - m_before);
        m_before = steps;
    }
    double m_decided = 0;
    double m_provable = 0;
    double m_steps = 0;
    std::int64_t m_before = 0;
};

/// A path with screening beside the same one without, each measured this often in turns; medians count.
constexpr int kRounds = 15;

struct OnTop {
    double seconds[2] = {};
    double values[2] = {}; ///< kernel values read, millions
    std::int64_t steps[2] = {};
    double rate = 0;
    double provable = 0;
};

OnTop compareAlong(const PuProblem& problem, double tolerance) {
    const auto walk = [&](const std::function<PointOutcome(double, const SolvedPu&)>& solveFrom) {
        SolvedPu last = firstPoint(problem, 0.1);
        for (double lambda = 0.1; lambda > 0.9e-4; lambda *= std::pow(0.1, 0.1)) {
            last = solveFrom(lambda, last).solved;
        }
    };
    OnTop result;
    ProvableShare provable;
    walk([&](double lambda, const SolvedPu& last) {
        PointOutcome outcome =
            solve(problem, lambda, {.tolerance = tolerance, .screens = true, .screenFall = 0.9}, &last, &provable);
        provable.finish(outcome.steps);
        return outcome;
    });
    result.provable = provable.share();
    std::vector<double> seconds[2];
    for (int round = 0; round < 2 * kRounds; ++round) {
        const int k = round % 2;
        PointSolver solver(problem, {.tolerance = tolerance, .screens = k == 1, .isAuto = true});
        NullSink sink;
        RunContext context(RunId{0}, sink);
        double cpu = 0;
        int points = 0;
        result.values[k] = result.rate = 0;
        result.steps[k] = 0;
        walk([&](double lambda, const SolvedPu& last) {
            PointOutcome outcome = solver.solve(lambda, last, 0, context);
            cpu += outcome.cpuSolve + outcome.cpuScreen;
            result.values[k] += 1e-6 * static_cast<double>(outcome.kernelValues);
            result.steps[k] += outcome.steps;
            result.rate += static_cast<double>(outcome.finalScreened.sum()) / problem.unlabeled();
            ++points;
            return outcome;
        });
        result.rate /= points;
        seconds[k].push_back(cpu);
    }
    for (int k = 0; k < 2; ++k) {
        std::nth_element(seconds[k].begin(), seconds[k].begin() + kRounds / 2, seconds[k].end());
        result.seconds[k] = seconds[k][kRounds / 2];
    }
    return result;
}

/// Goal: each set, at the solver's own tolerance and at the tightest.
bool screeningOnTop() {
    constexpr double kGoal = 1.3;
    std::printf(
        "λ from 0.1 to 1e-4, ten a decade; n = 4000. Medians of %d.\n\n"
        "| data | tolerance | shrinking, s | with screening, s | ratio | steps | with screening | kernel values "
        "read, millions | with screening | ratio | rate before solved | provable at the time |\n"
        "|---|---|---|---|---|---|---|---|---|---|---|---|\n",
        kRounds);
    std::vector<std::pair<std::string, std::shared_ptr<const PuProblem>>> problems;
    problems.emplace_back("gaussians",
                          problemOn(gaussians(4000, 10, 1), {.kind = KernelKind::Rbf, .gamma = 1}, 0.4, 2e9, true));
    problems.emplace_back("Krvskp", paperProblem(paperSets()[8], {.kind = KernelKind::Rbf, .gamma = 1.0 / 36}, 1));
    for (const GrowthSet& set : growthSets()) {
        problems.emplace_back(set.name, growthProblem(set, 4000));
    }
    bool isMet = true;
    for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
        double all[2] = {};
        for (const auto& [name, problem] : problems) {
            if (!problem) {
                continue;
            }
            const OnTop run = compareAlong(*problem, tolerance);
            const double ratio = run.seconds[0] / run.seconds[1];
            std::printf("| %s | %.0e | %.3f | %.3f | %.2f | %s | %s | %.1f | %.1f | %.2f | %.3f | %.3f |\n",
                        name.c_str(), tolerance, run.seconds[0], run.seconds[1], ratio,
                        groupedText(run.steps[0]).c_str(), groupedText(run.steps[1]).c_str(), run.values[0],
                        run.values[1], run.values[0] / run.values[1], run.rate, run.provable);
            std::fflush(stdout);
            all[0] += run.seconds[0];
            all[1] += run.seconds[1];
            isMet = isMet && (tolerance > 1e-6 || ratio >= kGoal);
        }
        std::printf("| all | %.0e | %.3f | %.3f | %.2f | | | | | | | |\n", tolerance, all[0], all[1], all[0] / all[1]);
    }
    return isMet;
}

bool growth() {
    std::printf("| kernel | n | s | slope |\n|---|---|---|---|\n");
    bool isMet = true;
    for (const KernelKind kind : {KernelKind::Linear, KernelKind::Rbf}) {
        double before = 0;
        const std::vector<SampleIndex> sizes = kind == KernelKind::Linear
                                                   ? std::vector<SampleIndex>{20000, 80000, 320000}
                                                   : std::vector<SampleIndex>{1000, 2000, 4000, 8000, 16000};
        double first = 0;
        for (const SampleIndex n : sizes) {
            const auto samples = gaussians(n, 10, 1);
            const double start = threadCpuSeconds();
            const auto problem = problemOn(samples, {.kind = kind, .gamma = 1}, 0.4, 2e9, false);
            (void)solve(*problem, 1e-2, kToViolation);
            const double seconds = threadCpuSeconds() - start;
            const double factor = kind == KernelKind::Linear ? 4 : 2;
            std::printf("| %s | %s | %.3f | %s |\n", kind == KernelKind::Linear ? "linear" : "Gaussian",
                        groupedText(n).c_str(), seconds,
                        before > 0 ? shortText(std::log(seconds / before) / std::log(factor), 3).c_str() : "");
            std::fflush(stdout);
            first = first > 0 ? first : seconds;
            before = seconds;
        }
        const double whole =
            std::log(before / first) / std::log(static_cast<double>(sizes.back()) / static_cast<double>(sizes.front()));
        std::printf("| | all | | %.2f |\n", whole);
        isMet = isMet && whole <= (kind == KernelKind::Linear ? 1.3 : 2.0);
    }
    return isMet;
}

} // namespace
} // namespace lambdascope::benchmarks

int main(int argc, char** argv) {
    lambdascope::restartWithBetterBlasKernels(argv);
    lambdascope::keepFreedMemory();
    using namespace lambdascope;
    using namespace lambdascope::benchmarks;
    const ProgramOptions options = readOptions(argc, argv);
    pinBlasToOneThread();
    bool areMet = true;
    const std::vector<std::pair<std::string, std::function<bool()>>> goals = {
        {"1,000,000 samples, linear", largeLinear},
        {"published method", againstPublished},
        {"20,000 samples, Gaussian", largeKernel},
        {"screening on top of shrinking", screeningOnTop},
        {"growth with n", growth},
    };
    for (const auto& [title, measure] : goals) {
        if (!options.opens(title)) {
            continue;
        }
        const bool isMet = measure();
        std::printf("\nGoal %s.\n", isMet ? "met" : "MISSED");
        areMet = areMet && isMet;
    }
    return areMet ? 0 : 1;
}
