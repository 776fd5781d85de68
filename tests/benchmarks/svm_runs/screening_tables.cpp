// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmarks/svm_runs/screening_tables.h"

#include "core/common/clocks.h"
#include "core/common/number_text.h"
#include "core/svm/inspect/decision_audit.h"
#include "tests/benchmarks/svm_runs/path_walk.h"
#include "tests/benchmarks/svm_runs/svm_samples.h"
#include "tests/core/svm/screening_at.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace lambdascope::benchmarks {

using namespace svm;

namespace {

constexpr int kDecades = 10;
constexpr int kPerDecade = 12;
/// A reference judges this many points below its own C, and above.
constexpr std::int32_t kBelow = 6;
constexpr std::int32_t kAbove = 60;
constexpr double kTruth = 1e-13; ///< relative gap asked of what decisions are compared with
constexpr double kAccurate = 1e-10;
constexpr double kMiddle = 1e-6;
constexpr double kRough = 1e-3;
constexpr double kHeavy = 10;

std::vector<double> tenDecades(double from) {
    std::vector<double> values;
    for (int t = 0; t <= kDecades * kPerDecade; ++t) {
        values.push_back(from * std::pow(10.0, static_cast<double>(t) / kPerDecade));
    }
    return values;
}

std::vector<SolvedSvm> solutionsAlong(const SvmProblem& problem, const std::vector<double>& values, double tolerance) {
    std::vector<SolvedSvm> solutions;
    PointSettings settings = laneOf("Shrink", tolerance);
    settings.maxSweeps = 3000;
    walkPath(problem, values, settings, [&](const PointOutcome& outcome) { solutions.push_back(outcome.solved); });
    return solutions;
}

/// All bounds from every reference at every point near it.
void auditReferences(const SvmProblem& problem, const std::vector<SolvedSvm>& references,
                     const std::vector<SolvedSvm>& truth, AuditReport& report) {
    const auto points = static_cast<std::int32_t>(truth.size());
    for (std::int32_t r = 0; r < points; ++r) {
        ScreeningAt screening(problem, references[static_cast<std::size_t>(r)]);
        for (std::int32_t p = std::max(0, r - kBelow); p < std::min(points, r + kAbove + 1); ++p) {
            const SolvedSvm& tight = truth[static_cast<std::size_t>(p)];
            // DT: the next reference of the path lies beyond.
            screening.moveTo(tight.c, p + 1 < points ? &references[static_cast<std::size_t>(p + 1)] : nullptr);
            for (const BoundKind kind : allBounds()) {
                const std::vector<Decision> decisions = screening.decisions(kind);
                if (!decisions.empty()) {
                    report.add(auditDecisions(problem, decisions, tight, optimumNear(problem, tight)), p);
                }
            }
        }
    }
}

/// What a lane has decided after every check, by bounds that see points on the way too.
class CheckAudit final : public ScreeningObserver {
  public:
    CheckAudit(const SvmProblem& problem, AuditReport& report) : m_problem(problem), m_report(report) {}
    void moveTo(const SolvedSvm& truth, std::int32_t point) {
        m_truth = &truth;
        m_point = point;
    }
    void checked(const ScreeningCheck& check) override {
        m_report.add(auditDecisions(m_problem, check.decisions, *m_truth, optimumNear(m_problem, *m_truth)), m_point);
    }

  private:
    const SvmProblem& m_problem;
    AuditReport& m_report;
    const SolvedSvm* m_truth = nullptr;
    std::int32_t m_point = 0;
};

void auditLane(const SvmProblem& problem, const std::vector<SolvedSvm>& truth, AuditReport& report) {
    PointSettings settings = laneOf("Shrink+IT+GAP", kRough);
    settings.screenEvery = 1;
    settings.maxSweeps = 1000;
    PointSolver solver(problem, settings);
    CheckAudit audit(problem, report);
    solver.observe(&audit);
    NullSink sink;
    RunContext context(RunId{0}, sink);
    SolvedSvm last = startOf(problem, truth.front().c);
    for (std::size_t p = 0; p < truth.size(); ++p) {
        audit.moveTo(truth[p], static_cast<std::int32_t>(p));
        last = solver.solve(truth[p].c, last, static_cast<std::int32_t>(p), context).solved;
    }
}

void printRow(const std::string& title, const AuditReport& report, double seconds, TableTotals& totals) {
    std::printf("| %s | %s | %lld | %s | %s | %.1f |\n", title.c_str(), groupedText(report.decisions).c_str(),
                static_cast<long long>(report.wrong), groupedText(report.undecided).c_str(),
                report.decisions > 0 ? shortText(report.smallestSlack, 3).c_str() : "", seconds);
    for (const std::string& example : report.examples) {
        std::printf("\nWRONG: %s\n", example.c_str());
    }
    std::fflush(stdout);
    totals.audit.decisions += report.decisions;
    totals.audit.wrong += report.wrong;
    totals.audit.undecided += report.undecided;
}

void auditProblem(const std::string& title, const SvmProblem& problem, TableTotals& totals) {
    const double start = threadCpuSeconds();
    const std::vector<double> values = tenDecades(leastC(problem));
    const std::vector<SolvedSvm> truth = solutionsAlong(problem, values, kTruth);
    AuditReport report;
    for (const double tolerance : {kRough, kMiddle, kAccurate}) {
        auditReferences(problem, solutionsAlong(problem, values, tolerance), truth, report);
    }
    auditLane(problem, truth, report);
    printRow(title, report, threadCpuSeconds() - start, totals);
}

constexpr double kC = 10;
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

void printRatesOf(const NamedKernel& kernel, const SvmProblem& problem, TableTotals& totals) {
    NullSink sink;
    RunContext context(RunId{0}, sink);
    std::vector<SolvedSvm> references;
    std::vector<double> values;
    for (const double share : kShares) {
        values.push_back(share * kC);
    }
    walkPath(problem, values, laneOf("Shrink", kMiddle),
             [&](const PointOutcome& outcome) { references.push_back(outcome.solved); });
    PointSolver plain(problem, laneOf("Shrink", kMiddle));
    const PointOutcome optimum = plain.solve(kC, references.back(), 0, context);
    const PointOutcome beyond = plain.solve(kBeyond * kC, references.back(), 0, context);
    PointSolver dynamic(problem, laneOf("Shrink+GAP", kMiddle));
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

void printAudit(const std::string& data, TableTotals& totals) {
    std::printf("| kernel, data | decisions audited | wrong | too near the edge to tell | smallest slack | CPU s |\n"
                "|---|---|---|---|---|---|\n");
    const Samples& plain = samplesOf(data);
    const Samples hard = distorted(plain);
    for (const NamedKernel& kernel : paperKernels(plain)) {
        auditProblem(kernel.name, plain.problem(kernel.kernel), totals);
        auditProblem(kernel.name + ", duplicates and zero vectors", hard.problem(kernel.kernel), totals);
        auditProblem(kernel.name + ", one class ten times as heavy", plain.problem(kernel.kernel, kHeavy), totals);
    }
}

void printRates(const std::string& data, TableTotals& totals) {
    const Samples& samples = samplesOf(data);
    for (const NamedKernel& kernel : paperKernels(samples)) {
        printRatesOf(kernel, samples.problem(kernel.kernel), totals);
    }
}

} // namespace lambdascope::benchmarks
