// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/panels/views/run_tab.h"

#include <QSet>

class QComboBox;
class QLabel;
class QStackedWidget;
class QTabWidget;
class QTableWidget;

namespace lambdascope {

class HeatmapView;
class StudyPanels;
class StudySession;
struct StudyResults;

/// A study: a measure against one axis with its interval over the seeds, for a second axis as a chart per value or as
/// colours; below it a table of all combinations and lanes, and one of all cells, of which those that are ticked show
/// their paths in the other views.
class StudyTab : public RunTab {
    Q_OBJECT

  public:
    /// `study` must outlive the tab.
    StudyTab(RunCollection& runs, PathCursor& cursor, StudySession& study, QWidget* parent = nullptr);

    [[nodiscard]] std::vector<FigureView*> charts() const override;
    [[nodiscard]] std::vector<FigureView*> computedCharts() const override { return charts(); }
    [[nodiscard]] QComboBox* measure() const { return m_measure; }
    [[nodiscard]] QComboBox* along() const { return m_along; }
    /// The second axis, as colours or panels (data "by:" and the axis); the first entry stands for none.
    [[nodiscard]] QComboBox* over() const { return m_over; }
    [[nodiscard]] QComboBox* lane() const { return m_studyLane; }
    [[nodiscard]] QTableWidget* table() const { return m_table; }
    [[nodiscard]] QTableWidget* cells() const { return m_cells; }
    [[nodiscard]] QTableWidget* paper() const {
        return m_paper;
    } ///< its tab is there for studies that have such numbers

  Q_SIGNALS:
    /// The run folder of a cell whose paths are to be shown beside the others, or no longer.
    void cellTicked(const QString& folder, bool shown);

  protected:
    void rebuild(const std::vector<ShownRun>& runs) override;
    void moveCursor(const std::vector<ShownRun>&) override {}

  private:
    void fillChoosers(const StudyResults& results);
    void drawFigure(const StudyResults& results);
    void fillTable(const StudyResults& results);
    void fillCells(const StudyResults& results);
    void fillPaper(const StudyResults& results);
    void showChoosers(bool shown);

    StudySession& m_study;
    QLabel* m_empty;
    QStackedWidget* m_stack;
    QComboBox* m_measure;
    QComboBox* m_along;
    QComboBox* m_over;
    QComboBox* m_studyLane;
    QStackedWidget* m_pictures;
    PlotView* m_plot;
    HeatmapView* m_heatmap;
    StudyPanels* m_panels;
    QTabWidget* m_tables;
    QTableWidget* m_table;
    QTableWidget* m_cells;
    QTableWidget* m_paper;  ///< published numbers beside ours
    QSet<QString> m_ticked; ///< folders of cells
    bool m_isFilling = false;
    QString m_laidOut; ///< folder of the study whose axes were chosen for a first look
};

} // namespace lambdascope
