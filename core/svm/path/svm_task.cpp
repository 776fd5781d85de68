// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/path/svm_task.h"

#include "core/common/clocks.h"
#include "core/common/state_archive.h"
#include "core/inspect/plane_axes.h"
#include "core/numeric/blas_library.h"
#include "core/run/screening_columns.h"
#include "core/svm/path/answer_measures.h"
#include "core/svm/path/fold_paths.h"
#include "core/svm/path/prepared_svm.h"
#include "core/svm/path/svm_schema.h"
#include "core/svm/rivals/liblinear_solver.h"
#include "core/svm/rivals/libsvm_solver.h"
#include "core/svm/screening/c_ranges.h"
#include "core/svm/screening/nc3_cut.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lambdascope::svm {

namespace {

const char* axisKey(PathKind kind, const ProblemConfig& problem) {
    return kind == PathKind::Reference ? "c_ref" : problem.isNovelty() ? "nu" : "C";
}

const char* axisLabel(PathKind kind, const ProblemConfig& problem) {
    return kind == PathKind::Reference ? "C_ref / C" : problem.isNovelty() ? "ν" : "C";
}

std::vector<ColumnDescription> columnsFor(PathKind kind, const ProblemConfig& problem) {
    // Of regression each row has two.
    const std::string samples = problem.isRegression() ? "Sides of the tube" : "Samples";
    std::vector<ColumnDescription> columns = {
        {"index", "Point", "", ColumnRole::Index, true},
        {axisKey(kind, problem), axisLabel(kind, problem), "", ColumnRole::Axis, false},
        {"iterations", "Sweeps", "", ColumnRole::Iterations, true},
        {"primal", "Primal value", "", ColumnRole::Objective, false},
        {"dual", "Dual value", "", ColumnRole::Other, false},
        {"gap", "Duality gap (upper bound)", "", ColumnRole::Optimality, false},
        {"loss",
         problem.isRegression() ? "Loss beyond the tube"
         : problem.isNovelty()  ? "Depth outside"
                                : "Sum of hinges",
         "", ColumnRole::Other, false},
        {"n_items", samples, "", ColumnRole::ItemsTotal, true},
        {"n_R", samples + " in R", "", ColumnRole::SetSize, true},
        {"n_L", samples + " in L", "", ColumnRole::SetSize, true},
        {"n_E", samples + " in E", "", ColumnRole::SetSize, true},
    };
    addScreeningColumns(columns);
    for (const AnswerMeasure& measure : answerMeasures(problem.task)) {
        columns.push_back(measure.heldOut);
    }
    columns.insert(columns.end(), {
                                      {"cpu_rule", "CPU time, rules", "s", ColumnRole::CpuPart, false},
                                      {"cpu_images", "CPU time, references of rules", "s", ColumnRole::CpuPart, false},
                                      {"cpu_other", "CPU time, sweeps and other", "s", ColumnRole::CpuPart, false},
                                      {"updates", "Coordinate updates", "", ColumnRole::Other, true},
                                      {"work", "Counted operations", "", ColumnRole::Other, true},
                                      {"norm2", "‖w‖²", "", ColumnRole::Other, false},
                                  });
    if (problem.isNovelty()) {
        columns.push_back({"C", "C = 1/νΣω", "", ColumnRole::Other, false});
        columns.push_back({"test_outside_goal", "ν, the share that may lie outside", "", ColumnRole::Other, false});
    }
    if (problem.hasFreeBias()) {
        columns.push_back({"bias", "Bias b", "", ColumnRole::Other, false});
    }
    for (const AnswerMeasure& measure : answerMeasures(problem.task)) {
        if (problem.folds > 0) {
            columns.push_back(measure.crossed);
        }
    }
    return columns;
}

PointSettings settingsFor(const SolverConfig& config, const LaneConfig& lane, int threads) {
    return {.tolerance = config.tolerance,
            .maxSweeps = config.maxIterations,
            .shrinks = lane.shrink,
            .bounds = lane.bounds,
            .schedule = lane.schedule,
            .screenEvery = lane.every,
            .beyond = lane.beyond,
            .threads = threads};
}

} // namespace

SvmTask::SvmTask(const PreparedSvm& prepared, const Lane& lane)
    : m_prepared(prepared), m_name(lane.name), m_lane(lane.settings), m_config(lane.solver),
      m_known(prepared.makeKnownLane(lane)), m_finished(prepared.finishedPoints(lane)) {}

SvmTask::~SvmTask() = default;

LaneDescription SvmTask::describe() const {
    LaneDescription started;
    started.isBaseline = m_lane.bounds.empty();
    started.axisKey = axisKey(m_prepared.path().kind, m_prepared.config());
    started.axisLabel = axisLabel(m_prepared.path().kind, m_prepared.config());
    started.axisFalls = m_prepared.config().isNovelty();
    const bool isRegression = m_prepared.config().isRegression();
    started.itemNoun = isRegression ? "sides of the tube" : "samples";
    started.fixedLowName = "R";
    started.fixedHighName = "L";
    started.hasPlane =
        planeObstacle(m_prepared.data(), m_prepared.config().kernel == KernelKind::Precomputed, isRegression).empty();
    started.columns = columns();
    started.featureNames = m_prepared.data().featureNames();
    started.facts = m_prepared.facts();
    started.facts["method"] = solverFields().word(m_config, "method");
    if (!m_lane.oracle.empty()) {
        started.facts[kOracleFact] = m_lane.oracle;
    }
    return started;
}

std::vector<ColumnDescription> SvmTask::columns() const {
    std::vector<ColumnDescription> columns = columnsFor(m_prepared.path().kind, m_prepared.config());
    if (m_config.method == MethodKind::Libsvm) {
        columns[placeOfColumn(columns, "iterations")].label = "Pairs of samples moved";
        columns.push_back({"process_bytes", "Memory of LIBSVM's process", "B", ColumnRole::Other, true});
    }
    return columns;
}

std::vector<double> SvmTask::schedule() const {
    std::vector<double> values = m_prepared.schedule();
    std::transform(values.begin(), values.end(), values.begin(), [this](double c) { return m_prepared.onAxis(c); });
    return values;
}

/// Of one class 1/(νΣω) but for rounding: the C of the schedule, where ν is that of it.
double SvmTask::cAt(const PathPoint& point) const {
    if (m_prepared.path().kind == PathKind::Reference) {
        return m_prepared.fixedC();
    }
    const std::vector<double>& all = m_prepared.schedule();
    const auto index = static_cast<std::size_t>(point.index);
    const bool isOwn = index < all.size() && m_prepared.onAxis(all[index]) == point.value;
    return !m_prepared.config().isNovelty() ? point.value : isOwn ? all[index] : m_prepared.onAxis(point.value);
}

std::int32_t SvmTask::estimatedPointCount(const std::vector<PointReport>&) const {
    return static_cast<std::int32_t>(m_prepared.schedule().size());
}

void SvmTask::observe(ScreeningObserver* observer) {
    m_observer = observer;
    if (m_solver) {
        m_solver->observe(observer);
    }
}

Result<PointOutcome> SvmTask::solveWithLibrary(double c, RunContext& context) {
    if (m_config.method == MethodKind::Liblinear) {
        if (!m_liblinear) {
            m_liblinear = std::make_unique<LiblinearSolver>(m_prepared.problem());
        }
        return m_liblinear->solve(c, m_config.tolerance, context);
    }
    if (!m_libsvm) {
        const ProblemConfig& config = m_prepared.config();
        LibsvmTask task;
        task.task = config.task;
        task.kernel = config.kernelFor(m_prepared.data().features());
        task.epsilon = config.epsilon;
        task.targets = m_prepared.targets().array() - m_prepared.targetMean();
        task.cacheMegabytes = static_cast<double>(config.kernelMemory);
        task.shrinks = m_lane.shrink;
        m_libsvm = std::make_unique<LibsvmSolver>(m_prepared.problem(), std::move(task));
    }
    return m_libsvm->solve(c, m_config.tolerance, context);
}

/// Each point of such a path has a reference of its own; but the library screens nothing.
bool SvmTask::hasReference() const {
    return m_prepared.path().kind == PathKind::Reference && !isOfLibrary();
}

void SvmTask::makeSolvers(int threads) {
    if (m_solver || isOfLibrary()) {
        return;
    }
    PointSettings settings = settingsFor(m_config, m_lane, threads);
    settings.keepsRanges = !hasReference(); // each of its points has a reference of its own
    m_solver = std::make_unique<PointSolver>(m_prepared.problem(), settings);
    m_solver->observe(m_observer);
    if (hasReference()) {
        PointSettings plain = settings;
        plain.bounds.clear();
        m_referenceSolver = std::make_unique<PointSolver>(m_prepared.problem(), plain);
    }
}

Result<PointReport> SvmTask::solvePoint(const PathPoint& point, const std::shared_ptr<const WarmStart>& warmStart,
                                        RunContext& context) {
    pinBlasToOneThread();
    std::shared_ptr<const WarmStart> known; // made on nobody's account
    if (m_known) {
        auto found = m_known->at(point, context);
        if (!found) {
            return Failure{found.error()};
        }
        known = std::move(*found);
    }
    if (m_known && known == nullptr) {
        PointOutcome stopped;
        stopped.termination = context.shouldStop() ? context.stopReason() : Termination::StoppedByUser;
        return makeReport(point, stopped, 0);
    }
    double wallStart = wallSeconds() - context.pausedSeconds();
    const auto* previous = dynamic_cast<const SvmWarmStart*>(warmStart.get());
    const SolvedSvm* start = previous != nullptr ? &previous->next : &m_prepared.bottom();
    const double c = cAt(point);
    PointOutcome outcome;
    PointOutcome reference;
    if (isOfLibrary()) {
        auto solved = solveWithLibrary(c, context);
        if (!solved) {
            return Failure{solved.error()};
        }
        outcome = std::move(*solved);
    } else {
        makeSolvers(context.wishes().threads);
        if (hasReference()) {
            NullSink sink;
            const RunContext::Diverted unheard(context, sink);
            reference = m_referenceSolver->solve(point.value * c, *start, point.index, context);
            reference.solved.cut = start->cut;
            start = &reference.solved;
            wallStart = wallSeconds() - context.pausedSeconds();
        }
        if (isInterruption(reference.termination)) {
            outcome = reference;
        } else {
            const SolvedSvm* proof = known ? &dynamic_cast<const SvmWarmStart&>(*known).solution() : nullptr;
            outcome = m_solver->solve(c, *start, point.index, context, proof);
        }
        const double rows = point.index == 0 ? m_prepared.rowsCpu() : 0;
        outcome.cpuSolve += rows;
        outcome.ledger.other += rows;
    }
    const double wall = wallSeconds() - context.pausedSeconds() - wallStart - outcome.wallBeside;
    PointReport report = makeReport(point, outcome, wall);
    auto warm = std::make_shared<SvmWarmStart>();
    (hasReference() ? warm->solved : warm->next) = std::move(outcome.solved);
    if (hasReference()) {
        warm->next = std::move(reference.solved);
        warm->next.cut = warm->solved.cut;
    }
    report.warmStart = std::move(warm);
    if (m_finished != nullptr && !isInterruption(report.termination)) {
        m_finished->keep(m_name, point, report.warmStart);
    }
    return report;
}

PointReport SvmTask::makeReport(const PathPoint& point, const PointOutcome& outcome, double wall) const {
    const SampleCounts& setCounts = outcome.setCounts;
    const SampleCounts& path = outcome.pathScreened;
    const SampleCounts& last = outcome.finalScreened;
    const std::int64_t all = m_prepared.problem().size();
    PointReport report;
    report.termination = outcome.termination;
    report.decidableItems = setCounts.sum();
    report.bounds =
        ValueBounds::from(outcome.primal.value, std::max(outcome.primal.error, outcome.dual.error), outcome.solved.gap);
    report.cpuSolve = outcome.cpuSolve;
    report.cpuScreen = outcome.cpuScreen;
    ReportRow row(columns());
    row.set("index", point.index);
    row.set(axisKey(m_prepared.path().kind, m_prepared.config()), point.value);
    row.set("iterations", outcome.sweeps);
    row.set("primal", outcome.primal.value);
    row.set("dual", outcome.dual.value);
    row.set("gap", outcome.solved.gap);
    row.set("loss", outcome.solved.hingeSum.value);
    row.set("n_items", all);
    row.set("n_R", setCounts.zero);
    row.set("n_L", setCounts.full);
    row.set("n_E", all - setCounts.sum());
    setScreeningValues(
        {{path.zero, path.full}, {last.zero, last.full}, setCounts.sum(), outcome.cpuSolve, outcome.cpuScreen, wall},
        row);
    for (const AnswerMeasure& measure : answerMeasures(m_prepared.config().task)) {
        row.leave(measure.heldOut.key);
    }
    row.set("cpu_rule", outcome.ledger.rule);
    row.set("cpu_images", outcome.ledger.images);
    row.set("cpu_other", outcome.ledger.other);
    row.set("updates", outcome.ledger.updates);
    // What libraries do nobody counts.
    row.set("work", isOfLibrary() ? std::numeric_limits<double>::quiet_NaN() : std::trunc(outcome.ledger.operations));
    row.set("norm2", outcome.solved.squaredNorm.value);
    if (m_prepared.config().isNovelty()) {
        row.set("C", cAt(point));
        row.set("test_outside_goal", point.value);
    }
    if (m_prepared.problem().hasFreeBias()) {
        row.set("bias", outcome.solved.bias + m_prepared.targetMean());
    }
    for (const AnswerMeasure& measure : answerMeasures(m_prepared.config().task)) {
        if (m_prepared.folds() != nullptr) {
            row.leave(measure.crossed.key);
        }
    }
    if (m_config.method == MethodKind::Libsvm) {
        row.set("process_bytes", m_libsvm ? static_cast<std::int64_t>(m_libsvm->peakBytes()) : 0);
    }
    report.values = row.take();
    return report;
}

PointEvaluation SvmTask::evaluate(const PathPoint& point, const PointReport& report, RunContext& context) {
    PointEvaluation evaluation;
    const auto* warm = dynamic_cast<const SvmWarmStart*>(report.warmStart.get());
    if (warm == nullptr) {
        return evaluation;
    }
    const SolvedSvm& solved = warm->solution();
    if (context.wishes().measures) {
        StopCheck stopCheck([&context] { return context.shouldStop(); });
        const std::vector<AnswerMeasure>& measures = answerMeasures(m_prepared.config().task);
        const std::vector<double> heldOut = m_prepared.heldOutTest().measure(solved, stopCheck);
        FoldPaths* folds = m_prepared.folds();
        const auto crossed = folds != nullptr ? folds->at(point.index, context.stopToken()) : std::vector<double>();
        const std::vector<ColumnDescription> columns = this->columns();
        for (std::size_t k = 0; k < measures.size(); ++k) {
            evaluation.measures.push_back({placeOfColumn(columns, measures[k].heldOut.key), heldOut[k]});
            if (!crossed.empty()) {
                evaluation.measures.push_back({placeOfColumn(columns, measures[k].crossed.key), crossed[k]});
            }
        }
    }
    const std::int64_t size = solved.alpha.size() + solved.weights.size();
    if (context.wishes().wantsSolution(size)) {
        Solution solution;
        if (solved.weights.size() > 0) { // first: what views show of a solution
            solution.push_back({"w", solved.weights});
        }
        if (solved.alpha.size() > 0) {
            solution.push_back({"alpha", solved.alpha});
        }
        if (m_prepared.problem().hasFreeBias()) {
            solution.push_back({"b", Eigen::VectorXd::Constant(1, solved.bias + m_prepared.targetMean())});
        }
        evaluation.solution = std::make_shared<const Solution>(std::move(solution));
    }
    return evaluation;
}

void SvmTask::transferCut(StateArchive& archive, std::shared_ptr<const Nc3Cut>& cut) const {
    bool isThere = cut != nullptr;
    archive(isThere);
    if (isThere) {
        auto own = cut ? std::make_shared<Nc3Cut>(*cut) : std::make_shared<Nc3Cut>(m_prepared.problem());
        archive(*own);
        cut = std::move(own);
    }
}

void SvmTask::transfer(StateArchive& archive, std::shared_ptr<const WarmStart>& warmStart, RunContext& context) {
    auto warm = std::make_shared<SvmWarmStart>();
    if (const auto* given = dynamic_cast<const SvmWarmStart*>(warmStart.get()); given != nullptr) {
        *warm = *given;
    }
    archive(*warm);
    transferCut(archive, warm->next.cut);
    transferCut(archive, warm->solved.cut);
    warmStart = std::move(warm);
    makeSolvers(context.wishes().threads);
    for (PointSolver* solver : {m_solver.get(), m_referenceSolver.get()}) {
        if (solver != nullptr) {
            solver->transfer(archive);
        }
    }
}

} // namespace lambdascope::svm
