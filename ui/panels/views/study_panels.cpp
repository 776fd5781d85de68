// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/views/study_panels.h"

#include "ui/charts/plot_view.h"

#include <QGridLayout>

#include <algorithm>
#include <cmath>

namespace lambdascope {

StudyPanels::StudyPanels(QWidget* parent) : QWidget(parent), m_grid(new QGridLayout(this)) {
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setSpacing(2);
}

void StudyPanels::setFigures(const QList<CurveFigure>& figures) {
    m_shown = static_cast<int>(std::min<qsizetype>(figures.size(), mostPanels));
    const int columns = std::max(1, static_cast<int>(std::ceil(std::sqrt(m_shown))));
    while (static_cast<int>(m_plots.size()) < m_shown) {
        m_plots.push_back(new PlotView(this));
        Q_EMIT chartMade(m_plots.back());
    }
    for (int i = 0; i < static_cast<int>(m_plots.size()); ++i) {
        PlotView* plot = m_plots[static_cast<std::size_t>(i)];
        plot->setVisible(i < m_shown);
        m_grid->removeWidget(plot);
        if (i < m_shown) {
            m_grid->addWidget(plot, i / columns, i % columns);
            plot->setAccessibleName(figures[i].title);
            if (plot->curveFigure() != figures[i]) {
                plot->setFigure(figures[i]);
            }
        }
    }
    for (int i = 0; i < mostPanels; ++i) { // those of more figures than now take no room
        m_grid->setColumnStretch(i, i < columns ? 1 : 0);
        m_grid->setRowStretch(i, i < (m_shown + columns - 1) / columns ? 1 : 0);
    }
}

std::vector<FigureView*> StudyPanels::charts() const {
    return {m_plots.begin(), m_plots.begin() + m_shown};
}

} // namespace lambdascope
