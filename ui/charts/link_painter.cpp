// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/link_painter.h"

#include <algorithm>
#include <cmath>

namespace lambdascope {

namespace {

constexpr double kBend = 0.16; ///< height of an arc, as a share of its length
constexpr int kArcPieces = 14;
constexpr float kLinkOpacity = 0.6F;
constexpr float kPaleOpacity = 0.16F; ///< many of them over each other still let others through

bool isPlace(const QPointF& place) {
    return std::isfinite(place.x()) && std::isfinite(place.y());
}

} // namespace

ResolvedStyle linkStyle(const LinkGroup& group, const ChartTheme& theme) {
    CurveStyle style;
    style.colourIndex = group.colourIndex;
    style.dash = group.dash;
    style.marker = MarkerShape::None;
    return resolveStyle(style, 0, theme);
}

ResolvedStyle shadowStyle(const ChartTheme& theme) {
    return {theme.mutedText, DashStyle::Solid, MarkerShape::Circle, 1, true};
}

QVector<QPointF> linkLine(const QPointF& from, const QPointF& to, bool isCurved) {
    if (!isCurved) {
        return {from, to};
    }
    const QPointF along = to - from;
    // A parabola through the ends whose middle lies kBend to the left of the straight line.
    const QPointF aside(along.y() * 4 * kBend, -along.x() * 4 * kBend);
    QVector<QPointF> line;
    for (int k = 0; k <= kArcPieces; ++k) {
        const double t = double(k) / kArcPieces;
        line.append(from + t * along + t * (1 - t) * aside);
    }
    return line;
}

void drawLinks(FigureCanvas& canvas, const PlotFrame& frame, const CloudFigure& figure, double lineWidth,
               double markerSize, const ChartTheme& theme) {
    const auto placeOf = [&frame](const CloudPoint& point) {
        return frame.placeValue({double(point.x), double(point.y)});
    };
    for (const CloudLink& link : figure.links) {
        const LinkGroup group = figure.linkGroups.value(link.group);
        const QPointF from = placeOf(link.from);
        const QPointF to = placeOf(link.to);
        if (!group.visible || !isPlace(from) || !isPlace(to)) {
            continue;
        }
        const ResolvedStyle style = linkStyle(group, theme);
        QColor colour = style.colour;
        colour.setAlphaF(group.isPale ? kPaleOpacity : kLinkOpacity);
        canvas.drawPolyline(linkLine(from, to, group.isCurved), {colour, lineWidth, dashPattern(style.dash)});
    }
    if (!figure.showsShadows) {
        return;
    }
    const ResolvedStyle look = shadowStyle(theme);
    QVector<QPointF> places;
    for (qsizetype k = 0; k < std::min(figure.points.size(), figure.shadows.size()); ++k) {
        const QPointF shadow = placeOf(figure.shadows[k]);
        const QPointF point = placeOf(figure.points[k]);
        if (isPlace(shadow) && isPlace(point)) {
            canvas.drawLine(shadow, point, {look.colour, lineWidth});
            places.append(shadow);
        }
    }
    canvas.drawMarkers(look.marker, places, 0.8 * markerSize, theme.background, look.colour);
}

} // namespace lambdascope
