// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/study/study_draft.h"

#include <QTimer>
#include <QWidget>

class QCheckBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QVBoxLayout;

namespace lambdascope {

/// The study that the experiment in the form becomes when some of its fields take several values: a line per field,
/// seeds, how many cells that makes or what is wrong with it, and Run, here or on Slurm where that can be.
class StudyPanel : public QWidget {
    Q_OBJECT

  public:
    /// `draft` must outlive the panel.
    explicit StudyPanel(StudyDraft& draft, QWidget* parent = nullptr);

    [[nodiscard]] QLineEdit* valuesOf(const QString& field) const; ///< null when it is no axis
    [[nodiscard]] QSpinBox* seeds() const { return m_seeds; }
    [[nodiscard]] QPushButton* runButton() const { return m_run; }
    [[nodiscard]] QCheckBox* slurmBox() const { return m_slurm; } ///< hidden where jobs cannot be submitted
    /// Says how many cells there are, or what is wrong, brought up to date now.
    [[nodiscard]] QString summary();
    /// While a study computes, another one cannot be started.
    void setBusy(bool busy);

  Q_SIGNALS:
    void runRequested(const lambdascope::Json& study, bool onSlurm);
    void openRequested();

  private:
    void rebuildAxes();
    void check();

    StudyDraft& m_draft;
    QLabel* m_hint;
    QWidget* m_axesHost;
    QVBoxLayout* m_axes;
    std::vector<QLineEdit*> m_values;
    QSpinBox* m_seeds;
    QLabel* m_summary;
    QPushButton* m_run;
    QCheckBox* m_slurm;
    QTimer m_rest;
    bool m_isSound = false;
    bool m_isBusy = false;
};

} // namespace lambdascope
