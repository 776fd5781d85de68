// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/settings.h"

#include <QObject>
#include <QPalette>

namespace lambdascope {

/// The palette of resources/themes/<light|dark>.json; the style's own palette where the file is missing or broken.
[[nodiscard]] QPalette themePalette(bool dark);

/// Puts Fusion and the palette of the chosen theme on the application, and another one when the choice in the settings
/// changes. Qt 6.4 has no colour-scheme hint: what the desktop wants is read from the palette it gave at start. Widgets
/// and charts follow by QEvent::PaletteChange. Needs the QApplication; `settings` must outlive it.
class ThemeSwitch : public QObject {
    Q_OBJECT

  public:
    explicit ThemeSwitch(Settings& settings, QObject* parent = nullptr);

    [[nodiscard]] bool isDark() const { return m_isDark; }

  Q_SIGNALS:
    void changed(bool dark);

  private:
    void follow(Theme theme);

    bool m_systemIsDark = false;
    bool m_isDark = false;
};

} // namespace lambdascope
