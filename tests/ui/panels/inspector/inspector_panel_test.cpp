// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/number_text.h"
#include "core/families.h"
#include "tests/support/lens_capability.h"
#include "tests/ui/panels/inspector/finished_run.h"
#include "tests/ui/session/tiny_family.h"
#include "tests/ui/ui_test_main.h"
#include "ui/panels/inspector/inspector_panel.h"
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
#include <QTabWidget>
#include <QTableWidget>
#include <QTreeWidget>

#include <cmath>

namespace lambdascope {

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

// "DT: larger C: 1.3" of a lane that tests nothing.
TEST(RunDetails, ShowOnlySettingsThatMatterToTheLane) {
    const SchemaCatalog catalog = builtInCatalog();
    int hidden = 0;
    for (const FamilySchema& family : catalog.families) {
        for (const std::string& bound : wordsOf(family.lane, "bounds")) {
            for (const bool isTested : {false, true}) {
                SCOPED_TRACE(family.id + ", " + bound);
                Json lane = family.lane.defaults();
                lane["name"] = "lane";
                lane["bounds"] = isTested ? Json::array({bound}) : Json::array();
                std::vector<RunEvent> events = tinyEvents({.id = RunId{1}});
                auto& started = std::get<RunStarted>(events.front().body);
                started.family = family.id;
                started.laneName = "lane";
                started.experiment["lanes"] = Json::array({lane});
                const std::vector<RunRecord> records = recordsOf(events);
                const DetailGroup group = laneDetails({QStringLiteral("lane"), &records.front()}, nullptr, catalog);
                for (const FieldDescription& field : family.lane.fields) {
                    const QString label = QString::fromStdString(field.label);
                    const bool isShown = std::any_of(group.rows.begin(), group.rows.end(),
                                                     [&](const auto& row) { return row.first == label; });
                    const bool matters = isRelevant(family.lane, field, lane);
                    EXPECT_TRUE(!isShown || matters) << field.key;
                    hidden += matters ? 0 : 1;
                    if (field.key == "beyond") {
                        EXPECT_EQ(isShown, isTested && bound == "DT");
                    } else if (field.key == "schedule" || field.key == "rule") {
                        EXPECT_EQ(isShown, isTested) << field.key;
                    }
                }
            }
        }
    }
    EXPECT_GT(hidden, 0);
}

// "STE: no such point", of a lane that stood at its end in every chart.
TEST(RunDetails, SayWhereALaneEndedThatHasNoPointAtTheCursor) {
    const std::vector<RunRecord> ended = recordsOf(tinyEvents({.id = RunId{1}, .points = 3}));
    const DetailGroup group = lanesAtPoint({{"brief", &ended.front()}}, 5);
    ASSERT_EQ(group.rows.size(), 1);
    EXPECT_EQ(group.rows[0].second, "ended at point 3");
    EXPECT_EQ(pointDetails(ended.front(), 5).rows.front().second, "ended at point 3");
}

TEST(InspectorPanel, AsksWhyOnlyWhereSomethingIsScreened) {
    const Json ordinal = {{"family", "ordinal"},
                          {"data", {{"source", "eurodist"}, {"scale", "none"}}},
                          {"problem", {{"comparisons", "distances"}, {"train", 200}}},
                          {"path", {{"kind", "epochs"}, {"epochs", 3}}},
                          {"lanes", {{{"name", "STE"}}}}};
    for (const bool screens : {true, false}) {
        FinishedRun run(screens ? smallMetricExperiment() : ordinal);
        InspectorPanel panel(run.runs, run.cursor, run.lens, builtInCatalog());
        panel.refreshNow();
        const auto* pages = panel.findChild<QTabWidget*>();
        ASSERT_NE(pages, nullptr);
        EXPECT_EQ(pages->isTabVisible(1), screens);
        EXPECT_TRUE(pages->isTabVisible(0));
    }
}

// Some 40 rows stood at each λ, many of them "none".
TEST(RunDetails, FirstNumbersAreFewAndTheOthersWaitUntilTheyAreAskedFor) {
    const FinishedRun run;
    for (const RunId id : run.runs.ids()) {
        const RunRecord& record = *run.runs.record(id);
        const DetailGroup first = pointDetails(record, 1);
        const DetailGroup others = otherDetails(record, 1);
        EXPECT_FALSE(first.isFolded);
        EXPECT_TRUE(others.isFolded);
        EXPECT_LE(first.rows.size(), 20U);
        EXPECT_GT(others.rows.size(), 2U);
        for (const DetailGroup& group : {first, others}) {
            for (const auto& [what, value] : group.rows) {
                EXPECT_NE(value, "none") << what.toStdString();
            }
        }
        const PointRecord& point = record.points()[1];
        const auto isThere = [&](const QString& label) {
            const auto isRow = [&label](const auto& row) { return row.first == label; };
            return std::any_of(first.rows.begin(), first.rows.end(), isRow) ||
                   std::any_of(others.rows.begin(), others.rows.end(), isRow);
        };
        for (std::size_t i = 0; i < point.values.size(); ++i) {
            const ColumnDescription& column = record.start().columns[i];
            const bool isSaid = std::isfinite(point.values[i]) && !point.screenings.empty();
            EXPECT_TRUE(!isSaid || isThere(QString::fromStdString(column.label))) << column.label;
        }
    }
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
    const auto direct = as<ItemExplainer>(*run.direct(2)).explain(17, 4, {});
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
    QPushButton* closest = buttonOf(panel, "Smallest slack");
    ASSERT_NE(closest, nullptr);
    EXPECT_TRUE(closest->isVisible());
    closest->click();
    ASSERT_TRUE(waitUntil([&] { return explained.count() == 1; }));
    EXPECT_EQ(run.cursor.index(), report.closestPoint);
    EXPECT_EQ(explained.front().at(1).toInt(), report.closestPoint);
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
    run.runs.apply(tinyEvents({.id = RunId{720001}, .lane = "new", .isBaseline = false}));
    EXPECT_FALSE(panel.text().contains("a point of it"));
    EXPECT_EQ(panel.selectedRun(), RunId{720001});
    EXPECT_EQ(dropped.count(), 1);
    panel.selectItem(RunId{720001}, QStringLiteral("another"));
    run.runs.apply(tinyEvents({.id = RunId{720002}, .lane = "newer", .isBaseline = false}));
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

} // namespace lambdascope
