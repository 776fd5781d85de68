// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/inspect/region_slicer.h"
#include "ui/panels/views/run_tab.h"

#include <optional>

class QCheckBox;
class QLabel;
class QSlider;
class QSplitter;
class QToolButton;

namespace lambdascope {

class HeatmapView;
class RunLensSession;
class ShapeView;

/// What the bounds of the chosen lane know at the cursor: the balls round the optimum, shrinking from check to check,
/// for how long along the path what this point decides stays decided, and how much each reference decides elsewhere.
/// Computed in the background when the cursor has come to rest, for runs that have ended. Where that cannot be, the
/// radii of the balls along the path stand there, which runs keep.
class BoundsTab : public RunTab {
    Q_OBJECT

  public:
    BoundsTab(RunCollection& runs, PathCursor& cursor, RunLensSession& session, QWidget* parent = nullptr);

    [[nodiscard]] std::vector<FigureView*> charts() const override;
    [[nodiscard]] std::vector<FigureView*> computedCharts() const override; ///< all but the radii
    [[nodiscard]] ShapeView* slice() const { return m_slice; }
    [[nodiscard]] ShapeView* lifetimes() const { return m_lifetimes; }
    [[nodiscard]] HeatmapView* ranges() const { return m_ranges; }
    [[nodiscard]] PlotView* radii() const { return m_radii; }
    [[nodiscard]] QSlider* checkSlider() const { return m_check; }
    [[nodiscard]] QString statusText() const;
    [[nodiscard]] Json detail() const override; ///< the check, unless it is the last one
    void restoreDetail(const Json& detail) override;

    static QString topic() { return QStringLiteral("bounds"); }
    static QString rangeTopic() { return QStringLiteral("ranges"); }

  protected:
    void rebuild(const std::vector<ShownRun>& runs) override;
    void moveCursor(const std::vector<ShownRun>& runs) override;

  private:
    /// What is asked about: a lane at one of its points.
    struct Place {
        RunId run;
        int point = -1;
        bool operator==(const Place&) const = default;
    };

    void buildControls(QHBoxLayout& row);
    void ask();
    void askRanges();
    void take(const Place& place, BallSlice slice, Lifetimes lifetimes);
    void takeRanges(RunId run, const RangeGrid& grid);
    void forget(const QString& why);
    /// Whether ranges and lifetimes have the path parameter as axis, so that the cursor has a place on it.
    [[nodiscard]] bool isOverThePath() const;
    void placeCursors();
    void draw();
    void drawSlice();
    /// Gives the room to the charts that have something to show.
    void showSide();
    void refreshStatus();
    void setPlaying(bool playing);

    RunLensSession& m_session;
    QWidget* m_checkBox; ///< what chooses a check
    QSlider* m_check;
    QToolButton* m_play;
    QLabel* m_checkText;
    QCheckBox* m_rivals;
    QLabel* m_status;
    ShapeView* m_slice;
    ShapeView* m_lifetimes;
    HeatmapView* m_ranges;
    QSplitter* m_split;
    QSplitter* m_side; ///< both charts beside the balls
    PlotView* m_radii; ///< in place of all others, where there are none
    QString m_why;     ///< there are none
    RunId m_rangeRun;  ///< whose ranges are shown or asked for
    RunId m_withoutRanges;
    QTimer m_wait; ///< until the cursor has come to rest
    QTimer m_step; ///< from check to check
    Place m_wanted;
    Place m_answered;
    std::optional<BallSlice> m_balls;
    std::optional<int> m_restored; ///< check to be shown of the balls that come next
    std::optional<Lifetimes> m_intervals;
};

} // namespace lambdascope
