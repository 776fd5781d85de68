// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ordinal/path/ordinal_task.h"

#include "core/common/clocks.h"
#include "core/common/quantile.h"
#include "core/common/state_archive.h"
#include "core/common/thread_team.h"
#include "core/numeric/blas_library.h"
#include "core/numeric/procrustes.h"
#include "core/ordinal/path/gram_problem.h"
#include "core/ordinal/path/ordinal_schema.h"
#include "core/ordinal/path/prepared_ordinal.h"
#include "core/run/report_row.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <thread>

namespace lambdascope::ordinal {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

/// The numbers of all trials, of which a point shows the median.
std::vector<double> ofTrials(const std::vector<std::unique_ptr<Trial>>& trials, double (*number)(const Trial&)) {
    std::vector<double> values;
    for (const auto& trial : trials) {
        values.push_back(number(*trial));
    }
    return values;
}

double median(std::vector<double> values) {
    return quantile(std::move(values), 0.5);
}

} // namespace

bool inParallel(std::int64_t count, RunContext& context,
                const std::function<void(std::int64_t number, StopCheck& stopCheck)>& work) {
    std::atomic<bool> isStopped = false;
    const auto caller = std::this_thread::get_id();
    const std::stop_token stop = context.stopToken();
    const auto shouldStop = [&] {
        // Pauses and time limits belong to the calling thread.
        if (!isStopped && (std::this_thread::get_id() == caller ? context.shouldStop() : stop.stop_requested())) {
            isStopped = true;
        }
        return isStopped.load();
    };
    ThreadTeam team(static_cast<int>(std::min<std::int64_t>(context.wishes().threads, count)));
    const auto body = [&](std::int64_t number, std::size_t) {
        StopCheck stopCheck(shouldStop);
        work(number, stopCheck);
    };
    return team.forEachBlock(count, body, shouldStop) && !isStopped;
}

OrdinalTask::OrdinalTask(const PreparedOrdinal& prepared, const Lane& lane)
    : m_prepared(prepared), m_model(prepared.config().modelFor(prepared.config().dimensions, lane.settings.kind())),
      m_solver(lane.solver), m_objective(prepared.train(), m_model), m_frames(prepared.labels(), prepared.reference()) {
}

OrdinalTask::~OrdinalTask() = default;

std::vector<ColumnDescription> OrdinalTask::columns() const {
    std::vector<ColumnDescription> columns = {
        {"epoch", "Epoch", "", ColumnRole::Axis, true},
        {"gradients", "Gradients per comparison", "", ColumnRole::Other, false},
        {"loss", "Mean loss", "", ColumnRole::Objective, false},
        {"train_error", "Error on training comparisons", "", ColumnRole::Other, false},
        {"test_error", "Error on held-out comparisons", "", ColumnRole::HeldOutError, false},
        {"step", "Step", "", ColumnRole::Other, false},
        {"cpu", "CPU time", "s", ColumnRole::CpuSolve, false},
        {"wall", "Wall time", "s", ColumnRole::Wall, false},
        {"seconds", "CPU time of a trial so far", "s", ColumnRole::Other, false},
        {"gradient_norm", "Norm of the gradient", "", ColumnRole::Optimality, false},
    };
    if (m_solver.trials > 1) {
        columns.push_back({"train_error_q1", "Training error, lower quartile", "", ColumnRole::Other, false});
        columns.push_back({"train_error_q3", "Training error, upper quartile", "", ColumnRole::Other, false});
        columns.push_back({"test_error_q1", "Held-out error, lower quartile", "", ColumnRole::Other, false});
        columns.push_back({"test_error_q3", "Held-out error, upper quartile", "", ColumnRole::Other, false});
        columns.push_back({"failed", "Trials that failed", "", ColumnRole::Other, true});
    }
    if (m_prepared.reference().rows() > 0) {
        columns.push_back({"procrustes", "Distance to the reference", "", ColumnRole::Other, false});
    }
    if (m_prepared.hasRetrieval()) {
        columns.push_back({"map", "MAP of held-out rows", "", ColumnRole::HeldOutMeasure, false});
        columns.push_back({"precision", "Precision@K of held-out rows", "", ColumnRole::HeldOutMeasure, false});
        columns.push_back({"recall", "Recall@K of held-out rows", "", ColumnRole::HeldOutMeasure, false});
    }
    return columns;
}

LaneDescription OrdinalTask::describe() const {
    LaneDescription started;
    started.isBaseline = true; // nothing is screened: the first lane is what others are compared with
    started.axisKey = "epoch";
    started.axisLabel = "epoch";
    started.axisFalls = false;
    started.columns = columns();
    started.facts = m_prepared.facts();
    started.facts["method"] = solverFields().word(m_solver, "method");
    ProblemConfig shown = m_prepared.config();
    shown.model = m_model.kind;
    started.facts["model"] = problemFields().word(shown, "model");
    started.facts["trials"] = m_solver.trials;
    started.facts["start"] = solverFields().word(m_solver, "start");
    return started;
}

std::vector<double> OrdinalTask::schedule() const {
    std::vector<double> epochs;
    for (std::int64_t epoch = 0; epoch <= m_prepared.path().epochs; ++epoch) {
        epochs.push_back(static_cast<double>(epoch));
    }
    return epochs;
}

std::int32_t OrdinalTask::estimatedPointCount(const std::vector<PointReport>&) const {
    return static_cast<std::int32_t>(m_prepared.path().epochs + 1);
}

void OrdinalTask::makeTrials() {
    for (std::int64_t number = std::ssize(m_trials); number < m_solver.trials; ++number) {
        m_trials.push_back(
            std::make_unique<Trial>(m_solver, m_objective, m_prepared.config().dimensions, m_prepared.seed(), number));
    }
}

bool OrdinalTask::startTrials(RunContext& context) {
    const bool isNew = m_trials.empty();
    makeTrials();
    if (!isNew || m_solver.start != StartKind::Convex) {
        return true;
    }
    const double before = threadCpuSeconds();
    const auto start = m_prepared.convexStart(m_solver, context.wishes().threads, context.stopToken());
    m_startSeconds = threadCpuSeconds() - before;
    for (const auto& trial : m_trials) {
        if (start) {
            trial->startAt(*start, m_startSeconds);
        }
    }
    return start.has_value();
}

Result<PointReport> OrdinalTask::solvePoint(const PathPoint& point, const std::shared_ptr<const WarmStart>&,
                                            RunContext& context) {
    pinBlasToOneThread();
    const double wallStart = wallSeconds() - context.pausedSeconds();
    const bool hasStarted = startTrials(context);
    std::vector<double> testErrors(m_trials.size(), kUnknown);
    const bool isDone =
        hasStarted &&
        inParallel(static_cast<std::int64_t>(m_trials.size()), context, [&](std::int64_t number, StopCheck& stopCheck) {
            const auto at = static_cast<std::size_t>(number);
            m_trials[at]->advance(stopCheck);
            testErrors[at] = violatedShare(m_prepared.test(), m_trials[at]->state().x, stopCheck);
        });
    if (!isDone) {
        PointReport stopped;
        stopped.termination = context.stopReason();
        return stopped;
    }
    PointReport report = makeReport(point, testErrors, wallSeconds() - context.pausedSeconds() - wallStart);
    m_startSeconds = 0;
    return report;
}

PointReport OrdinalTask::makeReport(const PathPoint& point, const std::vector<double>& testErrors, double wall) const {
    const auto loss = ofTrials(m_trials, [](const Trial& t) { return t.state().value.loss; });
    const auto trainError = ofTrials(m_trials, [](const Trial& t) { return t.state().value.error; });
    const auto failed =
        std::count_if(m_trials.begin(), m_trials.end(), [](const auto& t) { return t->state().hasFailed; });
    PointReport report;
    if (failed == static_cast<std::ptrdiff_t>(m_trials.size())) {
        report.termination = Termination::NumericalTrouble;
    }
    report.cpuSolve = m_startSeconds;
    for (const auto& trial : m_trials) {
        report.cpuSolve += trial->lastSeconds();
    }
    const std::size_t best = static_cast<std::size_t>(std::min_element(loss.begin(), loss.end()) - loss.begin());
    auto warm = std::make_shared<OrdinalWarmStart>();
    warm->x = m_trials[best]->state().x;
    warm->perTrial.resize(static_cast<Eigen::Index>(m_trials.size()), 6);
    for (std::size_t at = 0; at < m_trials.size(); ++at) {
        const EmbeddingState& state = m_trials[at]->state();
        warm->perTrial.row(static_cast<Eigen::Index>(at)) << state.value.loss, state.value.error, testErrors[at],
            state.gradients, m_trials[at]->seconds(), state.hasFailed ? 1.0 : 0.0;
    }
    ReportRow row(columns());
    row.set("epoch", point.value);
    row.set("gradients", median(ofTrials(m_trials, [](const Trial& t) { return t.state().gradients; })));
    row.set("loss", median(loss));
    row.set("train_error", median(trainError));
    row.set("test_error", median(testErrors));
    row.set("step", median(ofTrials(m_trials, [](const Trial& t) { return t.state().step; })));
    row.set("cpu", report.cpuSolve);
    row.set("wall", wall);
    row.set("seconds", median(ofTrials(m_trials, [](const Trial& t) { return t.seconds(); })));
    row.set("gradient_norm", median(ofTrials(m_trials, [](const Trial& t) { return t.state().gradient.norm(); })));
    if (m_solver.trials > 1) {
        row.set("train_error_q1", quantile(trainError, 0.25));
        row.set("train_error_q3", quantile(trainError, 0.75));
        row.set("test_error_q1", quantile(testErrors, 0.25));
        row.set("test_error_q3", quantile(testErrors, 0.75));
        row.set("failed", failed);
    }
    if (m_prepared.reference().rows() > 0) {
        row.set("procrustes", alignPoints(warm->x, m_prepared.reference()).distance);
    }
    if (m_prepared.hasRetrieval()) {
        row.leave("map");
        row.leave("precision");
        row.leave("recall");
    }
    report.values = row.take();
    report.warmStart = std::move(warm);
    return report;
}

void OrdinalTask::transfer(StateArchive& archive, std::shared_ptr<const WarmStart>& /*warmStart*/,
                           RunContext& /*context*/) {
    makeTrials();
    for (const auto& trial : m_trials) {
        archive(*trial);
    }
    archive(m_frames);
}

void showEmbedding(const Points& x, const Eigen::MatrixXd& perTrial, EmbeddingFrames& frames, RunContext& context,
                   PointEvaluation& evaluation) {
    if (context.wishes().embeddings) {
        evaluation.embedding = frames.frame(x);
    }
    if (context.wishes().wantsSolution(x.size() + perTrial.size())) {
        Solution solution = {{"X", x}};
        if (perTrial.size() > 0) {
            solution.push_back({"trials", perTrial});
        }
        evaluation.solution = std::make_shared<const Solution>(std::move(solution));
    }
}

PointEvaluation OrdinalTask::evaluate(const PathPoint&, const PointReport& report, RunContext& context) {
    PointEvaluation evaluation;
    const auto* warm = dynamic_cast<const OrdinalWarmStart*>(report.warmStart.get());
    if (warm == nullptr) {
        return evaluation;
    }
    showEmbedding(warm->x, warm->perTrial, m_frames, context, evaluation);
    if (context.wishes().measures && m_prepared.hasRetrieval()) {
        StopCheck stopCheck([&context] { return context.shouldStop(); });
        const RetrievalMeasures measures = m_prepared.retrieval(warm->x, stopCheck);
        const std::vector<ColumnDescription> places = columns();
        evaluation.measures = {{placeOfColumn(places, "map"), measures.meanAveragePrecision},
                               {placeOfColumn(places, "precision"), measures.precision},
                               {placeOfColumn(places, "recall"), measures.recall}};
    }
    return evaluation;
}

bool OrdinalTask::endsPath(const std::vector<PointReport>& finished) const {
    if (finished.empty()) {
        return false;
    }
    const PointReport& last = finished.back();
    if (last.termination == Termination::NumericalTrouble) {
        return true; // no trial is left
    }
    const bool hasSettled =
        std::all_of(m_trials.begin(), m_trials.end(), [](const auto& trial) { return trial->state().hasSettled; });
    const auto& stop = m_prepared.path().stopError;
    const std::size_t column = placeOfColumn(columns(), m_prepared.test().size() > 0 ? "test_error" : "train_error");
    return hasSettled || (stop && last.values[column] <= *stop);
}

} // namespace lambdascope::ordinal
