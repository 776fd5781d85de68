// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/heatmap_canvas.h"

#include "ui/charts/figure_painter.h"
#include "ui/charts/overlay_painter.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lambdascope {

HeatmapCanvas::HeatmapCanvas(QWidget* parent) : PlotSurface(parent) {}

void HeatmapCanvas::setFigure(const HeatmapFigure& figure) {
    m_figure = figure;
    m_image = heatmapImage(figure, m_theme);
    if (m_probe && (m_probe->row >= figure.rows() || m_probe->column >= figure.columns())) {
        m_probe.reset();
    }
    layOut();
}

void HeatmapCanvas::setCursorColumn(int column) {
    m_cursorColumn = column;
    update();
}

void HeatmapCanvas::setProbe(std::optional<HeatmapView::Cell> cell) {
    m_probe = cell;
    update();
}

std::optional<HeatmapView::Cell> HeatmapCanvas::cellAt(const QPointF& pixel) const {
    if (isEmpty(Figure(m_figure)) || !m_frame.plot.contains(pixel)) {
        return std::nullopt;
    }
    const QPointF at = m_frame.valueAt(pixel);
    const HeatmapView::Cell cell{int(std::floor(at.y())), int(std::floor(at.x()))};
    const bool inside =
        cell.row >= 0 && cell.row < m_figure.rows() && cell.column >= 0 && cell.column < m_figure.columns();
    return inside ? std::optional(cell) : std::nullopt;
}

QRectF HeatmapCanvas::cellRect(const HeatmapView::Cell& cell) const {
    return axisRect({double(cell.column), cell.column + 1.0}, {double(cell.row), cell.row + 1.0});
}

QString HeatmapCanvas::cellText(const HeatmapView::Cell& cell) const {
    const auto name = [](const QString& title, const char* otherwise) {
        return title.isEmpty() ? QString::fromLatin1(otherwise) : title;
    };
    const double value = m_figure.value(cell.row, cell.column);
    const QString place = QStringLiteral("%1 = %2, %3 = %4")
                              .arg(name(m_figure.x.title, "x"), m_figure.xText(cell.column),
                                   name(m_figure.y.title, "y"), m_figure.yText(cell.row));
    return std::isfinite(value)
               ? QStringLiteral("%1: %2 %3").arg(place, name(m_figure.valueTitle, "value"), shownNumber(value))
               : tr("%1: no value").arg(place);
}

QRectF HeatmapCanvas::axisRect(const ValueRange& x, const ValueRange& y) const {
    return QRectF(m_frame.place({x.low, y.low}), m_frame.place({x.high, y.high})).normalized();
}

bool HeatmapCanvas::isBlank() const {
    return isEmpty(Figure(m_figure));
}

PlotExtent HeatmapCanvas::wholeExtent(double /*aspect*/) const {
    return {{0, double(std::max(m_figure.columns(), 1))}, {0, double(std::max(m_figure.rows(), 1))}};
}

void HeatmapCanvas::placeAxes(const FigureCanvas& canvas) {
    m_frame.x = cellAxis(canvas, m_figure.x, m_figure.xValues, m_figure.xNames,
                         AxisMapping(view().x, AxisScale::Linear, m_figure.x.reversed), m_frame.plot.width(),
                         m_frame.font, Qt::Horizontal);
    m_frame.y = cellAxis(canvas, m_figure.y, m_figure.yValues, m_figure.yNames,
                         AxisMapping(view().y, AxisScale::Linear, m_figure.y.reversed), m_frame.plot.height(),
                         m_frame.font, Qt::Vertical);
}

QMarginsF HeatmapCanvas::roomFor(const FigureCanvas& canvas, const QMarginsF& axes) const {
    QMarginsF margins = axes;
    margins.setRight(margins.right() +
                     colourBarRoom(canvas, m_figure.shownRange(), m_figure.valueTitle, height() - 4, m_frame.font));
    return margins;
}

void HeatmapCanvas::themeChanged() {
    m_image = heatmapImage(m_figure, m_theme);
}

void HeatmapCanvas::drawLayer(QPainter& painter, FigureCanvas& canvas) const {
    painter.save();
    painter.setClipRect(m_frame.plot.toAlignedRect()); // rounded, it may end before the last column
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.setRenderHint(QPainter::Antialiasing, false);
    const QRectF cells = axisRect({0, double(m_figure.columns())}, {0, double(m_figure.rows())});
    // Cells that are wider than a pixel by a little all hold the middle of one.
    const QSize pixels = (cells.size() * devicePixelRatioF()).toSize() - QSize(2, 2);
    const bool isDense = m_figure.columns() > pixels.width() || m_figure.rows() > pixels.height();
    painter.drawImage(cells, isDense ? heatmapImage(condensed(m_figure, pixels), m_theme) : m_image);
    painter.restore();
    drawAxes(canvas, m_frame, m_theme);
    const QRectF bar(m_frame.plot.right() + m_frame.font * 1.2, m_frame.plot.top(), m_frame.font * 1.1,
                     m_frame.plot.height());
    drawColourBar(canvas, bar, m_figure, m_frame.font, 1, m_theme);
}

void HeatmapCanvas::drawAbove(QPainter& painter, FigureCanvas& /*canvas*/) const {
    painter.save();
    painter.setClipRect(m_frame.plot);
    painter.setBrush(Qt::NoBrush);
    // Two colours, so that a frame stands out from any cell.
    const auto drawFrame = [&painter](const QRectF& place, const QColor& colour, double width) {
        painter.setPen(QPen(Qt::black, 3));
        painter.drawRect(place);
        painter.setPen(QPen(colour, width));
        painter.drawRect(place);
    };
    if (m_cursorColumn >= 0 && m_cursorColumn < m_figure.columns()) {
        drawFrame(axisRect({double(m_cursorColumn), m_cursorColumn + 1.0}, {0, double(std::max(m_figure.rows(), 1))}),
                  m_theme.dark ? m_theme.cursor : QColor("#FF6B5E"), 1.6);
    }
    if (m_probe) {
        drawFrame(cellRect(*m_probe), Qt::white, 1.4);
    }
    painter.restore();
}

void HeatmapCanvas::drawHint(QPainter& painter, FigureCanvas& /*canvas*/) const {
    if (m_probe) {
        const QString text = cellText(*m_probe);
        const qsizetype colon = text.lastIndexOf(": ");
        paintTooltip(painter, cellRect(*m_probe).center(),
                     text.mid(colon + 2) + '\n' + text.left(colon).replace(", ", "\n"), rect(), m_theme);
    }
}

} // namespace lambdascope
