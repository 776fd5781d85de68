// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/figures/figure_builders.h"
#include "ui/session/inspect/item_brush.h"
#include "ui/session/runs/path_cursor.h"
#include "ui/session/runs/run_collection.h"

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

class QComboBox;
class QHBoxLayout;
class QVBoxLayout;

namespace lambdascope {

class ExportDialog;
class FigureView;
class PlotView;

/// The ticked runs over the path parameter of the newest of them, ready for figure builders.
[[nodiscard]] std::vector<ShownRun> shownRuns(const RunCollection& runs);

/// A centre tab: charts of the ticked runs at the shared cursor. It rebuilds its figures when runs change, but only
/// while it is seen, ten times a second, and less often when a rebuild takes long. A cursor moved by hand does not wait
/// for that.
class RunTab : public QWidget {
    Q_OBJECT
    Q_MOC_INCLUDE("ui/charts/export_dialog.h")
    Q_MOC_INCLUDE("ui/charts/figure_view.h")

  public:
    RunTab(RunCollection& runs, PathCursor& cursor, QWidget* parent = nullptr);

    /// Brings the charts up to date now if they are behind.
    void refreshNow();

    /// The charts of the tab, in reading order; hidden ones included.
    [[nodiscard]] virtual std::vector<FigureView*> charts() const = 0;

    /// Those that show what runs do not keep, so that no figure of the runs alone is like them.
    [[nodiscard]] virtual std::vector<FigureView*> computedCharts() const { return {}; }

    /// The lane chosen, where the tab has a chooser of lanes; an invalid id for none, or for all of them.
    [[nodiscard]] RunId chosenRun() const;
    void choose(RunId id);
    /// What to show first, as an experiment names it behind the view: the key of a measure, "f_measure".
    virtual void prefer(const QString& /*what*/) {}
    /// What the tab shows that none of its choosers tells, such as a point that was clicked; null for nothing.
    [[nodiscard]] virtual Json detail() const { return {}; }
    virtual void restoreDetail(const Json& /*detail*/) {}

  Q_SIGNALS:
    /// chosenRun() is another one.
    void chosenRunChanged();
    /// A chart was clicked; what was hit, if anything, comes after it.
    void placeClicked();
    /// A chart is to have all the room there is, or no longer.
    void enlargeRequested();
    /// One of charts() is about to be exported.
    void exportOpened(const lambdascope::FigureView* chart, lambdascope::ExportDialog* dialog);
    /// A curve, cell or point of a run was clicked; `detail` says in words what it is.
    void itemSelected(lambdascope::RunId run, const QString& detail);
    /// The click was on an item of a run, or on a sample, that can be explained; comes after itemSelected.
    void itemPicked(lambdascope::RunId run, qint64 item);
    void samplePicked(lambdascope::RunId run, qint64 sample);

  protected:
    /// Data changed (or the cursor moved while out of sight).
    virtual void rebuild(const std::vector<ShownRun>& runs) = 0;
    /// Whether rebuild() has taken long enough: what it leaves then is done in the next turn of the event loop.
    [[nodiscard]] bool isTurnOver();
    /// Only the cursor moved.
    virtual void moveCursor(const std::vector<ShownRun>& runs) = 0;

    void showEvent(QShowEvent* event) override;
    void invalidate();
    [[nodiscard]] const RunCollection& runs() const { return m_runs; }
    /// The point of a run that a column of its heatmap stands for; null where there is none.
    [[nodiscard]] const PointRecord* pointAt(RunId id, int column) const;
    [[nodiscard]] PathCursor& cursor() const { return m_cursor; }

    /// Lets boxes in `chart` mark samples or items of the chosen run, and shows there what is marked anywhere.
    void shareMarks(FigureView* chart, ItemBrush& brush, ItemBrush::Kind kind);

    /// Makes a plot whose cursor is the shared one and whose clicks are told by itemSelected.
    [[nodiscard]] PlotView* makePathPlot(const QString& accessibleName);
    /// Tells that a chart was clicked, by placeClicked.
    void watchClicks(const FigureView* chart);
    /// The same, and tells clicks on curves of `plot`.
    void reportClicks(PlotView* plot);

    /// The layout of the tab, with a row for choosers on top.
    struct Frame {
        QVBoxLayout* layout;
        QHBoxLayout* choosers;
    };
    [[nodiscard]] Frame makeFrame();
    /// Puts a chooser of lanes with its label into `row`; with `offersAll`, "All lanes" stands first.
    void addLaneChooser(QHBoxLayout& row, bool offersAll);
    /// Why none of these runs has screened anything, and what to do; empty when there is no run.
    [[nodiscard]] static QString nothingScreened(const std::vector<ShownRun>& runs);
    /// Offers these runs, keeping the choice as long as it is among them.
    void fillLanes(const std::vector<ShownRun>& runs);
    /// Offers these runs, and chooses the last one that screens, which usually knows most, before those that looked at
    /// few points, as long as nobody has chosen another by hand.
    void fillLanesLastScreening(const std::vector<ShownRun>& runs);
    /// The chosen one of these runs; null for none, or for all of them.
    [[nodiscard]] const ShownRun* chosen(const std::vector<ShownRun>& runs) const;

  private:
    void onCursorMoved();
    void refresh(bool inTurns);

    RunCollection& m_runs;
    PathCursor& m_cursor;
    QTimer m_rest;
    QComboBox* m_lane = nullptr;
    bool m_offersAll = false;
    RunId m_offered; ///< lane that nobody chose by hand
    RunId m_told;    ///< lane that chosenRunChanged() told of last
    QElapsedTimer m_turn;
    qint64 m_spent = 0; ///< ms in the turns of a refresh so far
    bool m_isInTurns = false;
    bool m_isUnfinished = false; ///< rebuild() has left something
    bool m_isStale = true;
    bool m_isCursorStale = false;
};

/// Shows `figure`, keeping zoom, log switches and hidden curves as far as the figure is the same one with new points.
void showFigure(PlotView& plot, const CurveFigure& figure);

} // namespace lambdascope
