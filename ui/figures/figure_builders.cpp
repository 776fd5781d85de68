// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/figure_builders.h"

#include "core/record/time_comparison.h"
#include "ui/figures/figure_parts.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <optional>

namespace lambdascope {

using figures::addBand;
using figures::capitalized;
using figures::curveOf;
using figures::emptyCurve;
using figures::pathAxis;
using figures::pathFigure;
using figures::placeText;
using figures::pointAt;
using figures::recipeOf;
using figures::text;

namespace {

QString itemNoun(const std::vector<ShownRun>& runs) {
    for (const ShownRun& run : runs) {
        if (!run.record->start().itemNoun.empty()) {
            return QString::fromStdString(run.record->start().itemNoun);
        }
    }
    return text("items");
}

} // namespace

std::vector<ShownRun> shownRuns(const std::vector<RunRecord>& records) {
    const std::vector<const RunRecord*> lanes = pointersTo(records);
    std::vector<ShownRun> runs;
    for (const RunRecord& record : records) {
        const QString name = QString::fromStdString(record.start().laneName);
        runs.push_back(
            {&record, baselineOf(record, lanes), name, name, static_cast<int>(runs.size()), oracleOf(record, lanes)});
    }
    return runs;
}

bool hasEmbeddings(const RunRecord& record) {
    return std::any_of(record.points().begin(), record.points().end(),
                       [](const PointRecord& point) { return point.embedding != nullptr; });
}

bool hasRegions(const RunRecord& record) {
    return screens(record) && record.start().parts.names.empty();
}

bool hasPlane(const RunRecord& record) {
    return record.start().hasPlane && record.finishedPointCount() > 0;
}

int lastFinishedIndex(const std::vector<ShownRun>& runs) {
    int last = -1;
    for (const ShownRun& run : runs) {
        const std::size_t count = run.record->finishedPointCount();
        if (count > 0) {
            last = std::max(last, static_cast<int>(run.record->points()[count - 1].index));
        }
    }
    return last;
}

CurveFigure rateFigure(const std::vector<ShownRun>& runs, ScreeningStage stage) {
    const bool isLate = stage == ScreeningStage::Afterwards;
    const ColumnRole role = isLate                               ? ColumnRole::AfterRate
                            : stage == ScreeningStage::OnArrival ? ColumnRole::PathRate
                                                                 : ColumnRole::FinalRate;
    const QString title = isLate                               ? text("Share known afterwards, with the solution")
                          : stage == ScreeningStage::OnArrival ? text("Screening rate on arrival")
                                                               : text("Screening rate before solved");
    CurveFigure figure =
        pathFigure(runs, title, {isLate ? text("Share known") : text("Screening rate"), {}, AxisScale::Linear, false});
    for (const ShownRun& run : runs) {
        if (screens(*run.record) && run.record->columnWithRole(role)) {
            figure.curves.append(
                curveOf(run, isLate ? columnByRole(*run.record, role) : ratesWhereLooked(*run.record, role)));
        }
    }
    const bool hasGapsOnly = std::all_of(figure.curves.begin(), figure.curves.end(), [](const Curve& curve) {
        return !curve.points.isEmpty() && std::all_of(curve.points.begin(), curve.points.end(),
                                                      [](const QPointF& point) { return std::isnan(point.y()); });
    });
    if (hasGapsOnly) {
        figure.curves.clear();
    }
    figure.yRange = ValueRange{0, 1};
    return figure;
}

CurveFigure cpuRatioFigure(const std::vector<ShownRun>& runs) {
    CurveFigure figure =
        pathFigure(runs, text("CPU so far, over that of the baseline"), {text("CPU ratio"), {}, AxisScale::Log, false});
    for (const ShownRun& run : runs) {
        if (run.baseline == nullptr || run.baseline == run.record) {
            continue;
        }
        Curve curve = emptyCurve(run);
        const TimeRatio ratio = tellingTimeRatio(*run.record, *run.baseline);
        for (const AxisValue& value : ratio.values) {
            curve.points.append(QPointF(value.axisValue, value.value));
        }
        addBand(curve, ratio.lower, ratio.upper);
        if (!curve.points.isEmpty()) {
            figure.curves.append(curve);
        }
    }
    if (!figure.curves.isEmpty()) {
        figure.marks.append({Qt::Horizontal, 1.0, text("baseline")});
    }
    return figure;
}

CurveFigure cpuFigure(const std::vector<ShownRun>& runs) {
    CurveFigure figure =
        pathFigure(runs, text("CPU time so far"), {text("CPU time so far"), text("s"), AxisScale::Linear, false});
    for (const ShownRun& run : runs) {
        PointTimes times = pointTimes(*run.record);
        for (std::vector<double>* seconds : {&times.median, &times.lower, &times.upper}) {
            std::partial_sum(seconds->begin(), seconds->end(), seconds->begin());
        }
        Curve curve = curveOf(run, times.median);
        if (times.hasQuartiles) {
            addBand(curve, times.lower, times.upper);
        }
        figure.curves.append(curve);
    }
    return figure;
}

CurveFigure itemsFigure(const std::vector<ShownRun>& runs, ItemSide side) {
    const QString noun = itemNoun(runs);
    const bool isLeft = side == ItemSide::LeftToSolver;
    CurveFigure figure =
        pathFigure(runs, isLeft ? text("%1 left").arg(capitalized(noun)) : text("%1 removed").arg(capitalized(noun)),
                   {capitalized(noun), {}, AxisScale::Linear, false});
    for (const ShownRun& run : runs) {
        std::vector<double> values = activeCounts(*run.record).afterLastScreening;
        if (!isLeft) {
            const std::vector<double> totals = columnByRole(*run.record, ColumnRole::ItemsTotal);
            for (std::size_t i = 0; i < std::min(values.size(), totals.size()); ++i) {
                values[i] = totals[i] - values[i];
            }
        }
        if (!values.empty()) {
            figure.curves.append(curveOf(run, values));
        }
    }
    return figure;
}

namespace {

/// A figure of the columns with a role, under the label the first run gives its column.
CurveFigure figureByRole(const std::vector<ShownRun>& runs, ColumnRole role, AxisScale scale) {
    QString label;
    for (const ShownRun& run : runs) {
        const auto& columns = run.record->start().columns;
        const auto found =
            std::find_if(columns.begin(), columns.end(), [&](const auto& column) { return column.role == role; });
        if (label.isEmpty() && found != columns.end()) {
            label = QString::fromStdString(found->label);
        }
    }
    CurveFigure figure = pathFigure(runs, label, {label, {}, scale, false});
    for (const ShownRun& run : runs) {
        const std::vector<double> values = columnByRole(*run.record, role);
        if (!values.empty()) {
            figure.curves.append(curveOf(run, values));
        }
    }
    return figure;
}

} // namespace

CurveFigure iterationsFigure(const std::vector<ShownRun>& runs) {
    CurveFigure figure = pathFigure(runs, text("Iterations"), {text("Iterations"), {}, AxisScale::Linear, false});
    for (const ShownRun& run : runs) {
        const std::vector<double> values = columnByRole(*run.record, ColumnRole::Iterations);
        if (!values.empty()) {
            figure.curves.append(curveOf(run, values));
        }
    }
    if (figure.curves.isEmpty() && !runs.empty()) {
        // Where a point is itself a step of the solver, what it has come to says more.
        CurveFigure reached = figureByRole(runs, ColumnRole::Objective, AxisScale::Linear);
        reached.y.scale = figures::scaleFor(reached.curves);
        return reached.curves.isEmpty() ? figure : reached;
    }
    return figure;
}

QString optimalityLabel(const std::vector<ShownRun>& runs) {
    for (const ShownRun& run : runs) {
        if (const auto last = run.record->lastIteration()) {
            return capitalized(
                QString::fromUtf8(optimalityKindName(last->optimality.kind).data(),
                                  static_cast<qsizetype>(optimalityKindName(last->optimality.kind).size())));
        }
    }
    return text("Optimality");
}

namespace {

/// What the axis of optimality spans: all values and what they are to reach, and at least a decade, so that lanes which
/// rounding alone tells apart lie on each other. Nothing where a value is 0, which has a place of its own.
std::optional<ValueRange> rangeOfOptimality(const CurveFigure& figure) {
    double low = std::numeric_limits<double>::infinity();
    double high = 0;
    const auto take = [&](double value) {
        low = std::min(low, value);
        high = std::max(high, value);
    };
    for (const Curve& curve : figure.curves) {
        for (const QPointF& point : curve.points) {
            if (std::isfinite(point.y())) {
                take(point.y());
            }
        }
    }
    if (!(low > 0) || !(high > 0)) {
        return std::nullopt;
    }
    for (const AxisMark& mark : figure.marks) {
        take(mark.value);
    }
    constexpr double kMargin = 0.05; // of the logarithms, at both ends
    const double widening = std::sqrt(std::max(10 * low / high, 1.0)) * std::pow(std::max(high / low, 10.0), kMargin);
    return ValueRange{low / widening, high * widening};
}

} // namespace

CurveFigure convergenceFigure(const std::vector<ShownRun>& runs, int index) {
    CurveFigure figure;
    const QString measure = optimalityLabel(runs);
    figure.title = text("%1 by iteration").arg(measure);
    figure.x = {text("Iteration"), {}, AxisScale::Linear, false};
    figure.y = {measure, {}, AxisScale::Log, false};
    figure.recipe = recipeOf(runs);
    std::map<double, QStringList> tolerances; // with the lanes that they are of
    for (const ShownRun& run : runs) {
        Curve curve = emptyCurve(run);
        if (const PointRecord* point = pointAt(*run.record, index)) {
            double tolerance = 0;
            for (const Iterated& step : point->iterations) {
                curve.points.append(QPointF(static_cast<double>(step.iteration), step.optimality.value));
                tolerance = step.tolerance > 0 ? step.tolerance : tolerance;
            }
            if (tolerance > 0) { // a relative one is of the lane's own value, which rounding makes another
                const auto near = tolerances.lower_bound(0.99 * tolerance);
                const bool isNear = near != tolerances.end() && near->first < 1.01 * tolerance;
                tolerances[isNear ? near->first : tolerance] << run.name;
            }
            figure.title = text("%1 by iteration at %2 = %3")
                               .arg(measure, QString::fromStdString(run.record->start().axisLabel),
                                    QString::number(point->axisValue, 'g', 4));
        }
        figure.curves.append(curve);
    }
    for (const auto& [tolerance, lanes] : tolerances) {
        figure.marks.append({Qt::Horizontal, tolerance,
                             tolerances.size() == 1 ? text("tolerance")
                                                    : text("tolerance of %1").arg(lanes.join(QLatin1String(", ")))});
    }
    figure.yRange = rangeOfOptimality(figure);
    return figure;
}

CurveFigure objectiveFigure(const std::vector<ShownRun>& runs, int index) {
    CurveFigure figure;
    figure.x = {text("Iteration"), {}, AxisScale::Linear, false};
    figure.y = {text("Objective"), {}, AxisScale::Linear, false};
    figure.recipe = recipeOf(runs);
    for (const ShownRun& run : runs) {
        const PointRecord* point = pointAt(*run.record, index);
        if (point == nullptr || point->iterations.empty()) {
            continue;
        }
        if (const auto column = run.record->columnWithRole(ColumnRole::Objective)) {
            figure.y.title = QString::fromStdString(run.record->start().columns[*column].label);
        }
        Curve curve = emptyCurve(run);
        for (const Iterated& step : point->iterations) {
            curve.points.append(QPointF(static_cast<double>(step.iteration), step.objective));
        }
        figure.title = placeText(*run.record, *point);
        figure.curves.append(curve);
    }
    figure.title = text("%1 by iteration at %2").arg(figure.y.title, figure.title);
    figure.y.scale = figures::scaleFor(figure.curves);
    return figure;
}

CurveFigure radiusFigure(const std::vector<ShownRun>& runs) {
    CurveFigure figure =
        pathFigure(runs, text("Radius of the ball on arrival"), {text("Radius"), {}, AxisScale::Log, false});
    for (const ShownRun& run : runs) {
        Curve curve = emptyCurve(run);
        for (const PointRecord& point : run.record->points()) {
            if (!point.screenings.empty() && point.screenings.front().radius > 0) {
                curve.points.append(QPointF(point.axisValue, point.screenings.front().radius));
            }
        }
        if (!curve.points.isEmpty()) {
            figure.curves.append(curve);
        }
    }
    return figure;
}

HeatmapFigure heatmapFigure(const ShownRun& run) {
    HeatmapFigure figure;
    figure.title = text("Screening rate of %1, check by check").arg(run.name);
    figure.x = pathAxis({run});
    figure.x.reversed = false; // columns stand in the order of the path
    figure.y = {text("Check"), {}, AxisScale::Linear, false};
    figure.valueTitle = text("Screening rate");
    figure.range = ValueRange{0, 1};
    figure.staysAbove = true; // most points are solved after few checks
    figure.recipe = recipeOf(*run.record);
    const auto& points = run.record->points();
    std::size_t checks = 0;
    for (const PointRecord& point : points) {
        checks = std::max(checks, point.screenings.size());
    }
    if (checks == 0) {
        return figure;
    }
    const auto columns = static_cast<qsizetype>(points.size());
    figure.values.fill(std::numeric_limits<double>::quiet_NaN(), columns * static_cast<qsizetype>(checks));
    for (std::size_t row = 0; row < checks; ++row) {
        figure.yValues.append(static_cast<double>(row));
    }
    for (qsizetype column = 0; column < columns; ++column) {
        const PointRecord& point = points[static_cast<std::size_t>(column)];
        figure.xValues.append(point.axisValue);
        for (std::size_t row = 0; row < point.screenings.size(); ++row) {
            figure.values[static_cast<qsizetype>(row) * columns + column] = point.screenings[row].rate;
        }
    }
    return figure;
}

} // namespace lambdascope
