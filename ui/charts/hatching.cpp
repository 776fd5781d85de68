// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/hatching.h"

#include <algorithm>
#include <cmath>

namespace lambdascope {

namespace {

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

double firstMultiple(double from) {
    return std::ceil(from / kHatchDistance) * kHatchDistance;
}

QColor withAlpha(QColor colour, float alpha) {
    colour.setAlphaF(alpha * colour.alphaF());
    return colour;
}

} // namespace

bool hasWay(Hatch hatch, HatchWay way) {
    switch (way) {
    case HatchWay::Rising: return hatch == Hatch::Rising || hatch == Hatch::Crossed;
    case HatchWay::Falling: return hatch == Hatch::Falling || hatch == Hatch::Crossed;
    case HatchWay::Level: return hatch == Hatch::Level;
    case HatchWay::Upright: return hatch == Hatch::Upright;
    }
    return false;
}

void appendHatch(QVector<QLineF>& lines, const QRectF& rect, Hatch hatch) {
    if (hatch == Hatch::None || rect.width() < 1.5 || rect.height() < 1.5) {
        return;
    }
    for (const HatchWay way : {HatchWay::Rising, HatchWay::Falling}) {
        if (hasWay(hatch, way)) {
            for (double c = firstMultiple(rect.left() + rect.top()); c < rect.right() + rect.bottom();
                 c += kHatchDistance) {
                appendDiagonal(lines, rect, c, way == HatchWay::Rising);
            }
        }
    }
    for (double y = firstMultiple(rect.top()); hatch == Hatch::Level && y < rect.bottom(); y += kHatchDistance) {
        lines.append({rect.left(), y, rect.right(), y});
    }
    for (double x = firstMultiple(rect.left()); hatch == Hatch::Upright && x < rect.right(); x += kHatchDistance) {
        lines.append({x, rect.top(), x, rect.bottom()});
    }
}

QColor hatchInk(const ChartTheme& theme) {
    return withAlpha(theme.background, 0.75F);
}

QColor groundColour(const QColor& colour) {
    return withAlpha(colour, 0.22F);
}

QColor groundInk(const QColor& colour) {
    return withAlpha(colour, 0.42F);
}

} // namespace lambdascope
