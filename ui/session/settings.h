// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QObject>
#include <QString>

namespace lambdascope {

enum class Theme { System, Light, Dark };

/// What the program remembers between starts, besides recent files. Thin typed access to QSettings; GUI thread only.
class Settings : public QObject {
    Q_OBJECT

  public:
    explicit Settings(QObject* parent = nullptr);

    [[nodiscard]] Theme theme() const;
    void setTheme(Theme theme);

    /// The default experiment runs by itself the very first time only.
    [[nodiscard]] bool isFirstLaunch() const;
    void noteLaunched();

    [[nodiscard]] QByteArray windowState(const QString& key) const;
    void setWindowState(const QString& key, const QByteArray& state);

  Q_SIGNALS:
    void themeChanged(lambdascope::Theme theme);
};

} // namespace lambdascope
