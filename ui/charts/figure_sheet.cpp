// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/figure_sheet.h"

#include "ui/charts/figure_page.h"
#include "ui/charts/figure_painter.h"

#include <QLineF>

#include <algorithm>

namespace lambdascope {

namespace {

/// Draws on another canvas with all places moved; or nowhere, to learn what a figure would draw.
class ShiftedCanvas : public FigureCanvas {
  public:
    ShiftedCanvas(FigureCanvas& canvas, const QPointF& by, bool isSilent = false)
        : m_canvas(canvas), m_by(by), m_isSilent(isSilent) {}

    void drawLine(const QPointF& from, const QPointF& to, const LineStyle& style) override {
        draw([&] { m_canvas.drawLine(from + m_by, to + m_by, style); });
    }
    void drawLines(const QVector<QLineF>& lines, const LineStyle& style) override {
        draw([&] {
            QVector<QLineF> moved;
            for (const QLineF& line : lines) {
                moved << line.translated(m_by);
            }
            m_canvas.drawLines(moved, style);
        });
    }
    void drawPolyline(const QVector<QPointF>& points, const LineStyle& style) override {
        draw([&] { m_canvas.drawPolyline(moved(points), style); });
    }
    void drawCubics(const QVector<QPointF>& places, const LineStyle& style) override {
        draw([&] { m_canvas.drawCubics(moved(places), style); });
    }
    void drawPolygon(const QVector<QPointF>& corners, const QColor& fill) override {
        draw([&] { m_canvas.drawPolygon(moved(corners), fill); });
    }
    void drawMarkers(MarkerShape shape, const QVector<QPointF>& centres, double size, const QColor& fill,
                     const QColor& outline) override {
        draw([&] { m_canvas.drawMarkers(shape, moved(centres), size, fill, outline); });
    }
    void drawRect(const QRectF& rect, const QColor& fill, const LineStyle* outline) override {
        draw([&] { m_canvas.drawRect(rect.translated(m_by), fill, outline); });
    }
    void drawText(const QPointF& anchor, const QString& text, const TextStyle& style) override {
        draw([&] { m_canvas.drawText(anchor + m_by, text, style); });
    }
    void drawImage(const QRectF& rect, const QImage& image) override {
        draw([&] { m_canvas.drawImage(rect.translated(m_by), image); });
    }
    void beginClip(const QRectF& rect) override {
        draw([&] { m_canvas.beginClip(rect.translated(m_by)); });
    }
    void endClip() override {
        draw([&] { m_canvas.endClip(); });
    }
    [[nodiscard]] double textWidth(const QString& text, const TextStyle& style) const override {
        return m_canvas.textWidth(text, style);
    }

  private:
    template <class Act>
    void draw(const Act& act) {
        if (!m_isSilent) {
            act();
        }
    }
    [[nodiscard]] QVector<QPointF> moved(const QVector<QPointF>& points) const {
        QVector<QPointF> places;
        for (const QPointF& point : points) {
            places << point + m_by;
        }
        return places;
    }

    FigureCanvas& m_canvas;
    QPointF m_by;
    bool m_isSilent;
};

/// One legend for all; nothing when a name stands for two looks.
std::optional<QVector<PrintedEntry>> commonLegend(FigureCanvas& canvas, const QSizeF& cell, const FigureSheet& sheet,
                                                  const FigureStyle& style) {
    QVector<PrintedEntry> all;
    for (const Figure& panel : sheet.panels) {
        ShiftedCanvas silent(canvas, {}, true);
        QVector<PrintedEntry> entries;
        paintFigure({silent, cell, style, printTheme(style), &entries}, panel);
        for (const PrintedEntry& entry : entries) {
            const auto known = std::find_if(all.begin(), all.end(),
                                            [&entry](const PrintedEntry& other) { return other.name == entry.name; });
            if (known == all.end()) {
                all.append(entry);
            } else if (!looksLike(*known, entry)) {
                return std::nullopt;
            }
        }
    }
    return all;
}

QString letterOf(int panel) {
    return QStringLiteral("(%1)").arg(QChar('a' + panel % 26));
}

} // namespace

void paintSheet(FigureCanvas& canvas, const QSizeF& size, const FigureSheet& sheet, const FigureStyle& style) {
    if (sheet.panels.size() == 1) {
        paintFigure(canvas, size, sheet.panels.first(), style);
        return;
    }
    const FigurePage page{canvas, size, style, printTheme(style)};
    canvas.drawRect(QRectF(QPointF(), size), page.theme.background, nullptr);
    QRectF area(QPointF(), size);
    const int columns = std::max(sheet.columns, 1);
    const int rows = std::max(sheet.rows(), 1);
    FigureStyle panelStyle = style;
    if (const auto legend = commonLegend(canvas, {size.width() / columns, size.height() / rows}, sheet, style)) {
        panelStyle.showLegend = false;
        const double margin = page.font() * 0.5;
        QRectF inner = area.adjusted(margin, margin, -margin, -margin);
        placeLegend(page, *legend, inner, true);
        area.setBottom(inner.bottom() + margin);
    }
    const QSizeF cell(area.width() / columns, area.height() / rows);
    for (int i = 0; i < sheet.panels.size(); ++i) {
        const int column = i % columns, row = i / columns;
        const QPointF corner(column * cell.width(), row * cell.height());
        const double above = page.font() * 1.5; // the letter has a line of its own
        ShiftedCanvas shifted(canvas, corner + QPointF(0, above));
        paintFigure(shifted, cell - QSizeF(0, above), sheet.panels[i], panelStyle);
        TextStyle letter;
        letter.size = page.font() * 1.15;
        letter.colour = page.theme.text;
        letter.bold = true;
        letter.alignment = Qt::AlignLeft | Qt::AlignTop;
        canvas.drawText(corner + QPointF(page.font() * 0.5, page.font() * 0.5), letterOf(i), letter);
    }
}

double sheetHeightMm(const FigureSheet& sheet, const FigureStyle& style) {
    if (sheet.panels.size() < 2) {
        return style.heightMm;
    }
    constexpr double kMmPerPoint = 25.4 / 72;
    constexpr double kWords = 6;  // lines of a panel: letter, title, numbers and name of the axis
    constexpr double kLegend = 3; // lines below all
    const double line = style.fontPt * kMmPerPoint;
    const double panel = style.widthMm / std::max(sheet.columns, 1);
    return sheet.rows() * (0.6 * panel + kWords * line) + kLegend * line;
}

} // namespace lambdascope
