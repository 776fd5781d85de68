// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/settings.h"

#include <QSettings>

#include <algorithm>
#include <thread>

namespace lambdascope {

namespace {

constexpr const char* kThemeKey = "appearance/theme";
constexpr const char* kThreadsKey = "run/threads";
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

int Settings::threads() const {
    const int most = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    return std::clamp(QSettings().value(kThreadsKey, 1).toInt(), 1, most);
}

void Settings::setThreads(int threads) {
    QSettings().setValue(kThreadsKey, std::max(1, threads));
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
