// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/windows/text_field_shortcuts.h"

#include "ui/windows/action_registry.h"

#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPlainTextEdit>

#include <algorithm>

namespace lambdascope {

namespace {

bool takesText(const QWidget* widget) {
    if (const auto* combo = qobject_cast<const QComboBox*>(widget)) {
        return combo->isEditable();
    }
    return qobject_cast<const QLineEdit*>(widget) != nullptr ||
           qobject_cast<const QAbstractSpinBox*>(widget) != nullptr ||
           qobject_cast<const QPlainTextEdit*>(widget) != nullptr;
}

/// The editor of a cell: Esc takes back what was typed there, which its table sees to.
bool isCellEditor(const QWidget* widget) {
    for (const QWidget* above = widget->parentWidget(); above != nullptr; above = above->parentWidget()) {
        if (qobject_cast<const QAbstractItemView*>(above) != nullptr) {
            return true;
        }
    }
    return false;
}

} // namespace

TextFieldShortcuts::TextFieldShortcuts(QWidget* window, const ActionRegistry& actions)
    : QObject(window), m_window(window), m_actions(actions) {
    qApp->installEventFilter(this);
}

bool TextFieldShortcuts::isField(const QWidget* widget) const {
    const bool isOurs =
        widget->window() == m_window || // else in a dialog, or in a dock that was torn off
        (qobject_cast<const QDockWidget*>(widget->window()) != nullptr && m_window->isAncestorOf(widget));
    return isOurs && takesText(widget) && !isCellEditor(widget);
}

bool TextFieldShortcuts::isCommand(const QKeyEvent& event) const {
    const QKeySequence keys(event.keyCombination());
    return std::any_of(m_actions.all().begin(), m_actions.all().end(), [&keys](const QAction* action) {
        return action->shortcuts().contains(keys) && !action->objectName().startsWith(QLatin1String("edit."));
    });
}

bool TextFieldShortcuts::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::ShortcutOverride && event->type() != QEvent::KeyPress) {
        return false;
    }
    auto* widget = qobject_cast<QWidget*>(watched);
    if (widget == nullptr || !widget->hasFocus() || !isField(widget)) {
        return false;
    }
    auto* key = static_cast<QKeyEvent*>(event);
    const bool isEscape = key->key() == Qt::Key_Escape && key->modifiers() == Qt::NoModifier;
    if (event->type() == QEvent::ShortcutOverride && (isEscape || isCommand(*key))) {
        key->setAccepted(isEscape); // accepted: the field gets the key; else it goes to the command
        return true;
    }
    if (event->type() == QEvent::KeyPress && isEscape) {
        widget->clearFocus();
        return true;
    }
    return false;
}

} // namespace lambdascope
