// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/quality_figures.h"

#include "ui/figures/figure_parts.h"
#include "ui/figures/measure_figures.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <set>

namespace lambdascope {

using namespace figures;

namespace {

/// Of the first column with the role: several measures have no sum.
std::vector<double> valuesOf(const RunRecord& record, ColumnRole role) {
    const auto column = record.columnWithRole(role);
    return column ? columnValues(record, *column) : std::vector<double>();
}

bool hasValues(const RunRecord& record, ColumnRole role) {
    const std::vector<double> values = valuesOf(record, role);
    return std::any_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

/// Label of the first run's column with that role.
QString labelOf(const std::vector<ShownRun>& runs, ColumnRole role) {
    for (const ShownRun& run : runs) {
        if (const auto column = run.record->columnWithRole(role)) {
            return QString::fromStdString(run.record->start().columns[*column].label);
        }
    }
    return {};
}

/// What is measured: "AUC" of "AUC on held-out rows" and of "AUC by cross-validation", "MAP" of "MAP of held-out rows".
QString measureName(const std::vector<ShownRun>& runs, const Quality& quality) {
    const QString label = labelOf(runs, quality.roles.front());
    const qsizetype rows = std::max({label.indexOf(QLatin1String(" on ")), label.indexOf(QLatin1String(" by ")),
                                     label.indexOf(QLatin1String(" of held-out"))});
    return rows > 0 ? label.left(rows) : label;
}

/// Curves of one role; `note` goes behind the names where two ways stand in one chart.
void addCurves(CurveFigure& figure, const std::vector<ShownRun>& runs, ColumnRole role, const QString& note,
               DashStyle dash) {
    for (const ShownRun& run : runs) {
        if (!hasValues(*run.record, role)) {
            continue;
        }
        Curve curve = curveOf(run, valuesOf(*run.record, role));
        addQuartiles(curve, *run.record, *run.record->columnWithRole(role));
        if (!note.isEmpty()) {
            curve.id += QLatin1Char(' ') + note;
            curve.name = QStringLiteral("%1, %2").arg(curve.name, note);
            curve.style.dash = dash;
        }
        figure.curves.append(curve);
    }
}

/// The best point of a curve; null when it has none.
const QPointF* bestOf(const Curve& curve, bool isError) {
    const QPointF* best = nullptr;
    for (const QPointF& point : curve.points) {
        const bool isBetter = best == nullptr || (isError ? point.y() < best->y() : point.y() > best->y());
        best = std::isfinite(point.y()) && isBetter ? &point : best;
    }
    return best;
}

/// Marks the best point of all curves, by the names of those that reach the number it is told by, unless all do:
/// solutions of one problem differ by what solvers leave, and none of them is the best for that.
void markBest(CurveFigure& figure, bool isError) {
    constexpr qsizetype kMostNamed = 2;
    const QPointF* best = nullptr;
    for (const Curve& curve : figure.curves) {
        const QPointF* own = bestOf(curve, isError);
        const bool isBetter =
            own != nullptr && (best == nullptr || (isError ? own->y() < best->y() : own->y() > best->y()));
        best = isBetter ? own : best;
    }
    if (best == nullptr) {
        return;
    }
    const QString told = number(best->y());
    QStringList holders;
    bool isShared = true;
    for (const Curve& curve : figure.curves) {
        const QPointF* own = bestOf(curve, isError);
        const bool reachesIt = own != nullptr && number(own->y()) == told;
        isShared = isShared && (own == nullptr || reachesIt);
        holders += reachesIt ? QStringList{curve.name} : QStringList();
    }
    QString words = (isError ? text("least: %1") : text("best: %1")).arg(told);
    if (!isShared) {
        words += QStringLiteral(", ") +
                 holders.mid(0, kMostNamed).join(holders.size() > kMostNamed ? text(", ") : text(" and "));
        words += holders.size() > kMostNamed ? text(" and %1 more").arg(holders.size() - kMostNamed) : QString();
    }
    figure.marks.append({Qt::Vertical, best->x(), words});
}

} // namespace

const std::vector<Quality>& qualities() {
    using Role = ColumnRole;
    static const std::vector<Quality> all = {
        {"test-error",
         QT_TRANSLATE_NOOP("Figures", "Error on held-out rows along the path"),
         {Role::HeldOutError},
         true},
        {"cross-error", QT_TRANSLATE_NOOP("Figures", "Error by cross-validation"), {Role::CrossError}, true},
        {"both-errors",
         QT_TRANSLATE_NOOP("Figures", "Error on held-out rows against cross-validation"),
         {Role::HeldOutError, Role::CrossError},
         true},
        {"test-measure", QT_TRANSLATE_NOOP("Figures", "Measure on held-out rows"), {Role::HeldOutMeasure}, false},
        {"cross-measure", QT_TRANSLATE_NOOP("Figures", "Measure by cross-validation"), {Role::CrossMeasure}, false},
        {"both-measures",
         QT_TRANSLATE_NOOP("Figures", "Measure on held-out rows against cross-validation"),
         {Role::HeldOutMeasure, Role::CrossMeasure},
         false},
    };
    return all;
}

std::vector<const Quality*> qualitiesOf(const std::vector<ShownRun>& runs) {
    std::vector<const Quality*> found;
    for (const Quality& quality : qualities()) {
        const bool isThere = std::any_of(runs.begin(), runs.end(), [&quality](const ShownRun& run) {
            return std::all_of(quality.roles.begin(), quality.roles.end(),
                               [&run](ColumnRole role) { return hasValues(*run.record, role); });
        });
        if (isThere) {
            found.push_back(&quality);
        }
    }
    return found;
}

QString qualityTitle(const std::vector<ShownRun>& runs, const Quality& quality) {
    const QString rows =
        quality.roles.size() > 1 ? text("both")
        : quality.roles.front() == ColumnRole::CrossError || quality.roles.front() == ColumnRole::CrossMeasure
            ? text("cross-validated")
            : text("held-out");
    return QStringLiteral("%1, %2").arg(measureName(runs, quality), rows);
}

CurveFigure qualityFigure(const std::vector<ShownRun>& runs, const Quality& quality) {
    const bool isBoth = quality.roles.size() > 1;
    CurveFigure figure =
        pathFigure(runs, qualityTitle(runs, quality), {measureName(runs, quality), {}, AxisScale::Linear, false});
    addCurves(figure, runs, quality.roles.front(), isBoth ? text("held-out") : QString(), DashStyle::Solid);
    if (isBoth) {
        addCurves(figure, runs, quality.roles.back(), text("cross-validated"), DashStyle::Dash);
    }
    if (figure.curves.isEmpty()) {
        return figure;
    }
    const bool hasBands = std::any_of(figure.curves.begin(), figure.curves.end(),
                                      [](const Curve& curve) { return !curve.band.isEmpty(); });
    if (hasBands) {
        figure.title = text("%1, median and quartiles").arg(figure.title);
    }
    markBest(figure, quality.isError);
    double lowest = 1;
    double highest = 0.05; // a perfect record is a line at the bottom
    for (const Curve& curve : figure.curves) {
        for (const QPointF& point : curve.points) {
            lowest = std::isfinite(point.y()) ? std::min(lowest, point.y()) : lowest;
            highest = std::isfinite(point.y()) ? std::max(highest, point.y()) : highest;
        }
        for (const BandPoint& point : curve.band) {
            lowest = std::isfinite(point.low) ? std::min(lowest, point.low) : lowest;
            highest = std::isfinite(point.high) ? std::max(highest, point.high) : highest;
        }
    }
    if (quality.isError) {
        figure.yRange = ValueRange{0, std::min(1.0, 1.1 * highest)};
    } else if (highest <= 1) { // a share, such as AUC: up to 1, which is perfect
        const double below = lowest - 0.1 * (1 - lowest) - 0.01;
        figure.yRange = ValueRange{lowest < 0 ? below : std::max(0.0, below), 1}; // R² may be negative
    }
    return figure;
}

CurveFigure heldOutFigure(const std::vector<ShownRun>& runs) {
    const auto areThere = [&runs](ColumnRole role) {
        return std::any_of(runs.begin(), runs.end(),
                           [role](const ShownRun& run) { return hasValues(*run.record, role); });
    };
    if (!areThere(ColumnRole::HeldOutError) && areThere(ColumnRole::HeldOutMeasure)) {
        const auto& all = qualities();
        return qualityFigure(runs, *std::find_if(all.begin(), all.end(), [](const Quality& quality) {
                                 return quality.roles.front() == ColumnRole::HeldOutMeasure;
                             }));
    }
    for (const Measure& measure : areThere(ColumnRole::HeldOutError) ? std::vector<Measure>() : measuresOf(runs)) {
        if (measure.role == ColumnRole::OtherMeasure && measure.key.startsWith(QLatin1String("test_"))) {
            return measureFigure(runs, measure.key);
        }
    }
    CurveFigure figure = qualityFigure(runs, qualities().front());
    figure.title = text("Held-out error");
    for (const ShownRun& run : runs) { // by what rows, or comparisons, it is
        if (const auto column = run.record->columnWithRole(ColumnRole::HeldOutError)) {
            figure.y.title = QString::fromStdString(run.record->start().columns[*column].label);
            break;
        }
    }
    return figure;
}

CurveFigure setsFigure(const std::vector<ShownRun>& runs) {
    QString noun;
    std::vector<ShownRun> chosen;
    std::set<std::string> experiments;
    for (const ShownRun& run : runs) {
        const RunStarted& start = run.record->start();
        if (run.record->columnWithRole(ColumnRole::SetSize) && experiments.insert(start.experiment.dump()).second) {
            chosen.push_back(run);
            noun = noun.isEmpty() ? QString::fromStdString(start.itemNoun) : noun;
        }
    }
    noun = capitalized(noun.isEmpty() ? text("items") : noun);
    CurveFigure figure =
        pathFigure(chosen, text("%1 by set at the solution").arg(noun), {noun, {}, AxisScale::Linear, false});
    int look = 0;
    for (const ShownRun& run : chosen) {
        const std::vector<ColumnDescription>& columns = run.record->start().columns;
        for (std::size_t k = 0; k < columns.size(); ++k) {
            if (columns[k].role != ColumnRole::SetSize) {
                continue;
            }
            const QString label = QString::fromStdString(columns[k].label);
            Curve curve = curveOf(run, columnValues(*run.record, k));
            curve.id += QLatin1Char(' ') + QString::fromStdString(columns[k].key);
            curve.name = chosen.size() > 1 ? QStringLiteral("%1: %2").arg(run.name, label) : label;
            curve.style = {};
            curve.style.colourIndex = look++;
            figure.curves.append(curve);
        }
    }
    return figure;
}

} // namespace lambdascope
