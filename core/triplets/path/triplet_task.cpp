// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/path/triplet_task.h"

#include "core/common/clocks.h"
#include "core/common/number_text.h"
#include "core/common/state_archive.h"
#include "core/numeric/blas_library.h"
#include "core/run/screening_columns.h"
#include "core/triplets/path/approximation_path.h"
#include "core/triplets/screening/range_rule.h"
#include "core/triplets/solver/method_choice.h"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace lambdascope::triplets {

namespace {

const char* nounOf(const PathProblem& problem) {
    return problem.items().comparisons() != nullptr ? "comparisons" : "triplets";
}

std::vector<ColumnDescription> columnsWith(const std::vector<ColumnDescription>& measures, const std::string& noun,
                                           PathKind path) {
    std::string items = noun;
    items.front() = static_cast<char>(std::toupper(items.front()));
    std::vector<ColumnDescription> columns = pathColumns(items);
    columns.insert(columns.end(), {{"n_R", items + " in R", "", ColumnRole::SetSize, true},
                                   {"n_L", items + " in L", "", ColumnRole::SetSize, true},
                                   {"n_C", items + " in C", "", ColumnRole::SetSize, true}});
    addScreeningColumns(columns);
    columns.insert(columns.end(), measures.begin(), measures.end());
    columns.insert(columns.end(), {
                                      {"cpu_rule", "CPU time, rules", "s", ColumnRole::CpuPart, false},
                                      {"cpu_evaluate", "CPU time, sums over " + noun, "s", ColumnRole::CpuPart, false},
                                      {"cpu_eigen", "CPU time, eigen-decompositions", "s", ColumnRole::CpuPart, false},
                                      {"cpu_other", "CPU time, other", "s", ColumnRole::CpuPart, false},
                                      {"pairs_visited", "Pairs visited", "", ColumnRole::Other, true},
                                      {"evaluations", "Evaluations, on working sets too", "", ColumnRole::Other, true},
                                      {"eigen_decompositions", "Eigen-decompositions", "", ColumnRole::Other, true},
                                      {"counted_work", "Counted work of the method", "", ColumnRole::Other, true},
                                      {"evaluation_work", "Work of the last evaluation", "", ColumnRole::Other, true},
                                  });
    if (path == PathKind::Approximation) {
        columns.push_back({"reach", "Within ε down to λ", "", ColumnRole::OtherMeasure, false});
    }
    return columns;
}

} // namespace

TripletTask::TripletTask(const PathProblem& problem, const Lane& lane, std::vector<ColumnDescription> measures,
                         std::unique_ptr<KnownLane> known, FinishedPoints* finished)
    : m_problem(problem), m_name(lane.name), m_lane(lane.settings), m_solverConfig(lane.solver),
      m_measures(std::move(measures)), m_columns(columnsWith(m_measures, nounOf(problem), problem.path().kind)),
      m_known(std::move(known)), m_finished(finished) {}

TripletTask::~TripletTask() = default;

LaneDescription TripletTask::describe() const {
    LaneDescription started;
    started.isBaseline = m_lane.bounds.empty();
    started.axisKey = "lambda";
    started.axisLabel = "λ";
    started.axisFalls = true;
    started.itemNoun = nounOf(m_problem);
    started.fixedLowName = "R";
    started.fixedHighName = "L";
    started.columns = m_columns;
    started.facts = facts();
    if (!m_lane.oracle.empty()) {
        started.facts[kOracleFact] = m_lane.oracle;
    }
    if (!std::all_of(m_lane.bounds.begin(), m_lane.bounds.end(), isSafe)) {
        started.facts["unsafe"] = true; // decisions of this lane may be wrong
    }
    return started;
}

std::vector<double> TripletTask::schedule() const {
    const std::vector<double>* known = m_problem.approximationPath();
    return known != nullptr ? *known : pathSchedule(m_problem.path(), m_problem.top().lambdaMax);
}

Error TripletTask::emptyPathError() const {
    return triplets::emptyPathError(m_problem.path(), m_problem.top().lambdaMax);
}

void TripletTask::record(TripletStates* states, ScreeningObserver* observer) {
    m_states = states;
    m_observer = observer;
    if (m_engine) {
        m_engine->record(states);
        m_solver->observe(observer);
    }
}

void TripletTask::makeSolver(int threads) {
    if (m_engine) {
        return;
    }
    m_engine = m_problem.makeEngine(m_solverConfig.engine, threads);
    m_engine->record(m_states);
    std::vector<std::unique_ptr<Bound>> bounds;
    for (const BoundKind kind : m_lane.bounds) {
        bounds.push_back(makeBound(kind));
    }
    m_solver = std::make_unique<PointSolver>(*m_engine, std::move(bounds),
                                             PointSettings{.gamma = m_problem.gamma(),
                                                           .tolerance = m_solverConfig.tolerance,
                                                           .toleranceKind = m_solverConfig.toleranceKind,
                                                           .maxIterations = m_solverConfig.maxIterations,
                                                           .schedule = m_lane.schedule,
                                                           .screenEvery = m_lane.every,
                                                           .rule = m_lane.rule,
                                                           .ranges = m_lane.range ? m_lane.rangeBound() : std::nullopt,
                                                           .method = m_solverConfig.method,
                                                           .threads = threads,
                                                           .activeSet = m_solverConfig.activeSet});
    m_solver->observe(m_observer);
}

Result<PointReport> TripletTask::solvePoint(const PathPoint& point, const std::shared_ptr<const WarmStart>& warmStart,
                                            RunContext& context) {
    pinBlasToOneThread();
    std::shared_ptr<const WarmStart> known; // its work is not counted
    if (m_known) {
        auto found = m_known->at(point, context);
        if (!found) {
            return Failure{found.error()};
        }
        known = std::move(*found);
    }
    const double wallStart = wallSeconds() - context.pausedSeconds();
    const double gamma = m_problem.gamma();
    if (m_known && known == nullptr) {
        PointOutcome stopped;
        stopped.termination = context.shouldStop() ? context.stopReason() : Termination::StoppedByUser;
        return makeReport(point, stopped, 0);
    }
    makeSolver(context.wishes().threads);
    if (m_states != nullptr) {
        m_states->reset();
    }
    const auto* previous = dynamic_cast<const TripletWarmStart*>(warmStart.get());
    SolvedPoint top;
    if (previous == nullptr) {
        const LambdaMaxSolution& lambdaMaxSolution = m_problem.top();
        StopCheck stopCheck([&context] { return context.shouldStop(); });
        top = topPoint(lambdaMaxSolution, std::max(point.value, lambdaMaxSolution.lambdaMax), gamma, *m_engine,
                       stopCheck);
        if (stopCheck.isStopped()) {
            PointOutcome stopped;
            stopped.termination = context.stopReason();
            stopped.solved = std::move(top);
            return makeReport(point, stopped, wallSeconds() - context.pausedSeconds() - wallStart);
        }
    }
    const SolvedPoint* proof = known ? &dynamic_cast<const TripletWarmStart&>(*known).solved : nullptr;
    const PointOutcome outcome =
        m_solver->solve(point.value, previous != nullptr ? previous->solved : top, point.index, context, proof);
    PointReport report = makeReport(point, outcome, wallSeconds() - context.pausedSeconds() - wallStart);
    if (m_finished != nullptr && !isInterruption(outcome.termination)) {
        m_finished->keep(m_name, point, report.warmStart);
    }
    return report;
}

void TripletTask::measure(const SolvedPoint& /*solved*/, ReportRow& row) const {
    for (const ColumnDescription& column : m_measures) {
        row.leave(column.key);
    }
}

PointReport TripletTask::makeReport(const PathPoint& point, const PointOutcome& outcome, double wall) const {
    const TripletIndex all = m_problem.items().size();
    const SetCounts& setCounts = outcome.setCounts;
    const TripletIndex decidable = setCounts.above + setCounts.below;
    const ScreenedPart& path = outcome.pathScreened;
    const ScreenedPart& last = outcome.finalScreened;
    PointReport report;
    report.termination = outcome.termination;
    report.decidableItems = decidable;
    report.bounds =
        ValueBounds::from(outcome.primal.value, std::max(outcome.primal.error, outcome.dual.error), outcome.solved.gap);
    report.cpuSolve = outcome.cpuSolve;
    report.cpuScreen = outcome.cpuScreen;
    ReportRow row(m_columns);
    row.set("index", point.index);
    row.set("lambda", point.value);
    row.set("iterations", outcome.iterations);
    row.set("primal", outcome.primal.value);
    row.set("dual", outcome.dual.value);
    row.set("gap", outcome.solved.gap);
    row.set("loss", outcome.loss);
    row.set("n_items", all);
    row.set("n_R", setCounts.above);
    row.set("n_L", setCounts.below);
    row.set("n_C", all - decidable);
    setScreeningValues(
        {{path.zero, path.linear}, {last.zero, last.linear}, decidable, outcome.cpuSolve, outcome.cpuScreen, wall},
        row);
    measure(outcome.solved, row);
    if (m_problem.path().kind == PathKind::Approximation) {
        row.leave("reach");
    }
    row.set("cpu_rule", outcome.ledger.rule);
    row.set("cpu_evaluate", outcome.ledger.evaluate);
    row.set("cpu_eigen", outcome.ledger.eigen);
    row.set("cpu_other", outcome.ledger.other);
    row.set("pairs_visited", outcome.ledger.pairsVisited);
    row.set("evaluations", outcome.ledger.evaluations);
    row.set("eigen_decompositions", outcome.ledger.eigenDecompositions);
    row.set("counted_work", std::llround(outcome.ledger.work));
    row.set("evaluation_work", std::llround(outcome.ledger.lastEvaluation));
    report.values = row.take();
    auto warm = std::make_shared<TripletWarmStart>();
    warm->solved = outcome.solved;
    report.warmStart = std::move(warm);
    return report;
}

void TripletTask::transfer(StateArchive& archive, std::shared_ptr<const WarmStart>& warmStart, RunContext& context) {
    makeSolver(context.wishes().threads);
    transferWarmStart<TripletWarmStart>(archive, warmStart);
    m_solver->transfer(archive);
}

std::shared_ptr<const RangeRow> TripletTask::rangesOf(const SolvedPoint& solved, RunContext& context) const {
    if (!context.wishes().ranges || !m_lane.range) {
        return nullptr;
    }
    auto row = std::make_shared<RangeRow>();
    row->reference = solved.lambda;
    row->targets = schedule();
    std::erase_if(row->targets, [&](double target) { return target > solved.lambda; });
    StopCheck stopCheck([&context] { return context.shouldStop(); });
    const double gamma = m_problem.gamma();
    const PathBall ball(pathReference(solved), m_lane.rangeBound().value_or(BoundKind::RelaxedPath), gamma, &stopCheck);
    const bool done = rangeRates(m_problem.items(), ball, gamma, row->targets, stopCheck, row->rates);
    return done ? row : nullptr;
}

void TripletTask::addReach(const SolvedPoint& solved, RunContext& context, PointEvaluation& evaluation) {
    if (!context.wishes().measures || m_problem.path().kind != PathKind::Approximation) {
        return;
    }
    makeSolver(context.wishes().threads);
    StopCheck stopCheck([&context] { return context.shouldStop(); });
    const double reach = reachOf(solved, m_problem.gamma(), m_problem.path().epsilon, *m_engine, stopCheck);
    evaluation.measures.push_back({placeOfColumn(m_columns, "reach"), reach});
}

bool TripletTask::endsPath(const std::vector<PointReport>& finished) const {
    // An ε-path has ended where it was walked first, the same for all lanes.
    return m_problem.approximationPath() == nullptr && pathEnds(m_problem.path(), pathMarks(m_columns, finished));
}

std::int32_t TripletTask::estimatedPointCount(const std::vector<PointReport>& finished) const {
    const auto scheduled = static_cast<std::int32_t>(schedule().size());
    return m_problem.approximationPath() != nullptr
               ? scheduled
               : estimatedPoints(m_problem.path(), pathMarks(m_columns, finished), scheduled);
}

} // namespace lambdascope::triplets
