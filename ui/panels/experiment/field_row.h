// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/panels/experiment/field_editor.h"
#include "ui/session/experiment/experiment_document.h"

#include <QWidget>

class QAction;
class QLabel;
class QToolButton;

namespace lambdascope {

class FaultLabel;

/// One field of the form: label, editor, reset arrow, and below them what is wrong. Bold when it differs from its
/// default; hidden while the field does not matter, unless it is faulty.
class FieldRow : public QWidget {
    Q_OBJECT

  public:
    /// `group` is what assistive readers hear before the label: the section or the lane.
    FieldRow(ExperimentDocument& document, const QString& keyPath, const QString& group,
             const std::vector<Suggestion>& suggestions, QWidget* parent);

    [[nodiscard]] const QString& keyPath() const { return m_keyPath; }
    [[nodiscard]] FieldEditor* editor() const { return m_editor; }
    [[nodiscard]] FaultLabel* faultLabel() const { return m_faults; }
    [[nodiscard]] QToolButton* resetButton() const { return m_reset; }

    /// Shows the document's value.
    void refresh();
    void setFaults(const std::vector<Fault>& faults);
    [[nodiscard]] bool isRelevant() const { return m_isRelevant; }
    [[nodiscard]] QAction* varyAction() const { return m_vary; }

    bool eventFilter(QObject* watched, QEvent* event) override;

  Q_SIGNALS:
    /// The field is to take several values, in a study.
    void varyRequested(const QString& keyPath);

  protected:
    void contextMenuEvent(QContextMenuEvent* event) override;

  private:
    void buildLayout();
    void nameInputs(const QString& group);
    void updateVisibility();

    ExperimentDocument& m_document;
    QString m_keyPath;
    const FieldDescription& m_field;
    QLabel* m_label;
    FieldEditor* m_editor;
    QToolButton* m_reset;
    FaultLabel* m_faults;
    QAction* m_vary;
    bool m_isRelevant = true;
};

} // namespace lambdascope
