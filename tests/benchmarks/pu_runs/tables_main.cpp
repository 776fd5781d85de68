// SPDX-License-Identifier: GPL-3.0-or-later
// lambdascope_pu_tables [--list] [--only TEXT] [--quick]: objectives beside the interior-point baseline's, F-measures
// beside the published ones, screening rates along λ and by accuracy, audited decisions, memory and time against n;
// Markdown on the standard output. Exit status 1 when a decision is wrong or an objective differs.
#include "core/common/number_text.h"
#include "core/numeric/blas_library.h"
#include "core/numeric/memory_pages.h"
#include "core/pu/engines/pu_model.h"
#include "core/pu/inspect/decision_audit.h"
#include "core/pu/problem/pu_measures.h"
#include "core/pu/rivals/interior_point.h"
#include "tests/benchmarks/lane_ratios.h"
#include "tests/benchmarks/program_options.h"
#include "tests/benchmarks/pu_runs/growth_curves.h"
#include "tests/benchmarks/pu_runs/pu_sets.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <span>
#include <vector>

namespace lambdascope::benchmarks {
namespace {

using namespace lambdascope::pu;

struct Totals {
    AuditReport audit;
    int failures = 0;
};

struct NamedKernel {
    std::string name;
    KernelFunction kernel;
};
std::vector<NamedKernel> paperKernels() {
    return {{"linear", {.kind = KernelKind::Linear}}, {"Gaussian", {.kind = KernelKind::Rbf, .gamma = 1}}};
}

constexpr double kLambdas[] = {1e-4, 1e-3, 1e-2, 1e-1};

void printObjectives(const PaperSet& set, Totals& totals) {
    std::printf("| kernel | λ | objective | interior point | relative difference | gap / max(1, objective) |\n"
                "|---|---|---|---|---|---|\n");
    StopCheck never;
    for (const auto& [name, kernel] : paperKernels()) {
        const auto problem = paperProblem(set, kernel, 1);
        for (const double lambda : kLambdas) {
            const SolvedPu solved = solve(*problem, lambda, {.tolerance = 1e-8}).solved;
            const double size = std::max(1.0, std::abs(solved.primal));
            const double unit = problem->unit(lambda);
            std::printf("| %s | %g | %.10g |", name.c_str(), lambda, solved.primal);
            const InteriorOutcome interior = solveByInteriorPoint(*problem, lambda, 1e-9, never);
            const double off = std::abs(interior.solved.primal - solved.primal) / size;
            std::printf(" %.10g | %.1e |", interior.solved.primal, off);
            totals.failures += off <= 1e-6 ? 0 : 1;
            std::printf(" %.1e |\n", solved.gap * unit * unit / size);
            std::fflush(stdout);
        }
    }
}

/// F of finding the samples that are not positive.
double fOfOthers(const Eigen::VectorXd& values, std::span<const std::int8_t> truth) {
    std::vector<std::int8_t> others(truth.begin(), truth.end());
    for (std::int8_t& each : others) {
        each = each != 0 ? 0 : 1;
    }
    return measureAgainst(-values, others).f;
}

/// Where one prediction is made for all samples, published values tell which class they are about: on some sets it is
/// the one that is not labelled.
void printMeasures(const PaperSet& set, Totals&) {
    std::printf("| kernel | λ | F, mean of 10 seeds | least | largest | F of the other class | published |\n"
                "|---|---|---|---|---|---|---|\n");
    for (const auto& [name, kernel] : paperKernels()) {
        for (int k = 3; k >= 0; --k) {
            double sum = 0, others = 0, least = 1, largest = 0;
            for (std::uint64_t seed = 1; seed <= 10; ++seed) {
                const auto problem = paperProblem(set, kernel, seed);
                const SolvedPu solved = solve(*problem, kLambdas[k], {.tolerance = 1e-5}).solved;
                const PuModel model = modelOf(*problem, solved);
                const Eigen::VectorXd values = model.values.tail(problem->unlabeled());
                const std::vector<std::int8_t>& truth = problem->space().samples().truth;
                const double f = measureAgainst(values, truth).f;
                sum += f;
                others += fOfOthers(values, truth);
                least = std::min(least, f);
                largest = std::max(largest, f);
            }
            const double published = kernel.kind == KernelKind::Linear ? set.linear[k] : set.gaussian[k];
            std::printf("| %s | %g | %.1f | %.1f | %.1f | %.1f | %.1f |\n", name.c_str(), kLambdas[k], 10 * sum,
                        100 * least, 100 * largest, 10 * others, published);
            std::fflush(stdout);
        }
    }
}

void printAudit(const PaperSet& set, Totals& totals) {
    std::printf("| kernel | decisions | wrong | rate at gap 1e-1 | 1e-2 | 1e-3 | 1e-4 | 1e-6 | smallest slack |\n"
                "|---|---|---|---|---|---|---|---|---|\n");
    constexpr double kAccuracies[] = {1e-1, 1e-2, 1e-3, 1e-4, 1e-6};
    for (const auto& [name, kernel] : paperKernels()) {
        AuditReport audit;
        double rates[5] = {};
        int points = 0;
        for (std::uint64_t seed = 1; seed <= 6; ++seed) {
            const auto problem = paperProblem(set, kernel, seed);
            SolvedPu last = firstPoint(*problem, 0.1);
            for (double lambda = 0.1; lambda > 0.9e-4; lambda *= std::sqrt(0.1)) {
                const SolvedPu tight = solve(*problem, lambda, {.tolerance = 1e-9}, &last).solved;
                for (int k = 0; k < 5; ++k) {
                    struct Last final : ScreeningObserver {
                        void checked(const ScreeningCheck& check) override {
                            decisions.assign(check.decisions.begin(), check.decisions.end());
                        }
                        std::vector<Decision> decisions;
                    } observer;
                    const PointOutcome lane =
                        solve(*problem, lambda, {.tolerance = kAccuracies[k], .screens = true}, &last, &observer);
                    std::vector<Decision> decisions;
                    rates[k] += static_cast<double>(setCountsOf(*problem, lane.solved, &decisions).sum()) /
                                problem->unlabeled();
                    audit.add(auditDecisions(*problem, decisions, tight), points);
                    audit.add(auditDecisions(*problem, observer.decisions, tight), points);
                }
                ++points;
                last = tight;
            }
        }
        std::printf("| %s | %s | %s |", name.c_str(), groupedText(audit.decisions).c_str(),
                    groupedText(audit.wrong).c_str());
        for (const double rate : rates) {
            std::printf(" %.3f |", rate / points);
        }
        std::printf(" %s |\n", shortText(audit.smallestSlack).c_str());
        for (const std::string& example : audit.examples) {
            std::printf("\nWRONG: %s\n", example.c_str());
        }
        totals.audit.decisions += audit.decisions;
        totals.audit.wrong += audit.wrong;
        totals.audit.undecided += audit.undecided;
        std::fflush(stdout);
    }
}

/// What screening decides along λ: from the solution of the λ before, as it begins, and from the solution itself when
/// that is more and more accurate. Means of three seeds.
void printRates(const PaperSet& set, Totals&) {
    std::printf(
        "| kernel | λ | path | gap 1e-1 | 1e-2 | 1e-3 | 1e-4 | 1e-6 | 1e-9 |\n|---|---|---|---|---|---|---|---|---|\n");
    constexpr double kAccuracies[] = {1e-1, 1e-2, 1e-3, 1e-4, 1e-6, 1e-9};
    constexpr int kSeeds = 3;
    constexpr int kPoints = 7;
    for (const auto& [name, kernel] : paperKernels()) {
        double rates[kPoints][7] = {};
        for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
            const auto problem = paperProblem(set, kernel, seed);
            const double each = 1.0 / (kSeeds * problem->unlabeled());
            SolvedPu last = firstPoint(*problem, 0.1);
            for (int point = 0; point < kPoints; ++point) {
                const double lambda = 0.1 * std::pow(0.1, 0.5 * point);
                PointOutcome outcome;
                for (int k = 0; k < 6; ++k) {
                    outcome = solve(*problem, lambda, {.tolerance = kAccuracies[k], .screens = true}, &last);
                    rates[point][k + 1] += each * static_cast<double>(outcome.setCounts.sum());
                }
                rates[point][0] += each * static_cast<double>(outcome.pathScreened.sum());
                last = std::move(outcome.solved);
            }
        }
        for (int point = 0; point < kPoints; ++point) {
            std::printf("| %s | %s |", name.c_str(), shortText(0.1 * std::pow(0.1, 0.5 * point), 2).c_str());
            for (const double rate : rates[point]) {
                std::printf(" %.3f |", rate);
            }
            std::printf("\n");
        }
        std::fflush(stdout);
    }
}

/// One lane down the path; counted operations and CPU seconds.
struct Walked {
    double operations = 0;
    double cpu = 0;
    int loose = 0;
    double decided = 0;
    double decidable = 0;
};

Walked walkDown(const PuProblem& problem, const SolvedPu& start, const PointSettings& settings) {
    NullSink sink;
    RunContext context(RunId{0}, sink);
    PointSolver solver(problem, settings);
    Walked walked;
    SolvedPu last = start;
    std::int32_t index = 0;
    for (double lambda = 0.1; lambda > 0.9e-4; lambda *= std::pow(0.1, 0.1)) {
        PointOutcome outcome = solver.solve(lambda, last, index++, context);
        walked.operations += outcome.operations;
        walked.cpu += outcome.cpuSolve + outcome.cpuScreen;
        walked.loose += outcome.termination == Termination::Converged ? 0 : 1;
        walked.decided += static_cast<double>(outcome.finalScreened.sum());
        walked.decidable += static_cast<double>(outcome.setCounts.sum());
        last = std::move(outcome.solved);
    }
    return walked;
}

/// What screening by the schedule "auto" saves on top of shrinking, down 31 values of λ: counted operations and CPU
/// time over those of shrinking alone. A row where screening costs operations counts as a failed check.
void printPays(const PaperSet& set, bool isQuick, Totals& totals) {
    std::printf("| kernel | tolerance | work | CPU | rate %% | loose ends |\n|---|---|---|---|---|---|\n");
    for (const auto& [name, kernel] : paperKernels()) {
        const auto problem = paperProblem(set, kernel, 1);
        const SolvedPu start = firstPoint(*problem, 0.1);
        for (const double tolerance : {1e-4, 1e-6}) {
            const PointSettings plain{.tolerance = tolerance};
            const PointSettings screened{.tolerance = tolerance, .screens = true, .isAuto = true};
            const Walked without = walkDown(*problem, start, plain);
            const Walked with = walkDown(*problem, start, screened);
            const auto cpu = interleavedRatios({[&] { return walkDown(*problem, start, plain).cpu; },
                                                [&] { return walkDown(*problem, start, screened).cpu; }},
                                               isQuick ? 0 : 2, isQuick ? 3 : 9);
            const double work = with.operations / without.operations;
            totals.failures += work <= 1 ? 0 : 1;
            std::printf("| %s | %g | %.2f | %s | %.1f | %d |\n", name.c_str(), tolerance, work,
                        spreadText(cpu[1]).c_str(), 100 * with.decided / std::max(1.0, with.decidable),
                        without.loose + with.loose);
            std::fflush(stdout);
        }
    }
}

/// Audits at the size that counts: decisions by the million on made data.
void printLargeAudit(Totals& totals) {
    std::printf("| kernel | n | λ | decisions | wrong | smallest slack |\n|---|---|---|---|---|---|\n");
    for (const SampleIndex n : {20000, 200000, 1000000}) {
        const auto samples = gaussians(n, 10, 1);
        const auto problem = problemOn(samples, {.kind = KernelKind::Linear}, 0.4, 1e9, true);
        SolvedPu last = firstPoint(*problem, 0.1);
        for (const double lambda : {1e-1, 1e-2, 1e-3}) {
            const SolvedPu tight = solve(*problem, lambda, {.tolerance = 1e-9}, &last).solved;
            AuditReport audit;
            for (const double accuracy : {1e-1, 1e-2, 1e-3, 1e-4, 1e-6}) {
                const SolvedPu reference = solve(*problem, lambda, {.tolerance = accuracy}, &last).solved;
                std::vector<Decision> decisions;
                (void)setCountsOf(*problem, reference, &decisions);
                audit.add(auditDecisions(*problem, decisions, tight), 0);
            }
            std::printf("| linear | %s | %g | %s | %s | %s |\n", groupedText(n).c_str(), lambda,
                        groupedText(audit.decisions).c_str(), groupedText(audit.wrong).c_str(),
                        shortText(audit.smallestSlack).c_str());
            std::fflush(stdout);
            totals.audit.decisions += audit.decisions;
            totals.audit.wrong += audit.wrong;
            totals.audit.undecided += audit.undecided;
            last = tight;
        }
    }
}

void printMemory(Totals&) {
    constexpr double kRows = 48; // with a store for so many rows, memory is linear in n; more of them save time
    struct Solved {
        double bytes = 0;
        double seconds = 0;
    };
    const auto solveWithin = [](SampleIndex n, double store) {
        Solved solved;
        std::vector<double> seconds;
        for (int repetition = 0; repetition < 3; ++repetition) {
            const auto problem =
                problemOn(gaussians(n, 10, 1), {.kind = KernelKind::Rbf, .gamma = 1}, 0.4, store, false);
            const PointOutcome outcome =
                solve(*problem, 1e-2, {.tolerance = 1e-3, .toleranceKind = ToleranceKind::Violation});
            solved.bytes = static_cast<double>(outcome.bytes);
            seconds.push_back(outcome.cpuSolve);
        }
        std::nth_element(seconds.begin(), seconds.begin() + 1, seconds.end());
        solved.seconds = seconds[1];
        return solved;
    };
    std::printf(
        "| n | store of 200 MB | CPU s | store for %.0f rows | bytes per n | CPU s | whole Gram matrix with factor |\n"
        "|---|---|---|---|---|---|---|\n",
        kRows);
    for (const SampleIndex n : {1000, 2000, 4000, 8000, 16000, 32000}) {
        const Solved roomy = solveWithin(n, 2e8);
        const Solved tight = solveWithin(n, kRows * 8 * n);
        std::printf("| %s | %s | %.3f | %s | %.0f | %.3f | %s |\n", groupedText(n).c_str(),
                    byteText(roomy.bytes).c_str(), roomy.seconds, byteText(tight.bytes).c_str(), tight.bytes / n,
                    tight.seconds, byteText(interiorPointBytes(n)).c_str());
        std::fflush(stdout);
    }
}

} // namespace
} // namespace lambdascope::benchmarks

int main(int argc, char** argv) {
    lambdascope::restartWithBetterBlasKernels(argv);
    lambdascope::keepFreedMemory();
    using namespace lambdascope;
    using namespace lambdascope::benchmarks;
    const ProgramOptions options = readOptions(argc, argv, "--quick");
    pinBlasToOneThread();
    Totals totals;
    const auto run = [&](const std::string& title, bool isThere, const std::function<void()>& print) {
        if (!options.opens(title)) {
            return;
        }
        if (isThere) {
            print();
        } else {
            std::printf("Skipped: these data are not in ../shared/data.\n");
        }
    };
    for (const PaperSet& set : paperSets()) {
        const bool isThere = paperProblem(set, {.kind = KernelKind::Linear}, 1) != nullptr;
        run("objectives, " + set.name, isThere, [&] { printObjectives(set, totals); });
        run("F-measures, " + set.name, isThere, [&] { printMeasures(set, totals); });
        run("rates, " + set.name, isThere, [&] { printRates(set, totals); });
        run("audit, " + set.name, isThere, [&] { printAudit(set, totals); });
        run("auto over none, " + set.name, isThere, [&] { printPays(set, options.switched, totals); });
    }
    run("large audit", true, [&] { printLargeAudit(totals); });
    run("memory", true, [&] { printMemory(totals); });
    for (const GrowthSet& set : growthSets()) {
        run("growth, " + set.name, hasData(set), [&] { printGrowth(set); });
    }
    if (!options.lists) {
        std::printf("\n%s decisions audited, %s wrong, %s too near an edge to tell; %d other checks failed.\n",
                    groupedText(totals.audit.decisions).c_str(), groupedText(totals.audit.wrong).c_str(),
                    groupedText(totals.audit.undecided).c_str(), totals.failures);
    }
    return totals.audit.wrong == 0 && totals.failures == 0 ? 0 : 1;
}
