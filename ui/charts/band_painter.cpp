// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/band_painter.h"

#include <algorithm>
#include <cmath>

namespace lambdascope {

namespace {

constexpr float kPale = 0.2F;

/// Axis coordinate of a value, or its floor; NaN for none.
double coordinate(double value, AxisScale scale, double floor) {
    return scale == AxisScale::Log && value <= 0 ? floor : AxisMapping::toAxis(value, scale);
}

void fill(FigureCanvas& canvas, QVector<QPointF>& lower, QVector<QPointF>& upper, const QColor& colour) {
    if (lower.size() > 1) {
        QVector<QPointF> corners = lower;
        std::reverse(upper.begin(), upper.end());
        corners += upper;
        canvas.drawPolygon(corners, colour);
    }
    lower.clear();
    upper.clear();
}

} // namespace

void drawBand(FigureCanvas& canvas, const PlotFrame& frame, const Curve& curve, QColor colour,
              const CurveFloors& floors) {
    colour.setAlphaF(kPale);
    // Far beyond the plot a painter loses precision; what lies out there is not seen anyway.
    const QRectF room =
        frame.plot.adjusted(-frame.plot.width(), -frame.plot.height(), frame.plot.width(), frame.plot.height());
    const auto place = [&](double x, double y) {
        const QPointF at = frame.place({x, y});
        return QPointF(std::clamp(at.x(), room.left(), room.right()), std::clamp(at.y(), room.top(), room.bottom()));
    };
    QVector<QPointF> lower;
    QVector<QPointF> upper;
    for (const BandPoint& point : curve.band) {
        const double x = coordinate(point.x, frame.x.mapping.scale(), floors.x);
        const double low = coordinate(point.low, frame.y.mapping.scale(), floors.y);
        const double high = coordinate(point.high, frame.y.mapping.scale(), floors.y);
        if (!std::isfinite(x) || !std::isfinite(low) || !std::isfinite(high)) {
            fill(canvas, lower, upper, colour);
            continue;
        }
        lower.append(place(x, low));
        upper.append(place(x, high));
    }
    fill(canvas, lower, upper, colour);
}

} // namespace lambdascope
