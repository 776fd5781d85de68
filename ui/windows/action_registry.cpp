// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/windows/action_registry.h"

#include "ui/panels/shared/icon_set.h"

#include <QAction>
#include <QStringList>
#include <QWidget>

namespace lambdascope {

QString plainText(const QString& menuText) {
    QString text = menuText;
    text.replace(QStringLiteral("&&"), QStringLiteral("\x01"));
    text.remove(QLatin1Char('&'));
    return text.replace(QLatin1Char('\x01'), QLatin1Char('&'));
}

ActionRegistry::ActionRegistry(QWidget* window) : QObject(window), m_window(window) {}

QAction* ActionRegistry::add(const ActionSpec& spec) {
    Q_ASSERT(!m_actions.contains(spec.id));
    auto* action = new QAction(spec.text, m_window);
    action->setObjectName(spec.id);
    action->setShortcuts(spec.shortcuts);
    action->setShortcutContext(Qt::WindowShortcut);
    action->setCheckable(spec.isCheckable);
    if (!spec.icon.isEmpty()) {
        action->setIcon(themedIcon(spec.icon));
    }
    action->setStatusTip(spec.help);
    const QString keys =
        spec.shortcuts.isEmpty() ? QString() : spec.shortcuts.front().toString(QKeySequence::NativeText);
    action->setToolTip(keys.isEmpty() ? spec.help : QStringLiteral("%1 (%2)").arg(spec.help, keys));
    m_window->addAction(action);
    m_actions[spec.id] = action;
    m_order.push_back(action);
    return action;
}

QAction* ActionRegistry::operator[](const QString& id) const {
    const auto found = m_actions.find(id);
    Q_ASSERT(found != m_actions.end());
    return found->second;
}

QString ActionRegistry::shortcutTable() const {
    QString rows;
    QString group;
    for (const QAction* action : m_order) {
        if (action->shortcuts().isEmpty()) {
            continue;
        }
        QString section = action->objectName().section(QLatin1Char('.'), 0, 0);
        if (section != group) {
            group = section;
            section[0] = section[0].toUpper();
            rows += QStringLiteral("<tr><td colspan='2'><br><b>%1</b></td></tr>").arg(section);
        }
        QStringList keys;
        for (const QKeySequence& sequence : action->shortcuts()) {
            keys << sequence.toString(QKeySequence::NativeText);
        }
        rows += QStringLiteral("<tr><td style='padding-right:24px'>%1</td><td><b>%2</b></td></tr>")
                    .arg(plainText(action->text()).toHtmlEscaped(), keys.join(QStringLiteral(", ")).toHtmlEscaped());
    }
    return QStringLiteral("<table>%1</table>").arg(rows);
}

} // namespace lambdascope
