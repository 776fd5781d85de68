// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/panels/experiment/section_box.h"

#include <QFrame>

class QCheckBox;
class QLabel;
class QLineEdit;
class QToolButton;

namespace lambdascope {

/// One lane: its name, a line of what makes it special, buttons, and, unfolded, its fields. Fields are made when the
/// card is first unfolded.
class LaneCard : public QFrame {
    Q_OBJECT

  public:
    LaneCard(ExperimentDocument& document, int lane, QWidget* parent);

    [[nodiscard]] int lane() const { return m_lane; }
    [[nodiscard]] bool isUnfolded() const;
    void setUnfolded(bool unfolded);
    /// The row of "lanes[i].key" or "lanes[i].solver.key"; makes the fields when needed. Null when there is none.
    FieldRow* row(const QString& keyPath);
    /// Unfolds all that hides `row`.
    void uncover(const FieldRow* row);
    [[nodiscard]] QCheckBox* enabledBox() const { return m_enabled; }
    [[nodiscard]] QLineEdit* nameEdit() const { return m_name; }
    /// What it sets otherwise than by default, in a line.
    [[nodiscard]] QString summary() const;
    [[nodiscard]] FaultLabel* faultLabel() const { return m_faults; }

    void refresh();
    /// Hands faults to the rows they belong to; those of the name, of the lane as a whole and of unknown keys are shown
    /// under the name.
    void setFaults(const std::vector<Fault>& faults);

  Q_SIGNALS:
    void fieldsBuilt();
    void varyRequested(const QString& keyPath); ///< by one of its fields

  private:
    void buildHeader();
    void buildFields();
    [[nodiscard]] QString prefix() const;

    ExperimentDocument& m_document;
    int m_lane;
    QToolButton* m_fold;
    QCheckBox* m_enabled;
    QLineEdit* m_name;
    QLabel* m_summary;
    FaultLabel* m_faults;
    QWidget* m_body;
    SectionBox* m_fields = nullptr;
    SectionBox* m_solver = nullptr;
    std::vector<Fault> m_currentFaults;
};

} // namespace lambdascope
