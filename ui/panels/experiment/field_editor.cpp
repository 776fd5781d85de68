// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/experiment/field_editor.h"

#include "ui/panels/experiment/choice_editors.h"
#include "ui/panels/experiment/file_editor.h"
#include "ui/panels/experiment/line_editors.h"

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

} // namespace lambdascope
