// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/path/metric_task.h"

#include "core/common/state_archive.h"
#include "core/metric/path/metric_schema.h"
#include "core/metric/path/prepared_metric.h"

namespace lambdascope::metric {

MetricTask::MetricTask(const PreparedMetric& prepared, const Lane& lane)
    : TripletTask(prepared, lane, {{"knn_error", "k-NN error on held-out rows", "", ColumnRole::HeldOutError, false}},
                  prepared.makeKnownLane(lane), prepared.finishedPoints(lane)),
      m_prepared(prepared), m_solver(lane.solver), m_map(prepared.pairTable(), prepared.data()) {}

LaneDescription MetricTask::describe() const {
    LaneDescription started = TripletTask::describe();
    started.featureNames = m_prepared.data().featureNames();
    return started;
}

Json MetricTask::facts() const {
    Json facts = m_prepared.facts();
    facts["engine"] = m_prepared.comparisons() != nullptr ? "comparisons" : solverFields().word(m_solver, "engine");
    return facts;
}

PointEvaluation MetricTask::evaluate(const PathPoint&, const PointReport& report, RunContext& context) {
    PointEvaluation evaluation;
    const auto* warm = dynamic_cast<const TripletWarmStart*>(report.warmStart.get());
    if (warm == nullptr) {
        return evaluation;
    }
    StopCheck stopCheck([&context] { return context.shouldStop(); });
    const Eigen::MatrixXd& metric = warm->solved.point.matrix;
    if (context.wishes().embeddings) {
        evaluation.embedding = m_map.embed(metric, stopCheck);
    }
    if (context.wishes().measures) {
        const double error = m_prepared.heldOutTest().error(metric, stopCheck);
        evaluation.measures.push_back({placeOfColumn(columns(), "knn_error"), error});
    }
    if (context.wishes().wantsSolution(metric.size())) {
        const bool isColumn = m_prepared.problem().structure == Structure::Diagonal;
        evaluation.solution = std::make_shared<const Solution>(Solution{{isColumn ? "m" : "M", metric}});
    }
    addReach(warm->solved, context, evaluation);
    evaluation.ranges = rangesOf(warm->solved, context);
    return evaluation;
}

void MetricTask::transfer(StateArchive& archive, std::shared_ptr<const WarmStart>& warmStart, RunContext& context) {
    TripletTask::transfer(archive, warmStart, context);
    archive(m_map);
}

} // namespace lambdascope::metric
