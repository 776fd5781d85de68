// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/measure_figures.h"

#include "core/record/measure_series.h"
#include "core/record/time_comparison.h"
#include "ui/figures/figure_parts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

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

namespace {

constexpr std::array kShown = {ColumnRole::FinalRate,    ColumnRole::PathRate,       ColumnRole::AfterRate,
                               ColumnRole::HeldOutError, ColumnRole::HeldOutMeasure, ColumnRole::Iterations,
                               ColumnRole::CpuSolve,     ColumnRole::CpuScreen};

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

bool isRate(const ColumnDescription& column) {
    return column.role == ColumnRole::FinalRate || column.role == ColumnRole::PathRate ||
           column.role == ColumnRole::AfterRate;
}

QString titleOf(const ColumnDescription& column) {
    const QString label = QString::fromStdString(column.label);
    return column.unit.empty() ? label : QStringLiteral("%1 (%2)").arg(label, QString::fromStdString(column.unit));
}

bool hasValues(const RunRecord& record, const std::string& key) {
    return std::any_of(record.points().begin(), record.points().end(), [&](const PointRecord& point) {
        for (std::size_t problem = 0; problem < record.start().parts.names.size(); ++problem) {
            if (std::isfinite(problemValue(record, point, problem, key))) {
                return true;
            }
        }
        return false;
    });
}

} // namespace

double problemValue(const RunRecord& record, const PointRecord& point, std::size_t problem, const std::string& key) {
    const PartsDescription& parts = record.start().parts;
    const std::size_t column = placeOfColumn(parts.columns, key);
    const std::size_t place = problem * parts.columns.size() + column;
    return column < parts.columns.size() && place < point.partValues.size() ? point.partValues[place] : kNone;
}

bool hasProblems(const RunRecord& record) {
    return std::any_of(record.points().begin(), record.points().end(),
                       [](const PointRecord& point) { return point.isFinished && !point.partValues.empty(); });
}

std::vector<ColumnDescription> problemMeasures(const std::vector<ShownRun>& runs) {
    std::vector<ColumnDescription> measures;
    for (const ColumnRole role : kShown) {
        for (const ShownRun& run : runs) {
            for (const ColumnDescription& column : run.record->start().parts.columns) {
                const bool isKnown = placeOfColumn(measures, column.key) < measures.size();
                const bool isTelling = !isRate(column) || screens(*run.record);
                if (column.role == role && !isKnown && isTelling && hasValues(*run.record, column.key)) {
                    measures.push_back(column);
                }
            }
        }
    }
    return measures;
}

HeatmapFigure problemsFigure(const ShownRun& run, const ColumnDescription& measure) {
    HeatmapFigure figure;
    const PartsDescription& parts = run.record->start().parts;
    figure.valueTitle = titleOf(measure);
    figure.title = text("%1 of each problem, %2").arg(figure.valueTitle, run.name);
    figure.x = pathAxis({run});
    figure.x.reversed = false; // columns stand in the order of the path
    figure.y = {text("Problem"), {}, AxisScale::Linear, true};
    figure.recipe = recipeOf(*run.record);
    if (isRate(measure)) {
        figure.range = ValueRange{0, 1};
    }
    const std::size_t count = parts.names.size();
    for (std::size_t problem = 0; problem < count; ++problem) {
        figure.yValues.append(static_cast<double>(problem));
        figure.yNames.append(QString::fromStdString(parts.names[problem]));
    }
    std::vector<const PointRecord*> points;
    for (const PointRecord& point : run.record->points()) {
        if (point.isFinished) {
            points.push_back(&point);
            figure.xValues.append(point.axisValue);
        }
    }
    for (std::size_t problem = 0; problem < count; ++problem) {
        for (const PointRecord* point : points) {
            figure.values.append(problemValue(*run.record, *point, problem, measure.key));
        }
    }
    return figure;
}

} // namespace lambdascope
