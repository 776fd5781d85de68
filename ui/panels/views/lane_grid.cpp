// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/views/lane_grid.h"

#include "ui/charts/figure_view.h"

#include <QGridLayout>
#include <QLabel>
#include <QScrollArea>
#include <QStackedLayout>

#include <algorithm>

namespace lambdascope {

namespace {

constexpr int kLeastChartWidth = 220; // of a chart that has company
constexpr int kLeastChartHeight = 160;

/// Rows that share the height there is. Titles that may take a second line would have a scroll area give each chart the
/// height that it would like, and the axes of the last ones would lie below the edge.
class RowsOfCharts : public QGridLayout {
  public:
    using QGridLayout::QGridLayout;
    [[nodiscard]] bool hasHeightForWidth() const override { return false; }
};

} // namespace

LaneGrid::LaneGrid(std::function<FigureView*(RunId)> make, const QString& emptyText, QWidget* parent)
    : QWidget(parent), m_make(std::move(make)) {
    m_scroll = new QScrollArea(this);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // columns follow the width
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_page = new QWidget;
    m_scroll->setWidget(m_page);
    m_grid = new RowsOfCharts(m_page);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setSpacing(4);
    m_empty = new QLabel(emptyText, this);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_stack = new QStackedLayout(this);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_scroll);
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

void LaneGrid::redraw(const std::vector<ShownRun>& runs, const QString& words, const std::function<bool()>& isTurnOver,
                      const std::function<void(const ShownRun& run, FigureView& chart)>& draw) {
    for (const ShownRun& run : runs) {
        QString state = QStringLiteral("%1\n%2\n%3").arg(words, run.name).arg(run.styleIndex);
        bool isFinal = true;
        for (const RunRecord* record : {run.record, run.baseline, run.limit}) {
            if (record != nullptr) {
                isFinal = isFinal && record->hasEnded();
                state += QStringLiteral("\n%1 %2").arg(record->id().value).arg(record->finishedPointCount());
            }
        }
        FigureView* chart = obtain(run.record->id());
        QString& drawn = m_drawn[run.record->id()];
        if (isFinal && (drawn == state || isTurnOver())) {
            continue;
        }
        draw(run, *chart);
        drawn = isFinal ? state : QString();
    }
}

std::vector<FigureView*> LaneGrid::charts() const {
    std::vector<FigureView*> result;
    for (const RunId run : m_arranged) {
        result.push_back(m_views.at(run));
    }
    return result;
}

int LaneGrid::columnsFor(int count) const {
    // As square as the wide room of the centre allows: one row up to two charts, two rows up to six, and so on.
    const int wanted = count <= 1 ? 1 : count <= 4 ? 2 : 3;
    return std::clamp(width() / kLeastChartWidth, 1, wanted);
}

void LaneGrid::arrange(const std::vector<RunId>& shown, const std::function<bool(RunId)>& isKnown) {
    m_stack->setCurrentWidget(shown.empty() ? static_cast<QWidget*>(m_empty) : m_scroll);
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
            m_drawn.erase(it->first);
            it = m_views.erase(it);
        }
    }
    m_arranged = shown;
    place();
}

void LaneGrid::place() {
    const int count = static_cast<int>(m_arranged.size());
    m_columns = columnsFor(count);
    for (int i = 0; i < count; ++i) {
        FigureView* view = m_views.at(m_arranged[static_cast<std::size_t>(i)]);
        m_grid->removeWidget(view);
        m_grid->addWidget(view, i / m_columns, i % m_columns);
        view->show();
    }
    const int rows = (count + m_columns - 1) / m_columns;
    for (int i = 0; i < std::max(m_grid->rowCount(), m_grid->columnCount()); ++i) {
        m_grid->setRowStretch(i, i < rows ? 1 : 0);
        m_grid->setRowMinimumHeight(i, i < rows && rows > 1 ? kLeastChartHeight : 0);
        m_grid->setColumnStretch(i, i < m_columns ? 1 : 0);
    }
}

void LaneGrid::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (!m_arranged.empty() && columnsFor(static_cast<int>(m_arranged.size())) != m_columns) {
        place();
    }
}

} // namespace lambdascope
