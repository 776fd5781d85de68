// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/windows/action_registry.h"

namespace lambdascope {

/// The table of all commands of the main window: id, text, shortcut, icon, help. What they do is connected by the
/// window.
[[nodiscard]] std::vector<ActionSpec> windowCommands();

/// The menu bar: per menu its title and the ids of its actions; "-" is a separator, "@name" a submenu that the window
/// fills ("@recent").
struct MenuSpec {
    QString title;
    QStringList entries;
};
[[nodiscard]] std::vector<MenuSpec> windowMenus();

} // namespace lambdascope
