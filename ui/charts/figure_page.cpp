// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/figure_page.h"

#include <algorithm>

namespace lambdascope {

namespace {

TextStyle textStyle(double size, const QColor& colour, Qt::Alignment alignment) {
    TextStyle style;
    style.size = size;
    style.colour = colour;
    style.alignment = alignment;
    return style;
}

double entryWidth(const FigurePage& page, const PrintedEntry& entry) {
    const double sample = entry.width > 0 ? 3.6 : 0.9;
    return page.font() * (sample + 0.5 + 1.3) + page.canvas.textWidth(entry.name, textStyle(page.font(), {}, {}));
}

void drawEntry(const FigurePage& page, const PrintedEntry& entry, const QPointF& leftMiddle) {
    const double sample = page.font() * (entry.width > 0 ? 3.6 : 0.9);
    if (entry.width > 0) {
        page.canvas.drawLine(leftMiddle, leftMiddle + QPointF(sample, 0), {entry.colour, entry.width, entry.dashes});
    }
    if (entry.patch) {
        const double side = page.font() * 0.9;
        drawPatch(page.canvas, QRectF(leftMiddle + QPointF(0, -side / 2), QSizeF(side, side)), entry.colour,
                  *entry.patch, page.theme);
    }
    drawStyledMarkers(page.canvas, {entry.colour, DashStyle::NoLine, entry.marker, 0, entry.isHollow},
                      {leftMiddle + QPointF(sample / 2, 0)}, page.markerSize(), page.theme);
    page.canvas.drawText(leftMiddle + QPointF(sample + page.font() * 0.5, 0), entry.name,
                         textStyle(page.font(), page.theme.text, Qt::AlignLeft | Qt::AlignVCenter));
}

/// Rows of entries that fit into `width`.
QVector<QVector<PrintedEntry>> legendRows(const FigurePage& page, const QVector<PrintedEntry>& entries, double width) {
    QVector<QVector<PrintedEntry>> rows;
    double used = width + 1;
    for (const PrintedEntry& entry : entries) {
        const double needed = entryWidth(page, entry);
        if (used + needed > width) {
            rows.append(QVector<PrintedEntry>());
            used = 0;
        }
        rows.last().append(entry);
        used += needed;
    }
    return rows;
}

} // namespace

bool looksLike(const PrintedEntry& a, const PrintedEntry& b) {
    const auto hatch = [](const PrintedEntry& entry) { return entry.patch ? int(entry.patch->hatch) : -1; };
    return a.colour == b.colour && a.dashes == b.dashes && a.width == b.width && a.marker == b.marker &&
           a.isHollow == b.isHollow && hatch(a) == hatch(b);
}

void placeLegend(const FigurePage& page, const QVector<PrintedEntry>& entries, QRectF& area, bool isBelow) {
    if (page.legend != nullptr) {
        *page.legend += entries;
        return;
    }
    if (!page.style.showLegend || entries.size() < 2) {
        return;
    }
    const double line = page.font() * 1.5;
    const bool right = !isBelow && area.width() > 2.1 * area.height() && entries.size() * line < area.height();
    if (right) {
        double widest = 0;
        for (const PrintedEntry& entry : entries) {
            widest = std::max(widest, entryWidth(page, entry));
        }
        area.setRight(area.right() - widest);
        for (qsizetype index = 0; index < entries.size(); ++index) {
            drawEntry(page, entries[index], {area.right() + page.font() * 1.2, area.top() + line * (index + 0.7)});
        }
        return;
    }
    const auto rows = legendRows(page, entries, area.width());
    area.setBottom(area.bottom() - rows.size() * line);
    double middle = area.bottom() + line * 0.6;
    for (const auto& row : rows) {
        double used = -page.font() * 1.3;
        for (const PrintedEntry& entry : row) {
            used += entryWidth(page, entry);
        }
        double left = area.center().x() - used / 2;
        for (const PrintedEntry& entry : row) {
            drawEntry(page, entry, {left, middle});
            left += entryWidth(page, entry);
        }
        middle += line;
    }
}

QRectF beginPage(const FigurePage& page, const QString& title) {
    page.canvas.drawRect(QRectF(QPointF(), page.size), page.theme.background, nullptr);
    const double margin = page.font() * 0.5;
    QRectF area = QRectF(QPointF(), page.size).adjusted(margin, margin, -margin, -margin);
    if (page.style.showTitle && !title.isEmpty()) {
        TextStyle style = textStyle(page.font() * 1.15, page.theme.text, Qt::AlignHCenter | Qt::AlignTop);
        style.bold = true;
        // A title longer than the page shrinks rather than being cut.
        style.size *= std::min(1.0, area.width() / std::max(page.canvas.textWidth(title, style), 1.0));
        page.canvas.drawText({area.center().x(), area.top()}, title, style);
        area.setTop(area.top() + page.font() * 1.9);
    }
    return area;
}

PlotFrame frameIn(const FigurePage& page, const QRectF& area, const AxisSpec& x, const AxisMapping& xMapping,
                  const AxisSpec& y, const AxisMapping& yMapping, bool wholeX, bool wholeY) {
    PlotFrame frame;
    frame.font = page.font();
    frame.lineWidth = page.axisWidth();
    frame.plot = area;
    for (int round = 0; round < 2; ++round) {
        frame.x = drawnAxis(x, xMapping, frame.plot.width(), page.font(), Qt::Horizontal, wholeX);
        frame.y = drawnAxis(y, yMapping, frame.plot.height(), page.font(), Qt::Vertical, wholeY);
        frame.plot = area.marginsRemoved(axisMargins(page.canvas, frame.x, frame.y, page.font()));
    }
    return frame;
}

} // namespace lambdascope
