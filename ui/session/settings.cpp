// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/settings.h"

#include <QSettings>

namespace lambdascope {

namespace {

constexpr const char* kThemeKey = "appearance/theme";
constexpr const char* kLaunchedKey = "window/launched";

QString themeWord(Theme theme) {
    switch (theme) {
    case Theme::Light: return "light";
    case Theme::Dark: return "dark";
    case Theme::System: break;
    }
    return "system";
}

} // namespace

Settings::Settings(QObject* parent) : QObject(parent) {}

Theme Settings::theme() const {
    const QString word = QSettings().value(kThemeKey).toString();
    return word == "light" ? Theme::Light : word == "dark" ? Theme::Dark : Theme::System;
}

void Settings::setTheme(Theme newTheme) {
    if (newTheme != theme()) {
        QSettings().setValue(kThemeKey, themeWord(newTheme));
        Q_EMIT themeChanged(newTheme);
    }
}

bool Settings::isFirstLaunch() const {
    return !QSettings().value(kLaunchedKey, false).toBool();
}

void Settings::noteLaunched() {
    QSettings().setValue(kLaunchedKey, true);
}

QByteArray Settings::windowState(const QString& key) const {
    return QSettings().value("window/" + key).toByteArray();
}

void Settings::setWindowState(const QString& key, const QByteArray& state) {
    QSettings().setValue("window/" + key, state);
}

} // namespace lambdascope
