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

} // namespace lambdascope
