// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QKeyEvent;
class QWidget;

namespace lambdascope {

class ActionRegistry;

/// Sees to it that a text field with the focus neither swallows the window's commands nor passes on what is meant for
/// itself: Qt takes Ctrl+E for the end of the line, and lets Esc through, which would stop the run. Here Ctrl+E
/// exports, and the first Esc only leaves the field. Keys of the Edit menu stay with the field.
class TextFieldShortcuts : public QObject {
    Q_OBJECT

  public:
    /// For fields in `window`, which owns it; `actions` are the commands of that window.
    TextFieldShortcuts(QWidget* window, const ActionRegistry& actions);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    [[nodiscard]] bool isField(const QWidget* widget) const;
    [[nodiscard]] bool isCommand(const QKeyEvent& event) const;

    QWidget* m_window;
    const ActionRegistry& m_actions;
};

} // namespace lambdascope
