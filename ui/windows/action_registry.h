// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QKeySequence>
#include <QList>
#include <QObject>
#include <QString>

#include <map>
#include <vector>

class QAction;
class QWidget;

namespace lambdascope {

/// One line of the table of all commands of the window.
struct ActionSpec {
    QString id;   ///< "run.start"; objectName of the action
    QString text; ///< menu text with mnemonic
    QList<QKeySequence> shortcuts;
    QString icon; ///< of resources/icons; empty for none
    QString help; ///< status tip: a sentence
    bool isCheckable = false;
};

/// All commands of the window by name, in the order of their definition. Menus, toolbar, shortcut sheet and tests take
/// them from here, so that none can be forgotten.
class ActionRegistry : public QObject {
    Q_OBJECT

  public:
    /// Actions become children of `window`, and their shortcuts work in all of it.
    explicit ActionRegistry(QWidget* window);

    QAction* add(const ActionSpec& spec);
    /// Asserts that it exists.
    [[nodiscard]] QAction* operator[](const QString& id) const;
    [[nodiscard]] const std::vector<QAction*>& all() const { return m_order; }

    /// A table of all shortcuts as HTML, grouped by the part of the id before the dot.
    [[nodiscard]] QString shortcutTable() const;

  private:
    QWidget* m_window;
    std::map<QString, QAction*> m_actions;
    std::vector<QAction*> m_order;
};

/// "&Open…" → "Open…".
[[nodiscard]] QString plainText(const QString& menuText);

} // namespace lambdascope
