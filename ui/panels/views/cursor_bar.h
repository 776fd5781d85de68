// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/runs/path_cursor.h"
#include "ui/session/runs/shown_runs.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QSlider;
class QToolButton;

namespace lambdascope {

/// The slider under the tabs that scrubs all views along the path: step, play, follow, and the place in words:
/// "λ = 1.3e+04 · point 37 of ~120".
class CursorBar : public QWidget {
    Q_OBJECT

  public:
    CursorBar(RunCollection& runs, PathCursor& cursor, QWidget* parent = nullptr);

    [[nodiscard]] QString placeText() const;
    /// Which ticked runs have another path parameter and so no place in the charts; empty when all have one.
    [[nodiscard]] QString leftOutText() const;
    /// CPU so far of each lane at the cursor, over that of its baseline: "naive 1 × · PGB 0.29 ×".
    [[nodiscard]] QString ratiosText() const;
    [[nodiscard]] bool isPlaying() const { return m_step.isActive(); }
    [[nodiscard]] QSlider* slider() const { return m_slider; }

  public Q_SLOTS:
    /// From the start when the cursor stands at the end; stops there.
    void setPlaying(bool playing);
    void stepBy(int points);

  Q_SIGNALS:
    void playingChanged(bool playing);

  private:
    void refreshAxis();
    void refreshRatios();
    /// What stands for a lane beside the slider.
    struct LaneRatio {
        QString colour;
        QString name;
        QString ratio;
    };
    [[nodiscard]] std::vector<LaneRatio> laneRatios() const; ///< none where nothing can be told
    void refreshLeftOut(const RunsByAxis& runs);
    void refresh();
    void advance();

    RunCollection& m_runs;
    PathCursor& m_cursor;
    QSlider* m_slider;
    QToolButton* m_play;
    QToolButton* m_follow;
    QLabel* m_place;
    QLabel* m_ratios;
    QLabel* m_leftOut;
    QTimer m_step;
    QTimer m_ratioRest;
};

} // namespace lambdascope
