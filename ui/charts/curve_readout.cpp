// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/curve_readout.h"

#include "ui/charts/overlay_painter.h"

#include <QObject>

#include <algorithm>
#include <cmath>

namespace lambdascope {

QStringList curveReadout(const CurveFigure& figure, double x, const ChartTheme& theme) {
    QStringList parts;
    for (int index = 0; index < figure.curves.size() && std::isfinite(x); ++index) {
        const Curve& curve = figure.curves[index];
        const auto at = std::find_if(curve.points.begin(), curve.points.end(),
                                     [x](const QPointF& point) { return point.x() == x && std::isfinite(point.y()); });
        if (curve.visible && at != curve.points.end()) {
            parts << QStringLiteral("<span style='color:%1'>●</span>&nbsp;%2&nbsp;<b>%3</b>")
                         .arg(resolveStyle(curve.style, index, theme).colour.name(),
                              curve.name.toHtmlEscaped().replace(QLatin1Char(' '), QLatin1String("&nbsp;")),
                              shownNumber(at->y()));
        }
    }
    if (parts.size() < 2) {
        return {};
    }
    parts.prepend(QStringLiteral("%1 = %2:").arg(figure.x.title.toHtmlEscaped(), shownNumber(x)));
    return parts;
}

QString drawingNote(const QVector<PreparedCurve>& curves, const QString& remark) {
    int inView = 0;
    int drawn = 0;
    int clamped = 0;
    for (const PreparedCurve& curve : curves) {
        if (curve.thinned) {
            inView += curve.inView;
            drawn += curve.drawn;
        }
        clamped += curve.clamped;
    }
    QStringList notes;
    if (!remark.isEmpty()) {
        notes << remark;
    }
    if (drawn > 0 && inView > drawn) {
        const double ratio = double(inView) / drawn;
        notes << QObject::tr("1 in %1 shown")
                     .arg(ratio < 3 ? QString::number(ratio, 'f', 1) : QString::number(std::lround(ratio)));
    }
    if (clamped > 0) {
        notes << QObject::tr("▽ %1 not positive").arg(clamped);
    }
    return notes.join(QStringLiteral(" · "));
}

} // namespace lambdascope
