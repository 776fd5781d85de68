// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/path_series.h"

#include "core/run/run_record.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lambdascope {

namespace {

constexpr double kSameAxisValue = 1e-9; ///< relative; schedules of lanes agree to rounding

/// Finished points come first in RunRecord::points().
QVector<QPointF> overAxis(const RunRecord& run, const std::vector<double>& values) {
    QVector<QPointF> series;
    series.reserve(static_cast<qsizetype>(values.size()));
    for (std::size_t i = 0; i < values.size() && i < run.finishedPointCount(); ++i) {
        const double x = run.points()[i].axisValue;
        if (std::isfinite(x) && std::isfinite(values[i])) {
            series.append({x, values[i]});
        }
    }
    return series;
}

std::vector<double> sumOf(std::vector<double> a, const std::vector<double>& b) {
    if (a.empty()) {
        return b;
    }
    for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
        a[i] += b[i];
    }
    return a;
}

std::vector<double> cpuPerPoint(const RunRecord& run) {
    return sumOf(columnByRole(run, ColumnRole::CpuSolve), columnByRole(run, ColumnRole::CpuScreen));
}

bool isSameAxisValue(double a, double b) {
    return a == b || std::abs(a - b) <= kSameAxisValue * std::max(std::abs(a), std::abs(b));
}

double rateOf(const Screened& screening, const PointRecord& point) {
    // Counts over the final denominator; while the point is in work, over all items.
    const auto denominator = point.isFinished ? point.decidableItems : screening.total;
    const auto fixed = static_cast<double>(screening.fixedLow + screening.fixedHigh);
    return denominator > 0 ? std::min(1.0, fixed / static_cast<double>(denominator)) : 0.0;
}

} // namespace

QVector<QPointF> columnSeries(const RunRecord& run, ColumnRole role) {
    const auto column = run.columnWithRole(role);
    return column ? overAxis(run, columnValues(run, *column)) : QVector<QPointF>();
}

QVector<QPointF> rateSeries(const RunRecord& run, ScreeningStage stage) {
    return columnSeries(run, stage == ScreeningStage::Path ? ColumnRole::PathRate : ColumnRole::FinalRate);
}

QVector<QPointF> cpuRatioSeries(const RunRecord& run, const RunRecord& baseline) {
    QVector<QPointF> series;
    for (const AxisValue& ratio : cpuRatio(run, baseline)) {
        if (std::isfinite(ratio.axisValue) && std::isfinite(ratio.value)) {
            series.append({ratio.axisValue, ratio.value});
        }
    }
    return series;
}

QVector<QPointF> cumulativeCpuRatioSeries(const RunRecord& run, const RunRecord& baseline) {
    QVector<QPointF> series;
    for (const AxisValue& ratio : cumulativeCpuRatio(run, baseline)) {
        if (std::isfinite(ratio.axisValue) && std::isfinite(ratio.value)) {
            series.append({ratio.axisValue, ratio.value});
        }
    }
    return series;
}

QVector<QPointF> removedSeries(const RunRecord& run, ScreeningStage stage) {
    return overAxis(run,
                    columnByRole(run, stage == ScreeningStage::Path ? ColumnRole::PathFixed : ColumnRole::FinalFixed));
}

QVector<QPointF> activeSeries(const RunRecord& run, ScreeningStage stage) {
    const ActiveCounts counts = activeCounts(run);
    return overAxis(run, stage == ScreeningStage::Path ? counts.afterPathScreening : counts.afterLastScreening);
}

QVector<QPointF> cpuSeries(const RunRecord& run) {
    return overAxis(run, cpuPerPoint(run));
}

ConvergenceCurve convergenceCurve(const RunRecord& run, int pointIndex) {
    ConvergenceCurve curve;
    const auto point = std::find_if(run.points().begin(), run.points().end(),
                                    [&](const PointRecord& p) { return p.index == pointIndex; });
    if (point == run.points().end()) {
        return curve;
    }
    for (const Iterated& step : point->iterations) {
        if (std::isfinite(step.optimality.value)) {
            const auto iteration = static_cast<double>(step.iteration);
            curve.byIteration.append({iteration, step.optimality.value});
            curve.byCpu.append({step.cpu, step.optimality.value});
            curve.active.append({iteration, static_cast<double>(step.activeItems)});
        }
        curve.kind = step.optimality.kind;
        curve.tolerance = step.tolerance;
    }
    return curve;
}

ScreeningHeatmap screeningHeatmap(const RunRecord& run) {
    ScreeningHeatmap map;
    for (const PointRecord& point : run.points()) {
        map.axis.push_back(point.axisValue);
        for (const Screened& screening : point.screenings) {
            map.checkCount = std::max(map.checkCount, static_cast<int>(screening.check) + 1);
        }
    }
    map.rates.assign(static_cast<std::size_t>(map.checkCount) * map.axis.size(),
                     std::numeric_limits<double>::quiet_NaN());
    for (std::size_t column = 0; column < map.axis.size(); ++column) {
        const PointRecord& point = run.points()[column];
        for (const Screened& screening : point.screenings) {
            if (screening.check >= 0) {
                map.rates[static_cast<std::size_t>(screening.check) * map.axis.size() + column] =
                    rateOf(screening, point);
            }
        }
    }
    return map;
}

std::vector<double> commonAxis(const std::vector<const RunRecord*>& runs) {
    std::vector<double> axis;
    if (runs.empty()) {
        return axis;
    }
    for (const RunRecord* run : runs) {
        for (std::size_t i = 0; i < run->finishedPointCount(); ++i) {
            axis.push_back(run->points()[i].axisValue);
        }
    }
    std::erase_if(axis, [](double value) { return !std::isfinite(value); });
    if (runs.front()->start().axisFalls) {
        std::sort(axis.begin(), axis.end(), std::greater<>());
    } else {
        std::sort(axis.begin(), axis.end());
    }
    axis.erase(std::unique(axis.begin(), axis.end(), isSameAxisValue), axis.end());
    return axis;
}

int pointAt(const RunRecord& run, double axisValue) {
    int last = -1;
    for (std::size_t i = 0; i < run.finishedPointCount(); ++i) {
        const double value = run.points()[i].axisValue;
        if (isSameAxisValue(value, axisValue)) {
            return static_cast<int>(i);
        }
        if (run.start().axisFalls ? value > axisValue : value < axisValue) {
            last = static_cast<int>(i);
        }
    }
    return last;
}

double totalCpu(const RunRecord& run) {
    return run.cpuSolve() + run.cpuScreen();
}

std::optional<double> lastRate(const RunRecord& run, ScreeningStage stage) {
    const QVector<QPointF> rates = rateSeries(run, stage);
    return rates.isEmpty() ? std::nullopt : std::optional(rates.back().y());
}

} // namespace lambdascope
