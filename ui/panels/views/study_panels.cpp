// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/views/study_panels.h"

#include "ui/charts/plot_view.h"

#include <QGridLayout>

#include <algorithm>

namespace lambdascope {

namespace {

constexpr int kPanelAspect = 15; // of width to height, in tenths: what a chart with its legend likes best

} // namespace

StudyPanels::StudyPanels(QWidget* parent) : QWidget(parent), m_grid(new QGridLayout(this)) {
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setSpacing(2);
}

void StudyPanels::setFigures(const QList<CurveFigure>& figures) {
    m_shown = static_cast<int>(std::min<qsizetype>(figures.size(), kMostPanels));
    while (static_cast<int>(m_plots.size()) < m_shown) {
        m_plots.push_back(new PlotView(this));
        Q_EMIT chartMade(m_plots.back());
    }
    for (int i = 0; i < static_cast<int>(m_plots.size()); ++i) {
        PlotView* plot = m_plots[static_cast<std::size_t>(i)];
        plot->setVisible(i < m_shown);
        if (i < m_shown) {
            plot->setAccessibleName(figures[i].title);
            if (plot->curveFigure() != figures[i]) {
                plot->setFigure(figures[i]);
            }
        }
    }
    m_columns = 0;
    arrange();
}

/// So many columns that charts become as large as they can.
int StudyPanels::bestColumns() const {
    int best = 1;
    int largest = 0;
    for (int columns = 1; columns <= m_shown; ++columns) {
        const int rows = (m_shown + columns - 1) / columns;
        const int size = std::min(10 * width() / columns, kPanelAspect * height() / rows);
        if (size > largest) {
            largest = size;
            best = columns;
        }
    }
    return best;
}

void StudyPanels::arrange() {
    const int columns = bestColumns();
    if (columns == m_columns) {
        return;
    }
    m_columns = columns;
    for (PlotView* plot : m_plots) {
        m_grid->removeWidget(plot);
    }
    for (int i = 0; i < m_shown; ++i) {
        m_grid->addWidget(m_plots[static_cast<std::size_t>(i)], i / columns, i % columns);
    }
    for (int i = 0; i < kMostPanels; ++i) { // those of more figures than now take no room
        m_grid->setColumnStretch(i, i < columns ? 1 : 0);
        m_grid->setRowStretch(i, i < (m_shown + columns - 1) / columns ? 1 : 0);
    }
}

void StudyPanels::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

std::vector<FigureView*> StudyPanels::charts() const {
    return {m_plots.begin(), m_plots.begin() + m_shown};
}

} // namespace lambdascope
