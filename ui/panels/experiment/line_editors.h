// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/panels/experiment/field_editor.h"
#include "ui/panels/shared/setting_text.h"

class QLineEdit;
class QToolButton;

namespace lambdascope {

/// Integer and Real: exact text; with an emptyWord ("all") also a switch for it.
class NumberEditor : public FieldEditor {
    Q_OBJECT

  public:
    NumberEditor(const FieldDescription& field, QWidget* parent);
    void setValue(const Json& value) override;
    [[nodiscard]] Json value() const override;
    [[nodiscard]] std::vector<QWidget*> inputs() const override;

  private:
    QLineEdit* m_text;
    QToolButton* m_empty = nullptr; ///< null when the field always holds a number
    QString m_emptyWord;
};

/// Text in one line.
class TextEditor : public FieldEditor {
    Q_OBJECT

  public:
    TextEditor(const FieldDescription& field, QWidget* parent);
    void setValue(const Json& value) override;
    [[nodiscard]] Json value() const override;
    [[nodiscard]] std::vector<QWidget*> inputs() const override;

  private:
    QLineEdit* m_text;
};

/// RealList: numbers separated by commas, semicolons or blanks.
class RealListEditor : public FieldEditor {
    Q_OBJECT

  public:
    RealListEditor(const FieldDescription& field, QWidget* parent);
    void setValue(const Json& value) override;
    [[nodiscard]] Json value() const override;
    [[nodiscard]] std::vector<QWidget*> inputs() const override;
    [[nodiscard]] bool isWide() const override { return true; }

  private:
    QLineEdit* m_text;
};

} // namespace lambdascope
