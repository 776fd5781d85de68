// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/views/path_tab.h"

#include "ui/charts/plot_view.h"
#include "ui/figures/measure_figures.h"
#include "ui/figures/quality_figures.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStandardItemModel>
#include <QVBoxLayout>

#include <algorithm>

namespace lambdascope {

namespace {

constexpr int bySet = 2; // of the items chooser
constexpr int bySum = 0; // of the CPU chooser
constexpr int byRatio = 1;
constexpr int bySize = 2;

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

/// Whether what the lanes do with their items is worth a chart. On a path over sizes they are compared by their time:
/// there one has to have screened.
bool anyHasItems(const std::vector<ShownRun>& runs) {
    const bool areSizes = hasSizes(runs);
    return std::any_of(runs.begin(), runs.end(), [areSizes](const ShownRun& run) {
        return screens(*run.record) || (!areSizes && !run.record->start().itemNoun.empty());
    });
}

/// Whether a lane has screened, or may still do so.
bool anyMayScreen(const std::vector<ShownRun>& runs) {
    return anyHasItems(runs) && std::any_of(runs.begin(), runs.end(), [](const ShownRun& run) {
               return screens(*run.record) || !run.record->hasEnded();
           });
}

} // namespace

PathTab::PathTab(RunCollection& runs, PathCursor& cursor, QWidget* parent) : RunTab(runs, cursor, parent) {
    const auto [layout, choosers] = makeFrame();
    QLabel* label = nullptr;
    m_stage = addChooser(choosers, label, tr("Rate"), {tr("on arrival"), tr("before solved"), tr("afterwards")});
    m_stage->setToolTip(
        tr("Screening on arrival at a point uses only the solution of the point before (path screening); "
           "before solved counts what dynamic screening added in time to save something; afterwards adds what lanes "
           "that screen only where it pays tell from the finished solution."));
    m_cpuMeasure =
        addChooser(choosers, label, tr("CPU"), {tr("so far"), tr("ratio to baseline"), tr("by size, log-log")});
    m_cpuMeasure->setToolTip(tr("CPU time of solving and screening together, added up along the path, or over that of "
                                "the baseline from where both have used 100 ms; by size: per point, with the slope "
                                "of each lane, for paths over the number of samples."));
    m_side = addChooser(choosers, m_sideLabel, tr("Items"), {tr("left to the solver"), tr("removed"), tr("by set")});
    m_side->setToolTip(tr("Items per path point; by set: where they lie at the solution, which all lanes share."));
    m_measure = addChooser(choosers, m_measureLabel, tr("Measure"), {});
    m_measure->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon); // names of measures are long
    m_measure->setMinimumContentsLength(12);
    m_measure->setToolTip(tr("How good the solutions are on rows that they have not seen, held-out ones or those that "
                             "cross-validation leaves out; and whatever else the runs tell at each point."));
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
    connect(m_measure, &QComboBox::currentIndexChanged, this, [this] { m_isMeasureChosen = true; });
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
    const bool screening = runs.empty() || anyMayScreen(runs);
    const auto stage = static_cast<ScreeningStage>(m_stage->currentIndex());
    m_rate->setEmptyText(runs.empty() ? tr("Runs appear here. Press F5.")
                         : stage == ScreeningStage::Afterwards
                             ? tr("No lane here judges its items with the finished solution.")
                             : tr("No lane here has screened anything yet."));
    showFigure(*m_rate, screening ? rateFigure(runs, stage) : iterationsFigure(runs));
    m_stage->setEnabled(screening);

    rebuildCpu(runs);

    const bool hasItems = runs.empty() || anyHasItems(runs);
    m_items->setVisible(hasItems);
    m_side->setEnabled(hasItems);
    if (hasItems) {
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

void PathTab::rebuildCpu(const std::vector<ShownRun>& runs) {
    const bool canCompare = runs.empty() || anyHasBaseline(runs);
    const bool areSizes = hasSizes(runs);
    if (areSizes != m_areSizes) {
        // On a path over sizes how time grows is the question; elsewhere there is nothing to grow with.
        const QSignalBlocker blocker(m_cpuMeasure);
        m_cpuMeasure->setCurrentIndex(areSizes ? bySize : bySum);
        m_areSizes = areSizes;
    }
    auto* choices = qobject_cast<QStandardItemModel*>(m_cpuMeasure->model());
    choices->item(byRatio)->setEnabled(canCompare);
    choices->item(bySize)->setEnabled(areSizes);
    m_cpuMeasure->setEnabled(canCompare || areSizes);
    const int chosen = m_cpuMeasure->currentIndex();
    m_cpu->setEmptyText(runs.empty() ? tr("Runs appear here. Press F5.")
                                     : tr("Too short to tell: a ratio needs 100 ms of CPU in both lanes."));
    showFigure(*m_cpu, chosen == bySize && areSizes      ? growthFigure(runs)
                       : chosen == byRatio && canCompare ? cpuRatioFigure(runs)
                                                         : cpuFigure(runs));
}

void PathTab::rebuildQuality(const std::vector<ShownRun>& runs) {
    const std::vector<const Quality*> found = qualitiesOf(runs);
    std::vector<std::pair<QString, QString>> entries; // title, then the name of a quality or the key of a column
    for (const Quality* quality : found) {
        entries.emplace_back(qualityTitle(runs, *quality), QString::fromLatin1(quality->name));
    }
    for (const Measure& measure : measuresOf(runs)) {
        if (!isMeasure(measure.role)) { // those are qualities
            entries.emplace_back(measure.label, measure.key);
        }
    }
    bool isSame = m_measure->count() == static_cast<int>(entries.size());
    for (int i = 0; isSame && i < m_measure->count(); ++i) {
        const auto& [title, key] = entries[static_cast<std::size_t>(i)];
        isSame = m_measure->itemText(i) == title && m_measure->itemData(i).toString() == key;
    }
    if (!isSame) {
        const QString before = m_measure->currentData().toString();
        const QSignalBlocker blocker(m_measure);
        m_measure->clear();
        for (const auto& [title, key] : entries) {
            m_measure->addItem(title, key);
        }
        m_measure->setCurrentIndex(entries.empty() ? -1 : std::max(0, m_measure->findData(before)));
    }
    for (QWidget* part : std::initializer_list<QWidget*>{m_quality, m_measure, m_measureLabel}) {
        part->setVisible(!entries.empty());
    }
    const auto figureOf = [&](int entry) {
        return entry < static_cast<int>(found.size()) ? qualityFigure(runs, *found[static_cast<std::size_t>(entry)])
                                                      : measureFigure(runs, m_measure->itemData(entry).toString());
    };
    CurveFigure figure = m_measure->currentIndex() < 0 ? CurveFigure() : figureOf(m_measure->currentIndex());
    // A picture that nobody asked for and that tells nothing makes room for the first one that does.
    for (int entry = 0; !m_isMeasureChosen && !samenessText(figure).isEmpty() && entry < m_measure->count(); ++entry) {
        if (CurveFigure other = figureOf(entry); samenessText(other).isEmpty() && !other.curves.isEmpty()) {
            const QSignalBlocker blocker(m_measure);
            m_measure->setCurrentIndex(entry);
            figure = std::move(other);
        }
    }
    if (m_measure->currentIndex() >= 0) {
        showFigure(*m_quality, figure);
    }
}

void PathTab::moveCursor(const std::vector<ShownRun>&) {
    for (PlotView* plot : {m_rate, m_quality, m_cpu, m_items}) {
        plot->setCursor(cursor().value());
    }
}

} // namespace lambdascope
