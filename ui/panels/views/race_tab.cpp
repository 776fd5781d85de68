// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/views/race_tab.h"

#include "ui/charts/plot_view.h"
#include "ui/figures/figure_remarks.h"
#include "ui/figures/measure_figures.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>

namespace lambdascope {

namespace {

/// What lanes race for unless somebody chooses: the error, or how well else they do, on what training has not seen,
/// else the objective; what is the same everywhere is no race.
int firstChoice(const std::vector<Measure>& measures, const std::vector<ShownRun>& shown) {
    for (const ColumnRole role : {ColumnRole::HeldOutError, ColumnRole::HeldOutMeasure, ColumnRole::Objective}) {
        const auto found = std::find_if(measures.begin(), measures.end(), [&](const Measure& measure) {
            return measure.role == role && samenessText(raceFigure(shown, measure.key)).isEmpty();
        });
        if (found != measures.end()) {
            return static_cast<int>(found - measures.begin());
        }
    }
    return measures.empty() ? -1 : 0;
}

} // namespace

RaceTab::RaceTab(RunCollection& runs, PathCursor& cursor, QWidget* parent) : RunTab(runs, cursor, parent) {
    const auto [layout, row] = makeFrame();
    auto* label = new QLabel(tr("Measure"), this);
    m_measure = new QComboBox(this);
    m_measure->setAccessibleName(tr("Measure"));
    m_measure->setToolTip(tr("What the lanes are compared by, along the path and in time"));
    m_measure->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_measure->setMinimumContentsLength(10); // in a narrow window
    label->setBuddy(m_measure);
    row->addWidget(label);
    row->addWidget(m_measure);
    row->addStretch(1);
    m_path = makePathPlot(tr("Measure along the path"));
    m_time = new PlotView(this);
    m_time->setAccessibleName(tr("Measure by time"));
    reportClicks(m_time);
    auto* split = new QSplitter(Qt::Horizontal, this);
    split->addWidget(m_path);
    split->addWidget(m_time);
    split->setStretchFactor(0, 1);
    split->setStretchFactor(1, 1);
    split->setChildrenCollapsible(false);
    layout->addWidget(split, 1);
    const QString words = tr("Lanes side by side: a measure along the path, and by the seconds spent.\n"
                             "Press F5 to run the experiment.");
    m_path->setEmptyText(words);
    m_time->setEmptyText(words);
    connect(m_measure, &QComboBox::currentIndexChanged, this, &RaceTab::invalidate);
    connect(m_measure, &QComboBox::currentIndexChanged, this, [this] { m_isChosen = true; });
}

std::vector<FigureView*> RaceTab::charts() const {
    return {m_path, m_time};
}

void RaceTab::fillMeasures(const std::vector<ShownRun>& shown) {
    const std::vector<Measure> measures = measuresOf(shown);
    bool isSame = m_measure->count() == static_cast<int>(measures.size());
    for (int k = 0; isSame && k < m_measure->count(); ++k) {
        isSame = m_measure->itemData(k).toString() == measures[static_cast<std::size_t>(k)].key;
    }
    const QString before = m_measure->currentData().toString();
    const QSignalBlocker blocker(m_measure);
    if (!isSame) {
        m_measure->clear();
        for (const Measure& measure : measures) {
            m_measure->addItem(measure.label, measure.key);
        }
    }
    const int kept = m_measure->findData(before);
    m_measure->setCurrentIndex(m_isChosen && kept >= 0 ? kept : firstChoice(measures, shown));
    m_measure->setEnabled(measures.size() > 1);
}

void RaceTab::rebuild(const std::vector<ShownRun>& shown) {
    fillMeasures(shown);
    const QString key = m_measure->currentData().toString();
    showFigure(*m_path, measureFigure(shown, key));
    showFigure(*m_time, raceFigure(shown, key));
}

void RaceTab::moveCursor(const std::vector<ShownRun>&) {
    m_path->setCursor(cursor().value());
}

} // namespace lambdascope
