// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/figure_parts.h"

#include "core/common/number_text.h"
#include "core/record/measure_series.h"
#include "ui/charts/chart_theme.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <limits>

namespace lambdascope::figures {

namespace {

/// How much the lengths of the steps between values differ: their variance over their mean square. 0 when all are
/// equal, near 1 when one of them is nearly all of the way.
template <class Scale>
double unevenness(const std::vector<PointRecord>& points, Scale scale) {
    double sum = 0;
    double squares = 0;
    for (std::size_t i = 1; i < points.size(); ++i) {
        const double step = scale(points[i].axisValue) - scale(points[i - 1].axisValue);
        sum += step;
        squares += step * step;
    }
    const auto count = static_cast<double>(points.size() - 1);
    return squares > 0 ? 1 - sum * sum / (count * squares) : 0;
}

/// A path is read on the axis on which its points lie more evenly; a log axis until there are enough to tell.
bool isGeometric(const std::vector<PointRecord>& points) {
    if (std::any_of(points.begin(), points.end(), [](const PointRecord& point) { return !(point.axisValue > 0); })) {
        return false;
    }
    return points.size() < 3 || unevenness(points, [](double value) { return std::log(value); }) <=
                                    unevenness(points, [](double value) { return value; });
}

} // namespace

QString text(const char* source) {
    return QCoreApplication::translate("Figures", source);
}

QString number(double value) {
    return QString::fromStdString(shortText(value));
}

QString placeText(const RunRecord& record, const PointRecord& point) {
    return QStringLiteral("%1 = %2").arg(QString::fromStdString(record.start().axisLabel), number(point.axisValue));
}

AxisSpec pathAxis(const std::vector<ShownRun>& runs) {
    AxisSpec axis;
    axis.title = text("Path parameter");
    bool isTold = false;
    for (const ShownRun& run : runs) {
        if (isTold && run.record->points().empty()) {
            continue; // lanes that wait for their first point tell nothing
        }
        isTold = !run.record->points().empty();
        axis.title = QString::fromStdString(run.record->start().axisLabel);
        axis.reversed = run.record->start().axisFalls;
        axis.scale = isGeometric(run.record->points()) ? AxisScale::Log : AxisScale::Linear;
        if (run.record->finishedPointCount() > 1) {
            break;
        }
    }
    return axis;
}

QByteArray recipeOf(const RunRecord& record) {
    return QByteArray::fromStdString(record.start().experiment.dump(4));
}

QByteArray recipeOf(const std::vector<ShownRun>& runs) {
    return runs.empty() ? QByteArray() : recipeOf(*runs.front().record);
}

Curve emptyCurve(const ShownRun& run) {
    Curve curve;
    curve.id = run.id;
    curve.name = run.name;
    // The look belongs to the run, not to its place in a figure: the same in every chart and in the runs table.
    const ResolvedStyle look = resolveStyle({}, run.styleIndex, ChartTheme::light());
    curve.style.colourIndex = run.styleIndex;
    curve.style.dash = oracleSource(*run.record).empty() ? look.dash : DashStyle::Dash; // a limit, no competitor
    curve.style.marker = look.marker;
    return curve;
}

/// A curve of one value per finished point.
Curve curveOf(const ShownRun& run, const std::vector<double>& values) {
    Curve curve = emptyCurve(run);
    const auto& points = run.record->points();
    const std::size_t count = std::min(values.size(), run.record->finishedPointCount());
    curve.points.reserve(static_cast<qsizetype>(count));
    for (std::size_t i = 0; i < count; ++i) {
        curve.points.append(QPointF(points[i].axisValue, values[i]));
    }
    return curve;
}

void addQuartiles(Curve& curve, const RunRecord& record, std::size_t column) {
    const auto quartiles = quartilesOf(record, column);
    if (!quartiles) {
        return;
    }
    addBand(curve, columnValues(record, quartiles->lower), columnValues(record, quartiles->upper));
}

void addBand(Curve& curve, const std::vector<double>& lower, const std::vector<double>& upper) {
    const std::size_t count = std::min({lower.size(), upper.size(), static_cast<std::size_t>(curve.points.size())});
    for (std::size_t k = 0; k < count; ++k) {
        curve.band.append({curve.points[static_cast<qsizetype>(k)].x(), lower[k], upper[k]});
    }
    if (count > 0) {
        curve.bandName = text("quartile");
    }
}

CurveFigure pathFigure(const std::vector<ShownRun>& runs, const QString& title, AxisSpec y) {
    CurveFigure figure;
    figure.title = title;
    figure.x = pathAxis(runs);
    figure.y = std::move(y);
    figure.recipe = recipeOf(runs);
    return figure;
}

AxisScale scaleFor(const QVector<Curve>& curves) {
    constexpr double kWide = 300;
    ValueRange range{std::numeric_limits<double>::infinity(), 0};
    for (const Curve& curve : curves) {
        for (const QPointF& point : curve.points) {
            if (!(point.y() > 0)) {
                if (point.y() <= 0) {
                    return AxisScale::Linear;
                }
                continue; // a gap
            }
            range = {std::min(range.low, point.y()), std::max(range.high, point.y())};
        }
    }
    return std::isfinite(range.high) && range.high > kWide * range.low ? AxisScale::Log : AxisScale::Linear;
}

QString capitalized(QString words) {
    if (!words.isEmpty()) {
        words[0] = words[0].toUpper();
    }
    return words;
}

const PointRecord* pointAt(const RunRecord& record, int index) {
    const auto found = std::find_if(record.points().begin(), record.points().end(),
                                    [index](const PointRecord& point) { return point.index == index; });
    return found == record.points().end() ? nullptr : &*found;
}

Shape outlineOf(const std::vector<DecisionPlane::Place>& places) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    Shape shape;
    shape.kind = Shape::Kind::Outline;
    shape.x = shape.y = {kInfinity, -kInfinity};
    for (const DecisionPlane::Place& place : places) {
        shape.outline.append({place.x, place.y});
        shape.x = {std::min(shape.x.low, place.x), std::max(shape.x.high, place.x)};
        shape.y = {std::min(shape.y.low, place.y), std::max(shape.y.high, place.y)};
    }
    return shape;
}

ValueRange barRange(const std::vector<PointRecord>& points, std::size_t count, std::size_t index, AxisScale scale) {
    constexpr double kShare = 0.42; // of the way to the neighbour, on each side
    const bool byRatio = scale == AxisScale::Log;
    const auto place = [&](std::size_t i) { return byRatio ? std::log(points[i].axisValue) : points[i].axisValue; };
    const auto value = [&](double at) { return byRatio ? std::exp(at) : at; };
    double step = byRatio ? std::log(1.2) : 1;
    if (count > 1) {
        const std::size_t beside = index > 0 ? index - 1 : 1;
        step = std::abs(place(index) - place(beside));
    }
    return {value(place(index) - kShare * step), value(place(index) + kShare * step)};
}

} // namespace lambdascope::figures
