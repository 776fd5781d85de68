// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/views/heatmap_tab.h"

#include "core/common/number_text.h"
#include "ui/charts/heatmap_view.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QStackedLayout>

#include <algorithm>

namespace lambdascope {

HeatmapTab::HeatmapTab(RunCollection& runs, PathCursor& cursor, QWidget* parent) : RunTab(runs, cursor, parent) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 4, 4, 0);
    layout->setSpacing(2);
    auto* row = new QHBoxLayout;
    m_lane = new QComboBox;
    m_lane->setAccessibleName(tr("Lane"));
    m_lane->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    auto* label = new QLabel(tr("Lane"));
    label->setBuddy(m_lane);
    m_hint = new QLabel(tr(
        "Colour: share of items screened. A column per path point, a row per look at the rules while it is solved."));
    m_hint->setEnabled(false);
    m_hint->setMinimumWidth(1);
    m_hint->setToolTip(m_hint->text());
    row->addWidget(label);
    row->addWidget(m_lane);
    row->addSpacing(10);
    row->addWidget(m_hint, 1);
    layout->addLayout(row);

    m_page = new QWidget;
    m_grid = new QGridLayout(m_page);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setSpacing(4);
    m_empty = new QLabel(tr("Screening by path point and check appears here, one map per lane with bounds.\n"
                            "Press F5 to run the experiment, or tick a run that screens below."));
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_stack = new QStackedLayout;
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_page);
    layout->addLayout(m_stack, 1);
    fillChooser({});
    connect(m_lane, &QComboBox::currentIndexChanged, this, &HeatmapTab::invalidate);
}

std::vector<FigureView*> HeatmapTab::charts() const {
    std::vector<FigureView*> result;
    for (const RunId id : m_arranged) {
        result.push_back(m_views.at(id.value));
    }
    return result;
}

HeatmapView* HeatmapTab::heatmap(RunId id) const {
    const auto found = m_views.find(id.value);
    return found == m_views.end() ? nullptr : found->second;
}

HeatmapView* HeatmapTab::makeView(RunId id) {
    auto* view = new HeatmapView(m_page);
    connect(view, &HeatmapView::cursorMoved, &cursor(), &PathCursor::moveToValue);
    connect(view, &HeatmapView::probeChanged, this, [this, id](int row, int column) { describeCell(id, row, column); });
    return view;
}

void HeatmapTab::fillChooser(const std::vector<ShownRun>& screening) {
    QStringList names{tr("All lanes")};
    for (const ShownRun& run : screening) {
        names << run.name;
    }
    bool isSame = m_lane->count() == names.size();
    for (int i = 0; isSame && i < m_lane->count(); ++i) {
        isSame = m_lane->itemText(i) == names[i];
    }
    if (isSame) {
        return;
    }
    const QString before = m_lane->currentText();
    const QSignalBlocker blocker(m_lane);
    m_lane->clear();
    m_lane->addItems(names);
    m_lane->setCurrentIndex(std::max(0, m_lane->findText(before)));
}

void HeatmapTab::arrange(const std::vector<RunId>& shown) {
    if (shown == m_arranged) {
        return;
    }
    for (auto it = m_views.begin(); it != m_views.end();) {
        m_grid->removeWidget(it->second);
        const bool isGone = !runs().contains(RunId{it->first});
        if (isGone) {
            it->second->deleteLater();
            it = m_views.erase(it);
        } else {
            it->second->hide();
            ++it;
        }
    }
    // As square as the wide room of the centre allows: one row up to two maps, two rows up to six, and so on.
    const int count = static_cast<int>(shown.size());
    const int columns = count <= 1 ? 1 : count <= 4 ? 2 : 3;
    for (int i = 0; i < count; ++i) {
        HeatmapView* view = m_views.at(shown[static_cast<std::size_t>(i)].value);
        m_grid->addWidget(view, i / columns, i % columns);
        view->show();
    }
    for (int i = 0; i < std::max(m_grid->rowCount(), m_grid->columnCount()); ++i) {
        m_grid->setRowStretch(i, i < (count + columns - 1) / columns ? 1 : 0);
        m_grid->setColumnStretch(i, i < columns ? 1 : 0);
    }
    m_arranged = shown;
}

void HeatmapTab::rebuild(const std::vector<ShownRun>& shown) {
    std::vector<ShownRun> screening;
    std::copy_if(shown.begin(), shown.end(), std::back_inserter(screening),
                 [](const ShownRun& run) { return screens(*run.record); });
    fillChooser(screening);
    if (m_lane->currentIndex() > 0) {
        screening = {screening[static_cast<std::size_t>(m_lane->currentIndex() - 1)]};
    }
    std::vector<RunId> ids;
    for (const ShownRun& run : screening) {
        const RunId id = run.record->id();
        ids.push_back(id);
        HeatmapView*& view = m_views[id.value];
        if (view == nullptr) {
            view = makeView(id);
        }
        view->setAccessibleName(tr("Screening heatmap of %1").arg(run.name));
        HeatmapFigure figure = heatmapFigure(run);
        if (screening.size() > 1) {
            figure.valueTitle.clear(); // small multiples have no room to spare; the tab says what colours mean
        }
        view->setFigure(figure);
    }
    arrange(ids);
    m_stack->setCurrentWidget(ids.empty() ? static_cast<QWidget*>(m_empty) : m_page);
}

void HeatmapTab::moveCursor(const std::vector<ShownRun>&) {
    for (const RunId id : m_arranged) {
        m_views.at(id.value)->setCursor(cursor().value());
    }
}

void HeatmapTab::describeCell(RunId id, int row, int column) {
    const RunRecord* record = runs().record(id);
    if (record == nullptr || column < 0 || row < 0 || static_cast<std::size_t>(column) >= record->points().size()) {
        return;
    }
    const PointRecord& point = record->points()[static_cast<std::size_t>(column)];
    if (static_cast<std::size_t>(row) >= point.screenings.size()) {
        return;
    }
    const Screened& check = point.screenings[static_cast<std::size_t>(row)];
    const RunStarted& start = record->start();
    Q_EMIT itemSelected(
        id, tr("%1 = %2, check %3 at iteration %4: %5 in %6, %7 in %8 of %9 %10; rate %11, gap %12, radius %13")
                .arg(QString::fromStdString(start.axisLabel), QString::fromStdString(shortText(point.axisValue)))
                .arg(check.check)
                .arg(check.iteration)
                .arg(QString::fromStdString(groupedText(check.fixedLow)), QString::fromStdString(start.fixedLowName),
                     QString::fromStdString(groupedText(check.fixedHigh)), QString::fromStdString(start.fixedHighName),
                     QString::fromStdString(groupedText(check.total)), QString::fromStdString(start.itemNoun),
                     QString::fromStdString(shortText(check.rate)), QString::fromStdString(shortText(check.optimality)),
                     QString::fromStdString(shortText(check.radius))));
}

} // namespace lambdascope
