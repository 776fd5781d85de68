// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/views/problems_tab.h"

#include "core/common/number_text.h"
#include "ui/charts/heatmap_view.h"
#include "ui/figures/measure_figures.h"
#include "ui/panels/views/lane_grid.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace lambdascope {

ProblemsTab::ProblemsTab(RunCollection& runs, PathCursor& cursor, QWidget* parent) : RunTab(runs, cursor, parent) {
    const auto [layout, row] = makeFrame();
    addLaneChooser(*row, true);
    auto* label = new QLabel(tr("Measure"), this);
    m_measure = new QComboBox(this);
    m_measure->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_measure->setMinimumContentsLength(22);
    m_measure->setAccessibleName(label->text());
    m_measure->setToolTip(tr("What colours mean. The numbers of all lanes are in parts.csv of their run folder."));
    label->setBuddy(m_measure);
    row->addSpacing(10);
    row->addWidget(label);
    row->addWidget(m_measure);
    row->addStretch(1);
    connect(m_measure, &QComboBox::activated, this, [this] {
        m_preferred = m_measure->currentData().toString();
        invalidate();
    });
    m_grid = new LaneGrid([this](RunId id) { return makeView(id); },
                          tr("Each problem that several classes have appears here, a row per problem.\n"
                             "Press F5 to run the experiment."),
                          this);
    layout->addWidget(m_grid, 1);
}

std::vector<FigureView*> ProblemsTab::charts() const {
    return m_grid->charts();
}

HeatmapView* ProblemsTab::heatmap(RunId id) const {
    return static_cast<HeatmapView*>(m_grid->find(id));
}

void ProblemsTab::prefer(const QString& what) {
    m_preferred = what;
    invalidate();
}

HeatmapView* ProblemsTab::makeView(RunId id) {
    auto* view = new HeatmapView(this);
    watchClicks(view);
    connect(view, &HeatmapView::cursorMoved, &cursor(), &PathCursor::moveToValue);
    connect(view, &HeatmapView::probeChanged, this, [this, id](int row, int column) { describeCell(id, row, column); });
    return view;
}

void ProblemsTab::offerMeasures(const std::vector<ShownRun>& runs) {
    std::vector<ColumnDescription> measures = problemMeasures(runs);
    if (measures != m_measures) {
        m_measures = std::move(measures);
        const QSignalBlocker quiet(m_measure);
        m_measure->clear();
        for (const ColumnDescription& measure : m_measures) {
            m_measure->addItem(QString::fromStdString(measure.label), QString::fromStdString(measure.key));
        }
    }
    const QSignalBlocker quiet(m_measure);
    m_measure->setCurrentIndex(std::max(0, m_measure->findData(m_preferred)));
}

void ProblemsTab::rebuild(const std::vector<ShownRun>& shown) {
    std::vector<ShownRun> runs;
    std::copy_if(shown.begin(), shown.end(), std::back_inserter(runs),
                 [](const ShownRun& run) { return hasProblems(*run.record); });
    fillLanes(runs);
    offerMeasures(runs);
    if (const ShownRun* run = chosen(runs); run != nullptr) {
        runs = {*run};
    }
    const auto at = static_cast<std::size_t>(std::max(0, m_measure->currentIndex()));
    const ColumnDescription measure = at < m_measures.size() ? m_measures[at] : ColumnDescription();
    std::erase_if(runs, [&](const ShownRun& run) {
        const std::vector<ColumnDescription> own = problemMeasures({run});
        return placeOfColumn(own, measure.key) == own.size();
    });
    std::vector<RunId> ids;
    for (const ShownRun& run : runs) {
        ids.push_back(run.record->id());
    }
    const bool isAlone = runs.size() == 1;
    m_grid->redraw(
        runs, QString::fromStdString(measure.key) + (isAlone ? QStringLiteral(" alone") : QString()),
        [this] { return isTurnOver(); },
        [&measure, isAlone](const ShownRun& run, FigureView& chart) {
            HeatmapFigure figure = problemsFigure(run, measure);
            if (!isAlone) {
                figure.valueTitle.clear(); // no room to spare; the chooser says what colours mean
                figure.title = run.name;
            }
            chart.setAccessibleName(tr("Problems of %1").arg(run.name));
            static_cast<HeatmapView&>(chart).setFigure(figure);
        });
    m_grid->arrange(ids, [this](RunId id) { return this->runs().contains(id); });
}

void ProblemsTab::moveCursor(const std::vector<ShownRun>&) {
    for (const RunId id : m_grid->arranged()) {
        heatmap(id)->setCursor(cursor().value());
    }
}

void ProblemsTab::describeCell(RunId id, int row, int column) {
    const PointRecord* point = pointAt(id, column);
    if (point == nullptr || row < 0) {
        return;
    }
    const RunRecord& record = *runs().record(id);
    const auto problem = static_cast<std::size_t>(row);
    const PartsDescription& parts = record.start().parts;
    if (problem >= parts.names.size() || point->partValues.empty()) {
        return;
    }
    QStringList numbers;
    for (const ColumnDescription& measure : m_measures) {
        if (placeOfColumn(parts.columns, measure.key) < parts.columns.size()) {
            const double value = problemValue(record, *point, problem, measure.key);
            numbers.append(QStringLiteral("%1 %2").arg(QString::fromStdString(measure.label).toLower(),
                                                       QString::fromStdString(shortText(value))));
        }
    }
    Q_EMIT itemSelected(
        id, tr("%1, %2 = %3: %4")
                .arg(QString::fromStdString(parts.names[problem]), QString::fromStdString(record.start().axisLabel),
                     QString::fromStdString(shortText(point->axisValue)), numbers.join(QStringLiteral(", "))));
}

} // namespace lambdascope
