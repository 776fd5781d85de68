// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/recent_files.h"
#include "ui/session/settings.h"

#include <gtest/gtest.h>

#include <QFile>
#include <QFileInfo>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>

namespace lambdascope {

TEST(Settings, RememberThemeAndFirstLaunch) {
    QSettings().clear();
    {
        Settings settings;
        EXPECT_EQ(settings.theme(), Theme::System);
        EXPECT_TRUE(settings.isFirstLaunch());
        QSignalSpy changed(&settings, &Settings::themeChanged);
        settings.setTheme(Theme::Dark);
        settings.setTheme(Theme::Dark);
        EXPECT_EQ(changed.count(), 1);
        settings.noteLaunched();
        settings.setWindowState("main", "abc");
    }
    Settings again;
    EXPECT_EQ(again.theme(), Theme::Dark);
    EXPECT_FALSE(again.isFirstLaunch());
    EXPECT_EQ(again.windowState("main"), "abc");
}

TEST(RecentFiles, KeepTheNewestFirstAndLeaveOutWhatIsGone) {
    QSettings().clear();
    QTemporaryDir folder;
    QStringList made;
    for (int i = 0; i < RecentFiles::kLimit + 2; ++i) {
        made << folder.filePath(QString::number(i));
        QFile(made.back()).open(QIODevice::WriteOnly);
    }
    RecentFiles recent("experiments");
    for (const QString& file : made) {
        recent.add(file);
    }
    EXPECT_EQ(recent.files().size(), RecentFiles::kLimit);
    EXPECT_EQ(recent.files().front(), made.back());
    recent.add(made[5]);
    EXPECT_EQ(recent.files().front(), made[5]);
    EXPECT_EQ(recent.files().count(made[5]), 1);
    QFile::remove(made[5]);
    EXPECT_FALSE(recent.files().contains(made[5]));
    EXPECT_TRUE(RecentFiles("data").files().isEmpty());
    recent.clear();
    EXPECT_TRUE(recent.files().isEmpty());
}

} // namespace lambdascope
