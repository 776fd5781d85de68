// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/panels/experiment/field_editor.h"

class QCheckBox;
class QComboBox;

namespace lambdascope {

/// True or false: a check box that carries the field's label.
class BooleanEditor : public FieldEditor {
    Q_OBJECT

  public:
    BooleanEditor(const FieldDescription& field, QWidget* parent);
    void setValue(const Json& value) override;
    [[nodiscard]] Json value() const override;
    [[nodiscard]] std::vector<QWidget*> inputs() const override;
    [[nodiscard]] bool carriesLabel() const override { return true; }

  private:
    QCheckBox* m_box;
};

/// One of several words: a combo box whose entries explain themselves in tooltips. A word that is no choice is shown as
/// it stands until the user picks another.
class ChoiceEditor : public FieldEditor {
    Q_OBJECT

  public:
    ChoiceEditor(const FieldDescription& field, QWidget* parent);
    void setValue(const Json& value) override;
    [[nodiscard]] Json value() const override;
    [[nodiscard]] std::vector<QWidget*> inputs() const override;

  private:
    void updateTooltip();

    QComboBox* m_box;
    std::vector<Choice> m_choices;
    Json m_foreign; ///< value that is no choice, shown in an extra last entry; null when there is none
    QString m_help;
};

/// Any of several words: check boxes that flow over as many lines as they need.
class ChoicesEditor : public FieldEditor {
    Q_OBJECT

  public:
    ChoicesEditor(const FieldDescription& field, QWidget* parent);
    void setValue(const Json& value) override;
    [[nodiscard]] Json value() const override; ///< ticked words: as given first, then new ones
    [[nodiscard]] std::vector<QWidget*> inputs() const override;
    [[nodiscard]] bool isWide() const override { return true; }

  private:
    std::vector<Choice> m_choices;
    std::vector<QCheckBox*> m_boxes;
    Json m_given; ///< the array set last; its order is kept
};

} // namespace lambdascope
