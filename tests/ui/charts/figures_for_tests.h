// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/figure.h"

#include <cmath>
#include <limits>

namespace lambdascope {

/// `curves` curves over a falling log axis, `count` points each, names A, B, …
inline CurveFigure curveFigureForTests(int curves, int count) {
    CurveFigure figure;
    figure.title = QStringLiteral("Rate along the path");
    figure.x = {QStringLiteral("λ"), QString(), AxisScale::Log, true};
    figure.y = {QStringLiteral("Rate"), QStringLiteral("%"), AxisScale::Linear, false};
    for (int curve = 0; curve < curves; ++curve) {
        Curve next;
        next.id = next.name = QString(QChar('A' + curve));
        for (int index = 0; index < count; ++index) {
            const double x = 1000 * std::pow(0.9, 60.0 * index / count);
            next.points << QPointF(x, 0.5 + curve + std::sin(0.3 * index) / 3);
        }
        figure.curves << next;
    }
    figure.recipe = QByteArrayLiteral("{\"family\": \"none\",\n  \"name\": \"\xCE\xBB <&> \\\"quoted\\\"\"}");
    return figure;
}

inline HeatmapFigure heatmapFigureForTests(int columns, int rows) {
    HeatmapFigure figure;
    figure.title = QStringLiteral("Heat");
    figure.x.title = QStringLiteral("λ");
    figure.y.title = QStringLiteral("check");
    figure.valueTitle = QStringLiteral("rate");
    figure.range = ValueRange{0, 1};
    figure.recipe = QByteArrayLiteral("{}");
    for (int column = 0; column < columns; ++column) {
        figure.xValues << 100 * std::pow(0.8, column);
    }
    for (int row = 0; row < rows; ++row) {
        figure.yValues << row + 1;
        for (int column = 0; column < columns; ++column) {
            const bool absent = row == rows - 1 && column == 0;
            figure.values << (absent ? std::numeric_limits<double>::quiet_NaN()
                                     : double(row * columns + column) / (rows * columns));
        }
    }
    return figure;
}

inline CloudFigure cloudFigureForTests(int count) {
    CloudFigure figure;
    figure.title = QStringLiteral("Cloud");
    figure.x.title = QStringLiteral("first");
    figure.y.title = QStringLiteral("second");
    figure.classNames = {QStringLiteral("one"), QStringLiteral("two"), QStringLiteral("three")};
    for (int index = 0; index < count; ++index) {
        const double turn = 2.399963 * index; // golden angle: spread evenly, no two alike
        const double radius = std::sqrt(double(index));
        figure.points << CloudPoint{float(radius * std::cos(turn)), float(radius * std::sin(turn))};
        figure.classes << index % 3;
    }
    return figure;
}

/// Stacked bars of two groups over a falling log axis, `count` of them, with a line on top.
inline ShapeFigure shapeFigureForTests(int count) {
    ShapeFigure figure;
    figure.title = QStringLiteral("Cost");
    figure.x = {QStringLiteral("λ"), QString(), AxisScale::Log, true};
    figure.y = {QStringLiteral("CPU time"), QStringLiteral("s"), AxisScale::Linear, false};
    figure.groups = {{QStringLiteral("rule"), QStringLiteral("Rule"), 1, Hatch::Rising, true},
                     {QStringLiteral("rest"), QStringLiteral("The rest"), 0, Hatch::None, true}};
    figure.table.numberColumns = {QStringLiteral("λ"), QStringLiteral("Rule (s)")};
    figure.table.textColumns = {QStringLiteral("Note")};
    Curve line;
    line.id = line.name = QStringLiteral("baseline");
    for (int index = 0; index < count; ++index) {
        const double x = 100 * std::pow(0.5, index);
        const ValueRange place{x / 1.3, x * 1.3};
        figure.shapes << Shape{Shape::Kind::Box, 0, place, {0, 1}, QStringLiteral("rule %1").arg(index), false};
        figure.shapes << Shape{Shape::Kind::Box, 1, place, {1, 3}, QStringLiteral("rest %1").arg(index), false};
        line.points << QPointF(x, 2);
        figure.table.numbers << x << 1;
        figure.table.texts << QStringLiteral("a, \"b\"");
    }
    figure.curves << line;
    figure.marks << AxisMark{Qt::Vertical, 50, QStringLiteral("break-even")};
    figure.recipe = QByteArrayLiteral("{}");
    return figure;
}

/// Two balls round a point that is marked.
inline ShapeFigure ballFigureForTests() {
    ShapeFigure figure;
    figure.title = QStringLiteral("Balls");
    figure.x.title = QStringLiteral("first");
    figure.y.title = QStringLiteral("second");
    figure.equalAspect = true;
    figure.groups = {{QStringLiteral("wide"), QStringLiteral("wide"), 0, Hatch::None, true},
                     {QStringLiteral("narrow"), QStringLiteral("narrow"), 1, Hatch::None, true}};
    figure.shapes << Shape{Shape::Kind::Ball, 0, {-3, 3}, {-3, 3}, QStringLiteral("wide ball"), true}
                  << Shape{Shape::Kind::Ball, 1, {-1, 2}, {-1, 2}, QStringLiteral("narrow ball"), false};
    Curve optimum;
    optimum.id = optimum.name = QStringLiteral("optimum");
    optimum.style.dash = DashStyle::NoLine;
    optimum.style.marker = MarkerShape::Star;
    optimum.points = {{0.5, 0.5}};
    figure.curves << optimum;
    figure.table.numberColumns = {QStringLiteral("radius")};
    figure.table.numbers = {3, 1.5};
    return figure;
}

} // namespace lambdascope
