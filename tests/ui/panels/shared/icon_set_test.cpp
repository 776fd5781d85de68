// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/shared/icon_set.h"

#include <gtest/gtest.h>

#include <QImage>
#include <QPixmap>

namespace lambdascope {
namespace {

int warnings = 0;

TEST(ThemedIcon, IsDrawnAtTheSizeAskedForAndNotAtAllWithoutRoom) {
    const QIcon icon = themedIcon(QStringLiteral("close"));
    const QPixmap drawn = icon.pixmap(QSize(16, 16));
    ASSERT_EQ(drawn.size(), QSize(16, 16));
    const QImage image = drawn.toImage();
    int inked = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            inked += qAlpha(image.pixel(x, y)) > 0 ? 1 : 0;
        }
    }
    EXPECT_GT(inked, 0);
    warnings = 0;
    const QtMessageHandler before =
        qInstallMessageHandler([](QtMsgType, const QMessageLogContext&, const QString&) { ++warnings; });
    for (const QSize& size : {QSize(0, 0), QSize(0, 16), QSize(16, 0)}) {
        EXPECT_TRUE(icon.pixmap(size).isNull());
    }
    qInstallMessageHandler(before);
    EXPECT_EQ(warnings, 0);
}

} // namespace
} // namespace lambdascope
