// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/families.h"
#include "tests/ui/session/tiny_family.h"
#include "tests/ui/ui_test_main.h"
#include "ui/panels/experiment/experiment_form.h"
#include "ui/panels/experiment/fault_label.h"
#include "ui/panels/experiment/field_row.h"
#include "ui/panels/experiment/lane_card.h"
#include "ui/panels/experiment/lanes_editor.h"

#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QUndoStack>

#include <algorithm>

namespace lambdascope {

namespace {

constexpr int kWidth = 320;

class ExperimentFormTest : public testing::Test {
  protected:
    void show(ExperimentForm& form) {
        form.resize(kWidth, 640);
        form.show();
        settleEvents();
    }
    QLineEdit* line(const ExperimentForm& form, const QString& key) const {
        return form.row(key)->editor()->findChild<QLineEdit*>();
    }

    QUndoStack m_undo;
    ExperimentDocument m_document{tinyCatalog(), &m_undo};
};

std::vector<std::string> allKeys(const ExperimentDocument& document) {
    std::vector<std::string> keys;
    const auto add = [&](const SectionSchema& schema, const std::string& prefix) {
        for (const FieldDescription& field : schema.fields) {
            keys.push_back(prefix + "." + field.key);
        }
    };
    add(document.catalog().data, "data");
    add(document.catalog().run, "run");
    add(document.family()->problem, "problem");
    add(document.family()->solver, "solver");
    add(document.family()->path, "path");
    for (int lane = 0; lane < document.laneCount(); ++lane) {
        add(document.family()->lane, "lanes[" + std::to_string(lane) + "]");
        add(document.family()->solver, "lanes[" + std::to_string(lane) + "].solver");
    }
    return keys;
}

void unfoldAll(ExperimentForm& form) {
    for (LaneCard* card : form.lanesEditor()->cards()) {
        card->setUnfolded(true);
    }
    for (auto* button : form.findChildren<QToolButton*>()) {
        if (button->isCheckable() && button->text().startsWith("More")) {
            button->setChecked(true);
        }
    }
    settleEvents();
}

TEST_F(ExperimentFormTest, HasAnEditorForEveryFieldOfEveryBuiltInFamily) {
    for (const FamilySchema& family : builtInCatalog().families) {
        ExperimentDocument document(builtInCatalog());
        document.newExperiment(QString::fromStdString(family.id));
        ExperimentForm form(document);
        for (const std::string& key : allKeys(document)) {
            const FieldRow* row = form.row(QString::fromStdString(key));
            ASSERT_NE(row, nullptr) << key;
            EXPECT_EQ(row->editor()->value(), document.value(QString::fromStdString(key))) << key;
        }
    }
}

TEST_F(ExperimentFormTest, EveryInputHasAnAccessibleNameAndFieldsHaveBuddies) {
    ExperimentForm form(m_document);
    show(form);
    unfoldAll(form);
    int inputs = 0;
    for (const QWidget* widget : form.findChildren<QWidget*>()) {
        const bool isInner = qobject_cast<QComboBox*>(widget->parentWidget()) != nullptr;
        const bool isInput = qobject_cast<const QLineEdit*>(widget) != nullptr ||
                             qobject_cast<const QComboBox*>(widget) != nullptr ||
                             qobject_cast<const QAbstractButton*>(widget) != nullptr ||
                             qobject_cast<const QAbstractSpinBox*>(widget) != nullptr;
        if (isInput && !isInner && widget->focusPolicy() != Qt::NoFocus && widget->isVisible()) {
            EXPECT_FALSE(widget->accessibleName().isEmpty())
                << widget->metaObject()->className() << " " << widget->toolTip().toStdString();
            ++inputs;
        }
    }
    EXPECT_GT(inputs, 20);
    for (const std::string& key : allKeys(m_document)) {
        const FieldRow* row = form.row(QString::fromStdString(key));
        const auto labels = row->findChildren<QLabel*>(Qt::FindDirectChildrenOnly);
        const bool hasBuddy =
            std::any_of(labels.begin(), labels.end(), [](const QLabel* label) { return label->buddy() != nullptr; });
        EXPECT_TRUE(hasBuddy || row->editor()->carriesLabel()) << key;
    }
}

TEST_F(ExperimentFormTest, ShowsTheBeginningOfALongName) {
    ExperimentForm form(m_document);
    show(form);
    m_document.setValue("name", "Figure 4: time against n, digit 0 against the rest, linear kernel, ten seeds");
    settleEvents();
    const auto edits = form.findChildren<QLineEdit*>();
    const auto name = std::find_if(edits.begin(), edits.end(),
                                   [](const QLineEdit* edit) { return edit->text().startsWith("Figure 4"); });
    ASSERT_NE(name, edits.end());
    EXPECT_EQ((*name)->cursorPosition(), 0);
    (*name)->setFocus();
    (*name)->setCursorPosition(6);
    QTest::keyClicks(*name, "x"); // typing stays where it is
    EXPECT_EQ((*name)->cursorPosition(), 7);
    EXPECT_EQ(m_document.value("name"),
              "Figurex 4: time against n, digit 0 against the rest, linear kernel, ten seeds");
}

TEST_F(ExperimentFormTest, EditingChangesTheDocumentAndUndoRestoresBoth) {
    ExperimentForm form(m_document);
    show(form);
    QLineEdit* points = line(form, "problem.points");
    EXPECT_FALSE(form.row("problem.points")->resetButton()->isVisible());
    points->selectAll();
    QTest::keyClicks(points, "25");
    EXPECT_EQ(m_document.value("problem.points"), 25);
    EXPECT_TRUE(form.row("problem.points")->resetButton()->isVisible());
    EXPECT_EQ(m_undo.count(), 1);
    m_undo.undo();
    EXPECT_EQ(points->text(), "3");
    EXPECT_EQ(m_document.value("problem.points"), 3);
    m_undo.redo();
    EXPECT_EQ(points->text(), "25");
    form.row("problem.points")->resetButton()->click();
    EXPECT_EQ(points->text(), "3");
    EXPECT_FALSE(form.row("problem.points")->resetButton()->isVisible());
}

TEST_F(ExperimentFormTest, ExplainsFaultsUnderTheirFieldAndSaysWhyRunIsDisabled) {
    ExperimentForm form(m_document);
    show(form);
    EXPECT_TRUE(form.runButton()->isEnabled());
    QLineEdit* points = line(form, "problem.points");
    points->selectAll();
    QTest::keyClicks(points, "0");
    const FaultLabel* fault = form.row("problem.points")->faultLabel();
    EXPECT_TRUE(fault->isVisible());
    EXPECT_TRUE(fault->text().startsWith("⚠")) << "not by colour alone";
    EXPECT_GE(fault->mapTo(&form, QPoint(0, 0)).y(), points->mapTo(&form, QPoint(0, points->height())).y() - 2);
    EXPECT_FALSE(form.row("problem.iterations")->faultLabel()->isVisible());
    EXPECT_FALSE(form.runButton()->isEnabled());
    EXPECT_TRUE(form.runNotice().contains("Points")) << form.runNotice().toStdString();
    EXPECT_FALSE(form.runButton()->accessibleDescription().isEmpty());
    QTest::keyClicks(points, "4"); // 04
    EXPECT_FALSE(fault->isVisible());
    EXPECT_TRUE(form.runButton()->isEnabled());
    EXPECT_TRUE(form.runNotice().isEmpty());
}

TEST_F(ExperimentFormTest, FaultyHiddenFieldsAreBroughtToLight) {
    ExperimentForm form(m_document);
    show(form);
    EXPECT_FALSE(form.row("problem.extra")->isVisible()) << "does not matter now";
    m_document.setValue("problem.extra", 5);
    EXPECT_TRUE(form.row("problem.extra")->isVisible());
    m_document.setValue("problem.extra", "");
    m_document.setValue("problem.refuse", true);
    EXPECT_TRUE(form.row("problem.extra")->isVisible());

    m_document.setValue("lanes[1].every", -4); // advanced, in a folded card
    FieldRow* every = form.row("lanes[1].every");
    EXPECT_TRUE(every->isVisible());
    EXPECT_TRUE(every->faultLabel()->isVisible());
    form.reveal("lanes[1].every");
    EXPECT_TRUE(every->editor()->inputs().front()->hasFocus() || !form.isActiveWindow());
}

TEST_F(ExperimentFormTest, FaultsWithoutAFieldAreToldToo) {
    ExperimentForm form(m_document);
    show(form);
    m_document.load(Json::parse(R"({"family": "tiny", "problem": {"pionts": 2}})"));
    EXPECT_TRUE(form.runNotice().contains("pionts")) << form.runNotice().toStdString();
    m_document.load(Json::parse(R"({"family": "tiny", "lanes": [{"name": "a"}, {"name": "a"}]})"));
    settleEvents(); // layouts show what was made just now
    EXPECT_TRUE(form.lanesEditor()->cards()[1]->faultLabel()->isVisible());
    m_document.load(Json::parse(R"({"family": "unheard"})"));
    EXPECT_FALSE(form.runNotice().isEmpty());
    m_document.newExperiment();
    EXPECT_TRUE(form.runNotice().isEmpty());
    EXPECT_NE(form.row("problem.points"), nullptr);
}

TEST_F(ExperimentFormTest, WhatNoFieldCanShowIsLeftOutByAButton) {
    ExperimentForm form(m_document);
    show(form);
    const auto button = [&form](const char* text) {
        const auto all = form.findChildren<QPushButton*>();
        return *std::find_if(all.begin(), all.end(), [text](QPushButton* each) { return each->text() == text; });
    };
    m_document.load(Json::parse(R"({"family": "tiny", "oops": 1, "problem": {"pionts": 2, "points": 3},
                                    "lanes": [{"name": "a", "evry": 3}]})"));
    settleEvents();
    EXPECT_TRUE(button("Leave out")->isVisible());
    EXPECT_TRUE(button("Show")->isVisible()) << "the lane with a fault can be shown";
    button("Leave out")->click();
    EXPECT_TRUE(m_document.isRunnable()) << m_document.reasonNotRunnable().toStdString();
    EXPECT_EQ(m_document.value("problem.points"), 3);
    EXPECT_FALSE(button("Leave out")->isVisible());
    m_undo.undo();
    EXPECT_EQ(m_document.faults().size(), 3U);
    m_document.load(Json::parse(R"({"family": "tiny", "problem": {"pionts": 2}})"));
    EXPECT_TRUE(button("Leave out")->isVisible());
    EXPECT_FALSE(button("Show")->isVisible()) << "there is nothing to show";
}

TEST_F(ExperimentFormTest, LanesAreAddedRenamedMovedAndRemoved) {
    ExperimentForm form(m_document);
    show(form);
    LanesEditor* lanes = form.lanesEditor();
    lanes->addButton()->click();
    ASSERT_EQ(lanes->cards().size(), 3U);
    EXPECT_TRUE(lanes->cards()[2]->isUnfolded());
    QLineEdit* name = lanes->cards()[2]->nameEdit();
    name->selectAll();
    QTest::keyClicks(name, "mine");
    EXPECT_EQ(m_document.laneName(2), "mine");
    const auto press = [&](std::size_t card, const char* what) {
        for (auto* button : lanes->cards()[card]->findChildren<QToolButton*>()) {
            if (button->toolTip() == what) {
                button->click();
                settleEvents();
                return;
            }
        }
        FAIL() << what;
    };
    press(2, "Move up");
    EXPECT_EQ(m_document.laneName(1), "mine");
    EXPECT_TRUE(lanes->cards()[1]->isUnfolded()) << "unfolded cards stay so";
    press(1, "Duplicate");
    EXPECT_EQ(m_document.laneName(2), "mine 2");
    press(1, "Remove");
    EXPECT_EQ(m_document.laneName(1), "mine 2");
    m_undo.undo();
    m_undo.undo();
    m_undo.undo();
    EXPECT_EQ(m_document.laneName(2), "mine");
    EXPECT_EQ(lanes->cards()[2]->nameEdit()->text(), "mine");
}

TEST_F(ExperimentFormTest, TheTickOfALaneSaysWhetherItIsComputed) {
    ExperimentForm form(m_document);
    show(form);
    QCheckBox* tick = form.lanesEditor()->cards()[1]->enabledBox();
    EXPECT_TRUE(tick->isChecked());
    tick->click();
    EXPECT_EQ(m_document.value("lanes[1].enabled"), false);
    EXPECT_TRUE(m_document.isRunnable());
    form.lanesEditor()->cards()[0]->enabledBox()->click();
    EXPECT_FALSE(m_document.isRunnable()) << "nothing would be computed";
    m_undo.undo();
    m_undo.undo();
    EXPECT_TRUE(form.lanesEditor()->cards()[1]->enabledBox()->isChecked());
}

// A lane that was off said "no compute this lane · note the group takes about ten minutes".
TEST_F(ExperimentFormTest, ALaneTellsItsNoteInItsOwnWordsAndLeavesItsTickToTheTick) {
    ExperimentForm form(m_document);
    show(form);
    const LaneCard* card = form.lanesEditor()->cards()[1];
    const QString before = card->summary();
    m_document.setValue("lanes[1].enabled", false);
    m_document.setValue("lanes[1].note", "the group takes about ten minutes");
    EXPECT_TRUE(card->summary().endsWith("the group takes about ten minutes")) << card->summary().toStdString();
    EXPECT_FALSE(card->summary().contains("ompute"));
    EXPECT_FALSE(card->summary().contains("note"));
    m_document.setValue("lanes[1].note", "");
    EXPECT_EQ(card->summary(), before);
}

TEST_F(ExperimentFormTest, RunAsksOnceAndQueuesWhileBusy) {
    ExperimentForm form(m_document);
    show(form);
    QSignalSpy asked(&form, &ExperimentForm::runRequested);
    form.runButton()->click();
    form.setBusy(true);
    EXPECT_EQ(form.runButton()->text(), "Add to queue");
    form.runButton()->click();
    ASSERT_EQ(asked.count(), 2);
    EXPECT_FALSE(asked[0][0].toBool());
    EXPECT_TRUE(asked[1][0].toBool());
}

TEST_F(ExperimentFormTest, AnErrorOfARunIsShownBesideItsFieldUntilTheNextEdit) {
    ExperimentForm form(m_document);
    show(form);
    form.showError(singleFault(ErrorCode::InvalidData, {"problem.points", "too many for these data", "Take 2.", {}}));
    EXPECT_TRUE(form.row("problem.points")->faultLabel()->text().contains("Too many"));
    EXPECT_TRUE(form.runButton()->isEnabled());
    EXPECT_FALSE(form.runNotice().isEmpty());
    m_document.setValue("problem.points", 2);
    EXPECT_FALSE(form.row("problem.points")->faultLabel()->isVisible());
    EXPECT_TRUE(form.runNotice().isEmpty());
    EXPECT_EQ(QApplication::activeModalWidget(), nullptr);
}

TEST_F(ExperimentFormTest, SaysWhatIsInTheData) {
    Json document = tinyDocument({});
    document["data"]["source"] =
        (tinyPlaces().bundled / "iris.csv").string(); // by path: independent of where resources are
    m_document.load(document);
    ExperimentForm form(m_document);
    show(form);
    ASSERT_TRUE(waitUntil([&] { return form.dataPreview().state() == DataPreview::State::Ready; }));
    EXPECT_TRUE(form.dataSummary()->text().contains("150 rows"));
    m_document.setValue("data.source", "nowhere.csv");
    ASSERT_TRUE(waitUntil([&] { return form.dataPreview().state() == DataPreview::State::Failed; }));
    EXPECT_FALSE(form.dataSummary()->isVisible());
}

TEST_F(ExperimentFormTest, FitsItsWidthWithEverythingUnfolded) {
    for (const SchemaCatalog* catalog : {&tinyCatalog(), &builtInCatalog()}) {
        ExperimentDocument document(*catalog);
        ExperimentForm form(document);
        document.setValue("solver.tolerance", "not a number at all, and a rather long text to be quoted");
        show(form);
        unfoldAll(form);
        const auto* area = form.findChild<QScrollArea*>();
        EXPECT_LE(area->widget()->minimumSizeHint().width(), area->viewport()->width());
        EXPECT_LE(form.minimumSizeHint().width(), kWidth);
        for (const QWidget* widget : area->widget()->findChildren<QWidget*>()) {
            if (widget->isVisible() && widget->width() > 0) {
                const int right = widget->mapTo(area->widget(), QPoint(widget->width(), 0)).x();
                EXPECT_LE(right, area->widget()->width())
                    << widget->metaObject()->className() << " " << widget->accessibleName().toStdString();
            }
        }
    }
}

TEST_F(ExperimentFormTest, IsNeverNarrowerThanItsFields) {
    ExperimentDocument document(builtInCatalog());
    ExperimentForm form(document);
    show(form);
    form.resize(50, 640); // a dock gives no less than the least width
    settleEvents();
    const auto* area = form.findChild<QScrollArea*>();
    form.resize(form.minimumSizeHint().width(), 640);
    settleEvents();
    EXPECT_GE(area->viewport()->width(), area->widget()->minimumSizeHint().width());
}

TEST_F(ExperimentFormTest, TabVisitsInputsFromTopToBottom) {
    ExperimentForm form(m_document);
    show(form);
    unfoldAll(form);
    const auto* area = form.findChild<QScrollArea*>();
    const QWidget* content = area->widget();
    const QWidget* first = form.findChild<QLineEdit*>();
    int lastTop = -1000;
    int visited = 0;
    const QWidget* widget = first;
    do {
        const bool counts = content->isAncestorOf(widget) && (widget->focusPolicy() & Qt::TabFocus) != 0 &&
                            widget->isVisible() && widget->focusProxy() == nullptr &&
                            qobject_cast<QComboBox*>(widget->parentWidget()) == nullptr;
        if (counts) {
            const int top = widget->mapTo(content, QPoint(0, widget->height() / 2)).y();
            EXPECT_GE(top, lastTop - 8) << widget->accessibleName().toStdString();
            lastTop = top;
            ++visited;
        }
        widget = widget->nextInFocusChain();
    } while (widget != first && widget != nullptr);
    EXPECT_GT(visited, 20);
}

} // namespace
} // namespace lambdascope
