// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/figures/figure_builders.h"

#include <QWidget>

#include <functional>
#include <map>
#include <vector>

class QGridLayout;
class QLabel;
class QScrollArea;
class QStackedLayout;

namespace lambdascope {

class FigureView;

/// Small multiples: a chart per lane, in as square an arrangement as the room allows, or words when there is none.
/// Where the room is too small for all of them it scrolls, so that no number of lanes asks for a larger window. A chart
/// lives as long as its run, so that zoom and focus survive when lanes come and go.
class LaneGrid : public QWidget {
    Q_OBJECT

  public:
    /// `make` gives the chart of a run when it is shown for the first time.
    LaneGrid(std::function<FigureView*(RunId run)> make, const QString& emptyText, QWidget* parent);

    /// What is said when there is no chart to show.
    void setEmptyText(const QString& text);
    [[nodiscard]] QString emptyText() const;
    /// Shows the charts of these runs, in this order. Charts of runs for which `isKnown` says no are deleted.
    void arrange(const std::vector<RunId>& shown, const std::function<bool(RunId)>& isKnown);
    /// The chart of a run, made when there is none yet.
    [[nodiscard]] FigureView* obtain(RunId run);
    [[nodiscard]] FigureView* find(RunId run) const; ///< null when there is none
    /// Draws the charts of runs that have to be drawn anew: always while one of the lanes that a chart shows computes,
    /// else when `words`, all else that it depends on, differ from the last time. Of the latter, those for which there
    /// is no time left (`isTurnOver`) wait for the next call.
    void redraw(const std::vector<ShownRun>& runs, const QString& words, const std::function<bool()>& isTurnOver,
                const std::function<void(const ShownRun& run, FigureView& chart)>& draw);
    [[nodiscard]] const std::vector<RunId>& arranged() const { return m_arranged; }
    /// The charts shown, in reading order.
    [[nodiscard]] std::vector<FigureView*> charts() const;

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void place();
    [[nodiscard]] int columnsFor(int count) const;

    std::function<FigureView*(RunId)> m_make;
    QScrollArea* m_scroll;
    QWidget* m_page;
    QGridLayout* m_grid;
    QLabel* m_empty;
    QStackedLayout* m_stack;
    std::map<RunId, FigureView*> m_views;
    std::map<RunId, QString> m_drawn; ///< of lanes that have ended: what their charts were made from
    std::vector<RunId> m_arranged;
    int m_columns = 0; ///< of the arrangement
};

} // namespace lambdascope
