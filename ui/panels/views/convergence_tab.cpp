// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/views/convergence_tab.h"

#include "ui/charts/plot_view.h"

#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <limits>

namespace lambdascope {

namespace {

bool anyMayKeepIterations(const std::vector<ShownRun>& shown) {
    return std::any_of(shown.begin(), shown.end(), [](const ShownRun& run) {
        const auto& points = run.record->points();
        return !run.record->hasEnded() || std::any_of(points.begin(), points.end(), [](const PointRecord& point) {
            return !point.iterations.empty();
        });
    });
}

/// The last point up to `index` within which a lane kept iterations enough for a line, or else any at all; `index`
/// where there is none.
int lastWithIterations(const std::vector<ShownRun>& shown, int index) {
    std::size_t most = 0;
    int found = index;
    for (const ShownRun& run : shown) {
        for (const PointRecord& point : run.record->points()) {
            const std::size_t count = std::min<std::size_t>(point.iterations.size(), 2);
            if (point.index <= index && count > 0 && (count > most || (count == most && point.index > found))) {
                most = count;
                found = point.index;
            }
        }
    }
    return found;
}

/// Whether all paths are of one point, and something is kept of what happens there.
bool isOnePoint(const std::vector<ShownRun>& shown) {
    return !shown.empty() && std::all_of(shown.begin(), shown.end(), [](const ShownRun& run) {
        const auto& points = run.record->points();
        return run.record->plannedPointCount() <= 1 && points.size() == 1 && !points.front().iterations.empty();
    });
}

} // namespace

ConvergenceTab::ConvergenceTab(RunCollection& runs, PathCursor& cursor, QWidget* parent)
    : RunTab(runs, cursor, parent) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 4, 4, 0);
    m_gap = new PlotView(this);
    m_gap->setAccessibleName(tr("Optimality by iteration at the cursor"));
    reportClicks(m_gap);
    m_iterations = makePathPlot(tr("Iterations along the path"));
    auto* split = new QSplitter(Qt::Vertical, this);
    split->addWidget(m_gap);
    split->addWidget(m_iterations);
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 2);
    split->setChildrenCollapsible(false);
    layout->addWidget(split, 1);
}

std::vector<FigureView*> ConvergenceTab::charts() const {
    return {m_gap, m_iterations};
}

int ConvergenceTab::shownIndex(const std::vector<ShownRun>& shown) const {
    if (!cursor().isFollowing() && cursor().isSet()) {
        return cursor().index();
    }
    // While it follows, the point in work is more telling than the last finished one, once there is something to tell;
    // and a point that was solved as the one before left it tells nothing, after which the last one that does is shown.
    int index = lastWithIterations(shown, cursor().index());
    for (const ShownRun& run : shown) {
        if (const PointRecord* current = run.record->currentPoint();
            current != nullptr && !current->iterations.empty()) {
            index = std::max(index, static_cast<int>(current->index));
        }
    }
    return index;
}

void ConvergenceTab::rebuild(const std::vector<ShownRun>& shown) {
    m_iterations->setEmptyText(shown.empty()
                                   ? tr("Iterations per point appear here. Press F5.")
                                   : tr("These lanes count no iterations and tell no objective along the path."));
    if (!isOnePoint(shown)) {
        showFigure(*m_iterations, iterationsFigure(shown));
    }
    // Where nothing is kept of what happens within points, the chart from point to point has all the room.
    m_gap->setVisible(shown.empty() || anyMayKeepIterations(shown));
}

void ConvergenceTab::moveCursor(const std::vector<ShownRun>& shown) {
    m_gap->setEmptyText(shown.empty()
                            ? tr("Runs appear here. Press F5.")
                            : tr("No iterations are kept of this point: it was solved as the point before left it, "
                                 "or the solver tells none."));
    showFigure(*m_gap, convergenceFigure(shown, shownIndex(shown)));
    if (isOnePoint(shown)) { // one number says less than what leads to it
        showFigure(*m_iterations, objectiveFigure(shown, shownIndex(shown)));
        m_iterations->setCursor(std::numeric_limits<double>::quiet_NaN());
    } else {
        m_iterations->setCursor(cursor().value());
    }
}

} // namespace lambdascope
