// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/path/metric_task.h"

#include "core/common/clocks.h"
#include "core/common/number_text.h"
#include "core/common/state_archive.h"
#include "core/metric/path/interval_counter.h"
#include "core/metric/path/metric_schema.h"
#include "core/metric/path/prepared_metric.h"
#include "core/metric/solver/method_choice.h"
#include "core/numeric/blas_library.h"
#include "core/run/screening_columns.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::metric {

namespace {

std::vector<ColumnDescription> makeColumns() {
    std::vector<ColumnDescription> columns = {
        {"index", "Point", "", ColumnRole::Index, true},
        {"lambda", "λ", "", ColumnRole::Axis, false},
        {"iterations", "Iterations", "", ColumnRole::Iterations, true},
        {"primal", "Primal value", "", ColumnRole::Objective, false},
        {"dual", "Dual value", "", ColumnRole::Other, false},
        {"gap", "Duality gap (upper bound)", "", ColumnRole::Optimality, false},
        {"loss", "Loss term", "", ColumnRole::Other, false},
        {"n_items", "Triplets", "", ColumnRole::ItemsTotal, true},
        {"n_R", "Triplets in R", "", ColumnRole::SetSize, true},
        {"n_L", "Triplets in L", "", ColumnRole::SetSize, true},
        {"n_C", "Triplets in C", "", ColumnRole::SetSize, true},
    };
    addScreeningColumns(columns);
    columns.insert(columns.end(), {
                                      {"knn_error", "k-NN error on held-out rows", "", ColumnRole::HeldOutError, false},
                                      {"cpu_rule", "CPU time, rules", "s", ColumnRole::CpuPart, false},
                                      {"cpu_evaluate", "CPU time, sums over triplets", "s", ColumnRole::CpuPart, false},
                                      {"cpu_eigen", "CPU time, eigen-decompositions", "s", ColumnRole::CpuPart, false},
                                      {"cpu_other", "CPU time, other", "s", ColumnRole::CpuPart, false},
                                      {"pairs_visited", "Pairs visited", "", ColumnRole::Other, true},
                                      {"evaluations", "Evaluations, on working sets too", "", ColumnRole::Other, true},
                                      {"eigen_decompositions", "Eigen-decompositions", "", ColumnRole::Other, true},
                                      {"counted_work", "Counted work of the method", "", ColumnRole::Other, true},
                                      {"evaluation_work", "Work of the last evaluation", "", ColumnRole::Other, true},
                                  });
    return columns;
}

const std::vector<ColumnDescription>& columns() {
    static const std::vector<ColumnDescription> list = makeColumns();
    return list;
}

} // namespace

MetricTask::MetricTask(const PreparedMetric& prepared, const Lane& lane)
    : m_prepared(prepared), m_name(lane.name), m_lane(lane.settings), m_solverConfig(lane.solver),
      m_known(prepared.makeKnownLane(lane)), m_finished(prepared.finishedPoints(lane)),
      m_map(prepared.pairTable(), prepared.data()) {}

MetricTask::~MetricTask() = default;

LaneDescription MetricTask::describe() const {
    LaneDescription started;
    started.isBaseline = m_lane.bounds.empty();
    started.axisKey = "lambda";
    started.axisLabel = "λ";
    started.axisFalls = true;
    started.itemNoun = m_prepared.comparisons() != nullptr ? "comparisons" : "triplets";
    started.fixedLowName = "R";
    started.fixedHighName = "L";
    started.columns = columns();
    started.featureNames = m_prepared.data().featureNames();
    started.facts = m_prepared.facts();
    started.facts["engine"] =
        m_prepared.comparisons() != nullptr ? "comparisons" : solverFields().word(m_solverConfig, "engine");
    if (!m_lane.oracle.empty()) {
        started.facts[kOracleFact] = m_lane.oracle;
    }
    if (!std::all_of(m_lane.bounds.begin(), m_lane.bounds.end(), isSafe)) {
        started.facts["unsafe"] = true; // decisions of this lane may be wrong
    }
    return started;
}

std::vector<double> MetricTask::schedule() const {
    return pathSchedule(m_prepared.path(), m_prepared.top().lambdaMax);
}

Error MetricTask::emptyPathError() const {
    // path.start is checked against path.min_lambda with the experiment, so that it is "lambda-max" here.
    const std::string lambdaMax = shortText(m_prepared.top().lambdaMax, 4);
    return singleFault(ErrorCode::InvalidData,
                       {"path.min_lambda",
                        "is " + exactText(m_prepared.path().minLambda) + ", above λ_max = " + lambdaMax +
                            " of this problem, where the path begins; it has no point",
                        "Lower min_lambda below " + lambdaMax + ", or give a number above min_lambda in path.start.",
                        {}});
}

void MetricTask::record(TripletStates* states, ScreeningObserver* observer) {
    m_states = states;
    m_observer = observer;
    if (m_engine) {
        m_engine->record(states);
        m_solver->observe(observer);
    }
}

void MetricTask::makeSolver(int threads) {
    if (m_engine) {
        return;
    }
    m_engine = m_prepared.makeEngine(m_solverConfig.engine, threads);
    m_engine->record(m_states);
    std::vector<std::unique_ptr<Bound>> bounds;
    for (const BoundKind kind : m_lane.bounds) {
        bounds.push_back(makeBound(kind));
    }
    m_solver = std::make_unique<PointSolver>(*m_engine, std::move(bounds),
                                             PointSettings{.gamma = m_prepared.problem().lossGamma(),
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

Result<PointReport> MetricTask::solvePoint(const PathPoint& point, const std::shared_ptr<const WarmStart>& warmStart,
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
    const double wallStart = wallSeconds() - context.pausedSeconds();
    const double gamma = m_prepared.problem().lossGamma();
    if (m_known && known == nullptr) {
        PointOutcome stopped;
        stopped.termination = context.shouldStop() ? context.stopReason() : Termination::StoppedByUser;
        return makeReport(point, stopped, 0);
    }
    makeSolver(context.wishes().threads);
    if (m_states != nullptr) {
        m_states->reset();
    }
    const auto* previous = dynamic_cast<const MetricWarmStart*>(warmStart.get());
    SolvedPoint top;
    if (previous == nullptr) {
        const LambdaMaxSolution& lambdaMaxSolution = m_prepared.top();
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
    const SolvedPoint* proof = known ? &dynamic_cast<const MetricWarmStart&>(*known).solved : nullptr;
    const PointOutcome outcome =
        m_solver->solve(point.value, previous != nullptr ? previous->solved : top, point.index, context, proof);
    PointReport report = makeReport(point, outcome, wallSeconds() - context.pausedSeconds() - wallStart);
    if (m_finished != nullptr && !isInterruption(outcome.termination)) {
        m_finished->keep(m_name, point, report.warmStart);
    }
    return report;
}

PointReport MetricTask::makeReport(const PathPoint& point, const PointOutcome& outcome, double wall) const {
    const TripletIndex all = m_prepared.items().size();
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
    ReportRow row(columns());
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
    row.leave("knn_error");
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
    auto warm = std::make_shared<MetricWarmStart>();
    warm->solved = outcome.solved;
    report.warmStart = std::move(warm);
    return report;
}

PointEvaluation MetricTask::evaluate(const PathPoint&, const PointReport& report, RunContext& context) {
    PointEvaluation evaluation;
    const auto* warm = dynamic_cast<const MetricWarmStart*>(report.warmStart.get());
    if (warm == nullptr) {
        return evaluation;
    }
    StopCheck stopCheck([&context] { return context.shouldStop(); });
    if (context.wishes().embeddings) {
        evaluation.embedding = m_map.embed(warm->solved.point.matrix, stopCheck);
    }
    if (context.wishes().measures) {
        const double error = m_prepared.heldOutTest().error(warm->solved.point.matrix, stopCheck);
        evaluation.measures.push_back({placeOfColumn(columns(), "knn_error"), error});
    }
    if (context.wishes().wantsSolution(warm->solved.point.matrix.size())) {
        const bool isColumn = m_prepared.problem().structure == Structure::Diagonal;
        evaluation.solution =
            std::make_shared<const Solution>(Solution{{isColumn ? "m" : "M", warm->solved.point.matrix}});
    }
    if (context.wishes().ranges && m_lane.range) {
        evaluation.ranges = rangeRow(warm->solved, context);
    }
    return evaluation;
}

void MetricTask::transfer(StateArchive& archive, std::shared_ptr<const WarmStart>& warmStart, RunContext& context) {
    makeSolver(context.wishes().threads);
    transferWarmStart<MetricWarmStart>(archive, warmStart);
    m_solver->transfer(archive);
    archive(m_map);
}

std::shared_ptr<const RangeRow> MetricTask::rangeRow(const SolvedPoint& solved, RunContext& context) const {
    auto row = std::make_shared<RangeRow>();
    row->reference = solved.lambda;
    row->targets = schedule();
    std::erase_if(row->targets, [&](double target) { return target > solved.lambda; });
    StopCheck stopCheck([&context] { return context.shouldStop(); });
    const double gamma = m_prepared.problem().lossGamma();
    const PathBall ball(pathReference(solved), m_lane.rangeBound().value_or(BoundKind::RelaxedPath), gamma, &stopCheck);
    const bool done = rangeRates(m_prepared.items(), ball, gamma, row->targets, stopCheck, row->rates);
    return done ? row : nullptr;
}

std::vector<PathMark> MetricTask::marks(const std::vector<PointReport>& finished) const {
    const std::size_t lambda = placeOfColumn(columns(), "lambda");
    const std::size_t loss = placeOfColumn(columns(), "loss");
    std::vector<PathMark> result;
    result.reserve(finished.size());
    for (const PointReport& report : finished) {
        result.push_back({report.values[lambda], report.values[loss]});
    }
    return result;
}

bool MetricTask::endsPath(const std::vector<PointReport>& finished) const {
    return pathEnds(m_prepared.path(), marks(finished));
}

std::int32_t MetricTask::estimatedPointCount(const std::vector<PointReport>& finished) const {
    return estimatedPoints(m_prepared.path(), marks(finished), static_cast<std::int32_t>(schedule().size()));
}

} // namespace lambdascope::metric
