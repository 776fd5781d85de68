// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/panels/views/run_tab.h"

class QComboBox;
class QLabel;

namespace lambdascope {

/// One chart along the path, with a choice of what exactly it shows.
class PathChart : public RunTab {
    Q_OBJECT

  public:
    enum class Kind {
        Rates,   ///< screening rate: on arrival, before solved, afterwards
        Items,   ///< items left to the solver, removed, or by set
        Times,   ///< CPU time so far, its ratio to the baseline, or how it grows with size
        Quality, ///< how good the solutions are on rows that they have not seen, and any other measure that runs tell
    };

    PathChart(Kind kind, RunCollection& runs, PathCursor& cursor, QWidget* parent = nullptr);

    [[nodiscard]] std::vector<FigureView*> charts() const override;
    [[nodiscard]] PlotView* plot() const { return m_plot; }
    [[nodiscard]] QComboBox* chooser() const { return m_choice; }
    void prefer(const QString& what) override;

    /// Whether these runs fill a chart of the kind, or may yet.
    [[nodiscard]] static bool fits(Kind kind, const std::vector<ShownRun>& runs);

  protected:
    void rebuild(const std::vector<ShownRun>& runs) override;
    void moveCursor(const std::vector<ShownRun>& runs) override;

  private:
    void fillAgainst(const std::vector<ShownRun>& runs);
    /// Shows it, or what `m_against` makes of it.
    void present(const CurveFigure& figure);
    void rebuildRates(const std::vector<ShownRun>& runs);
    void rebuildItems(const std::vector<ShownRun>& runs);
    void rebuildTimes(const std::vector<ShownRun>& runs);
    void rebuildQuality(const std::vector<ShownRun>& runs);
    void offer(const QStringList& choices, const QString& help);

    Kind m_kind;
    QLabel* m_label;
    QComboBox* m_choice;
    QComboBox* m_against; ///< the lane that the others are shown beside, as differences or ratios
    PlotView* m_plot;
    bool m_areSizes = false; ///< the paths of the runs shown last go over sizes
    bool m_isChosen = false; ///< by hand
    QString m_preferred;     ///< key of the measure that the experiment names
};

} // namespace lambdascope
