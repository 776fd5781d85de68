// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/figure.h"

#include "core/common/number_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <limits>

namespace lambdascope {

namespace {

QString translated(const char* text) {
    return QCoreApplication::translate("lambdascope::Figure", text);
}

QString number(double value) {
    return QString::fromStdString(shortText(value));
}

/// Grows `range` to hold `value`; ranges start empty as {+inf, −inf}.
void include(ValueRange& range, double value) {
    if (std::isfinite(value)) {
        range.low = std::min(range.low, value);
        range.high = std::max(range.high, value);
    }
}

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

QString describe(const CurveFigure& figure) {
    QString text = translated("%1. Curves of %2 over %3.").arg(figure.title, figure.y.label(), figure.x.label());
    if (isEmpty(Figure(figure))) {
        return text + " " + translated("No values yet.");
    }
    QStringList parts;
    for (const Curve& curve : figure.curves) {
        ValueRange range{kNoLimit, -kNoLimit};
        for (const QPointF& point : curve.points) {
            include(range, point.y());
        }
        parts << (range.low <= range.high ? translated("%1: %2 points from %3 to %4")
                                                .arg(curve.name)
                                                .arg(curve.points.size())
                                                .arg(number(range.low), number(range.high))
                                          : translated("%1: no values").arg(curve.name));
    }
    return text + " " + parts.join("; ") + ".";
}

QString describe(const HeatmapFigure& figure) {
    const QString text = translated("%1. Heatmap of %2: %3 across, %4 upwards.")
                             .arg(figure.title, figure.valueTitle, figure.x.label(), figure.y.label());
    if (isEmpty(Figure(figure))) {
        return text + " " + translated("No values yet.");
    }
    const ValueRange range = figure.shownRange();
    return text + " " +
           translated("%1 columns, %2 rows, colours from %3 to %4.")
               .arg(figure.columns())
               .arg(figure.rows())
               .arg(number(range.low), number(range.high));
}

QString describe(const CloudFigure& figure) {
    const QString text =
        translated("%1. Points: %2 across, %3 upwards.").arg(figure.title, figure.x.label(), figure.y.label());
    if (figure.points.isEmpty()) {
        return text + " " + translated("No points yet.");
    }
    QStringList parts;
    for (int index = 0; index < figure.classNames.size(); ++index) {
        parts << QStringLiteral("%1: %2").arg(figure.classNames[index]).arg(figure.classes.count(index));
    }
    for (int group = 0; group < figure.linkGroups.size(); ++group) {
        const auto count = std::count_if(figure.links.begin(), figure.links.end(),
                                         [group](const CloudLink& link) { return link.group == group; });
        parts << translated("%1: %2 lines").arg(figure.linkGroups[group].name).arg(count);
    }
    if (!figure.shadows.isEmpty()) {
        parts << translated("each joined to its place in %1").arg(figure.shadowsName);
    }
    const QString classes = parts.isEmpty() ? QString() : " " + parts.join("; ") + ".";
    return text + " " + translated("%1 points.").arg(figure.points.size()) + classes;
}

QString describe(const ShapeFigure& figure) {
    const QString text =
        translated("%1. Areas: %2 across, %3 upwards.").arg(figure.title, figure.x.label(), figure.y.label());
    if (isEmpty(Figure(figure))) {
        return text + " " + translated("No values yet.");
    }
    QStringList parts;
    for (int group = 0; group < figure.groups.size(); ++group) {
        const auto count = std::count_if(figure.shapes.begin(), figure.shapes.end(),
                                         [group](const Shape& shape) { return shape.group == group; });
        const auto cells = figure.cells.groups.count(static_cast<qint8>(group));
        parts << (cells > 0 ? translated("%1: %2 % of the ground")
                                  .arg(figure.groups[group].name)
                                  .arg(100 * cells / figure.cells.groups.size())
                            : QStringLiteral("%1: %2").arg(figure.groups[group].name).arg(count));
    }
    for (const AxisMark& mark : figure.marks) {
        parts << translated("%1 at %2").arg(mark.label, number(mark.value));
    }
    return text + " " + parts.join("; ") + ".";
}

} // namespace

QString HeatmapFigure::xText(int column) const {
    return xNames.isEmpty() ? number(xValues.value(column)) : xNames.value(column);
}

QString HeatmapFigure::yText(int row) const {
    return yNames.isEmpty() ? number(yValues.value(row)) : yNames.value(row);
}

QString AxisSpec::label() const {
    return unit.isEmpty() ? title : QStringLiteral("%1 (%2)").arg(title, unit);
}

double HeatmapFigure::value(int row, int column) const {
    const bool inside = row >= 0 && row < rows() && column >= 0 && column < columns();
    const qsizetype index = qsizetype(row) * columns() + column;
    return inside && index < values.size() ? values[index] : std::numeric_limits<double>::quiet_NaN();
}

ValueRange HeatmapFigure::shownRange() const {
    if (range) {
        return *range;
    }
    ValueRange found{kNoLimit, -kNoLimit};
    for (const double value : values) {
        include(found, value);
    }
    return found.low <= found.high ? found : ValueRange{0, 1};
}

QString bandEdgeName(const Curve& curve, bool isLow) {
    const QString name = curve.bandName.isEmpty() ? translated("bound") : curve.bandName;
    return isLow ? translated("lower %1").arg(name) : translated("upper %1").arg(name);
}

QString figureTitle(const Figure& figure) {
    return std::visit([](const auto& kind) { return kind.title; }, figure);
}

QByteArray figureRecipe(const Figure& figure) {
    return std::visit([](const auto& kind) { return kind.recipe; }, figure);
}

void setFigureRecipe(Figure& figure, const QByteArray& recipe) {
    std::visit([&recipe](auto& kind) { kind.recipe = recipe; }, figure);
}

bool isEmpty(const Figure& figure) {
    if (const auto* curves = std::get_if<CurveFigure>(&figure)) {
        return std::all_of(curves->curves.begin(), curves->curves.end(),
                           [](const Curve& curve) { return curve.points.isEmpty(); });
    }
    if (const auto* heatmap = std::get_if<HeatmapFigure>(&figure)) {
        return heatmap->values.isEmpty() || heatmap->columns() == 0 || heatmap->rows() == 0;
    }
    if (const auto* shapes = std::get_if<ShapeFigure>(&figure)) {
        return shapes->shapes.isEmpty() && shapes->cells.groups.isEmpty();
    }
    return std::get<CloudFigure>(figure).points.isEmpty();
}

QString describeFigure(const Figure& figure) {
    return std::visit([](const auto& kind) { return describe(kind); }, figure);
}

} // namespace lambdascope
