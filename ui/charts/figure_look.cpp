// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/figure_look.h"

#include "ui/charts/plot_view.h"

namespace lambdascope {

FigureLook lookOf(const FigureView& view) {
    FigureLook look;
    for (const LegendBar::Entry& entry : view.legendEntries()) {
        if (!entry.visible) {
            look.hidden << entry.name;
        }
    }
    if (const auto* plot = qobject_cast<const PlotView*>(&view)) {
        look.isCurves = true;
        look.isLogX = plot->isLogX();
        look.isLogY = plot->isLogY();
        if (plot->isZoomed()) {
            look.x = plot->shownX();
            look.y = plot->shownY();
        }
    }
    return look;
}

void restoreLook(FigureView& view, const FigureLook& look) {
    if (isEmpty(view.figure())) {
        const auto later = [&view, look] {
            if (!isEmpty(view.figure())) {
                restoreLook(view, look);
            }
        };
        // Queued: the news comes from the middle of a change.
        QObject::connect(&view, &FigureView::legendChanged, &view, later,
                         static_cast<Qt::ConnectionType>(Qt::QueuedConnection | Qt::SingleShotConnection));
        return;
    }
    for (const LegendBar::Entry& entry : view.legendEntries()) {
        view.setEntryVisible(entry.id, !look.hidden.contains(entry.name));
    }
    if (auto* plot = qobject_cast<PlotView*>(&view); plot != nullptr && look.isCurves) {
        plot->setLogX(look.isLogX);
        plot->setLogY(look.isLogY);
        if (look.x && look.y) {
            plot->zoomTo(*look.x, *look.y);
        } else {
            plot->resetZoom();
        }
    }
}

} // namespace lambdascope
