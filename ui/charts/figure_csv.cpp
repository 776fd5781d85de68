// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/csv_text.h"
#include "core/common/number_text.h"
#include "ui/charts/figure_writer.h"

#include <cmath>

namespace lambdascope {

namespace {

QByteArray field(const QString& text) {
    return QByteArray::fromStdString(csvCell(text.toStdString()));
}

QByteArray field(double value) {
    return QByteArray::fromStdString(exactText(value));
}

QByteArray header(const QString& title, const char* otherwise) {
    return title.isEmpty() ? QByteArray(otherwise) : field(title);
}

QByteArray csv(const CurveFigure& figure) {
    QByteArray text = "curve," + header(figure.x.label(), "x") + ',' + header(figure.y.label(), "y") + '\n';
    for (const Curve& curve : figure.curves) {
        const QByteArray name = field(curve.name);
        for (const QPointF& point : curve.points) {
            text += name + ',' + field(point.x()) + ',' + field(point.y()) + '\n';
        }
        for (const bool isLow : {true, false}) {
            const QByteArray edge = field(curve.name + ", " + bandEdgeName(curve, isLow));
            for (const BandPoint& point : curve.band) {
                text += edge + ',' + field(point.x) + ',' + field(isLow ? point.low : point.high) + '\n';
            }
        }
    }
    return text;
}

QByteArray csv(const HeatmapFigure& figure) {
    QByteArray text = header(figure.x.label(), "x") + ',' + header(figure.y.label(), "y") + ',' +
                      header(figure.valueTitle, "value") + '\n';
    for (int row = 0; row < figure.rows(); ++row) {
        for (int column = 0; column < figure.columns(); ++column) {
            const double value = figure.value(row, column);
            if (!std::isnan(value)) {
                const QByteArray x =
                    figure.xNames.isEmpty() ? field(figure.xValues[column]) : field(figure.xText(column));
                const QByteArray y = figure.yNames.isEmpty() ? field(figure.yValues[row]) : field(figure.yText(row));
                text += x + ',' + y + ',' + field(value) + '\n';
            }
        }
    }
    return text;
}

QByteArray csv(const CloudFigure& figure) {
    QByteArray text = header(figure.x.label(), "x") + ',' + header(figure.y.label(), "y") + ",class";
    if (!figure.shadows.isEmpty()) {
        text += ',' + field(figure.shadowsName + " x") + ',' + field(figure.shadowsName + " y");
    }
    text += '\n';
    for (qsizetype index = 0; index < figure.points.size(); ++index) {
        const int group = figure.classes.value(index, 0);
        const QString name = figure.classNames.value(group, QString::number(group));
        text += field(double(figure.points[index].x)) + ',' + field(double(figure.points[index].y)) + ',' + field(name);
        if (index < figure.shadows.size()) {
            text += ',' + field(double(figure.shadows[index].x)) + ',' + field(double(figure.shadows[index].y));
        }
        text += '\n';
    }
    return text;
}

QByteArray csv(const ShapeFigure& figure) {
    const FigureTable& table = figure.table;
    QByteArray text;
    for (const QString& name : table.numberColumns + table.textColumns) {
        text += (text.isEmpty() ? "" : ",") + field(name);
    }
    text += '\n';
    const qsizetype numbers = table.numberColumns.size();
    const qsizetype texts = table.textColumns.size();
    for (int row = 0; row < table.rows(); ++row) {
        QByteArrayList cells;
        for (qsizetype column = 0; column < numbers; ++column) {
            const double value = table.numbers[row * numbers + column];
            cells << (std::isnan(value) ? QByteArray() : field(value));
        }
        for (qsizetype column = 0; column < texts; ++column) {
            cells << field(table.texts[row * texts + column]);
        }
        text += cells.join(',') + '\n';
    }
    return text;
}

} // namespace

QByteArray figureCsv(const Figure& figure) {
    return std::visit([](const auto& kind) { return csv(kind); }, figure);
}

} // namespace lambdascope
