// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/measure_figures.h"

#include "core/record/measure_series.h"
#include "core/record/time_comparison.h"
#include "ui/figures/figure_parts.h"

#include <algorithm>
#include <cmath>

namespace lambdascope {

using namespace figures;

namespace {

constexpr int kGoalColour = 7; ///< that of no lane among the first ones

/// The curve of a measure with its band, and the label of its column; no points where the run has no such column.
struct MeasuredCurve {
    Curve curve;
    QString label;
};

MeasuredCurve measuredCurve(const ShownRun& run, const QString& key, const std::vector<double>& places) {
    MeasuredCurve measured{emptyCurve(run), {}};
    const auto column = run.record->columnWithKey(key.toStdString());
    if (!column) {
        return measured;
    }
    measured.label = QString::fromStdString(run.record->start().columns[*column].label);
    const std::vector<double> values = columnValues(*run.record, *column);
    const std::size_t count = std::min(values.size(), places.size());
    for (std::size_t k = 0; k < count; ++k) {
        measured.curve.points.append({places[k], values[k]});
    }
    addQuartiles(measured.curve, *run.record, *column);
    return measured;
}

/// The name of a lane with the slope of its times; of those that are long enough to make a ratio.
QString withSlope(const QString& name, const std::vector<double>& sizes, const std::vector<double>& times) {
    std::vector<double> x;
    std::vector<double> y;
    for (std::size_t i = 0; i < std::min(sizes.size(), times.size()); ++i) {
        if (times[i] >= kShortestTold) {
            x.push_back(sizes[i]);
            y.push_back(times[i]);
        }
    }
    const auto law = fitPowerLaw(x, y);
    return law                ? text("%1, slope %2").arg(name, QString::number(law->exponent, 'f', 2))
           : times.size() < 2 ? name
                              : text("%1, too short for a slope").arg(name);
}

std::vector<double> pathPlaces(const RunRecord& record) {
    std::vector<double> places;
    for (const PointRecord& point : record.points()) {
        if (point.isFinished) {
            places.push_back(point.axisValue);
        }
    }
    return places;
}

template <class Places>
void addCurves(CurveFigure& figure, const std::vector<ShownRun>& runs, const QString& key, Places placesOf) {
    bool hasBands = false;
    for (const ShownRun& run : runs) {
        MeasuredCurve measured = measuredCurve(run, key, placesOf(*run.record));
        if (measured.curve.points.isEmpty()) {
            continue;
        }
        figure.y.title = figure.y.title.isEmpty() ? measured.label : figure.y.title;
        hasBands = hasBands || !measured.curve.band.isEmpty();
        figure.curves.append(measured.curve);
    }
    figure.y.scale = scaleFor(figure.curves);
    figure.title = hasBands ? text("%1, median and quartiles").arg(figure.y.title) : figure.y.title;
}

} // namespace

std::vector<Measure> measuresOf(const std::vector<ShownRun>& runs) {
    std::vector<Measure> measures;
    for (const ShownRun& run : runs) {
        for (const std::size_t column : measureColumns(*run.record)) {
            const ColumnDescription& described = run.record->start().columns[column];
            const QString key = QString::fromStdString(described.key);
            if (std::none_of(measures.begin(), measures.end(),
                             [&key](const Measure& measure) { return measure.key == key; })) {
                measures.push_back({key, QString::fromStdString(described.label), described.role,
                                    QString::fromStdString(described.unit)});
            }
        }
    }
    return measures;
}

CurveFigure measureFigure(const std::vector<ShownRun>& runs, const QString& key) {
    CurveFigure figure = pathFigure(runs, {}, {});
    addCurves(figure, runs, key, pathPlaces);
    for (const ShownRun& run : runs) { // lanes have one goal
        const auto column = run.record->columnWithKey(key.toStdString());
        const auto goal = column ? goalOf(*run.record, *column) : std::nullopt;
        if (goal) {
            Curve curve = curveOf(run, columnValues(*run.record, *goal));
            curve.id = QStringLiteral("goal");
            curve.name = QString::fromStdString(run.record->start().columns[*goal].label);
            curve.style = {};
            curve.style.colourIndex = kGoalColour;
            curve.style.dash = DashStyle::Dot;
            curve.style.marker = MarkerShape::None;
            figure.curves.prepend(curve);
            break;
        }
    }
    return figure;
}

CurveFigure raceFigure(const std::vector<ShownRun>& runs, const QString& key) {
    CurveFigure figure;
    figure.x = {text("CPU time so far"), text("s"), AxisScale::Linear, false};
    figure.recipe = recipeOf(runs);
    addCurves(figure, runs, key, elapsedSeconds);
    figure.title = text("%1, by time").arg(figure.title);
    return figure;
}

bool hasSizes(const std::vector<ShownRun>& runs) {
    return std::any_of(runs.begin(), runs.end(), [](const ShownRun& run) { return isOverSizes(*run.record); });
}

CurveFigure growthFigure(const std::vector<ShownRun>& runs) {
    CurveFigure figure =
        pathFigure(runs, text("CPU time by size"), {text("CPU time"), text("s"), AxisScale::Log, false});
    figure.x.scale = AxisScale::Log;
    for (const ShownRun& run : runs) {
        if (!isOverSizes(*run.record)) {
            continue;
        }
        const PointTimes times = pointTimes(*run.record);
        Curve curve = curveOf(run, times.median);
        if (curve.points.isEmpty()) {
            continue;
        }
        if (times.hasQuartiles) {
            addBand(curve, times.lower, times.upper);
        }
        curve.name = withSlope(run.name, pathPlaces(*run.record), times.median);
        figure.curves.append(curve);
    }
    return figure;
}

} // namespace lambdascope
