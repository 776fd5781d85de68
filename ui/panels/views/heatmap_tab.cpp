// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/views/heatmap_tab.h"

#include "core/common/number_text.h"
#include "ui/charts/elided_label.h"
#include "ui/charts/heatmap_view.h"
#include "ui/panels/views/lane_grid.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace lambdascope {

HeatmapTab::HeatmapTab(RunCollection& runs, PathCursor& cursor, QWidget* parent) : RunTab(runs, cursor, parent) {
    const auto [layout, row] = makeFrame();
    addLaneChooser(*row, true);
    m_hint = new HintLabel(
        tr("Colour: share screened. Across: path points. Up: checks while a point is solved; paler: it is solved."),
        this);
    m_hint->setEnabled(false);
    m_hint->setToolTip(m_hint->text());
    row->addSpacing(10);
    row->addWidget(m_hint, 1);

    m_grid = new LaneGrid([this](RunId id) { return makeView(id); }, emptyWords({}), this);
    layout->addWidget(m_grid, 1);
}

std::vector<FigureView*> HeatmapTab::charts() const {
    return m_grid->charts();
}

HeatmapView* HeatmapTab::heatmap(RunId id) const {
    return static_cast<HeatmapView*>(m_grid->find(id));
}

HeatmapView* HeatmapTab::makeView(RunId id) {
    auto* view = new HeatmapView(this);
    watchClicks(view);
    connect(view, &HeatmapView::cursorMoved, &cursor(), &PathCursor::moveToValue);
    connect(view, &HeatmapView::probeChanged, this, [this, id](int row, int column) { describeCell(id, row, column); });
    return view;
}

QString HeatmapTab::emptyWords(const std::vector<ShownRun>& shown) {
    return shown.empty() ? tr("Screening by path point and check appears here, one map per lane with bounds.\n"
                              "Press F5 to run the experiment, or tick a run that screens below.")
                         : nothingScreened(shown);
}

QString HeatmapTab::emptyText() const {
    return m_grid->emptyText();
}

void HeatmapTab::rebuild(const std::vector<ShownRun>& shown) {
    std::vector<ShownRun> screening;
    std::copy_if(shown.begin(), shown.end(), std::back_inserter(screening),
                 [](const ShownRun& run) { return hasChecks(*run.record); });
    fillLanes(screening);
    m_grid->setEmptyText(emptyWords(shown));
    if (const ShownRun* run = chosen(screening); run != nullptr) {
        screening = {*run};
    }
    std::vector<RunId> ids;
    for (const ShownRun& run : screening) {
        ids.push_back(run.record->id());
    }
    const bool isAlone = screening.size() == 1;
    m_grid->redraw(
        screening, isAlone ? QStringLiteral("alone") : QString(), [this] { return isTurnOver(); },
        [isAlone](const ShownRun& run, FigureView& chart) {
            HeatmapFigure figure = heatmapFigure(run);
            if (!isAlone) {
                figure.valueTitle.clear(); // no room to spare; the tab says what colours mean
                figure.title = tr("%1, check by check").arg(run.name);
            }
            chart.setAccessibleName(tr("Screening heatmap of %1").arg(run.name));
            static_cast<HeatmapView&>(chart).setFigure(figure);
        });
    m_grid->arrange(ids, [this](RunId id) { return runs().contains(id); });
}

void HeatmapTab::moveCursor(const std::vector<ShownRun>&) {
    for (const RunId id : m_grid->arranged()) {
        heatmap(id)->setCursor(cursor().value());
    }
}

void HeatmapTab::describeCell(RunId id, int row, int column) {
    const PointRecord* point = pointAt(id, column);
    if (point == nullptr || row < 0 || static_cast<std::size_t>(row) >= point->screenings.size()) {
        return;
    }
    const Screened& check = point->screenings[static_cast<std::size_t>(row)];
    const RunStarted& start = runs().record(id)->start();
    Q_EMIT itemSelected(
        id, tr("%1 = %2, check %3 at iteration %4: %5 in %6, %7 in %8 of %9 %10; rate %11, gap %12, radius %13")
                .arg(QString::fromStdString(start.axisLabel), QString::fromStdString(shortText(point->axisValue)))
                .arg(check.check)
                .arg(check.iteration)
                .arg(QString::fromStdString(groupedText(check.fixedLow)), QString::fromStdString(start.fixedLowName),
                     QString::fromStdString(groupedText(check.fixedHigh)), QString::fromStdString(start.fixedHighName),
                     QString::fromStdString(groupedText(check.total)), QString::fromStdString(start.itemNoun),
                     QString::fromStdString(shortText(check.rate)), QString::fromStdString(shortText(check.optimality)),
                     QString::fromStdString(shortText(check.radius))));
}

} // namespace lambdascope
