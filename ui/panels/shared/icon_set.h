// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QString>

namespace lambdascope {

/// The icon `name` of resources/icons, drawn in the text colour of the current palette, so that it follows a theme
/// switch without being set again. A missing file gives an empty icon: every action has text too.
[[nodiscard]] QIcon themedIcon(const QString& name);

/// The program's own icon, in its own colours.
[[nodiscard]] QIcon programIcon();

} // namespace lambdascope
