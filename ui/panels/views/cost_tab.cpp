// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/views/cost_tab.h"

#include "ui/charts/shape_view.h"
#include "ui/charts/shared_legend.h"
#include "ui/figures/cost_figures.h"
#include "ui/panels/views/lane_grid.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace lambdascope {

CostTab::CostTab(RunCollection& runs, PathCursor& cursor, QWidget* parent) : RunTab(runs, cursor, parent) {
    const auto [layout, row] = makeFrame();
    addLaneChooser(*row, true);
    m_legend = new SharedLegend(this);
    row->addSpacing(10);
    row->addWidget(m_legend, 1);
    row->addStretch(0);
    m_grid = new LaneGrid([this](RunId id) { return makeView(id); },
                          tr("What the CPU time of each lane goes to appears here, a bar per path point.\n"
                             "Press F5 to run the experiment, or tick a run below."),
                          this);
    layout->addWidget(m_grid, 1);
}

std::vector<FigureView*> CostTab::charts() const {
    return m_grid->charts();
}

ShapeView* CostTab::ledger(RunId id) const {
    return static_cast<ShapeView*>(m_grid->find(id));
}

ShapeView* CostTab::makeView(RunId id) {
    auto* view = new ShapeView(this);
    watchClicks(view);
    connect(view, &ShapeView::cursorMoved, &cursor(), &PathCursor::moveToValue);
    connect(view, &ShapeView::itemActivated, this, [this, view, id](const QString&, int shape) {
        Q_EMIT itemSelected(id, view->shapeFigure().shapes.value(shape).text.replace('\n', QLatin1String(", ")));
    });
    return view;
}

void CostTab::rebuild(const std::vector<ShownRun>& shown) {
    fillLanes(shown);
    std::vector<ShownRun> wanted = shown;
    if (const ShownRun* run = chosen(shown); run != nullptr) {
        wanted = {*run};
    }
    // An oracle lane is a line in the picture of the lane that it belongs to.
    std::erase_if(wanted, [&shown](const ShownRun& run) {
        return std::any_of(shown.begin(), shown.end(),
                           [&run](const ShownRun& lane) { return lane.limit == run.record; });
    });
    bool isNew = false;
    const double highest = highestOf(wanted, isNew);
    if (isNew && isTurnOver()) {
        return; // what is known now is known in the next turn, which draws
    }
    std::vector<RunId> ids;
    for (const ShownRun& run : wanted) {
        ids.push_back(run.record->id());
    }
    m_grid->redraw(
        wanted, QString::number(highest), [this] { return isTurnOver(); },
        [highest](const ShownRun& run, FigureView& chart) {
            static_cast<ShapeView&>(chart).setFigure(ledgerFigure(run, highest));
        });
    m_grid->arrange(ids, [this](RunId id) { return runs().contains(id); });
    m_legend->serve(m_grid->charts());
}

double CostTab::highestOf(const std::vector<ShownRun>& lanes, bool& isNew) {
    double highest = 0;
    for (const ShownRun& lane : lanes) {
        const std::size_t points =
            lane.record->finishedPointCount() + (lane.baseline != nullptr ? lane.baseline->finishedPointCount() : 0);
        auto& [knownPoints, own] = m_highest[lane.record->id()];
        if (knownPoints != points) {
            knownPoints = points;
            own = highestCpu({lane});
            isNew = isNew || (lane.record->hasEnded() && (lane.baseline == nullptr || lane.baseline->hasEnded()));
        }
        highest = std::max(highest, own);
    }
    return highest;
}

void CostTab::moveCursor(const std::vector<ShownRun>&) {
    for (const RunId run : m_grid->arranged()) {
        ledger(run)->setCursor(cursor().value());
    }
}

} // namespace lambdascope
