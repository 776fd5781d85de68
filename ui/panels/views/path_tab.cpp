// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/views/path_tab.h"

#include "ui/charts/plot_view.h"
#include "ui/panels/views/quality_figures.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>

namespace lambdascope {

namespace {

constexpr int bySet = 2; // of the items chooser

QComboBox* addChooser(QHBoxLayout* row, QLabel*& label, const QString& name, const QStringList& choices) {
    auto* chooser = new QComboBox;
    chooser->addItems(choices);
    chooser->setAccessibleName(name);
    label = new QLabel(name);
    label->setBuddy(chooser);
    row->addWidget(label);
    row->addWidget(chooser);
    row->addSpacing(10);
    return chooser;
}

bool anyHasBaseline(const std::vector<ShownRun>& runs) {
    return std::any_of(runs.begin(), runs.end(),
                       [](const ShownRun& run) { return run.baseline != nullptr && run.baseline != run.record; });
}

bool anyScreens(const std::vector<ShownRun>& runs) {
    return std::any_of(runs.begin(), runs.end(), [](const ShownRun& run) {
        return screens(*run.record) || !run.record->start().itemNoun.empty();
    });
}

} // namespace

PathTab::PathTab(RunCollection& runs, PathCursor& cursor, QWidget* parent) : RunTab(runs, cursor, parent) {
    const auto [layout, choosers] = makeFrame();
    QLabel* label = nullptr;
    m_stage = addChooser(choosers, label, tr("Rate"), {tr("on arrival"), tr("at the end")});
    m_stage->setToolTip(
        tr("Screening on arrival at a point uses only the solution of the point before (path screening); "
           "at the end counts what dynamic screening added."));
    m_cpuMeasure = addChooser(choosers, label, tr("CPU"), {tr("ratio to baseline"), tr("seconds")});
    m_cpuMeasure->setToolTip(tr("CPU time of solving and screening together, per path point."));
    m_side = addChooser(choosers, m_sideLabel, tr("Items"), {tr("left to the solver"), tr("removed"), tr("by set")});
    m_side->setToolTip(tr("Items per path point; by set: where they lie at the solution, which all lanes share."));
    m_measure = addChooser(choosers, m_measureLabel, tr("Quality"), {});
    m_measure->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_measure->setToolTip(tr("How good the solutions are on rows that they have not seen: held-out ones, or those that "
                             "cross-validation leaves out."));
    choosers->addStretch(1);

    m_rate = makePathPlot(tr("Screening rate along the path"));
    m_cpu = makePathPlot(tr("CPU time along the path"));
    m_items = makePathPlot(tr("Items along the path"));
    m_quality = makePathPlot(tr("Quality of the solutions along the path"));
    auto* upper = new QSplitter(Qt::Horizontal, this);
    upper->addWidget(m_rate);
    upper->addWidget(m_quality);
    upper->setStretchFactor(0, 1);
    upper->setStretchFactor(1, 1);
    upper->setChildrenCollapsible(false);
    auto* lower = new QSplitter(Qt::Horizontal, this);
    lower->addWidget(m_cpu);
    lower->addWidget(m_items);
    lower->setChildrenCollapsible(false);
    auto* split = new QSplitter(Qt::Vertical, this);
    split->addWidget(upper);
    split->addWidget(lower);
    split->setStretchFactor(0, 1);
    split->setStretchFactor(1, 1);
    split->setChildrenCollapsible(false);
    layout->addWidget(split, 1);
    for (QComboBox* chooser : {m_stage, m_cpuMeasure, m_side, m_measure}) {
        connect(chooser, &QComboBox::currentIndexChanged, this, &PathTab::invalidate);
    }
}

std::vector<FigureView*> PathTab::charts() const {
    return {m_rate, m_quality, m_cpu, m_items};
}

void PathTab::rebuild(const std::vector<ShownRun>& runs) {
    const bool screening = runs.empty() || anyScreens(runs);
    const auto stage = m_stage->currentIndex() == 0 ? ScreeningStage::Path : ScreeningStage::Final;
    showFigure(*m_rate, screening ? rateFigure(runs, stage) : iterationsFigure(runs));
    m_stage->setEnabled(screening);

    const bool canCompare = runs.empty() || anyHasBaseline(runs);
    m_cpuMeasure->setEnabled(canCompare);
    showFigure(*m_cpu, canCompare && m_cpuMeasure->currentIndex() == 0 ? cpuRatioFigure(runs) : cpuFigure(runs));

    m_items->setVisible(screening);
    m_side->setEnabled(screening);
    if (screening) {
        rebuildItems(runs);
    }
    rebuildQuality(runs);
}

void PathTab::rebuildItems(const std::vector<ShownRun>& runs) {
    if (m_side->currentIndex() == bySet) {
        showFigure(*m_items, setsFigure(runs));
        return;
    }
    showFigure(*m_items, itemsFigure(runs, m_side->currentIndex() == 0 ? ItemSide::LeftToSolver : ItemSide::Removed));
}

void PathTab::rebuildQuality(const std::vector<ShownRun>& runs) {
    const std::vector<const Quality*> found = qualitiesOf(runs);
    QStringList titles;
    for (const Quality* quality : found) {
        titles << qualityTitle(runs, *quality);
    }
    QStringList shown;
    for (int i = 0; i < m_measure->count(); ++i) {
        shown << m_measure->itemText(i);
    }
    if (titles != shown) {
        const QString before = m_measure->currentText();
        const QSignalBlocker blocker(m_measure);
        m_measure->clear();
        m_measure->addItems(titles);
        m_measure->setCurrentIndex(std::max(0, static_cast<int>(titles.indexOf(before))));
    }
    for (QWidget* part : std::initializer_list<QWidget*>{m_quality, m_measure, m_measureLabel}) {
        part->setVisible(!found.empty());
    }
    if (!found.empty()) {
        const auto index = static_cast<std::size_t>(std::max(0, m_measure->currentIndex()));
        showFigure(*m_quality, qualityFigure(runs, *found[index]));
    }
}

void PathTab::moveCursor(const std::vector<ShownRun>&) {
    for (PlotView* plot : {m_rate, m_quality, m_cpu, m_items}) {
        plot->setCursor(cursor().value());
    }
}

} // namespace lambdascope
