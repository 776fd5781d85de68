// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/views/figure_parts.h"

#include "core/common/number_text.h"
#include "ui/charts/chart_theme.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace lambdascope::figures {

namespace {

/// A path that multiplies from point to point is read on a log axis. Two points are enough to guess from.
bool isGeometric(const std::vector<PointRecord>& points) {
    for (const PointRecord& point : points) {
        if (!(point.axisValue > 0)) {
            return false;
        }
    }
    if (points.size() < 3) {
        return true;
    }
    const double first = std::log(points[1].axisValue / points[0].axisValue);
    const double second = std::log(points[2].axisValue / points[1].axisValue);
    return std::abs(first - second) <= 0.1 * std::abs(first);
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
    for (const ShownRun& run : runs) {
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
    curve.style.dash = look.dash;
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

CurveFigure pathFigure(const std::vector<ShownRun>& runs, const QString& title, AxisSpec y) {
    CurveFigure figure;
    figure.title = title;
    figure.x = pathAxis(runs);
    figure.y = std::move(y);
    figure.recipe = recipeOf(runs);
    return figure;
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
