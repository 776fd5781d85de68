// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/charts/figures_for_tests.h"
#include "tests/ui/ui_test_main.h"
#include "ui/charts/export_dialog.h"

#include <gtest/gtest.h>

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

namespace lambdascope {
namespace {

QPushButton* saveButton(const ExportDialog& dialog) {
    for (QPushButton* button : dialog.findChildren<QPushButton*>()) {
        if (button->isDefault()) {
            return button;
        }
    }
    return nullptr;
}

TEST(ExportDialog, WritesTheFigureAndCloses) {
    QTemporaryDir folder;
    ExportDialog dialog(curveFigureForTests(2, 30), nullptr);
    QSignalSpy exported(&dialog, &ExportDialog::exported);
    dialog.setPath(folder.filePath("figure.svg"));
    dialog.show();
    saveButton(dialog)->click();
    ASSERT_EQ(exported.count(), 1);
    EXPECT_TRUE(QFileInfo::exists(folder.filePath("figure.svg")));
    EXPECT_FALSE(dialog.isVisible());
}

TEST(ExportDialog, SaysWhatWentWrongAndStaysOpen) {
    QTemporaryDir folder;
    ExportDialog dialog(curveFigureForTests(2, 30), nullptr);
    dialog.setPath(folder.filePath("absent/figure.pdf"));
    dialog.show();
    saveButton(dialog)->click();
    EXPECT_TRUE(dialog.isVisible());
    bool said = false;
    for (const QLabel* label : dialog.findChildren<QLabel*>()) {
        said = said || (label->isVisible() && label->text().contains("absent"));
    }
    EXPECT_TRUE(said);
}

TEST(ExportDialog, FileEndingFollowsTheFormatAndPresetsSetTheSize) {
    ExportDialog dialog(curveFigureForTests(2, 30), nullptr);
    const auto boxes = dialog.findChildren<QComboBox*>();
    QComboBox* format = boxes[0]->count() == 4 ? boxes[0] : boxes[1];
    QComboBox* preset = boxes[0]->count() == 4 ? boxes[1] : boxes[0];
    format->setCurrentIndex(2);
    EXPECT_TRUE(dialog.path().endsWith("rate-along-the-path.png")) << dialog.path().toStdString();
    format->setCurrentIndex(3);
    EXPECT_TRUE(dialog.path().endsWith(".csv"));
    preset->setCurrentIndex(0);
    preset->setCurrentIndex(1);
    EXPECT_EQ(dialog.style().widthMm, FigureStyle::doubleColumn().widthMm);
    EXPECT_EQ(dialog.style().fontPt, FigureStyle::doubleColumn().fontPt);
}

} // namespace
} // namespace lambdascope
