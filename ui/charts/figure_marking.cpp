// SPDX-License-Identifier: GPL-3.0-or-later
// Marking items of a chart with a box.
#include "ui/charts/figure_view.h"
#include "ui/charts/plot_surface.h"

#include <QAction>
#include <QToolTip>

namespace lambdascope {

void FigureView::setMarkable() {
    auto* surface = qobject_cast<PlotSurface*>(canvas());
    QAction* mark = makeAction("mark", tr("Mark items with a box, as Shift + drag does"), Qt::Key_M, true);
    connect(mark, &QAction::toggled, &surface->navigator(), &PlotNavigator::setMarking);
    addTool(mark, tr("Mark"));
    QAction* shown = makeAction("markShown", tr("Mark all items in view"), Qt::SHIFT | Qt::Key_M, false);
    connect(shown, &QAction::triggered, this, [this] { takeBox(canvas()->rect()); });
}

QVector<qint64> FigureView::itemsWithin(const QRectF& pixels) const {
    const auto* surface = qobject_cast<const PlotSurface*>(canvas());
    return surface == nullptr ? QVector<qint64>() : surface->itemsWithin(pixels);
}

void FigureView::setMarks(const Marks& marks) {
    if (auto* surface = qobject_cast<PlotSurface*>(canvas())) {
        surface->setMarks(marks);
    }
}

FigureView::Marks FigureView::marks() const {
    const auto* surface = qobject_cast<const PlotSurface*>(canvas());
    return surface == nullptr ? Marks() : surface->marks();
}

void FigureView::takeBox(const QRectF& pixels) {
    const bool isMarkable = action("mark") != nullptr;
    const QVector<qint64> items = isMarkable ? itemsWithin(pixels) : QVector<qint64>();
    if (items.isEmpty()) {
        QToolTip::showText(canvas()->mapToGlobal(pixels.center().toPoint()),
                           isMarkable ? tr("Nothing that can be marked lies in this box.")
                                      : tr("This chart has no items to mark. Those that have a button \"Mark\"."),
                           canvas());
    }
    if (isMarkable) {
        emit itemsMarked(items);
    }
}

} // namespace lambdascope
