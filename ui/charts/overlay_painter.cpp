// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/overlay_painter.h"

#include "core/common/number_text.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lambdascope {

namespace {

constexpr double kOverlayPadding = 7;
constexpr double kDistance = 14;

/// Beside `target`, above it and to the right if there is room, where the least is covered.
QRectF tooltipPlace(const QSizeF& size, const QPointF& target, const QRectF& area,
                    const std::function<qsizetype(const QRectF&)>& covered) {
    QRectF best;
    qsizetype least = 0;
    for (const auto& [isLeft, isBelow] : {std::pair(false, false), {true, false}, {false, true}, {true, true}}) {
        QRectF box(QPointF(), size);
        box.moveLeft(isLeft ? target.x() - kDistance - size.width() : target.x() + kDistance);
        box.moveTop(isBelow ? target.y() + kDistance : target.y() - kDistance - size.height());
        if (box.right() > area.right()) {
            box.moveRight(target.x() - kDistance);
        }
        if (box.top() < area.top()) {
            box.moveTop(target.y() + kDistance);
        }
        box.moveLeft(std::max(box.left(), area.left()));
        box.moveBottom(std::min(box.bottom(), area.bottom()));
        const qsizetype met = covered ? covered(box) : 0;
        if (best.isNull() || met < least) {
            best = box;
            least = met;
        }
    }
    return best;
}

} // namespace

void paintTooltip(QPainter& painter, const QPointF& target, const QString& text, const QRectF& area,
                  const ChartTheme& theme, const std::function<qsizetype(const QRectF&)>& covered) {
    const QStringList lines = text.split('\n');
    QFont bold = painter.font();
    bold.setBold(true);
    const QFontMetricsF metrics(painter.font());
    double width = 0;
    for (qsizetype index = 0; index < lines.size(); ++index) {
        width = std::max(width, (index == 0 ? QFontMetricsF(bold) : metrics).horizontalAdvance(lines[index]));
    }
    const double line = metrics.height() + 1;
    const QRectF box = tooltipPlace({width + 2 * kOverlayPadding, line * double(lines.size()) + 1.4 * kOverlayPadding},
                                    target, area, covered);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    QColor fill = theme.background;
    fill.setAlphaF(0.95F);
    painter.setPen(QPen(theme.axis, 1));
    painter.setBrush(fill);
    painter.drawRoundedRect(box.translated(0.5, 0.5), 4, 4);
    painter.setPen(theme.text);
    double baseline = box.top() + 0.7 * kOverlayPadding + metrics.ascent();
    const QFont plain = painter.font();
    for (qsizetype index = 0; index < lines.size(); ++index) {
        painter.setFont(index == 0 ? bold : plain);
        painter.drawText(QPointF(box.left() + kOverlayPadding, baseline), lines[index]);
        baseline += line;
    }
    painter.restore();
}

double cursorTagRoom(const QFontMetricsF& metrics) {
    return metrics.height() + 3;
}

void paintCursorLine(QPainter& painter, double x, const QString& text, const QRectF& plot, const ChartTheme& theme) {
    if (!(x >= plot.left() - 0.5 && x <= plot.right() + 0.5)) {
        return;
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.cursor, 1.4));
    painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
    const QFontMetricsF metrics(painter.font());
    // Above the plot, where no values are.
    QRectF tag(0, plot.top() - cursorTagRoom(metrics), metrics.horizontalAdvance(text) + 10, metrics.height() + 2);
    tag.moveLeft(std::clamp(x - tag.width() / 2, plot.left(), std::max(plot.left(), plot.right() - tag.width())));
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.cursor);
    painter.drawRoundedRect(tag, 3, 3);
    painter.setPen(theme.dark ? QColor(Qt::black) : QColor(Qt::white));
    painter.drawText(tag, Qt::AlignCenter, text);
    painter.restore();
}

void paintCrosshair(QPainter& painter, const QPointF& at, const QRectF& plot, const ChartTheme& theme) {
    painter.save();
    QColor colour = theme.mutedText;
    colour.setAlphaF(0.55F);
    painter.setPen(QPen(colour, 1, Qt::DotLine));
    painter.drawLine(QPointF(at.x(), plot.top()), QPointF(at.x(), plot.bottom()));
    painter.drawLine(QPointF(plot.left(), at.y()), QPointF(plot.right(), at.y()));
    painter.restore();
}

void paintRubberBand(QPainter& painter, const QRectF& band, const ChartTheme& theme) {
    painter.save();
    QColor fill = theme.accent;
    fill.setAlphaF(0.18F);
    painter.setPen(QPen(theme.accent, 1));
    painter.setBrush(fill);
    painter.drawRect(band);
    painter.restore();
}

void paintFocusFrame(QPainter& painter, bool hasFocus, const QRectF& plot, const ChartTheme& theme) {
    if (hasFocus) {
        painter.setPen(QPen(theme.accent, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(plot.adjusted(0, 0, -0.5, -0.5));
    }
}

void paintEmptyText(QPainter& painter, const QString& text, const QRectF& area, const ChartTheme& theme) {
    painter.save();
    QFont font = painter.font();
    font.setPointSizeF(font.pointSizeF() > 0 ? font.pointSizeF() * 1.2 : 12);
    painter.setFont(font);
    painter.setPen(theme.mutedText);
    painter.drawText(area.adjusted(kOverlayPadding, kOverlayPadding, -kOverlayPadding, -kOverlayPadding),
                     Qt::AlignCenter | Qt::TextWordWrap, text);
    painter.restore();
}

QString shownNumber(double value) {
    return QString::fromStdString(shortText(value, 5)).replace('-', QChar(0x2212));
}

} // namespace lambdascope
