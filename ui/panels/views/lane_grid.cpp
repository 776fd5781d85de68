// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/views/lane_grid.h"

#include "ui/charts/figure_view.h"

#include <QGridLayout>
#include <QLabel>
#include <QStackedLayout>

#include <algorithm>

namespace lambdascope {

LaneGrid::LaneGrid(std::function<FigureView*(RunId)> make, const QString& emptyText, QWidget* parent)
    : QWidget(parent), m_make(std::move(make)) {
    m_page = new QWidget(this);
    m_grid = new QGridLayout(m_page);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setSpacing(4);
    m_empty = new QLabel(emptyText, this);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_stack = new QStackedLayout(this);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_page);
}

void LaneGrid::setEmptyText(const QString& text) {
    m_empty->setText(text);
}

QString LaneGrid::emptyText() const {
    return m_empty->text();
}

FigureView* LaneGrid::find(RunId run) const {
    const auto found = m_views.find(run);
    return found == m_views.end() ? nullptr : found->second;
}

FigureView* LaneGrid::obtain(RunId run) {
    FigureView*& view = m_views[run];
    if (view == nullptr) {
        view = m_make(run);
        view->setParent(m_page);
        view->hide();
    }
    return view;
}

std::vector<FigureView*> LaneGrid::charts() const {
    std::vector<FigureView*> result;
    for (const RunId run : m_arranged) {
        result.push_back(m_views.at(run));
    }
    return result;
}

void LaneGrid::arrange(const std::vector<RunId>& shown, const std::function<bool(RunId)>& isKnown) {
    m_stack->setCurrentWidget(shown.empty() ? static_cast<QWidget*>(m_empty) : m_page);
    if (shown == m_arranged) {
        return;
    }
    for (auto it = m_views.begin(); it != m_views.end();) {
        m_grid->removeWidget(it->second);
        if (isKnown(it->first)) {
            it->second->hide();
            ++it;
        } else {
            it->second->deleteLater();
            it = m_views.erase(it);
        }
    }
    // As square as the wide room of the centre allows: one row up to two charts, two rows up to six, and so on.
    const int count = static_cast<int>(shown.size());
    const int columns = count <= 1 ? 1 : count <= 4 ? 2 : 3;
    for (int i = 0; i < count; ++i) {
        FigureView* view = m_views.at(shown[static_cast<std::size_t>(i)]);
        m_grid->addWidget(view, i / columns, i % columns);
        view->show();
    }
    for (int i = 0; i < std::max(m_grid->rowCount(), m_grid->columnCount()); ++i) {
        m_grid->setRowStretch(i, i < (count + columns - 1) / columns ? 1 : 0);
        m_grid->setColumnStretch(i, i < columns ? 1 : 0);
    }
    m_arranged = shown;
}

} // namespace lambdascope
