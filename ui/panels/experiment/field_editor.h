// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/field.h"

#include <QString>
#include <QWidget>

#include <vector>

namespace lambdascope {

/// A value that a File field may also take, such as a bundled data set.
struct Suggestion {
    QString value;
    QString help;
};

/// Edits one value of a field: any JSON goes in, also faulty values; what the user makes comes out, also faulty. Text
/// being typed is never rewritten: setValue leaves text alone that already reads as the value.
class FieldEditor : public QWidget {
    Q_OBJECT

  public:
    using QWidget::QWidget;

    virtual void setValue(const Json& value) = 0;
    /// The value as the widget shows it.
    [[nodiscard]] virtual Json value() const = 0;
    /// The widgets that take input; the first is the label's buddy.
    [[nodiscard]] virtual std::vector<QWidget*> inputs() const = 0;
    /// True when the editor shows the field's label itself (a check box).
    [[nodiscard]] virtual bool carriesLabel() const { return false; }
    /// True when the editor needs the whole width of the form.
    [[nodiscard]] virtual bool isWide() const { return false; }

  Q_SIGNALS:
    void edited(const lambdascope::Json& value);
};

/// The editor for a field's kind. `suggestions` are offered by File fields.
[[nodiscard]] FieldEditor* makeFieldEditor(const FieldDescription& field, const std::vector<Suggestion>& suggestions,
                                           QWidget* parent);

} // namespace lambdascope
