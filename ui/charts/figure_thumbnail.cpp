// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/figure_thumbnail.h"

#include "ui/charts/figure_painter.h"
#include "ui/charts/painter_canvas.h"

#include <QApplication>
#include <QPainter>

namespace lambdascope {

QPixmap figureThumbnail(const Figure& figure, const QSize& size, double pixelRatio, const ChartTheme& theme) {
    QPixmap pixmap(size * pixelRatio);
    pixmap.setDevicePixelRatio(pixelRatio);
    pixmap.fill(theme.background);
    QPainter painter(&pixmap);
    PainterCanvas canvas(painter, QApplication::font(), PainterCanvas::Fonts::Hinted);
    FigureStyle style;
    style.fontPt = 9; // pixels here
    style.lineScale = 1.1;
    style.showTitle = false;
    style.showLegend = false;
    style.isThinned = true;
    paintFigure(canvas, size, figure, style, theme);
    return pixmap;
}

} // namespace lambdascope
