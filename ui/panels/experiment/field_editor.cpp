// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/experiment/field_editor.h"

#include "ui/panels/experiment/choice_editors.h"
#include "ui/panels/experiment/file_editor.h"
#include "ui/panels/experiment/line_editors.h"

#include <algorithm>

namespace lambdascope {

FieldEditor* makeFieldEditor(const FieldDescription& field, const std::vector<Suggestion>& suggestions,
                             QWidget* parent) {
    switch (field.kind) {
    case FieldKind::Boolean: return new BooleanEditor(field, parent);
    case FieldKind::Integer:
    case FieldKind::Real: return new NumberEditor(field, parent);
    case FieldKind::Choice: return new ChoiceEditor(field, parent);
    case FieldKind::Choices: return new ChoicesEditor(field, parent);
    case FieldKind::RealList: return new RealListEditor(field, parent);
    case FieldKind::File: return new FileEditor(field, suggestions, parent);
    case FieldKind::Text: break;
    }
    return new TextEditor(field, parent);
}

QString valueText(const FieldDescription& field, const Json& value) {
    if (value.is_array()) {
        QStringList words;
        for (const Json& element : value) {
            words << valueText(field, element);
        }
        return words.join(", ");
    }
    if (value.is_number()) {
        return numberText(value);
    }
    if (value.is_boolean()) {
        return value.get<bool>() ? QObject::tr("yes") : QObject::tr("no");
    }
    if (!value.is_string()) {
        return QString::fromStdString(value.dump());
    }
    const auto& word = value.get_ref<const std::string&>();
    const auto choice = std::find_if(field.choices.begin(), field.choices.end(),
                                     [&](const Choice& candidate) { return candidate.value == word; });
    return QString::fromStdString(choice != field.choices.end() ? choice->label : word);
}

} // namespace lambdascope
