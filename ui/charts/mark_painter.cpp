// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/axis_painter.h"

#include <algorithm>
#include <cmath>

namespace lambdascope {

namespace {

constexpr double kMarkLineHeight = 1.2; ///< of labels, in font sizes

/// Where the label of a mark may stand, the best place first: beside a vertical line, above or below a horizontal one.
QVector<QRectF> markPlaces(const PlotFrame& frame, double at, bool vertical, const QSizeF& size) {
    const double inset = frame.font * 0.3;
    const QRectF& plot = frame.plot;
    QVector<QRectF> places;
    const auto add = [&](double left, double top) {
        const QRectF place(QPointF(left, top), size);
        if (plot.adjusted(-1, -1, 1, 1).contains(place)) {
            places.append(place);
        }
    };
    const double right = plot.right() - inset - size.width();
    for (const double share : {0.0, 1.0, 0.5, 0.25, 0.75}) {
        if (vertical) {
            const double top = plot.top() + inset + share * (plot.height() - 2 * inset - size.height());
            add(at > plot.center().x() ? at - inset - size.width() : at + inset, top);
            add(at > plot.center().x() ? at + inset : at - inset - size.width(), top);
        } else {
            const double left = right - share * (right - plot.left() - inset);
            add(left, at - inset * 0.5 - size.height());
            add(left, at + inset);
        }
    }
    if (places.isEmpty()) { // across a line rather than cut off
        const double left = std::max(plot.left(), std::min(at + inset, right));
        places.append(
            QRectF(QPointF(vertical ? left : right, vertical ? plot.top() + inset : at - size.height()), size));
    }
    return places;
}

/// How many times lines pass through a rectangle.
int crossings(const QRectF& rect, const QVector<QVector<QPointF>>& lines) {
    int found = 0;
    for (const QVector<QPointF>& line : lines) {
        for (qsizetype corner = 0; corner < line.size(); ++corner) {
            const QPointF from = line[std::max<qsizetype>(corner - 1, 0)];
            const QPointF step = line[corner] - from;
            const int parts = 1 + int((std::abs(step.x()) + std::abs(step.y())) / std::max(rect.height() / 2, 1.0));
            bool meets = false;
            for (int part = 0; part <= std::min(parts, 500) && !meets; ++part) {
                meets = rect.contains(from + step * (double(part) / parts));
            }
            found += meets ? 1 : 0;
        }
    }
    return found;
}

/// Draws a label where it meets the fewest lines and, above all, none of the labels `taken`, of which it is one then;
/// on a ground of its own where that is a colour.
void drawMarkLabel(FigureCanvas& canvas, const QVector<QRectF>& places, const QString& label, TextStyle style,
                   const QColor& ground, const QVector<QVector<QPointF>>& lines, QVector<QRectF>& taken) {
    const auto cost = [&](const QRectF& place) {
        const auto overlaps = std::count_if(taken.begin(), taken.end(), [&](auto& t) { return t.intersects(place); });
        return label.isEmpty() ? 0 : crossings(place, lines) + 1000 * static_cast<int>(overlaps);
    };
    const QRectF best = *std::min_element(places.begin(), places.end(),
                                          [&](const QRectF& a, const QRectF& b) { return cost(a) < cost(b); });
    taken.append(best);
    if (ground.isValid() && !label.isEmpty()) {
        canvas.drawRect(best, ground, nullptr);
    }
    style.alignment = Qt::AlignLeft | Qt::AlignTop;
    canvas.drawText(best.topLeft(), label, style);
}

} // namespace

void drawMarks(FigureCanvas& canvas, const PlotFrame& frame, const QVector<AxisMark>& marks, const ChartTheme& theme,
               const QVector<QVector<QPointF>>& lines, MarkGround ground) {
    const bool isOnAreas = ground == MarkGround::Areas;
    const LineStyle line{isOnAreas ? theme.text : theme.mutedText, frame.lineWidth, {4, 3}};
    const LineStyle rim{theme.background, 3 * frame.lineWidth};
    const TextStyle style{.size = frame.font * 0.9, .colour = line.colour};
    QVector<QRectF> taken; // by labels
    for (const AxisMark& mark : marks) {
        const bool vertical = mark.orientation == Qt::Vertical;
        const double fraction = (vertical ? frame.x : frame.y).mapping.fraction(mark.value);
        if (!(fraction >= 0 && fraction <= 1)) {
            continue;
        }
        const double at = vertical ? frame.plot.left() + fraction * frame.plot.width()
                                   : frame.plot.bottom() - fraction * frame.plot.height();
        const QPointF from = vertical ? QPointF(at, frame.plot.top()) : QPointF(frame.plot.left(), at);
        const QPointF to = vertical ? QPointF(at, frame.plot.bottom()) : QPointF(frame.plot.right(), at);
        if (isOnAreas) {
            canvas.drawLine(from, to, rim);
        }
        canvas.drawLine(from, to, line);
        const QSizeF size(canvas.textWidth(mark.label, style), style.size * kMarkLineHeight);
        drawMarkLabel(canvas, markPlaces(frame, at, vertical, size), mark.label, style,
                      isOnAreas ? theme.background : QColor(), lines, taken);
    }
}

} // namespace lambdascope
