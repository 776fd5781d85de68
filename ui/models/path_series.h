// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/run_event.h"

#include <QPointF>
#include <QString>
#include <QVector>

#include <optional>
#include <vector>

namespace lambdascope {

class RunRecord;

/// Curves and matrices of runs, by column roles only. Pure functions; absent columns give empty results, non-finite
/// values are left out. x is the axis value (λ, C, epoch, …) unless said otherwise. Cost O(points).

/// Which rate, active count or removed count: after the first screening at a point, or after the last one.
enum class ScreeningStage { Path, Final };

/// (axis, values of the first column with `role`).
[[nodiscard]] QVector<QPointF> columnSeries(const RunRecord& run, ColumnRole role);

/// (axis, screening rate in [0, 1]).
[[nodiscard]] QVector<QPointF> rateSeries(const RunRecord& run, ScreeningStage stage);

/// (axis, cpu(run) / cpu(baseline)) at path indices that both runs have finished, cpu = CpuSolve + CpuScreen. The total
/// over the path is totalCpuRatio in core/run/run_record.h.
[[nodiscard]] QVector<QPointF> cpuRatioSeries(const RunRecord& run, const RunRecord& baseline);
/// The same with both sides summed from the first common point on.
[[nodiscard]] QVector<QPointF> cumulativeCpuRatioSeries(const RunRecord& run, const RunRecord& baseline);

/// (axis, Σ columns with the role PathFixed or FinalFixed).
[[nodiscard]] QVector<QPointF> removedSeries(const RunRecord& run, ScreeningStage stage);
/// (axis, ItemsTotal − removed).
[[nodiscard]] QVector<QPointF> activeSeries(const RunRecord& run, ScreeningStage stage);
/// (axis, CPU seconds of solving and screening).
[[nodiscard]] QVector<QPointF> cpuSeries(const RunRecord& run);

/// Convergence within one path point.
struct ConvergenceCurve {
    QVector<QPointF> byIteration; ///< (iteration, optimality)
    QVector<QPointF> byCpu;       ///< (CPU seconds at this point, optimality)
    QVector<QPointF> active;      ///< (iteration, active items)
    OptimalityKind kind = OptimalityKind::DualityGap;
    double tolerance = 0; ///< absolute; 0 when unknown
};
/// `pointIndex` as in PathPoint::index; empty curves when the record kept no iterations of that point.
[[nodiscard]] ConvergenceCurve convergenceCurve(const RunRecord& run, int pointIndex);

/// Screening rate by path point and check: value(row = check, column = point), NaN where no check took place.
struct ScreeningHeatmap {
    std::vector<double> axis;  ///< one per column
    int checkCount = 0;        ///< rows
    std::vector<double> rates; ///< row-major, checkCount × axis.size(), rate in [0, 1] or NaN
    [[nodiscard]] bool isEmpty() const { return checkCount == 0 || axis.empty(); }
    [[nodiscard]] double rate(int check, int column) const {
        return rates[static_cast<std::size_t>(check) * axis.size() + static_cast<std::size_t>(column)];
    }
};
/// Rates are counts over the decidable items of the finished point; at the point in work over all items.
[[nodiscard]] ScreeningHeatmap screeningHeatmap(const RunRecord& run);

/// All distinct axis values of `runs` in path order (falling or rising as the first run says): what a λ cursor visits.
[[nodiscard]] std::vector<double> commonAxis(const std::vector<const RunRecord*>& runs);

/// Position in the run's finished points of the point at `axisValue` (relative difference at most 1e-9), else of the
/// last one before it on the path; −1 when there is none.
[[nodiscard]] int pointAt(const RunRecord& run, double axisValue);

/// Total CPU seconds so far; rate of the last finished point.
[[nodiscard]] double totalCpu(const RunRecord& run);
[[nodiscard]] std::optional<double> lastRate(const RunRecord& run, ScreeningStage stage);

} // namespace lambdascope
