// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/lens_capability.h"
#include "tests/ui/panels/inspector/finished_run.h"
#include "tests/ui/ui_test_main.h"
#include "ui/panels/inspector/explanation_text.h"
#include "ui/panels/inspector/why_panel.h"

#include <gtest/gtest.h>

#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeWidget>

namespace lambdascope {

namespace {

QString rowsOf(const NotableItem& item) {
    QString rows = QString::fromStdString(item.title);
    rows.remove(0, rows.indexOf('(') + 1);
    return rows.remove(')');
}

/// What the panel must show about the first notable item of a set.
QString expectedText(const FinishedRun& run, std::size_t lane, const NotableItem& item, int point) {
    const auto lens = run.direct(lane);
    const auto why = as<ItemExplainer>(*lens).explain(item.item, point, {});
    EXPECT_TRUE(why);
    return explanationText(*why, {"λ", run.cursor.axis()[static_cast<std::size_t>(point)]});
}

} // namespace

TEST(WhyPanelTest, ShowsTheNumbersThatTheLensGivesAndFollowsTheCursor) {
    FinishedRun run;
    const auto notable = as<ItemExplainer>(*run.direct(2)).notableItems(6, 12, {});
    ASSERT_TRUE(notable);
    ASSERT_FALSE(notable->empty());
    const NotableItem& item = notable->front();
    WhyPanel panel(run.runs, run.cursor, run.lens);
    panel.resize(280, 500);
    panel.show();
    panel.setRun(run.lane(2));
    run.cursor.moveTo(6);
    panel.ask(rowsOf(item));
    const QString atSix = expectedText(run, 2, item, 6);
    EXPECT_TRUE(waitUntil([&] { return panel.text() == atSix; })) << panel.text().toStdString();
    EXPECT_GT(panel.findChild<QTreeWidget*>()->topLevelItemCount(), 1);
    run.cursor.moveTo(2);
    const QString atTwo = expectedText(run, 2, item, 2);
    ASSERT_NE(atTwo, atSix);
    EXPECT_TRUE(waitUntil([&] { return panel.text() == atTwo; })) << panel.text().toStdString();
    panel.setRun(run.lane(0));
    EXPECT_TRUE(waitUntil([&] { return panel.text().contains("this lane has no screening"); }));
}

TEST(WhyPanelTest, FindsNotableItemsAndExplainsTheFirst) {
    FinishedRun run;
    WhyPanel panel(run.runs, run.cursor, run.lens);
    panel.show();
    panel.setRun(run.lane(2));
    auto* find = buttonOf(panel, "Find");
    ASSERT_TRUE(find != nullptr && find->isEnabled());
    find->click();
    auto* list = panel.findChild<QComboBox*>();
    EXPECT_TRUE(waitUntil([&] { return list->count() > 3; }));
    EXPECT_TRUE(waitUntil([&] { return panel.text().contains("Triplet ("); }));
}

TEST(WhyPanelTest, WritesTheNumberOfASampleIntoItsField) {
    FinishedRun run(smallSvmExperiment());
    WhyPanel panel(run.runs, run.cursor, run.lens);
    panel.show();
    panel.setRun(run.lane(1));
    run.cursor.moveTo(2);
    panel.askSample(79);
    EXPECT_TRUE(waitUntil([&] { return panel.text().contains("Sample 79 ("); })) << panel.text().toStdString();
    EXPECT_EQ(panel.findChild<QLineEdit*>()->text(), "79");
    EXPECT_TRUE(panel.findChild<QComboBox*>()->itemText(0).startsWith("79 ("));
    panel.askItem(80);
    EXPECT_TRUE(waitUntil([&] { return panel.text().contains("Sample 80 ("); })) << panel.text().toStdString();
    EXPECT_EQ(panel.findChild<QLineEdit*>()->text(), "80");
}

TEST(WhyPanelTest, SaysWhatIsWrongWithAnItem) {
    FinishedRun run;
    WhyPanel panel(run.runs, run.cursor, run.lens);
    panel.show();
    panel.setRun(run.lane(1));
    panel.ask("1, 2");
    EXPECT_TRUE(waitUntil([&] { return panel.text().contains("no triplet"); })) << panel.text().toStdString();
    EXPECT_TRUE(panel.text().contains("4, 9, 71"));
    panel.ask("0, 1, 100000");
    EXPECT_TRUE(waitUntil([&] { return panel.text().contains("no row 100000"); })) << panel.text().toStdString();
}

} // namespace lambdascope
