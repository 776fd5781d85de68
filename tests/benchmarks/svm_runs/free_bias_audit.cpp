// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of decisions with a free bias.
#include "core/common/clocks.h"
#include "core/common/number_text.h"
#include "core/common/random_stream.h"
#include "core/svm/inspect/decision_audit.h"
#include "core/svm/screening/bounds.h"
#include "core/svm/solver/path_start.h"
#include "tests/benchmarks/svm_runs/path_walk.h"
#include "tests/benchmarks/svm_runs/screening_tables.h"
#include "tests/benchmarks/svm_runs/svm_samples.h"
#include "tests/core/svm/small_svms.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numeric>

namespace lambdascope::benchmarks {

using namespace svm;

namespace {

constexpr int kDecades = 5;
constexpr int kPerDecade = 40;
/// A reference judges this many points below its own C, and above.
constexpr std::size_t kBelow = 3;
constexpr std::size_t kAbove = 32;
constexpr double kTruth = 1e-13; ///< relative gap asked of what decisions are compared with
constexpr std::array<double, 3> kReferences = {1e-2, 1e-4, 1e-8};
constexpr double kHeavy = 10;

/// Rules, in the order of the columns.
enum class AuditedRule { BallOne, BallTwo, Intersection, Gap, Lanes };
constexpr std::size_t kRules = 5;

struct RuleReports {
    std::array<AuditReport, kRules> by;

    AuditReport& of(AuditedRule rule) { return by[static_cast<std::size_t>(rule)]; }
};

/// A solution of much smaller gap, and where the optimum lies by it.
struct Truth {
    SolvedSvm solved;
    OptimumRegion region;
};

std::vector<SolvedSvm> solvedAlong(const SvmProblem& problem, const SolvedSvm& start, const std::vector<double>& values,
                                   double tolerance) {
    PointSettings settings;
    settings.tolerance = tolerance;
    settings.maxSweeps = 3000;
    NullSink sink;
    RunContext context(RunId{0}, sink);
    PointSolver solver(problem, settings);
    std::vector<SolvedSvm> found;
    for (const double c : values) {
        const SolvedSvm& from = found.empty() ? start : found.back();
        found.push_back(solver.solve(c, from, static_cast<std::int32_t>(found.size()), context).solved);
    }
    return found;
}

class ProblemAudit {
  public:
    ProblemAudit(const SvmProblem& problem, RuleReports& reports)
        : m_problem(problem), m_reports(reports), m_all(static_cast<std::size_t>(problem.size())),
          m_decisions(m_all.size()) {
        std::iota(m_all.begin(), m_all.end(), SampleIndex{0});
    }

    void run() {
        StopCheck never;
        NullSink sink;
        RunContext context(RunId{0}, sink);
        const PathStart start = pathStart(m_problem, never, context);
        const double least = std::isfinite(start.cMin) ? start.cMin : 1;
        std::vector<double> values;
        for (int t = 0; t <= kDecades * kPerDecade; ++t) {
            values.push_back(least * std::pow(10.0, static_cast<double>(t) / kPerDecade));
        }
        for (SolvedSvm& solved : solvedAlong(m_problem, start.solved, values, kTruth)) {
            const OptimumRegion region = optimumNear(m_problem, solved);
            m_truth.push_back({std::move(solved), region});
        }
        for (const double tolerance : kReferences) {
            auditReferences(solvedAlong(m_problem, start.solved, values, tolerance));
        }
        for (const std::vector<BoundKind>& bounds : std::vector<std::vector<BoundKind>>{
                 {BoundKind::Gap}, {BoundKind::BallOne, BoundKind::Gap}, {BoundKind::Intersection, BoundKind::Gap}}) {
            if (m_problem.balance() == 0 || bounds.size() == 1) {
                auditLane(bounds, start.solved);
            }
        }
    }

  private:
    void count(AuditedRule rule, std::span<const Decision> decisions, std::size_t point) {
        const Truth& truth = m_truth[point];
        m_reports.of(rule).add(auditDecisions(m_problem, decisions, truth.solved, truth.region),
                               static_cast<std::int32_t>(point));
    }
    void judge(AuditedRule rule, BoundKind kind, const ScreeningReference& reference, std::size_t point) {
        if (const auto region = makeRegion(kind, m_problem, reference)) {
            region->judge(m_all, m_decisions);
            count(rule, m_decisions, point);
        }
    }

    /// All rules from every reference at every point near it.
    void auditReferences(const std::vector<SolvedSvm>& references) {
        StopCheck never;
        for (std::size_t r = 0; r < references.size(); ++r) {
            const SolvedSvm& from = references[r];
            Nc3Cut cut(m_problem);
            const std::size_t end = std::min(references.size(), r + kAbove + 1);
            for (std::size_t p = r - std::min(r, kBelow); p < end; ++p) {
                const double c = m_truth[p].solved.c;
                if (m_problem.balance() != 0) {
                    judgeGap(from, p, p == r);
                    continue;
                }
                cut.update(from, c, never);
                ScreeningReference reference;
                reference.c = c;
                reference.path = &from;
                reference.cut = &cut;
                reference.gap = std::numeric_limits<double>::infinity();
                bracketBiases(m_problem, {}, reference);
                judge(AuditedRule::BallOne, BoundKind::BallOne, reference, p);
                judge(AuditedRule::BallTwo, BoundKind::BallTwo, reference, p);
                judge(AuditedRule::Intersection, BoundKind::Intersection, reference, p);
                judgeGap(scaledTo(c, from, m_problem), p, true);
            }
        }
    }
    void judgeGap(const SolvedSvm& point, std::size_t p, bool isThere) {
        if (isThere) {
            ScreeningReference reference = referenceAt(point);
            bracketBiases(m_problem, {}, reference);
            judge(AuditedRule::Gap, BoundKind::Gap, reference, p);
        }
    }

    /// Every check of a lane that looks after each sweep.
    class Checks final : public ScreeningObserver {
      public:
        explicit Checks(ProblemAudit& audit) : m_audit(audit) {}
        void checked(const ScreeningCheck& check) override {
            m_audit.count(AuditedRule::Lanes, check.decisions, point);
        }
        std::size_t point = 0;

      private:
        ProblemAudit& m_audit;
    };
    void auditLane(const std::vector<BoundKind>& bounds, const SolvedSvm& start) {
        PointSettings settings;
        settings.tolerance = 1e-6;
        settings.maxSweeps = 1000;
        settings.bounds = bounds;
        settings.screenEvery = 1;
        PointSolver solver(m_problem, settings);
        Checks checks(*this);
        solver.observe(&checks);
        NullSink sink;
        RunContext context(RunId{0}, sink);
        SolvedSvm last = start;
        for (; checks.point < m_truth.size(); ++checks.point) {
            const auto index = static_cast<std::int32_t>(checks.point);
            last = solver.solve(m_truth[checks.point].solved.c, last, index, context).solved;
        }
    }

    const SvmProblem& m_problem;
    RuleReports& m_reports;
    std::vector<SampleIndex> m_all;
    std::vector<Decision> m_decisions;
    std::vector<Truth> m_truth;
};

void printHead() {
    std::printf("| problem | BT1 | BT2 | IT | GAP | checks of lanes | wrong | too near the edge to tell | CPU s |\n"
                "|---|---|---|---|---|---|---|---|---|\n");
}

void printRow(const std::string& title, const RuleReports& reports, double seconds, TableTotals& totals) {
    AuditReport sum;
    std::printf("| %s ", title.c_str());
    for (const AuditReport& report : reports.by) {
        std::printf("| %s ", groupedText(report.decisions).c_str());
        sum.decisions += report.decisions;
        sum.wrong += report.wrong;
        sum.undecided += report.undecided;
        sum.examples.insert(sum.examples.end(), report.examples.begin(), report.examples.end());
    }
    std::printf("| %lld | %s | %.1f |\n", static_cast<long long>(sum.wrong), groupedText(sum.undecided).c_str(),
                seconds);
    for (const std::string& example : sum.examples) {
        std::printf("\nWRONG: %s\n", example.c_str());
    }
    std::fflush(stdout);
    totals.audit.decisions += sum.decisions;
    totals.audit.wrong += sum.wrong;
    totals.audit.undecided += sum.undecided;
}

/// Terms of the samples for a task. Targets of regression are waves over two features, with noise.
SampleTerms termsFor(BiasTask task, const Samples& samples, double positiveWeight) {
    const Eigen::Index n = samples.y.size();
    Eigen::VectorXd weights = (samples.y.array() > 0).select(positiveWeight, Eigen::VectorXd::Ones(n));
    if (task == BiasTask::Classification) {
        return {samples.y, std::move(weights)};
    }
    if (task == BiasTask::Novelty) {
        return oneClassTerms(weights);
    }
    RandomStream random(1, "targets of the audit");
    const DenseRows x = samples.data->toDense();
    Eigen::VectorXd targets = samples.y;
    for (Eigen::Index i = 0; i < n; ++i) {
        targets(i) += 2 * std::sin(3 * x(i, 0)) + x(i, x.cols() - 1) + 0.2 * random.normal();
    }
    return tubeTerms(targets, weights, 0.3);
}

} // namespace

void printFreeBiasAudit(BiasTask task, const std::string& data, TableTotals& totals) {
    printHead();
    const Samples& plain = samplesOf(data);
    const Samples hard = distorted(plain);
    const auto audit = [&](const std::string& title, const Samples& samples, const KernelFunction& kernel,
                           double positiveWeight) {
        const double start = threadCpuSeconds();
        const SvmProblem rows = samples.problem(kernel, 1, 1, true);
        const SvmProblem problem(samples.features(), termsFor(task, samples, positiveWeight), rows.sharedRows(), true);
        RuleReports reports;
        ProblemAudit(problem, reports).run();
        printRow(title, reports, threadCpuSeconds() - start, totals);
    };
    for (const NamedKernel& kernel : paperKernels(plain)) {
        audit(kernel.name, plain, kernel.kernel, 1);
        audit(kernel.name + ", duplicates and zero vectors", hard, kernel.kernel, 1);
        audit(kernel.name + ", one class ten times as heavy", plain, kernel.kernel, kHeavy);
    }
}

void printAwkwardAudit(int seeds, TableTotals& totals) {
    printHead();
    const auto audit = [&](const SmallShape& shape) {
        const double start = threadCpuSeconds();
        RuleReports reports;
        for (const KernelFunction& kernel : smallKernels()) {
            for (int seed = 0; seed < seeds; ++seed) {
                const auto svm = smallSvm(shape, kernel, 1000 + static_cast<std::uint64_t>(seed));
                ProblemAudit(*svm->problem, reports).run();
            }
        }
        printRow(shape.name + (shape.isOneClass ? ", novelty" : ""), reports, threadCpuSeconds() - start, totals);
    };
    for (const SmallShape& shape : allShapes(true)) {
        audit(shape);
    }
    for (const SmallShape& shape : oneClassShapes()) {
        audit(shape);
    }
}

} // namespace lambdascope::benchmarks
