// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pu/path/pu_task.h"

#include "core/common/clocks.h"
#include "core/common/number_text.h"
#include "core/common/state_archive.h"
#include "core/inspect/plane_axes.h"
#include "core/numeric/blas_library.h"
#include "core/pu/path/pu_columns.h"
#include "core/pu/path/pu_schema.h"
#include "core/pu/problem/pu_measures.h"
#include "core/pu/rivals/interior_point.h"
#include "core/pu/rivals/one_class_start.h"
#include "core/pu/rivals/svm_baselines.h"
#include "core/pu/rivals/usmo.h"
#include "core/pu/solver/stopping_rule.h"
#include "core/pu/solver/subsample_start.h"
#include "core/run/point_journal.h"
#include "core/run/report_row.h"
#include "core/run/screening_columns.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace lambdascope::pu {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

std::string axisKey(PathKind kind) {
    return kind == PathKind::Lambda ? "lambda" : kind == PathKind::Prior ? "prior" : "n_unlabeled";
}

} // namespace

PuTask::PuTask(const PreparedPu& prepared, const Lane& lane)
    : m_prepared(prepared), m_laneName(lane.name), m_lane(lane.settings), m_config(lane.solver),
      m_fitting(memoryFeasiblePoints(prepared, m_config)) {}

PuTask::~PuTask() = default;

std::vector<double> PuTask::schedule() const {
    return m_fitting.values;
}

Error PuTask::emptyPathError() const {
    return singleFault(ErrorCode::OutOfMemory, {"lanes." + m_laneName,
                                                "no point of the path is left: " + m_fitting.obstacle,
                                                "Raise the limit named, or leave the lane out.",
                                                {}});
}

std::int32_t PuTask::estimatedPointCount(const std::vector<PointReport>&) const {
    return static_cast<std::int32_t>(m_fitting.values.size());
}

LaneDescription PuTask::describe() const {
    const PathKind kind = m_prepared.path().kind;
    LaneDescription started;
    started.isBaseline = m_lane.bounds.empty();
    started.axisKey = axisKey(kind);
    started.axisLabel = kind == PathKind::Lambda ? "λ" : kind == PathKind::Prior ? "π" : "n";
    started.axisFalls = kind == PathKind::Lambda;
    started.itemNoun = "samples";
    started.hasPlane = kind != PathKind::Unlabeled &&
                       planeObstacle(m_prepared.data(), m_prepared.config().kernel == KernelKind::Precomputed).empty();
    started.fixedLowName = "σ = 0";
    started.fixedHighName = "σ = c₂/2 or c₂";
    started.columns = columnsFor(kind, m_lane);
    started.featureNames = m_prepared.data().featureNames();
    started.facts = m_prepared.facts();
    started.facts["method"] = solverFields().word(m_config, "method");
    const bool isLinear = m_prepared.config().kernel == KernelKind::Linear;
    if (judgesAfterwards(m_lane) && m_config.method == MethodKind::Pairs && kind == PathKind::Lambda && !isLinear) {
        started.facts[kActiveStartFact] = "the samples that the last λ left open, where that pays";
    }
    if (!m_fitting.obstacle.empty()) {
        started.facts["skipped"] = m_fitting.obstacle;
    }
    return started;
}

SolvedPu PuTask::firstPoint(const PuProblem& problem, double lambda, StopCheck& stopCheck) const {
    switch (m_config.start) {
    case StartKind::Uniform: return pointAt(problem, uniformStart(problem), stopCheck);
    case StartKind::OneClass: return pointAt(problem, oneClassStart(problem, stopCheck), stopCheck);
    case StartKind::Ranked: return pointAt(problem, rankedStart(problem, problem.space().attraction()), stopCheck);
    default: return pointAt(problem, subsampleStart(problem, lambda, stopCheck), stopCheck);
    }
}

PointSettings PuTask::pointSettings() const {
    return {.tolerance = m_config.tolerance,
            .toleranceKind = m_config.toleranceKind,
            .maxSteps = m_config.maxIterations,
            .shrinks = m_lane.shrink,
            .screens = !m_lane.bounds.empty(),
            .screenFall = m_lane.every,
            .isAuto = m_lane.schedule == ScheduleKind::Auto};
}

PuTask::Solve PuTask::solvePairs(const std::shared_ptr<const PuProblem>& shared, double lambda,
                                 const SolvedPu* previous, std::int32_t index, RunContext& context) {
    const PuProblem& problem = *shared;
    StopCheck stopCheck([&context] { return context.shouldStop(); });
    const double cpuStart = threadCpuSeconds();
    SolvedPu start;
    if (previous == nullptr || previous->s.size() != problem.size()) {
        start = firstPoint(problem, lambda, stopCheck);
    } else if (previous->prior != problem.prior()) {
        start = movedTo(problem, *previous, lambda, stopCheck);
        start.work = previous->work;
    }
    const double cpuOfStart = threadCpuSeconds() - cpuStart;
    if (m_problem != shared) {
        m_problem = shared;
        m_solver = std::make_unique<PointSolver>(problem, pointSettings());
    }
    m_solver->observe(m_observer);
    Solve solve;
    solve.outcome = m_solver->solve(lambda, start.s.size() > 0 ? start : *previous, index, context);
    solve.outcome.cpuSolve += cpuOfStart;
    solve.model = modelOf(problem, solve.outcome.solved);
    solve.objective = solve.outcome.solved.primal;
    return solve;
}

PuTask::Solve PuTask::solvePublished(const PuProblem& problem, double lambda, std::int32_t index,
                                     RunContext& context) const {
    StopCheck stopCheck([&context] { return context.shouldStop(); });
    const double cpuStart = threadCpuSeconds();
    const bool isViolation = m_config.toleranceKind == ToleranceKind::Violation;
    Eigen::VectorXd start = m_config.start == StartKind::OneClass  ? oneClassStart(problem, stopCheck)
                            : m_config.start == StartKind::Uniform ? uniformStart(problem)
                                                                   : rankedStart(problem, problem.space().attraction());
    const double tau = isViolation ? m_config.tolerance : 1e-3;
    const double cpuOfStart = threadCpuSeconds() - cpuStart;
    UsmoOutcome found = Usmo(problem, lambda, tau).solve(std::move(start), m_config.maxIterations, stopCheck);
    Solve solve;
    solve.outcome.cpuSolve = threadCpuSeconds() - cpuStart;
    std::int64_t number = 0;
    for (const UsmoOutcome::Sweep& sweep : found.history) {
        if (stopCheck.isStopped()) {
            break; // values may be half made
        }
        Iterated event;
        event.pointIndex = index;
        event.iteration = ++number;
        event.objective = sweep.dual;
        event.optimality = {OptimalityKind::KktViolation, sweep.violation};
        event.tolerance = tau;
        event.activeItems = problem.unlabeled();
        event.cpu = cpuOfStart + sweep.cpu;
        context.publish(event);
    }
    solve.outcome.steps = found.sweeps;
    // τ-optimality is the measure of the method itself; a gap is asked for here.
    const bool meets = !stopCheck.isStopped() && found.hasConverged &&
                       (isViolation || isSolved(problem, found.solved, m_config.tolerance, m_config.toleranceKind));
    solve.outcome.solved = std::move(found.solved);
    solve.outcome.termination = stopCheck.isStopped()                    ? context.stopReason()
                                : meets                                  ? Termination::Converged
                                : found.sweeps >= m_config.maxIterations ? Termination::IterationLimit
                                                                         : Termination::ConvergedLoosely;
    solve.outcome.bytes = problem.space().kernelBytes() + solve.outcome.solved.bytes();
    solve.outcome.setCounts = setCountsOf(problem, solve.outcome.solved);
    solve.model = modelOf(problem, solve.outcome.solved);
    solve.objective = solve.outcome.solved.primal;
    return solve;
}

PuTask::Solve PuTask::solveBaseline(const PuProblem& problem, double lambda, RunContext& context) const {
    StopCheck stopCheck([&context] { return context.shouldStop(); });
    const double cpuStart = threadCpuSeconds();
    Solve solve;
    bool hasConverged = false;
    if (m_config.method == MethodKind::InteriorPoint) {
        InteriorOutcome found = solveByInteriorPoint(problem, lambda, std::min(1e-6, m_config.tolerance), stopCheck);
        hasConverged = !stopCheck.isStopped() && found.hasConverged &&
                       isSolved(problem, found.solved, m_config.tolerance, m_config.toleranceKind);
        solve.outcome.steps = found.iterations;
        solve.outcome.bytes = found.bytes + problem.space().kernelBytes();
        if (!stopCheck.isStopped()) {
            solve.outcome.solved = std::move(found.solved);
            solve.outcome.setCounts = setCountsOf(problem, solve.outcome.solved);
            solve.model = modelOf(problem, solve.outcome.solved);
            solve.objective = solve.outcome.solved.primal;
        }
    } else {
        const bool isRamp = m_config.method == MethodKind::Ramp;
        const double tolerance = std::max(1e-6, m_config.tolerance);
        BaselineOutcome found = isRamp ? solveRamp(problem, lambda, tolerance, m_config.maxIterations, stopCheck)
                                       : solveBiased(problem, lambda, tolerance, m_config.maxIterations, stopCheck);
        hasConverged = found.hasConverged;
        solve.outcome.steps = found.steps;
        solve.outcome.bytes = problem.space().kernelBytes() + found.model.bytes();
        solve.outcome.solved.gap = solve.outcome.solved.violation = kUnknown;
        solve.outcome.solved.dual = kUnknown;
        solve.objective = found.objective;
        solve.model = std::move(found.model);
    }
    solve.outcome.cpuSolve = threadCpuSeconds() - cpuStart;
    solve.outcome.termination = stopCheck.isStopped() ? context.stopReason()
                                : hasConverged        ? Termination::Converged
                                                      : Termination::ConvergedLoosely;
    return solve;
}

Result<PointReport> PuTask::solvePoint(const PathPoint& point, const std::shared_ptr<const WarmStart>& warmStart,
                                       RunContext& context) {
    pinBlasToOneThread();
    const double wallStart = wallSeconds() - context.pausedSeconds();
    const double cpuStart = threadCpuSeconds();
    StopCheck stopCheck([&context] { return context.shouldStop(); });
    m_lastSamples.reset();
    const PreparedPu::PointProblem at = m_prepared.problemAt(point.value, stopCheck);
    const double cpuOfProblem = threadCpuSeconds() - cpuStart;
    const auto* previous = dynamic_cast<const PuWarmStart*>(warmStart.get());
    PointReport stoppedReport;
    if (stopCheck.isStopped()) {
        stoppedReport.termination = context.stopReason();
        return stoppedReport;
    }
    Solve solve;
    switch (m_config.method) {
    case MethodKind::Pairs:
        solve =
            solvePairs(at.problem, at.lambda, previous != nullptr ? &previous->solved : nullptr, point.index, context);
        break;
    case MethodKind::Usmo: solve = solvePublished(*at.problem, at.lambda, point.index, context); break;
    default: solve = solveBaseline(*at.problem, at.lambda, context);
    }
    if (m_prepared.path().kind != PathKind::Lambda) { // the next point has a problem of its own
        m_solver.reset();
        m_problem.reset();
    }
    if (isInterruption(solve.outcome.termination)) {
        stoppedReport.termination = solve.outcome.termination;
        return stoppedReport;
    }
    solve.outcome.cpuSolve += cpuOfProblem;
    PointReport report =
        makeReport(point, *at.problem, at.lambda, solve, wallSeconds() - context.pausedSeconds() - wallStart);
    m_lastSamples = at.problem->space().sharedSamples(); // without kernel rows: other lanes want room for theirs
    auto warm = std::make_shared<PuWarmStart>();
    warm->solved = std::move(solve.outcome.solved);
    warm->model = std::move(solve.model);
    report.warmStart = std::move(warm);
    return report;
}

PointReport PuTask::makeReport(const PathPoint& point, const PuProblem& problem, double lambda, const Solve& solve,
                               double wall) const {
    const PointOutcome& outcome = solve.outcome;
    const SolvedPu& solved = outcome.solved;
    const double unit = problem.unit(lambda);
    PointReport report;
    report.termination = outcome.termination;
    report.decidableItems = outcome.setCounts.sum();
    report.bounds = boundsOf(problem, solved);
    report.cpuSolve = outcome.cpuSolve;
    report.cpuScreen = outcome.cpuScreen;
    ReportRow row(columnsFor(m_prepared.path().kind, m_lane));
    row.set("index", point.index);
    row.set("lambda", lambda);
    row.set("n_unlabeled", problem.unlabeled());
    row.set("iterations", outcome.steps);
    row.set("objective", solve.objective);
    row.set("violation", solved.violation * unit);
    row.set("n_support", (solve.model.alpha.tail(problem.unlabeled()).array() != 0).count());
    row.set("cpu", outcome.cpuSolve + outcome.cpuScreen);
    row.set("wall", wall);
    row.set("peak_kernel_bytes", outcome.bytes);
    row.set("prior", problem.prior());
    row.set("dual", solved.dual);
    row.set("gap", solved.gap * unit * unit);
    row.set("beta", solve.model.beta);
    row.set("n_items", problem.unlabeled());
    row.set("cpu_solve", outcome.cpuSolve);
    row.set("cpu_screen", outcome.cpuScreen);
    row.set("work", std::llround(outcome.operations));
    setScreened(problem, outcome, judgesAfterwards(m_lane), row);
    setMeasures(problem, solve.model.values, row);
    row.leave("test_error");
    row.leave("test_f");
    report.values = row.take();
    return report;
}

PointEvaluation PuTask::evaluate(const PathPoint&, const PointReport& report, RunContext& context) {
    PointEvaluation evaluation;
    const auto* warm = dynamic_cast<const PuWarmStart*>(report.warmStart.get());
    if (warm == nullptr || m_lastSamples == nullptr) {
        return evaluation;
    }
    const Dataset* rest = m_prepared.heldOut();
    if (context.wishes().measures && rest != nullptr) {
        StopCheck stopCheck([&context] { return context.shouldStop(); });
        const FeatureRows rows = featureRowsOf(*rest);
        const Eigen::VectorXd values = valuesOn(*m_lastSamples, m_prepared.kernel(), warm->model, rows, stopCheck);
        if (!stopCheck.isStopped()) {
            const PuMeasures measures = measureAgainst(values, m_prepared.heldOutTruth());
            const std::vector<ColumnDescription> columns = columnsFor(m_prepared.path().kind, m_lane);
            evaluation.measures = {{placeOfColumn(columns, "test_error"), measures.error},
                                   {placeOfColumn(columns, "test_f"), measures.f}};
        }
    }
    const std::int64_t size = warm->model.alpha.size() + warm->model.weights.size();
    if (context.wishes().wantsSolution(size)) {
        Solution solution;
        if (warm->model.weights.size() > 0) { // first: what views show of a solution
            solution.push_back({"w", warm->model.weights});
        }
        const std::vector<std::int32_t>& rows = m_lastSamples->sourceRows; // labelled positives come first
        MatrixValues places(static_cast<std::int64_t>(rows.size()), 1);
        std::copy(rows.begin(), rows.end(), places.data());
        solution.push_back({"alpha", warm->model.alpha});
        solution.push_back({"f", warm->model.values});
        solution.push_back({"rows", std::move(places)});
        solution.push_back({"b", MatrixValues(1, 1, warm->model.beta)});
        evaluation.solution = std::make_shared<const Solution>(std::move(solution));
    }
    return evaluation;
}

/// An engine loads the solution before at each point, and keeps nothing but memory.
void PuTask::transfer(StateArchive& archive, std::shared_ptr<const WarmStart>& warmStart, RunContext& /*context*/) {
    transferWarmStart<PuWarmStart>(archive, warmStart);
}

} // namespace lambdascope::pu
