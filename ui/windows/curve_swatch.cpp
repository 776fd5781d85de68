// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/windows/curve_swatch.h"

#include <QPainter>
#include <QPixmap>

namespace lambdascope {

namespace {

QPixmap paintSwatch(const ResolvedStyle& style, const QColor& plate) {
    constexpr int kWidth = 28;
    constexpr int kHeight = 14;
    constexpr int kScale = 2; // sharp on high-density screens too
    QPixmap pixmap(kWidth * kScale, kHeight * kScale);
    pixmap.setDevicePixelRatio(kScale);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    if (plate.isValid()) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(plate);
        painter.drawRoundedRect(QRectF(0, 0, kWidth, kHeight), 3, 3);
    }
    QPen pen(style.colour, 2);
    if (const QVector<qreal> dashes = dashPattern(style.dash); !dashes.isEmpty()) {
        pen.setDashPattern(dashes);
    }
    painter.setPen(pen);
    painter.drawLine(QPointF(1, kHeight / 2.0), QPointF(kWidth - 1, kHeight / 2.0));
    painter.end();
    return pixmap;
}

} // namespace

QIcon curveSwatch(int styleIndex, const ChartTheme& theme) {
    CurveStyle automatic;
    automatic.colourIndex = styleIndex;
    const ResolvedStyle style = resolveStyle(automatic, styleIndex, theme);
    QIcon icon(paintSwatch(style, {}));
    // Colours are made for the background of charts: on that of a selected row some are lost, and Qt would tint them.
    icon.addPixmap(paintSwatch(style, theme.plotArea), QIcon::Selected);
    return icon;
}

} // namespace lambdascope
