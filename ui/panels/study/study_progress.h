// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace lambdascope {

class StudySession;

/// How far the cells of the study are: a square per cell, filled when it is finished, crossed when it failed; with what
/// to do about it. Hidden while there is no study.
class StudyProgress : public QWidget {
    Q_OBJECT

  public:
    /// `study` must outlive it.
    explicit StudyProgress(StudySession& study, QWidget* parent = nullptr);

    [[nodiscard]] QWidget* grid() const { return m_grid; }
    [[nodiscard]] QPushButton* button() const { return m_button; } ///< Stop, Go on or Retry
    [[nodiscard]] QString text() const;

  Q_SIGNALS:
    /// A finished cell was clicked.
    void cellClicked(qint64 cell);

  private:
    class Grid;
    void refresh();
    void act();

    StudySession& m_study;
    QLabel* m_text;
    Grid* m_cells;
    QWidget* m_grid;
    QPushButton* m_button;
};

} // namespace lambdascope
