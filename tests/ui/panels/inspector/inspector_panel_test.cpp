// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/number_text.h"
#include "core/families.h"
#include "tests/ui/panels/inspector/finished_run.h"
#include "tests/ui/session/tiny_family.h"
#include "tests/ui/ui_test_main.h"
#include "ui/panels/inspector/certificate_bar.h"
#include "ui/panels/inspector/explanation_text.h"
#include "ui/panels/inspector/inspector_panel.h"
#include "ui/panels/inspector/published_panel.h"
#include "ui/panels/inspector/run_details.h"
#include "ui/panels/inspector/why_panel.h"

#include <gtest/gtest.h>

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QLineEdit>
#include <QMap>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTreeWidget>

#include <cmath>

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

TEST(RunDetails, SayNumbersAsPeopleReadThem) {
    EXPECT_EQ(valueText({"n", "Samples", "", ColumnRole::Other, true}, 12345), "12,345");
    EXPECT_EQ(valueText({"m", "Memory", "B", ColumnRole::Other, true}, 25961536).toStdString(), byteText(25961536));
    EXPECT_EQ(valueText({"index", "Point", "", ColumnRole::Index, true}, 110), "111");
    EXPECT_EQ(valueText({"r", "Rate", "", ColumnRole::PathRate, false}, 0.8125), "81.3 %");
    EXPECT_EQ(valueText({"x", "Value", "", ColumnRole::Other, false}, std::nan("")), "none");
}

TEST(RunDetails, ShowSettingsAsTheFormNamesThem) {
    const FinishedRun run;
    const RunRecord& record = *run.runs.record(run.runs.ids().back());
    const SchemaCatalog catalog = builtInCatalog();
    const DetailGroup group = laneDetails({QStringLiteral("lane"), &record}, nullptr, catalog);
    const Json& lane = record.start().experiment.at("lanes").back();
    int choices = 0;
    for (const FieldDescription& field : catalog.find("metric")->lane.fields) {
        for (const Choice& choice : field.choices) {
            if (lane.contains(field.key) && lane.at(field.key) == choice.value) {
                ++choices;
                const std::pair row{QString::fromStdString(field.label), QString::fromStdString(choice.label)};
                EXPECT_EQ(std::count(group.rows.begin(), group.rows.end(), row), 1) << field.key;
            }
        }
    }
    EXPECT_GT(choices, 0);
}

TEST(RunDetails, NameFactsForPeople) {
    const FinishedRun run;
    const DetailGroup facts = problemFacts(*run.runs.record(run.runs.ids().back()));
    QMap<QString, QString> value;
    for (const auto& [what, text] : facts.rows) {
        value[what] = text;
    }
    EXPECT_EQ(value[QStringLiteral("SHA-256 of the data")].size(), 64);
    EXPECT_TRUE(value.contains(QStringLiteral("n")));
    EXPECT_TRUE(value.contains(QStringLiteral("γ")));
    EXPECT_TRUE(value.contains(QStringLiteral("Held out")));
    EXPECT_TRUE(value[QStringLiteral("Problem, memory")].endsWith(QLatin1Char('B')));
}

TEST(ExplanationText, TellsWhatBecameOfTheItem) {
    ItemExplanation why;
    why.title = "triplet (4, 9, 71)";
    why.trueSet = "R";
    const ExplainedPlace place{"λ", 12.5};
    EXPECT_TRUE(explanationHeadline(why, place).contains("no screening"));
    why.checks = 4;
    why.iteration = 30;
    EXPECT_TRUE(explanationHeadline(why, place).contains("none of 4 checks"));
    why.set = "R";
    why.check = 0;
    why.used = {{"PGB", "sphere", "R", "x > 1", 2, 1, 1, {}}, {"GB", "sphere", "", "x > 1", 0, 1, -1, {}}};
    // The first screening of a lane that waits until it pays is not the one of the path.
    EXPECT_TRUE(explanationHeadline(why, place).contains("rule, while solving, at iteration 30. "));
    EXPECT_FALSE(explanationHeadline(why, place).contains("path screening"));
    why.iteration = 0;
    EXPECT_TRUE(explanationHeadline(why, place).contains("rule, in the path screening, before the first iteration. "));
    const QString decided = explanationHeadline(why, place);
    EXPECT_TRUE(decided.contains("fixed in R at λ = 12.5 by PGB, sphere rule")) << decided.toStdString();
    EXPECT_FALSE(decided.contains("GB, sphere rule and")) << decided.toStdString();
    why.isAfterwards = true;
    const QString late = explanationHeadline(why, place);
    EXPECT_TRUE(late.contains("stayed in the problem") && late.contains("afterwards")) << late.toStdString();
    EXPECT_FALSE(late.contains("was fixed")) << late.toStdString();
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
    EXPECT_EQ(bar.text(), QString::fromUtf8("✓ proven: ") + QString::fromStdString(auditText(*report)));
    bar.setRun(run.lane(1));
    EXPECT_TRUE(bar.text().contains("not verified")) << "each lane has its own";
}

TEST(CertificateBarTest, SaysWhatIsNotProvenAndWhatIsWrong) {
    FinishedRun run;
    CertificateBar bar(run.runs, run.lens);
    bar.setRun(run.lane(2));
    LaneAudit audit;
    audit.report.decisions = 3234;
    audit.report.undecided = 577;
    run.runs.setAudit(run.lane(2), audit);
    EXPECT_EQ(bar.text(), "? not proven: 577 of 3,234 decisions are too near their threshold to tell");
    audit.path.addWrong("primal at point 3");
    run.runs.setAudit(run.lane(2), audit);
    EXPECT_TRUE(bar.text().startsWith(QString::fromUtf8("✗ wrong: 1 stored value"))) << bar.text().toStdString();
    audit = {};
    audit.unsafeReason = "it guesses";
    run.runs.setAudit(run.lane(2), audit);
    EXPECT_TRUE(bar.text().startsWith("! unsafe lane (it guesses), proven")) << bar.text().toStdString();
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
    EXPECT_TRUE(panel.text().contains("Screening: no screening")) << panel.text().toStdString();
    panel.selectRun(run.lane(2));
    panel.refreshNow();
    EXPECT_FALSE(panel.text().contains("no screening"));
}

TEST(InspectorPanel, APickedItemIsExplained) {
    FinishedRun run;
    InspectorPanel panel(run.runs, run.cursor, run.lens, builtInCatalog());
    panel.show();
    run.cursor.moveTo(4);
    QSignalSpy explained(&run.lens, &RunLensSession::explained);
    run.lens.selection().pickItem(run.lane(2), 17);
    ASSERT_TRUE(waitUntil([&] { return explained.count() == 1; }));
    EXPECT_EQ(panel.selectedRun(), run.lane(2));
    const auto* why = panel.findChild<WhyPanel*>();
    const auto direct = run.direct(2)->explain(17, 4, {});
    ASSERT_TRUE(direct);
    EXPECT_TRUE(why->isVisible()); // its page was turned to
    EXPECT_TRUE(why->text().contains(QString::fromStdString(direct->title).mid(1))) << why->text().toStdString();
    // The item stays the one that is asked about when the cursor moves on.
    run.cursor.moveTo(6);
    ASSERT_TRUE(waitUntil([&] { return explained.count() == 2; }));
    EXPECT_TRUE(why->text().contains(QString::fromStdString(direct->title).mid(1)));
}

TEST(InspectorPanel, APickedSampleOffersTheItemsThatBeginThere) {
    FinishedRun run;
    InspectorPanel panel(run.runs, run.cursor, run.lens, builtInCatalog());
    panel.show();
    run.cursor.moveTo(4);
    QSignalSpy explained(&run.lens, &RunLensSession::explained);
    run.lens.selection().pickSample(run.lane(2), 5);
    ASSERT_TRUE(waitUntil([&] { return explained.count() == 1; }));
    const auto* why = panel.findChild<WhyPanel*>();
    EXPECT_TRUE(why->text().contains("riplet (5, ")) << why->text().toStdString();
    const auto* offered = why->findChild<QComboBox*>();
    ASSERT_GT(offered->count(), 1);
    for (int i = 0; i < offered->count(); ++i) {
        EXPECT_TRUE(offered->itemText(i).startsWith("(5, ")) << offered->itemText(i).toStdString();
    }
    EXPECT_EQ(offered->currentIndex(), 0);
    QSignalSpy failed(&run.lens, &RunLensSession::failed);
    run.lens.selection().pickSample(run.lane(2), 100000);
    ASSERT_TRUE(waitUntil([&] { return failed.count() == 1; }));
    EXPECT_TRUE(why->text().contains("no sample")) << why->text().toStdString();
}

TEST(InspectorPanel, TheCertificateLeadsToItsClosestDecision) {
    FinishedRun run;
    InspectorPanel panel(run.runs, run.cursor, run.lens, builtInCatalog());
    panel.show();
    panel.selectRun(run.lane(2));
    panel.refreshNow();
    run.lens.audit(run.lane(2));
    ASSERT_TRUE(waitUntil([&] { return run.runs.display(run.lane(2)).audit.has_value(); }));
    const AuditReport& report = run.runs.display(run.lane(2)).audit->report;
    ASSERT_GE(report.closestItem, 0);
    QSignalSpy explained(&run.lens, &RunLensSession::explained);
    QPushButton* closest = button(panel, "Closest");
    ASSERT_NE(closest, nullptr);
    EXPECT_TRUE(closest->isVisible());
    closest->click();
    ASSERT_TRUE(waitUntil([&] { return explained.count() == 1; }));
    EXPECT_EQ(run.cursor.index(), report.closestPoint);
    EXPECT_EQ(explained.front().at(1).toInt(), report.closestPoint);
}

TEST(InspectorPanel, SetsPublishedNumbersBesideOursWhenAllLanesHaveEnded) {
    RunCollection runs;
    PathCursor cursor;
    RunLensSession lens(runs, {nullptr, {}, [] { return tinyPlaces(); }});
    InspectorPanel panel(runs, cursor, lens, builtInCatalog());
    panel.show();
    std::vector<RunEvent> events = tinyEvents({.id = RunId{71}, .lane = "half", .isBaseline = false, .cpuPerPoint = 2});
    auto& start = std::get<RunStarted>(events.front().body);
    start.experiment["published"] = Json::array(
        {{{"label", "time of the paper"},
          {"value", 84.5},
          {"source", "[T, table 2]"},
          {"measure", "cpu"},
          {"lane", "half"},
          {"note", "another machine"}},
         {{"label", "rate"}, {"value", 0.5}, {"source", "[T, table 2]"}, {"measure", "cpu"}, {"lane", "nobody"}}});
    const RunEvent end = events.back();
    events.pop_back();
    runs.apply(events);
    panel.refreshNow();
    EXPECT_EQ(panel.publishedPage(), nullptr); // half a path would compare with nothing
    runs.apply({end});
    panel.refreshNow();
    ASSERT_NE(panel.publishedPage(), nullptr);
    const QStringList lines = panel.publishedPage()->text().split('\n');
    ASSERT_GE(lines.size(), 3);
    EXPECT_EQ(lines[1], "time of the paper\thalf\t84.5\t6\t[T, table 2]\tanother machine");
    EXPECT_TRUE(lines[2].contains("\t–\t")); // that lane did not run
    const auto* table = panel.publishedPage()->findChild<QTableWidget*>();
    EXPECT_EQ(table->rowCount(), 2);
    EXPECT_EQ(table->item(0, 2)->text(), "6");
    EXPECT_TRUE(table->item(0, 0)->toolTip().contains("another machine"));
    panel.publishedPage()->copyText();
    EXPECT_EQ(QGuiApplication::clipboard()->text(), panel.publishedPage()->text());
}

TEST(InspectorPanel, WhatWasClickedGoesAwayWithItsPlaceAndItsExperiment) {
    FinishedRun run;
    InspectorPanel panel(run.runs, run.cursor, run.lens, builtInCatalog());
    panel.show();
    run.cursor.moveTo(4);
    const auto click = [&] { panel.selectItem(run.lane(1), QStringLiteral("GB: a point of it")); };
    click();
    EXPECT_TRUE(panel.text().startsWith("GB: a point of it"));
    run.cursor.moveTo(2);
    EXPECT_FALSE(panel.text().contains("a point of it"));
    click();
    panel.clearItem();
    EXPECT_FALSE(panel.text().contains("a point of it"));
    EXPECT_EQ(panel.selectedRun(), run.lane(1)); // the lane stays
    click();
    QSignalSpy dropped(&panel, &InspectorPanel::selectionDropped);
    run.runs.setShown(run.runs.ids(), false);
    run.runs.beginBatch();
    run.runs.apply(tinyEvents({.id = RunId{72}, .lane = "new", .isBaseline = false}));
    EXPECT_FALSE(panel.text().contains("a point of it"));
    EXPECT_EQ(panel.selectedRun(), RunId{72});
    EXPECT_EQ(dropped.count(), 1);
    panel.selectItem(RunId{72}, QStringLiteral("another"));
    run.runs.apply(tinyEvents({.id = RunId{73}, .lane = "newer", .isBaseline = false}));
    EXPECT_TRUE(panel.text().startsWith("another")); // a later lane of the same experiment
    EXPECT_EQ(dropped.count(), 1);
}

TEST(InspectorPanel, EveryControlHasANameForScreenReaders) {
    FinishedRun run;
    InspectorPanel panel(run.runs, run.cursor, run.lens, builtInCatalog());
    panel.show();
    panel.refreshNow();
    int seen = 0;
    for (const QWidget* widget : panel.findChildren<QWidget*>()) {
        const auto* push = qobject_cast<const QPushButton*>(widget);
        const bool isControl =
            push != nullptr || qobject_cast<const QComboBox*>(widget) != nullptr ||
            qobject_cast<const QLineEdit*>(widget) != nullptr || qobject_cast<const QTableWidget*>(widget) != nullptr ||
            qobject_cast<const QTreeWidget*>(widget) != nullptr || qobject_cast<const QProgressBar*>(widget) != nullptr;
        seen += isControl ? 1 : 0;
        const QString name =
            push != nullptr && widget->accessibleName().isEmpty() ? push->text() : widget->accessibleName();
        EXPECT_TRUE(!isControl || !name.isEmpty()) << widget->metaObject()->className();
    }
    EXPECT_GT(seen, 8);
}

TEST(ExplanationText, NamesTheEarlierReference) {
    ItemExplanation why;
    why.title = "triplet (4, 9, 71)";
    why.set = "R";
    why.trueSet = "R";
    why.checks = 3;
    why.check = 0;
    FixingReference reference;
    reference.axisValue = 12.5;
    reference.point = 7;
    reference.low = 8.25;
    reference.high = 17;
    reference.verdict.bound = "RRPB";
    reference.verdict.rule = "sphere";
    reference.verdict.set = "R";
    why.reference = reference;
    const QString headline = explanationHeadline(why, {"λ", 9.5});
    for (const char* part : {"Triplet (4, 9, 71)", "λ₀ = 12.5", "point 8", "RRPB", "from 8.25 to 17", "λ = 9.5"}) {
        EXPECT_TRUE(headline.contains(QString::fromUtf8(part))) << part << " in " << headline.toStdString();
    }
    EXPECT_TRUE(explanationText(why, {"λ", 9.5}).contains("RRPB"));
    why.reference.reset();
    EXPECT_FALSE(explanationHeadline(why, {"λ", 9.5}).contains("12.5"));
}

} // namespace lambdascope
