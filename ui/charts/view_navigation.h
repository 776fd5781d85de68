// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/axis_painter.h"
#include "ui/charts/figure_view.h"
#include "ui/charts/plot_navigator.h"

#include <algorithm>

namespace lambdascope {

/// Lets wheel, drag and rectangle move what `canvas` shows, and boxes mark: `apply` gets the new extent. A canvas has a
/// navigator, a frame and a view in axis coordinates; both axes zoom together when its figure has `equalAspect`. A
/// click becomes placeClicked of `view`; connect what it does further after this. Internal to this room.
template <class Canvas, class Apply>
void connectZoomAndPan(Canvas* canvas, FigureView* view, Apply apply) {
    PlotNavigator* navigator = &canvas->navigator();
    QObject::connect(navigator, &PlotNavigator::clicked, view, &FigureView::placeClicked);
    QObject::connect(navigator, &PlotNavigator::enlargeRequested, view, &FigureView::enlargeRequested);
    QObject::connect(navigator, &PlotNavigator::boxDrawn, view, &FigureView::takeBox);
    navigator->setEnlarge([canvas] { return !canvas->isZoomed(); });
    QObject::connect(navigator, &PlotNavigator::zoomRequested, view,
                     [canvas, apply](const QPointF& at, double factorX, double factorY) {
                         const auto side = [](double fraction, const AxisMapping& axis) {
                             return axis.reversed() ? 1 - fraction : fraction;
                         };
                         if constexpr (requires { canvas->figure().equalAspect; }) {
                             if (canvas->figure().equalAspect) {
                                 factorX = factorY = factorX == 1 ? factorY : factorX;
                             }
                         }
                         const PlotFrame& frame = canvas->frame();
                         apply(PlotExtent{zoomedRange(canvas->view().x, side(at.x(), frame.x.mapping), factorX),
                                          zoomedRange(canvas->view().y, side(at.y(), frame.y.mapping), factorY)});
                     });
    QObject::connect(navigator, &PlotNavigator::panRequested, view, [canvas, apply](const QPointF& step) {
        const auto moved = [](const ValueRange& range, double fraction, const AxisMapping& axis) {
            const double by = (range.high - range.low) * (axis.reversed() ? fraction : -fraction);
            return ValueRange{range.low + by, range.high + by};
        };
        const PlotFrame& frame = canvas->frame();
        apply(PlotExtent{moved(canvas->view().x, step.x(), frame.x.mapping),
                         moved(canvas->view().y, step.y(), frame.y.mapping)});
    });
    QObject::connect(navigator, &PlotNavigator::rectangleChosen, view, [canvas, apply](const QRectF& part) {
        const auto ends = [](double a, double b) { return ValueRange{std::min(a, b), std::max(a, b)}; };
        const AxisMapping& x = canvas->frame().x.mapping;
        const AxisMapping& y = canvas->frame().y.mapping;
        apply(PlotExtent{ends(x.axisAt(part.left()), x.axisAt(part.right())),
                         ends(y.axisAt(part.top()), y.axisAt(part.bottom()))});
    });
}

} // namespace lambdascope
