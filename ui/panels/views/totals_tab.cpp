// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/views/totals_tab.h"

#include "ui/charts/shape_view.h"
#include "ui/figures/comparison_figures.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

namespace lambdascope {

TotalsTab::TotalsTab(RunCollection& runs, PathCursor& cursor, QWidget* parent) : RunTab(runs, cursor, parent) {
    m_bars = new ShapeView(this);
    m_bars->setAccessibleName(tr("Total CPU time of each lane"));
    m_bars->setEmptyText(tr("Total CPU time appears here, a bar per lane.\nPress F5 to run the experiment."));
    makeFrame().layout->addWidget(m_bars, 1);
    watchClicks(m_bars);
    connect(m_bars, &ShapeView::itemActivated, this, [this](const QString&, int shape) {
        const Shape clicked = m_bars->shapeFigure().shapes.value(shape);
        const QString name = clicked.text.section(QLatin1String(": "), 0, 0);
        for (const ShownRun& run : shownRuns(this->runs())) {
            if (run.name == name) {
                Q_EMIT itemSelected(run.record->id(), QString(clicked.text).replace('\n', QLatin1String("; ")));
            }
        }
    });
}

std::vector<FigureView*> TotalsTab::charts() const {
    return {m_bars};
}

void TotalsTab::rebuild(const std::vector<ShownRun>& shown) {
    m_bars->setFigure(totalsFigure(shown));
}

} // namespace lambdascope
