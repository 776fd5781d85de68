// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/panels/experiment/field_editor.h"

class QComboBox;
class QToolButton;

namespace lambdascope {

/// A file name: typed, picked from suggestions, or found with a file dialog.
class FileEditor : public FieldEditor {
    Q_OBJECT

  public:
    FileEditor(const FieldDescription& field, const std::vector<Suggestion>& suggestions, QWidget* parent);
    void setValue(const Json& value) override;
    [[nodiscard]] Json value() const override;
    [[nodiscard]] std::vector<QWidget*> inputs() const override;
    [[nodiscard]] bool isWide() const override { return true; }

  private:
    void browse();

    QComboBox* m_box;
    QToolButton* m_browse;
    QString m_label;
};

} // namespace lambdascope
