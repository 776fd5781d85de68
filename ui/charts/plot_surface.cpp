// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/plot_surface.h"

#include "ui/charts/overlay_painter.h"
#include "ui/charts/painter_canvas.h"

#include <QFontInfo>
#include <QPainter>

#include <algorithm>

namespace lambdascope {

PlotSurface::PlotSurface(QWidget* parent) : QWidget(parent), m_navigator(this, this) {
    connect(&m_navigator, &PlotNavigator::rubberBandChanged, this, qOverload<>(&QWidget::update));
}

void PlotSurface::setTheme(const ChartTheme& theme, const QString& emptyText) {
    m_theme = theme;
    m_emptyText = emptyText;
    themeChanged();
    layOut();
}

void PlotSurface::setView(const PlotExtent& wanted) {
    m_wanted = wanted;
    m_zoomed = true;
    layOut();
}

void PlotSurface::resetView() {
    m_zoomed = false;
    layOut();
}

void PlotSurface::setMarks(const std::function<bool(qint64)>& marks) {
    if (marks || m_marks) {
        m_marks = marks;
        repaintLayer();
    }
}

qsizetype PlotSurface::marksWithin(const QRectF& pixels) const {
    const QVector<qint64> within = m_marks ? itemsWithin(pixels) : QVector<qint64>();
    return std::count_if(within.begin(), within.end(), m_marks);
}

void PlotSurface::layOut() {
    QPixmap measure(1, 1);
    QPainter painter(&measure);
    PainterCanvas canvas(painter, font(), PainterCanvas::Fonts::Hinted);
    m_frame.font = QFontInfo(font()).pixelSize();
    const QRectF area = QRectF(rect()).adjusted(0, 2, -4, -2);
    m_frame.plot = area;
    for (int round = 0; round < 2; ++round) { // ticks depend on the size, and the size on the labels of ticks
        const double aspect = m_frame.plot.width() / std::max(m_frame.plot.height(), 1.0);
        m_view = !m_zoomed ? wholeExtent(aspect) : hasEqualScales() ? withEqualScales(m_wanted, aspect) : m_wanted;
        placeAxes(canvas);
        m_frame.plot = area.marginsRemoved(roomFor(canvas, axisMargins(canvas, m_frame.x, m_frame.y, m_frame.font)));
    }
    m_frame.plot = QRectF(m_frame.plot.toAlignedRect()).adjusted(0.5, 0.5, -0.5, -0.5);
    m_navigator.setPlotRect(m_frame.plot);
    repaintLayer();
}

void PlotSurface::repaintLayer() {
    m_layerStale = true;
    update();
}

void PlotSurface::paintLayer() {
    m_layerStale = false;
    ++m_layerPaints;
    m_layer = QPixmap((QSizeF(size()) * devicePixelRatioF()).toSize());
    m_layer.setDevicePixelRatio(devicePixelRatioF());
    m_layer.fill(m_theme.background);
    QPainter painter(&m_layer);
    painter.setFont(font());
    PainterCanvas canvas(painter, font(), PainterCanvas::Fonts::Hinted);
    drawLayer(painter, canvas);
}

void PlotSurface::paintEvent(QPaintEvent*) {
    if (isBlank()) { // axes of nothing say nothing
        QPainter painter(this);
        painter.fillRect(rect(), m_theme.background);
        paintEmptyText(painter, m_emptyText, rect(), m_theme);
        paintFocusFrame(painter, hasFocus(), rect(), m_theme);
        return;
    }
    if (m_layerStale || m_layer.devicePixelRatio() != devicePixelRatioF()) {
        paintLayer();
    }
    QPainter painter(this);
    painter.drawPixmap(0, 0, m_layer);
    painter.setRenderHint(QPainter::Antialiasing);
    PainterCanvas canvas(painter, font(), PainterCanvas::Fonts::Hinted);
    drawAbove(painter, canvas);
    if (const auto band = m_navigator.rubberBand()) {
        paintRubberBand(painter, *band, m_theme);
    } else {
        drawHint(painter, canvas);
    }
    paintFocusFrame(painter, hasFocus(), m_frame.plot, m_theme);
}

void PlotSurface::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    layOut();
}

} // namespace lambdascope
