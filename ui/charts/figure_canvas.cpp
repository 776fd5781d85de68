// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/figure_canvas.h"

#include <cmath>
#include <numbers>

namespace lambdascope {

namespace {

QVector<QPointF> polygon(int corners, double startDegrees, double radius) {
    QVector<QPointF> points;
    for (int corner = 0; corner < corners; ++corner) {
        const double angle = (startDegrees + 360.0 * corner / corners) * std::numbers::pi / 180;
        points << QPointF(radius * std::cos(angle), radius * std::sin(angle));
    }
    return points;
}

} // namespace

QVector<QVector<QPointF>> markerOutline(MarkerShape shape) {
    constexpr double kR = 0.5;
    switch (shape) {
    case MarkerShape::Circle: return {polygon(24, 0, kR)};
    case MarkerShape::Square: return {polygon(4, 45, 0.62)};
    case MarkerShape::TriangleUp: return {polygon(3, -90, 0.62)};
    case MarkerShape::TriangleDown: return {polygon(3, 90, 0.62)};
    case MarkerShape::Diamond: return {polygon(4, 0, 0.62)};
    case MarkerShape::Cross: return {{{-0.4, -0.4}, {0.4, 0.4}}, {{-0.4, 0.4}, {0.4, -0.4}}};
    case MarkerShape::Plus: return {{{-kR, 0}, {kR, 0}}, {{0, -kR}, {0, kR}}};
    case MarkerShape::Star:
        return {{{-kR, 0}, {kR, 0}}, {{-0.25, -0.43}, {0.25, 0.43}}, {{-0.25, 0.43}, {0.25, -0.43}}};
    case MarkerShape::Automatic:
    case MarkerShape::None: break;
    }
    return {};
}

bool isStrokedMarker(MarkerShape shape) {
    return shape == MarkerShape::Cross || shape == MarkerShape::Plus || shape == MarkerShape::Star;
}

QStringList figureFontFamilies() {
    return {QStringLiteral("DejaVu Sans"), QStringLiteral("Liberation Sans"), QStringLiteral("Noto Sans"),
            QStringLiteral("sans-serif")};
}

} // namespace lambdascope
