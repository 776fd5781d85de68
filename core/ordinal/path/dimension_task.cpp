// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ordinal/path/dimension_task.h"

#include "core/common/clocks.h"
#include "core/common/state_archive.h"
#include "core/numeric/blas_library.h"
#include "core/ordinal/path/ordinal_task.h"
#include "core/ordinal/path/prepared_ordinal.h"
#include "core/run/report_row.h"

#include <cmath>

namespace lambdascope::ordinal {

namespace {

const std::vector<ColumnDescription>& columns() {
    static const std::vector<ColumnDescription> list = {
        {"dimensions", "Dimensions p", "", ColumnRole::Axis, true},
        {"loss", "Mean loss", "", ColumnRole::Objective, false},
        {"train_error", "Error on training comparisons", "", ColumnRole::Other, false},
        {"test_error", "Error on held-out comparisons", "", ColumnRole::HeldOutError, false},
        {"cv_error", "Error by cross-validation", "", ColumnRole::CrossError, false},
        {"cv_spread", "Its standard error", "", ColumnRole::Other, false},
        {"gradient_norm", "Norm of the gradient", "", ColumnRole::Optimality, false},
        {"cpu", "CPU time", "s", ColumnRole::CpuSolve, false},
        {"wall", "Wall time", "s", ColumnRole::Wall, false},
    };
    return list;
}

/// An embedding of one set of comparisons.
struct Fit {
    Points x;
    double loss = 0;
    double trainError = 0;
    double testError = 0;
    double gradientNorm = 0;
    double seconds = 0;
};

} // namespace

DimensionTask::DimensionTask(const PreparedOrdinal& prepared, const Lane& lane)
    : m_prepared(prepared), m_lane(lane.settings), m_solver(lane.solver),
      m_frames(prepared.labels(), prepared.reference()) {}

LaneDescription DimensionTask::describe() const {
    LaneDescription started;
    started.isBaseline = true;
    started.axisKey = "dimensions";
    started.axisLabel = "p";
    started.axisFalls = false;
    started.columns = columns();
    started.facts = m_prepared.facts();
    started.facts["folds"] = m_prepared.folds().size();
    return started;
}

std::vector<double> DimensionTask::schedule() const {
    std::vector<double> dimensions;
    for (std::int64_t p = 1; p <= m_prepared.path().maxDimensions; ++p) {
        dimensions.push_back(static_cast<double>(p));
    }
    return dimensions;
}

std::int32_t DimensionTask::estimatedPointCount(const std::vector<PointReport>&) const {
    return static_cast<std::int32_t>(m_prepared.path().maxDimensions);
}

Result<PointReport> DimensionTask::solvePoint(const PathPoint& point, const std::shared_ptr<const WarmStart>&,
                                              RunContext& context) {
    pinBlasToOneThread();
    const double wallStart = wallSeconds() - context.pausedSeconds();
    const auto p = static_cast<std::int64_t>(point.value);
    const ModelSpec model = m_prepared.config().modelFor(p, m_lane.kind());
    const auto& folds = m_prepared.folds();
    std::vector<Fit> fits(folds.size() + 1); // the last one is of all training comparisons
    const bool isDone =
        inParallel(static_cast<std::int64_t>(fits.size()), context, [&](std::int64_t number, StopCheck& stopCheck) {
            const auto at = static_cast<std::size_t>(number);
            const bool isWhole = at == folds.size();
            const Objective objective(isWhole ? m_prepared.train() : *folds[at].rest, model);
            Trial trial(m_solver, objective, p, m_prepared.seed(), 0);
            for (std::int64_t epoch = 0; epoch <= m_prepared.path().epochs && !stopCheck.isStopped(); ++epoch) {
                trial.advance(stopCheck);
            }
            const EmbeddingState& state = trial.state();
            fits[at] = {state.x,
                        state.value.loss,
                        state.value.error,
                        violatedShare(isWhole ? m_prepared.test() : *folds[at].part, state.x, stopCheck),
                        state.gradient.norm(),
                        trial.seconds()};
        });
    PointReport report;
    if (!isDone) {
        report.termination = context.stopReason();
        return report;
    }
    const auto count = static_cast<double>(folds.size());
    double mean = 0;
    double squares = 0;
    for (const Fit& fit : fits) {
        report.cpuSolve += fit.seconds;
    }
    for (std::size_t at = 0; at < folds.size(); ++at) {
        mean += fits[at].testError / count;
    }
    for (std::size_t at = 0; at < folds.size(); ++at) {
        squares += (fits[at].testError - mean) * (fits[at].testError - mean);
    }
    const Fit& whole = fits.back();
    ReportRow row(columns());
    row.set("dimensions", point.value);
    row.set("loss", whole.loss);
    row.set("train_error", whole.trainError);
    row.set("test_error", whole.testError);
    row.set("cv_error", mean);
    row.set("cv_spread", std::sqrt(squares / (count - 1) / count));
    row.set("gradient_norm", whole.gradientNorm);
    row.set("cpu", report.cpuSolve);
    row.set("wall", wallSeconds() - context.pausedSeconds() - wallStart);
    report.values = row.take();
    auto warm = std::make_shared<OrdinalWarmStart>();
    warm->x = whole.x;
    report.warmStart = std::move(warm);
    return report;
}

/// Each p is solved from starts of its own.
void DimensionTask::transfer(StateArchive& archive, std::shared_ptr<const WarmStart>& /*warmStart*/,
                             RunContext& /*context*/) {
    archive(m_frames);
}

PointEvaluation DimensionTask::evaluate(const PathPoint&, const PointReport& report, RunContext& context) {
    PointEvaluation evaluation;
    const auto* warm = dynamic_cast<const OrdinalWarmStart*>(report.warmStart.get());
    if (warm == nullptr) {
        return evaluation;
    }
    showEmbedding(warm->x, {}, m_frames, context, evaluation);
    return evaluation;
}

} // namespace lambdascope::ordinal
