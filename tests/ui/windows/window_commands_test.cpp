// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/windows/window_fixture.h"
#include "ui/panels/runs/runs_panel.h"
#include "ui/windows/export_panel.h"
#include "ui/windows/info_sheet.h"

#include <QAction>
#include <QKeySequence>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QTest>
#include <QTextBrowser>

#include <map>
#include <set>

namespace lambdascope {
namespace {

using WindowCommands = WindowTest;

TEST_F(WindowCommands, EveryActionHasTextAndAMenuPlace) {
    std::set<const QAction*> placed;
    const std::function<void(const QMenu*)> walk = [&](const QMenu* menu) {
        for (const QAction* action : menu->actions()) {
            placed.insert(action);
            if (action->menu() != nullptr) {
                walk(action->menu());
            }
        }
    };
    for (const QAction* top : window->menuBar()->actions()) {
        ASSERT_NE(top->menu(), nullptr);
        EXPECT_TRUE(top->text().contains('&')) << top->text().toStdString();
        walk(top->menu());
    }
    std::map<QString, QString> shortcuts;
    for (const QAction* action : window->actions().all()) {
        EXPECT_FALSE(action->text().isEmpty()) << action->objectName().toStdString();
        EXPECT_FALSE(action->statusTip().isEmpty()) << action->objectName().toStdString();
        EXPECT_TRUE(placed.contains(action)) << action->objectName().toStdString();
        for (const QKeySequence& keys : action->shortcuts()) {
            EXPECT_TRUE(shortcuts.emplace(keys.toString(), action->objectName()).second)
                << keys.toString().toStdString() << " is used twice";
        }
    }
    // Those of a panel may not be those of the window: Qt would take neither.
    for (const QAction* action : window->runsPanel().runActions()) {
        for (const QKeySequence& keys : action->shortcuts()) {
            EXPECT_TRUE(shortcuts.emplace(keys.toString(), action->text()).second)
                << keys.toString().toStdString() << " is used twice";
        }
    }
    for (const char* keys : {"F5", "Esc", "F9", "F10", "F11", "F1", "Ctrl+Z", "Ctrl+Y", "Ctrl+E", "Ctrl+O", "Ctrl+S",
                             "Ctrl+1", "Ctrl+4", "Ctrl+5"}) {
        EXPECT_TRUE(shortcuts.contains(QString::fromLatin1(keys))) << keys;
    }
}

TEST_F(WindowCommands, TheShortcutSheetListsEveryShortcutAndEscClosesIt) {
    window->actions()["help.shortcuts"]->trigger();
    ASSERT_FALSE(window->infoSheet().isHidden());
    const QString text = window->infoSheet().plainText();
    for (const QAction* action : window->actions().all()) {
        for (const QKeySequence& keys : action->shortcuts()) {
            EXPECT_TRUE(text.contains(keys.toString(QKeySequence::NativeText))) << action->objectName().toStdString();
        }
    }
    for (const QAction* action : window->runsPanel().runActions()) {
        EXPECT_TRUE(text.contains(action->shortcut().toString(QKeySequence::NativeText)))
            << action->text().toStdString();
        EXPECT_TRUE(action->shortcut().isEmpty() || text.contains(action->text())) << action->text().toStdString();
    }
    QTest::keyClick(window->infoSheet().findChild<QTextBrowser*>(), Qt::Key_Escape);
    EXPECT_TRUE(window->infoSheet().isHidden());
}

TEST_F(WindowCommands, TextFieldsLeaveCommandsAloneAndTheFirstEscLeavesThem) {
    load({{"points", 100000}, {"delay_us", 200}});
    workbench->run();
    ASSERT_TRUE(waitUntil([&] { return workbench->controller().state() == RunState::Running; }));
    window->activateWindow();
    auto* field = window->runsPanel().filterBox();
    field->setFocus();
    ASSERT_TRUE(waitUntil([&] { return field->hasFocus(); }));
    QTest::keyClicks(field, "iris");
    EXPECT_EQ(field->text(), "iris");
    QTest::keyClick(field, Qt::Key_E, Qt::ControlModifier);
    EXPECT_TRUE(window->exportPanel().isVisible());
    window->exportPanel().hide();
    window->activateWindow();
    field->setFocus();
    ASSERT_TRUE(waitUntil([&] { return field->hasFocus(); }));
    QTest::keyClick(field, Qt::Key_Escape);
    EXPECT_FALSE(field->hasFocus());
    EXPECT_EQ(workbench->controller().state(), RunState::Running);
    QTest::keyClick(window.get(), Qt::Key_Escape);
    EXPECT_NE(workbench->controller().state(), RunState::Running);
    ASSERT_TRUE(waitUntil([&] { return !workbench->controller().isBusy(); }));
}

TEST_F(WindowCommands, HelpNamesLicenceVersionsAndChoices) {
    window->actions()["help.about"]->trigger();
    EXPECT_TRUE(window->infoSheet().plainText().contains("GPL-3.0-or-later"));
    EXPECT_TRUE(window->infoSheet().plainText().contains(QString::fromLatin1(qVersion())));
    window->actions()["help.bounds"]->trigger();
    EXPECT_TRUE(window->infoSheet().plainText().contains("The first.")); // help of the choice "red"
}

TEST_F(WindowCommands, UndoTakesBackAnEditOfTheForm) {
    load({{"points", 4}});
    workbench->document().setValue("problem.points", 5);
    ASSERT_TRUE(window->actions()["edit.undo"]->isEnabled());
    window->actions()["edit.undo"]->trigger();
    EXPECT_EQ(workbench->document().value("problem.points"), 4);
    window->actions()["edit.redo"]->trigger();
    EXPECT_EQ(workbench->document().value("problem.points"), 5);
}

} // namespace
} // namespace lambdascope
