// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ordinal/path/factor_task.h"

#include "core/common/clocks.h"
#include "core/common/number_text.h"
#include "core/common/state_archive.h"
#include "core/data/data_faults.h"
#include "core/numeric/blas_library.h"
#include "core/ordinal/path/gram_problem.h"
#include "core/ordinal/path/gram_task.h"
#include "core/ordinal/path/prepared_ordinal.h"
#include "core/ordinal/problem/objective.h"
#include "core/ordinal/solver/gram_descent.h"
#include "core/run/report_row.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::ordinal {

namespace {

/// Of starts: relative tolerance, and the ratio of one λ to the last.
constexpr double kFactorStartTolerance = 1e-3;
constexpr double kFactorStartRatio = 0.5;

std::vector<ColumnDescription> factorColumns(const PreparedOrdinal& prepared) {
    std::vector<ColumnDescription> columns = triplets::pathColumns("Comparisons");
    const std::vector<ColumnDescription> measures = gramColumns(prepared);
    columns.insert(columns.end(), measures.begin(), measures.end());
    columns.insert(columns.end(), {{"cpu_solve", "CPU time, solving", "s", ColumnRole::CpuSolve, false},
                                   {"wall", "Wall time", "s", ColumnRole::Wall, false},
                                   {"evaluations", "Evaluations", "", ColumnRole::Other, true}});
    return columns;
}

} // namespace

std::optional<Eigen::Index> factorRank(const SolverConfig& solver, ObjectIndex objects, std::int64_t dimensions) {
    if (!solver.rank && objects <= GramProblem::kMostObjects) {
        return std::nullopt;
    }
    return std::min<Eigen::Index>(objects, solver.rank.value_or(std::max(kUsualRank, dimensions)));
}

double factorBytes(ObjectIndex objects, Eigen::Index rank, std::int64_t comparisons) {
    constexpr double kHistory = 2 * 24 + 10; // vectors of L-BFGS, for L and for Y, and what is made of them
    constexpr double kPerComparison = 20;    // α, weights and values of pairs
    return static_cast<double>(sizeof(double)) * (kHistory * static_cast<double>(objects) * static_cast<double>(rank) +
                                                  kPerComparison * static_cast<double>(comparisons));
}

Result<std::unique_ptr<const FactorProblem>> FactorProblem::make(const OrdinalConfig& config,
                                                                 const ComparisonSet& train, Eigen::Index rank,
                                                                 std::optional<double> lambdaMax, std::uint64_t seed,
                                                                 const std::stop_token& stop) {
    StopCheck stopCheck([&stop] { return stop.stop_requested(); });
    std::unique_ptr<FactorProblem> problem(new FactorProblem(config, train, stopCheck));
    if (!stopCheck.ask()) {
        problem->m_top = factorTop(problem->m_gram, rank, seed, stopCheck);
    }
    if (stopCheck.ask()) {
        return Failure{plainError(ErrorCode::Stopped, "stopped while preparing the comparisons")};
    }
    problem->m_lambdaMax = lambdaMax.value_or(problem->m_top.lambdaMax);
    if (!(problem->m_lambdaMax > 0) || !std::isfinite(problem->m_lambdaMax)) {
        return contradictionFault();
    }
    return std::unique_ptr<const FactorProblem>(std::move(problem));
}

std::optional<Points> factoredStart(const FactorProblem& problem, Eigen::Index rank, double share, Eigen::Index p,
                                    std::uint64_t seed, const std::stop_token& stop) {
    NullSink sink;
    RunContext context(RunId{0}, sink, stop);
    FactorSettings settings;
    settings.tolerance = kFactorStartTolerance;
    settings.wantsBound = false;
    double lambda = problem.lambdaMax();
    FactorPoint point = problem.top(rank, lambda);
    const double last = share * lambda;
    for (std::int32_t index = 0; lambda > last && !context.shouldStop(); ++index) {
        lambda = std::max(kFactorStartRatio * lambda, last);
        point = solveFactored(problem.gram(), lambda, point, index, settings, seed, context).point;
    }
    return context.shouldStop() ? std::nullopt : std::optional(longestAxes(point.factor, p));
}

FactorTask::FactorTask(const PreparedOrdinal& prepared, const Lane& lane, Eigen::Index rank)
    : m_prepared(prepared), m_solver(lane.solver), m_rank(rank), m_columns(factorColumns(prepared)),
      m_frames(prepared.labels(), prepared.reference()) {}

LaneDescription FactorTask::describe() const {
    const FactoredGram& gram = m_prepared.factored()->gram();
    LaneDescription started;
    started.isBaseline = true; // nothing is screened
    started.axisKey = "lambda";
    started.axisLabel = "λ";
    started.axisFalls = true;
    started.columns = m_columns;
    started.facts = m_prepared.facts();
    started.facts["method"] = "convex";
    started.facts["model"] = "GNMDS";
    started.facts["gamma"] = gram.gamma();
    started.facts["items"] = gram.set().items().size();
    started.facts["pairs"] = gram.set().pairs().size();
    started.facts["comparisons_repeated"] = gram.set().repeated();
    started.facts["lambda_max"] = m_prepared.factored()->lambdaMax();
    started.facts["rank_of_gram_matrix"] = static_cast<std::int64_t>(m_rank);
    return started;
}

std::vector<double> FactorTask::schedule() const {
    return triplets::pathSchedule(m_prepared.path(), m_prepared.factored()->lambdaMax());
}

Error FactorTask::emptyPathError() const {
    return triplets::emptyPathError(m_prepared.path(), m_prepared.factored()->lambdaMax());
}

Result<PointReport> FactorTask::solvePoint(const PathPoint& point, const std::shared_ptr<const WarmStart>& warmStart,
                                           RunContext& context) {
    pinBlasToOneThread();
    const double wallStart = wallSeconds() - context.pausedSeconds();
    PointReport report;
    const auto* previous = dynamic_cast<const FactorWarmStart*>(warmStart.get());
    FactorOutcome outcome;
    {
        const CpuCharge charge(report.cpuSolve);
        const FactorProblem& problem = *m_prepared.factored();
        const FactorPoint start =
            previous != nullptr ? previous->point : problem.top(m_rank, std::max(point.value, problem.lambdaMax()));
        const FactorSettings settings{m_solver.tolerance, m_solver.toleranceKind, m_solver.maxIterations};
        outcome = solveFactored(problem.gram(), point.value, start, point.index, settings, m_prepared.seed(), context);
    }
    report.termination = outcome.termination;
    report.bounds =
        ValueBounds::from(outcome.primal.value, std::max(outcome.primal.error, outcome.dual.error), outcome.gap);
    auto warm = std::make_shared<FactorWarmStart>();
    const Points& factor = outcome.point.factor;
    warm->x = longestAxes(factor, m_prepared.config().dimensions);
    StopCheck never;
    ReportRow row(m_columns);
    row.set("index", point.index);
    row.set("lambda", point.value);
    row.set("iterations", outcome.iterations);
    row.set("primal", outcome.primal.value);
    row.set("dual", outcome.dual.value);
    row.set("gap", outcome.gap);
    row.set("loss", outcome.loss);
    row.set("n_items", m_prepared.factored()->gram().set().items().size());
    setGramValues(m_prepared, isInterruption(outcome.termination) ? Points() : warm->x, factor.squaredNorm(), m_rank,
                  violatedShare(m_prepared.test(), factor, never), row);
    row.set("cpu_solve", report.cpuSolve);
    row.set("wall", wallSeconds() - context.pausedSeconds() - wallStart);
    row.set("evaluations", outcome.evaluations);
    report.values = row.take();
    warm->point = std::move(outcome.point);
    report.warmStart = std::move(warm);
    return report;
}

PointEvaluation FactorTask::evaluate(const PathPoint&, const PointReport& report, RunContext& context) {
    PointEvaluation evaluation;
    const auto* warm = dynamic_cast<const FactorWarmStart*>(report.warmStart.get());
    if (warm == nullptr) {
        return evaluation;
    }
    showEmbedding(warm->x, {}, m_frames, context, evaluation);
    if (context.wishes().measures) {
        evaluation.measures = heldOutMeasures(m_prepared, m_columns, warm->x, context);
    }
    return evaluation;
}

void FactorTask::transfer(StateArchive& archive, std::shared_ptr<const WarmStart>& warmStart, RunContext& /*context*/) {
    transferWarmStart<FactorWarmStart>(archive, warmStart);
    archive(m_frames);
}

bool FactorTask::endsPath(const std::vector<PointReport>& finished) const {
    return triplets::pathEnds(m_prepared.path(), triplets::pathMarks(m_columns, finished));
}

std::int32_t FactorTask::estimatedPointCount(const std::vector<PointReport>& finished) const {
    return triplets::estimatedPoints(m_prepared.path(), triplets::pathMarks(m_columns, finished),
                                     static_cast<std::int32_t>(schedule().size()));
}

} // namespace lambdascope::ordinal
