// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/shape_painter.h"

#include "ui/charts/curve_geometry.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace lambdascope {

namespace {

constexpr double kHatchDistance = 6;
constexpr double kFaded = 0.2;
constexpr double kFaint = 0.35;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The part of the diagonal x ± y = c inside of `rect`; nothing when they do not meet.
void appendDiagonal(QVector<QLineF>& lines, const QRectF& rect, double c, bool rising) {
    // Mirrored at the middle, a falling line is a rising one.
    const double left = std::max(rect.left(), c - rect.bottom());
    const double right = std::min(rect.right(), c - rect.top());
    if (left >= right) {
        return;
    }
    const auto mirrored = [&](double x) { return rising ? x : rect.left() + rect.right() - x; };
    lines.append({mirrored(left), c - left, mirrored(right), c - right});
}

void appendHatch(QVector<QLineF>& lines, const QRectF& rect, Hatch hatch) {
    if (hatch == Hatch::None || rect.width() < 1.5 || rect.height() < 1.5) {
        return;
    }
    // Lines at multiples of the distance, so that neighbouring boxes look like one.
    const double first = std::ceil((rect.left() + rect.top()) / kHatchDistance) * kHatchDistance;
    for (double c = first; c < rect.right() + rect.bottom(); c += kHatchDistance) {
        if (hatch != Hatch::Falling) {
            appendDiagonal(lines, rect, c, true);
        }
        if (hatch != Hatch::Rising) {
            appendDiagonal(lines, rect, c, false);
        }
    }
}

QVector<QPointF> ellipse(const QRectF& rect) {
    constexpr int kCorners = 96;
    QVector<QPointF> points;
    for (int corner = 0; corner <= kCorners; ++corner) {
        const double turn = 2 * std::numbers::pi * corner / kCorners;
        points.append(rect.center() + QPointF(std::cos(turn) * rect.width() / 2, std::sin(turn) * rect.height() / 2));
    }
    return points;
}

void include(ValueRange& range, double value) {
    if (std::isfinite(value)) {
        range = {std::min(range.low, value), std::max(range.high, value)};
    }
}

ValueRange chosenRange(const std::optional<ValueRange>& fixed, const AxisSpec& axis, const ValueRange& needed,
                       double margin) {
    const ValueRange padded = needed.low <= needed.high ? paddedRange(needed, margin) : ValueRange{0, 1};
    if (!fixed) {
        return padded;
    }
    const double low = AxisMapping::toAxis(fixed->low, axis.scale);
    const double high = AxisMapping::toAxis(fixed->high, axis.scale);
    return {std::isfinite(low) ? low : padded.low, std::isfinite(high) ? high : padded.high};
}

} // namespace

ResolvedStyle groupStyle(const ShapeGroup& group, const ChartTheme& theme) {
    CurveStyle style;
    style.colourIndex = group.colourIndex;
    style.marker = MarkerShape::None;
    return resolveStyle(style, group.colourIndex, theme);
}

bool isBall(const ShapeFigure& figure, int group) {
    const auto first = std::find_if(figure.shapes.begin(), figure.shapes.end(),
                                    [group](const Shape& shape) { return shape.group == group; });
    return first != figure.shapes.end() && first->kind == Shape::Kind::Ball;
}

PlotExtent shapeExtent(const ShapeFigure& figure, double aspect) {
    ValueRange x{kInfinity, -kInfinity};
    ValueRange y{kInfinity, -kInfinity};
    const auto take = [&](double valueX, double valueY) {
        include(x, AxisMapping::toAxis(valueX, figure.x.scale));
        include(y, AxisMapping::toAxis(valueY, figure.y.scale));
    };
    for (const Shape& shape : figure.shapes) {
        if (figure.groups.value(shape.group).visible) {
            take(shape.x.low, shape.y.low);
            take(shape.x.high, shape.y.high);
        }
    }
    for (const Curve& curve : figure.curves) {
        for (const QPointF& point : curve.points) {
            if (curve.visible) {
                take(point.x(), point.y());
            }
        }
    }
    const double margin = figure.equalAspect ? 0.06 : 0.01;
    const PlotExtent extent{chosenRange(figure.xRange, figure.x, x, margin),
                            chosenRange(figure.yRange, figure.y, y, margin)};
    return figure.equalAspect && aspect > 0 ? withEqualScales(extent, aspect) : extent;
}

QRectF placedShape(const PlotFrame& frame, const Shape& shape) {
    const QPointF low = frame.placeValue({shape.x.low, shape.y.low});
    const QPointF high = frame.placeValue({shape.x.high, shape.y.high});
    const bool hasPlace =
        std::isfinite(low.x()) && std::isfinite(low.y()) && std::isfinite(high.x()) && std::isfinite(high.y());
    return hasPlace ? QRectF(low, high).normalized() : QRectF();
}

void drawPatch(FigureCanvas& canvas, const QRectF& rect, const QColor& colour, Hatch hatch, const ChartTheme& theme) {
    canvas.drawRect(rect, colour, nullptr);
    QVector<QLineF> lines;
    appendHatch(lines, rect, hatch);
    QColor ink = theme.background;
    ink.setAlphaF(0.75F);
    canvas.drawLines(lines, {ink, 0.9});
}

void drawShapes(FigureCanvas& canvas, const PlotFrame& frame, const ShapeFigure& figure, const ChartTheme& theme,
                double lineScale, int emphasized) {
    QVector<QLineF> hatch;
    for (const Shape& shape : figure.shapes) {
        const ShapeGroup group = figure.groups.value(shape.group);
        if (!group.visible) {
            continue;
        }
        const QRectF rect = placedShape(frame, shape);
        if (rect.isNull()) {
            continue;
        }
        const ResolvedStyle style = groupStyle(group, theme);
        QColor colour = style.colour;
        if (emphasized >= 0 && emphasized != shape.group) {
            colour.setAlphaF(float(kFaded));
        } else if (shape.isFaint) {
            colour.setAlphaF(float(kFaint));
        }
        if (shape.kind == Shape::Kind::Ball) {
            const double width = (shape.isFaint ? 1 : 2) * lineScale;
            canvas.drawPolyline(ellipse(rect), {colour, width, dashPattern(style.dash)});
            continue;
        }
        const QRectF shown = rect & frame.plot;
        if (!shown.isEmpty()) {
            canvas.drawRect(shown, colour, nullptr);
            appendHatch(hatch, shown, group.hatch);
        }
    }
    QColor ink = theme.background;
    ink.setAlphaF(0.75F);
    canvas.drawLines(hatch, {ink, 0.9 * lineScale});
}

} // namespace lambdascope
