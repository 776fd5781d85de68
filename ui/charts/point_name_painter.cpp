// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/point_name_painter.h"

#include <algorithm>
#include <cmath>

namespace lambdascope {

namespace {

/// Beyond so many points names would be a thicket.
constexpr qsizetype kMostNames = 60;
/// Height of names, of that of the numbers on the axes; of a line, of that of the em square.
constexpr double kNameSize = 0.85;
constexpr double kLineHeight = 1.15;

/// The four rectangles that a name of a size may take, the best first.
QVector<QRectF> roomsBeside(const QPointF& place, double gap, const QSizeF& size) {
    const double middle = place.y() - size.height() / 2;
    return {{{place.x() + gap, middle}, size},
            {{place.x() - gap - size.width(), middle}, size},
            {{place.x() - size.width() / 2, place.y() - gap - size.height()}, size},
            {{place.x() - size.width() / 2, place.y() + gap}, size}};
}

} // namespace

void drawPointNames(FigureCanvas& canvas, const PlotFrame& frame, const CloudFigure& figure, double markerSize,
                    const ChartTheme& theme) {
    const qsizetype count = figure.points.size();
    if (count > kMostNames || figure.pointLabels.size() != count) {
        return;
    }
    TextStyle style;
    style.size = kNameSize * frame.font;
    style.colour = theme.text;
    QVector<QPointF> places;
    QVector<QRectF> taken; // by points, then by names
    for (const CloudPoint& point : figure.points) {
        places.append(frame.placeValue({point.x, point.y}));
        taken.append(QRectF(places.last() - QPointF(markerSize, markerSize) / 2, QSizeF(markerSize, markerSize)));
    }
    canvas.beginClip(frame.plot);
    for (qsizetype i = 0; i < count; ++i) {
        if (!std::isfinite(places[i].x()) || !std::isfinite(places[i].y())) {
            continue;
        }
        const QString& name = figure.pointLabels[i];
        const QSizeF size(canvas.textWidth(name, style), kLineHeight * style.size);
        for (const QRectF& room : roomsBeside(places[i], 0.75 * markerSize, size)) {
            const bool isFree =
                frame.plot.contains(room) &&
                std::none_of(taken.begin(), taken.end(), [&](const QRectF& other) { return other.intersects(room); });
            if (isFree) {
                canvas.drawText(room.bottomLeft() - QPointF(0, (kLineHeight - 0.9) * style.size), name, style);
                taken.append(room);
                break;
            }
        }
    }
    canvas.endClip();
}

} // namespace lambdascope
