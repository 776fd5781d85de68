// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/windows/curve_swatch.h"

#include <QPainter>
#include <QPixmap>

namespace lambdascope {

QIcon curveSwatch(int styleIndex, const ChartTheme& theme) {
    constexpr int width = 28;
    constexpr int height = 14;
    constexpr int scale = 2; // sharp on high-density screens too
    QPixmap pixmap(width * scale, height * scale);
    pixmap.setDevicePixelRatio(scale);
    pixmap.fill(Qt::transparent);
    CurveStyle automatic;
    automatic.colourIndex = styleIndex;
    const ResolvedStyle style = resolveStyle(automatic, styleIndex, theme);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    QPen pen(style.colour, 2);
    if (const QVector<qreal> dashes = dashPattern(style.dash); !dashes.isEmpty()) {
        pen.setDashPattern(dashes);
    }
    painter.setPen(pen);
    painter.drawLine(QPointF(1, height / 2.0), QPointF(width - 1, height / 2.0));
    painter.end();
    return QIcon(pixmap);
}

} // namespace lambdascope
