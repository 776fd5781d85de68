// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/heatmap_canvas.h"

#include "ui/charts/figure_painter.h"
#include "ui/charts/overlay_painter.h"
#include "ui/charts/painter_canvas.h"

#include <QFontInfo>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lambdascope {

HeatmapCanvas::HeatmapCanvas(QWidget* parent) : QWidget(parent), m_navigator(this, this) {
    connect(&m_navigator, &PlotNavigator::rubberBandChanged, this, qOverload<>(&QWidget::update));
}

void HeatmapCanvas::setFigure(const HeatmapFigure& figure) {
    m_figure = figure;
    m_image = heatmapImage(figure, m_theme);
    if (m_probe && (m_probe->row >= figure.rows() || m_probe->column >= figure.columns())) {
        m_probe.reset();
    }
    if (m_zoomed) {
        layOut();
        update();
    } else {
        resetView();
    }
}

void HeatmapCanvas::setTheme(const ChartTheme& theme, const QString& emptyText) {
    m_theme = theme;
    m_emptyText = emptyText;
    m_image = heatmapImage(m_figure, theme);
    layOut();
    update();
}

void HeatmapCanvas::setCursorColumn(int column) {
    m_cursorColumn = column;
    update();
}

void HeatmapCanvas::setProbe(std::optional<HeatmapView::Cell> cell) {
    m_probe = cell;
    update();
}

void HeatmapCanvas::setView(const PlotExtent& view) {
    m_view = view;
    m_zoomed = true;
    layOut();
    update();
}

void HeatmapCanvas::resetView() {
    m_view.x = {0, double(std::max(m_figure.columns(), 1))};
    m_view.y = {0, double(std::max(m_figure.rows(), 1))};
    m_zoomed = false;
    layOut();
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

void HeatmapCanvas::layOut() {
    QPixmap measure(1, 1);
    QPainter painter(&measure);
    PainterCanvas canvas(painter, font(), PainterCanvas::Fonts::Hinted);
    m_frame.font = QFontInfo(font()).pixelSize();
    QRectF area = QRectF(rect()).adjusted(0, 2, -4, -2);
    area.setRight(area.right() -
                  colourBarRoom(canvas, m_figure.shownRange(), m_figure.valueTitle, area.height(), m_frame.font));
    const AxisMapping x(m_view.x, AxisScale::Linear, m_figure.x.reversed);
    const AxisMapping y(m_view.y, AxisScale::Linear, m_figure.y.reversed);
    m_frame.plot = area;
    for (int round = 0; round < 2; ++round) {
        m_frame.x = cellAxis(canvas, m_figure.x, m_figure.xValues, m_figure.xNames, x, m_frame.plot.width(),
                             m_frame.font, Qt::Horizontal);
        m_frame.y = cellAxis(canvas, m_figure.y, m_figure.yValues, m_figure.yNames, y, m_frame.plot.height(),
                             m_frame.font, Qt::Vertical);
        m_frame.plot = area.marginsRemoved(axisMargins(canvas, m_frame.x, m_frame.y, m_frame.font));
    }
    m_frame.plot = QRectF(m_frame.plot.toAlignedRect()).adjusted(0.5, 0.5, -0.5, -0.5);
    m_navigator.setPlotRect(m_frame.plot);
}

void HeatmapCanvas::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    layOut();
}

void HeatmapCanvas::paintCells(QPainter& painter) const {
    painter.save();
    painter.setClipRect(m_frame.plot);
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.drawImage(axisRect({0, double(m_figure.columns())}, {0, double(m_figure.rows())}), m_image);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    if (m_cursorColumn >= 0 && m_cursorColumn < m_figure.columns()) {
        const QRectF column =
            axisRect({double(m_cursorColumn), m_cursorColumn + 1.0}, {0, double(std::max(m_figure.rows(), 1))});
        // Two colours, so that the frame stands out from any cell.
        painter.setPen(QPen(Qt::black, 3));
        painter.drawRect(column);
        painter.setPen(QPen(m_theme.dark ? m_theme.cursor : QColor("#FF6B5E"), 1.6));
        painter.drawRect(column);
    }
    if (m_probe) {
        painter.setPen(QPen(Qt::black, 3));
        painter.drawRect(cellRect(*m_probe));
        painter.setPen(QPen(Qt::white, 1.4));
        painter.drawRect(cellRect(*m_probe));
    }
    painter.restore();
}

void HeatmapCanvas::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.background);
    if (isEmpty(Figure(m_figure))) { // axes and colours of nothing say nothing
        paintEmptyText(painter, m_emptyText, rect(), m_theme);
        paintFocusFrame(painter, hasFocus(), rect(), m_theme);
        return;
    }
    PainterCanvas canvas(painter, font(), PainterCanvas::Fonts::Hinted);
    paintCells(painter);
    drawAxes(canvas, m_frame, m_theme);
    const QRectF bar(m_frame.plot.right() + m_frame.font * 1.2, m_frame.plot.top(), m_frame.font * 1.1,
                     m_frame.plot.height());
    drawColourBar(canvas, bar, m_figure, m_frame.font, 1, m_theme);
    if (const auto band = m_navigator.rubberBand()) {
        paintRubberBand(painter, *band, m_theme);
    } else if (m_probe) {
        const QString text = cellText(*m_probe);
        const qsizetype colon = text.lastIndexOf(": ");
        paintTooltip(painter, cellRect(*m_probe).center(),
                     text.mid(colon + 2) + '\n' + text.left(colon).replace(", ", "\n"), rect(), m_theme);
    }
    paintFocusFrame(painter, hasFocus(), m_frame.plot, m_theme);
}

} // namespace lambdascope
