// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/charts/figures_for_tests.h"
#include "tests/ui/ui_test_main.h"
#include "ui/charts/export_dialog.h"
#include "ui/charts/style_presets.h"

#include <gtest/gtest.h>

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <set>

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
    QComboBox* format = boxes[0]->count() == 5 ? boxes[0] : boxes[1];
    QComboBox* preset = boxes[0]->count() == 5 ? boxes[1] : boxes[0];
    format->setCurrentIndex(2);
    EXPECT_TRUE(dialog.path().endsWith("rate-along-the-path.png")) << dialog.path().toStdString();
    format->setCurrentIndex(3);
    EXPECT_TRUE(dialog.path().endsWith(".csv"));
    const std::vector<StylePreset>& presets = stylePresets();
    ASSERT_EQ(preset->count(), static_cast<int>(presets.size()));
    for (int index = preset->count() - 1; index >= 0; --index) {
        const auto& [key, title, style] = presets[static_cast<std::size_t>(index)];
        EXPECT_EQ(preset->itemText(index), title);
        preset->setCurrentIndex(index);
        FigureStyle chosen = style;
        chosen.showTitle = dialog.style().showTitle; // a choice of its own
        EXPECT_EQ(dialog.style(), chosen) << key.toStdString();
    }
}

TEST(StylePresets, HaveKeysAndTitlesOfTheirOwn) {
    const std::vector<StylePreset>& presets = stylePresets();
    ASSERT_FALSE(presets.empty());
    EXPECT_EQ(presets.front().style, FigureStyle::singleColumn()) << "the default of dialogs and --size";
    std::set<QString> words;
    for (const StylePreset& preset : presets) {
        words.insert({preset.key, preset.title});
    }
    EXPECT_EQ(words.size(), 2 * presets.size());
}

} // namespace
} // namespace lambdascope
