// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/panels/inspector/finished_run.h"
#include "tests/ui/ui_test_main.h"
#include "ui/panels/inspector/certificate_bar.h"
#include "ui/panels/inspector/explanation_text.h"
#include "ui/panels/inspector/inspector_panel.h"
#include "ui/panels/inspector/why_panel.h"

#include <gtest/gtest.h>

#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTreeWidget>

namespace lambdascope {

namespace {

QPushButton* button(const QWidget& parent, const QString& text) {
    for (QPushButton* candidate : parent.findChildren<QPushButton*>()) {
        if (candidate->text() == text) {
            return candidate;
        }
    }
    return nullptr;
}

QString rowsOf(const NotableItem& item) {
    QString rows = QString::fromStdString(item.title);
    rows.remove(0, rows.indexOf('(') + 1);
    return rows.remove(')');
}

/// What the panel must show about the first notable item of a set.
QString expectedText(const FinishedRun& run, std::size_t lane, const NotableItem& item, int point) {
    const auto lens = run.direct(lane);
    const auto why = lens->explain(item.item, point, {});
    EXPECT_TRUE(why);
    return explanationText(*why, {"λ", run.cursor.axis()[static_cast<std::size_t>(point)]});
}

} // namespace

TEST(ExplanationText, SaysTheInequalityInNumbers) {
    BoundVerdict verdict{"PGB", "sphere", "R", "⟨H,Q⟩ − r‖H‖ > 1", 3 - 0.5 * 2, 1, 0.75, {}};
    verdict.terms = {{"⟨H,Q⟩", "", 3}, {"r", "", 0.5}, {"‖H‖", "", 2}, {"δ", "", 0.25}};
    EXPECT_EQ(inequalityText(verdict), "⟨H,Q⟩ − r‖H‖ > 1:  3 − 0.5 · 2 = 2 > 1");
    EXPECT_EQ(decisionText(verdict), "R");
    verdict.set.clear();
    verdict.inequality = "⟨H,Q⟩ + r‖H‖ < 1 − γ";
    verdict.left = 4;
    verdict.threshold = 0.95;
    EXPECT_EQ(inequalityText(verdict), "⟨H,Q⟩ + r‖H‖ < 1 − γ:  3 + 0.5 · 2 = 4 ≥ 0.95");
    EXPECT_EQ(decisionText(verdict), "undecided");
}

TEST(ExplanationText, TellsWhatBecameOfTheItem) {
    ItemExplanation why;
    why.title = "triplet (4, 9, 71)";
    why.trueSet = "R";
    const ExplainedPlace place{"λ", 12.5};
    EXPECT_TRUE(explanationHeadline(why, place).contains("no screening"));
    why.checks = 4;
    why.iteration = 30;
    EXPECT_TRUE(explanationHeadline(why, place).contains("none of 4 screenings"));
    why.set = "R";
    why.check = 0;
    why.used = {{"PGB", "sphere", "R", "x > 1", 2, 1, 1, {}}, {"GB", "sphere", "", "x > 1", 0, 1, -1, {}}};
    const QString decided = explanationHeadline(why, place);
    EXPECT_TRUE(decided.contains("fixed in R at λ = 12.5 by PGB, sphere rule")) << decided.toStdString();
    EXPECT_FALSE(decided.contains("GB, sphere rule and")) << decided.toStdString();
}

TEST(WhyPanelTest, ShowsTheNumbersThatTheLensGivesAndFollowsTheCursor) {
    FinishedRun run;
    const auto notable = run.direct(2)->notableItems(6, 12, {});
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
    auto* find = button(panel, "Find");
    ASSERT_TRUE(find != nullptr && find->isEnabled());
    find->click();
    auto* list = panel.findChild<QComboBox*>();
    EXPECT_TRUE(waitUntil([&] { return list->count() > 3; }));
    EXPECT_TRUE(waitUntil([&] { return panel.text().contains("Triplet ("); }));
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

TEST(CertificateBarTest, VerifiesInTheBackgroundAndSaysWhatItFound) {
    FinishedRun run;
    CertificateBar bar(run.runs, run.lens);
    bar.setRun(run.lane(0));
    EXPECT_TRUE(bar.text().contains("nothing to verify"));
    bar.setRun(run.lane(2));
    EXPECT_TRUE(bar.text().contains("not verified"));
    button(bar, "Verify")->click();
    EXPECT_TRUE(run.lens.isAuditing(run.lane(2)) || run.runs.display(run.lane(2)).audit);
    EXPECT_TRUE(waitUntil([&] { return run.runs.display(run.lane(2)).audit.has_value(); }));
    const auto report = run.runner->makeLens(2)->audit(0, {}, {});
    ASSERT_TRUE(report);
    EXPECT_GT(report->decisions, 0);
    EXPECT_EQ(bar.text(), QString::fromUtf8("✓ ") + QString::fromStdString(auditText(*report)));
    bar.setRun(run.lane(1));
    EXPECT_TRUE(bar.text().contains("not verified")) << "each lane has its own";
}

TEST(CertificateBarTest, AStoppedAuditLeavesNoVerdict) {
    FinishedRun run;
    run.lens.audit(run.lane(1));
    run.lens.cancelAudit(run.lane(1));
    EXPECT_FALSE(run.lens.isAuditing(run.lane(1)));
    run.lens.audit(run.lane(2));
    EXPECT_TRUE(waitUntil([&] { return run.runs.display(run.lane(2)).audit.has_value(); }));
    EXPECT_FALSE(run.runs.display(run.lane(1)).audit);
}

TEST(RunLensSessionTest, SaysWhyARunCannotBeLookedInto) {
    RunCollection runs;
    RunLensSession lens(runs, {&tinyCatalog(), findTinyFamily, [] { return tinyPlaces(); }});
    EXPECT_FALSE(lens.obstacle(RunId{77}).isEmpty());
    runs.apply(tinyEvents({.id = RunId{1}, .isEnded = false}));
    EXPECT_TRUE(lens.obstacle(RunId{1}).contains("still computes"));
    runs.apply(tinyEvents({.id = RunId{2}, .lane = "half", .isBaseline = false, .share = 0.5}));
    EXPECT_TRUE(lens.obstacle(RunId{2}).isEmpty());
    QSignalSpy failures(&lens, &RunLensSession::failed);
    lens.explain(RunId{2}, "1, 2, 3", 0);
    EXPECT_TRUE(waitUntil([&] { return failures.count() == 1; })) << "this family has no lens";
}

TEST(RunLensSessionTest, GoesAwayWhileItIsAsked) {
    FinishedRun run;
    for (int i = 0; i < 3; ++i) {
        RunLensSession lens(run.runs, {nullptr, {}, [] { return tinyPlaces(); }});
        lens.audit(run.lane(2));
        lens.findNotable(run.lane(1), 3);
    }
    settleEvents();
}

TEST(InspectorPanelTest, ALaneWithoutScreeningHasNoRates) {
    FinishedRun run;
    InspectorPanel panel(run.runs, run.cursor, run.lens, builtInCatalog());
    panel.show();
    panel.selectRun(run.lane(0));
    panel.refreshNow();
    EXPECT_TRUE(panel.text().contains("Screening rate (final): no screening")) << panel.text().toStdString();
    panel.selectRun(run.lane(2));
    panel.refreshNow();
    EXPECT_FALSE(panel.text().contains("no screening"));
}

} // namespace lambdascope
