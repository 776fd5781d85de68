// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/shape_painter.h"

#include "ui/charts/arc_tracer.h"
#include "ui/charts/cell_painter.h"
#include "ui/charts/curve_geometry.h"
#include "ui/charts/hatching.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lambdascope {

namespace {

constexpr double kFaded = 0.2;
constexpr double kFaint = 0.35;
constexpr double kPointOutline = 3; ///< canvas units that what outlines a marked point is larger than it
constexpr double kTick = 6;         ///< length of the tick of a marked box
constexpr double kInfinity = std::numeric_limits<double>::infinity();

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
    style.marker = group.marker;
    style.dash = group.dash;
    ResolvedStyle resolved = resolveStyle(style, group.colourIndex, theme);
    resolved.isHollow = group.isHollow;
    resolved.width = group.lineWidth;
    return resolved;
}

Shape::Kind shapeKind(const ShapeFigure& figure, int group) {
    const auto first = std::find_if(figure.shapes.begin(), figure.shapes.end(),
                                    [group](const Shape& shape) { return shape.group == group; });
    if (first != figure.shapes.end()) {
        return first->kind;
    }
    const ShapeGroup& look = figure.groups[group]; // of none yet: what it is made for
    return look.marker != MarkerShape::None    ? Shape::Kind::Point
           : look.dash != DashStyle::Automatic ? Shape::Kind::Outline
                                               : Shape::Kind::Box;
}

std::optional<PatchLook> patchLook(const ShapeFigure& figure, int group) {
    const ShapeGroup& look = figure.groups[group];
    return shapeKind(figure, group) == Shape::Kind::Box ? std::optional(PatchLook{look.hatch, look.isPale})
                                                        : std::nullopt;
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
    const double room = shape.kind == Shape::Kind::Point ? 0.5 : 0;
    return hasPlace ? QRectF(low, high).normalized().adjusted(-room, -room, room, room) : QRectF();
}

QVector<QPointF> placedOutline(const PlotFrame& frame, const Shape& shape) {
    QVector<QPointF> places;
    places.reserve(shape.outline.size());
    for (const QPointF& corner : shape.outline) {
        places.append(frame.placeValue(corner));
    }
    return places;
}

void drawPatch(FigureCanvas& canvas, const QRectF& rect, const QColor& colour, const PatchLook& look,
               const ChartTheme& theme) {
    canvas.drawRect(rect, look.isPale ? groundColour(colour) : colour, nullptr);
    QVector<QLineF> lines;
    appendHatch(lines, rect, look.hatch);
    canvas.drawLines(lines, {look.isPale ? groundInk(colour) : hatchInk(theme), 0.9});
}

void drawStyledMarkers(FigureCanvas& canvas, const ResolvedStyle& style, const QVector<QPointF>& places, double size,
                       const ChartTheme& theme) {
    if (style.isHollow) {
        QColor inside = theme.background;
        inside.setAlphaF(style.colour.alphaF()); // what fades does so as a whole
        canvas.drawMarkers(style.marker, places, size, inside, style.colour);
    } else {
        canvas.drawMarkers(style.marker, places, size, style.colour, {});
    }
}

namespace {

/// Whether a shape is marked where some are; lines and balls are never.
bool isMarked(const Shape& shape, const ShapeScale& scale) {
    const bool canBe = shape.kind == Shape::Kind::Point || shape.kind == Shape::Kind::Box;
    return canBe && shape.item >= 0 && scale.marks && scale.marks(shape.item);
}

QColor shownColour(QColor colour, const Shape& shape, const ShapeScale& scale) {
    const bool stands = scale.marks && (shape.kind == Shape::Kind::Point || shape.kind == Shape::Kind::Box);
    if ((scale.emphasized >= 0 && scale.emphasized != shape.group) || (stands && !isMarked(shape, scale))) {
        colour.setAlphaF(float(kFaded));
    } else if (shape.isFaint) {
        colour.setAlphaF(float(kFaint));
    }
    return colour;
}

void drawRim(FigureCanvas& canvas, const PlotFrame& frame, const Shape& shape, const QRectF& place,
             const LineStyle& line) {
    const QVector<QPointF> corners = placedOutline(frame, shape);
    if (shape.kind == Shape::Kind::Outline && shape.bulges.isEmpty()) {
        canvas.drawPolyline(corners, line);
        return;
    }
    const QRectF seen = frame.plot.adjusted(-line.width, -line.width, line.width, line.width);
    ArcTracer tracer(seen, shape.kind == Shape::Kind::Ball ? place.width() / place.height() : frame.aspect());
    if (shape.kind == Shape::Kind::Ball) {
        tracer.addBall(place);
    }
    for (qsizetype corner = 1; corner < corners.size(); ++corner) {
        tracer.addArc(corners[corner - 1], corners[corner], shape.bulges.value(corner - 1));
    }
    for (const QVector<QPointF>& path : tracer.paths()) {
        canvas.drawCubics(path, line);
    }
}

/// Points of one group that follow each other, drawn at once.
class PointBatch {
  public:
    PointBatch(FigureCanvas& canvas, const ChartTheme& theme, double size)
        : m_canvas(canvas), m_theme(theme), m_size(size) {}

    void add(int group, const ResolvedStyle& style, const QPointF& place) {
        if (group != m_group || style != m_style) {
            flush();
        }
        m_group = group;
        m_style = style;
        m_places.append(place);
    }
    void flush() {
        if (!m_places.isEmpty()) {
            drawStyledMarkers(m_canvas, m_style, m_places, m_size, m_theme);
        }
        m_places.clear();
    }

  private:
    FigureCanvas& m_canvas;
    const ChartTheme& m_theme;
    double m_size;
    int m_group = -1;
    ResolvedStyle m_style;
    QVector<QPointF> m_places;
};

} // namespace

namespace {

/// What outlines marked points, below all of them: where many lie close, it goes round them all and hides none.
void drawOutlines(FigureCanvas& canvas, const PlotFrame& frame, const ShapeFigure& figure, const ChartTheme& theme,
                  const ShapeScale& scale) {
    for (const Shape& shape : figure.shapes) {
        const ShapeGroup group = figure.groups.value(shape.group);
        if (shape.kind == Shape::Kind::Point && group.visible && isMarked(shape, scale)) {
            if (const QRectF rect = placedShape(frame, shape); !rect.isNull()) {
                canvas.drawMarkers(groupStyle(group, theme).marker, {rect.center()}, scale.marker + kPointOutline,
                                   theme.text, theme.text);
            }
        }
    }
}

} // namespace

void drawShapes(FigureCanvas& canvas, const PlotFrame& frame, const ShapeFigure& figure, const ChartTheme& theme,
                const ShapeScale& scale) {
    drawCells(canvas, frame, figure, theme, scale);
    QVector<QLineF> hatch;
    PointBatch points(canvas, theme, scale.marker);
    drawOutlines(canvas, frame, figure, theme, scale);
    for (const Shape& shape : figure.shapes) {
        const ShapeGroup group = figure.groups.value(shape.group);
        const QRectF rect = group.visible ? placedShape(frame, shape) : QRectF();
        if (rect.isNull()) {
            continue;
        }
        ResolvedStyle style = groupStyle(group, theme);
        style.colour = shownColour(style.colour, shape, scale);
        if (shape.kind == Shape::Kind::Point) {
            points.add(shape.group, style, rect.center());
            continue;
        }
        points.flush();
        const LineStyle line{style.colour, (shape.isFaint ? 0.5 : 1) * group.lineWidth * scale.line,
                             dashPattern(style.dash)};
        if (shape.kind == Shape::Kind::Ball || shape.kind == Shape::Kind::Outline) {
            drawRim(canvas, frame, shape, rect, line);
        } else if (const QRectF shown = rect & frame.plot; !shown.isEmpty()) {
            canvas.drawRect(shown, style.colour, nullptr);
            if (!scale.marks || isMarked(shape, scale)) {
                appendHatch(hatch, shown, group.hatch);
            }
            if (isMarked(shape, scale)) { // a tick at the axis, since bars may be too thin for outlines
                canvas.drawRect({frame.plot.left(), shown.top(), kTick, std::max(shown.height(), 1.0)}, theme.text,
                                nullptr);
            }
        }
    }
    points.flush();
    canvas.drawLines(hatch, {hatchInk(theme), 0.9 * scale.line});
}

} // namespace lambdascope
