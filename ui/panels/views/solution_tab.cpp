// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/views/solution_tab.h"

#include "ui/charts/heatmap_view.h"
#include "ui/charts/plot_view.h"
#include "ui/charts/shape_view.h"
#include "ui/figures/quality_figures.h"
#include "ui/figures/solution_figures.h"

#include <QHBoxLayout>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace lambdascope {

SolutionTab::SolutionTab(RunCollection& runs, PathCursor& cursor, QWidget* parent) : RunTab(runs, cursor, parent) {
    const auto [layout, row] = makeFrame();
    addLaneChooser(*row, false);
    row->addStretch(1);
    m_matrix = new HeatmapView(this);
    m_matrix->setAccessibleName(tr("Learned matrix at the cursor"));
    m_weights = new ShapeView(this);
    m_weights->setAccessibleName(tr("Learned weights at the cursor"));
    m_stack = new QStackedWidget(this);
    m_stack->addWidget(m_matrix);
    m_stack->addWidget(m_weights);
    m_error = makePathPlot(tr("Error on held-out rows along the path"));
    auto* split = new QSplitter(Qt::Horizontal, this);
    split->addWidget(m_stack);
    split->addWidget(m_error);
    split->setStretchFactor(0, 3); // names of features take a part of it
    split->setStretchFactor(1, 2);
    split->setChildrenCollapsible(false);
    layout->addWidget(split, 1);
    watchClicks(m_matrix);
    watchClicks(m_weights);
    connect(m_matrix, &HeatmapView::itemActivated, this, [this](const QString&, int cell) {
        const int columns = std::max(m_matrix->heatmapFigure().columns(), 1);
        Q_EMIT itemSelected(chosenRun(), m_matrix->cellText({cell / columns, cell % columns}));
    });
    connect(m_weights, &ShapeView::itemActivated, this, [this](const QString&, int shape) {
        Q_EMIT itemSelected(chosenRun(),
                            m_weights->shapeFigure().shapes.value(shape).text.replace('\n', QLatin1String(": ")));
    });
}

std::vector<FigureView*> SolutionTab::charts() const {
    return {m_matrix, m_weights, m_error};
}

bool SolutionTab::showsWeights() const {
    return m_stack->currentWidget() == m_weights;
}

void SolutionTab::rebuild(const std::vector<ShownRun>& shown) {
    fillLanes(shown);
    m_matrix->setEmptyText(shown.empty()
                               ? tr("The matrix that the chosen lane learns appears here.\n"
                                    "Press F5 to run the experiment.")
                               : tr("No matrix is kept for this point of the lane: it is too large to keep,\n"
                                    "or its run was opened from a folder without solutions.\n"
                                    "Press F5 to compute it again, or run lambdascope-cli with --save-solutions."));
    m_error->setEmptyText(shown.empty() ? tr("The error on held-out rows appears here.\n"
                                             "Press F5 to run the experiment.")
                                        : tr("No rows are held out.\n"
                                             "Set the share of rows in the data section below 1, and press F5."));
    showFigure(*m_error, heldOutFigure(shown));
}

void SolutionTab::moveCursor(const std::vector<ShownRun>& shown) {
    m_error->setCursor(cursor().value());
    const ShownRun* run = chosen(shown);
    if (run == nullptr) {
        m_matrix->setFigure({});
        m_stack->setCurrentWidget(m_matrix);
        m_drawn = nullptr;
        return;
    }
    // The lane may be a point behind the cursor while lanes take turns: then its latest point is shown.
    const int last = lastFinishedIndex({*run});
    const int index = cursor().index() < 0 ? last : std::min(cursor().index(), last);
    const NamedMatrix* matrix = solutionMatrix(*run, index);
    if (matrix != nullptr && matrix == m_drawn && m_drawnRun == chosenRun()) {
        return;
    }
    const Figure figure = solutionFigure(*run, index);
    if (const auto* weights = std::get_if<ShapeFigure>(&figure)) {
        m_weights->setFigure(*weights);
        m_stack->setCurrentWidget(m_weights);
    } else {
        m_matrix->setFigure(std::get<HeatmapFigure>(figure));
        m_stack->setCurrentWidget(m_matrix);
    }
    m_drawn = matrix;
    m_drawnRun = chosenRun();
}

} // namespace lambdascope
