// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/windows/window_fixture.h"
#include "ui/charts/legend_bar.h"
#include "ui/panels/views/view_stage.h"
#include "ui/windows/first_captions.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QLabel>
#include <QTest>

namespace lambdascope {
namespace {

using FirstCaptionsTest = WindowTest;

TEST_F(FirstCaptionsTest, GiveWayToEachOtherAndToNamesOfLanes) {
    QWidget narrow; // too narrow for two captions beside each other
    narrow.resize(300, 600);
    QWidget target(&narrow);
    target.setGeometry(0, 500, 300, 40);
    LegendChip chip("a lane", &narrow);
    chip.setGeometry(0, 470, 300, 20); // where the first caption would stand
    narrow.show();
    FirstCaptions captions(&narrow, {{&target, QString(30, 'o'), true, 0}, {&target, QString(30, 't'), true, 0}});
    captions.showOnce();
    const QList<QLabel*> labels = narrow.findChildren<QLabel*>("first-caption");
    ASSERT_EQ(labels.size(), 2);
    EXPECT_LT(labels[0]->geometry().bottom(), chip.geometry().top());
    EXPECT_LT(labels[1]->geometry().bottom(), labels[0]->geometry().top());
    EXPECT_GE(labels[1]->geometry().top(), 0);
}

TEST_F(FirstCaptionsTest, AreShownOnceAndAClickTakesThemAway) {
    window->setWindowState(Qt::WindowNoState);
    window->resize(1280, 800);
    compute();
    window->stage().choose("rates");
    window->stage().refreshNow();
    window->captions().setReadingTime(1'000'000);
    window->showCaptions();
    settleEvents();
    QList<QLabel*> captions = window->findChildren<QLabel*>("first-caption");
    ASSERT_EQ(captions.size(), 3);
    // A caption stood over values at the cursor and the words "log x".
    const auto covered = [&] {
        QStringList found;
        for (const QLabel* caption : captions) {
            for (const QWidget* other : window->findChildren<QWidget*>()) {
                const auto* label = qobject_cast<const QLabel*>(other);
                const bool isKept = (label != nullptr && !label->text().isEmpty() && label != caption) ||
                                    qobject_cast<const QAbstractButton*>(other) != nullptr ||
                                    qobject_cast<const QComboBox*>(other) != nullptr;
                const QRect taken(other->mapTo(window.get(), QPoint()), other->size());
                if (isKept && other->isVisible() && caption->geometry().intersects(taken)) {
                    found << caption->text() + " covers " + other->accessibleName() + (label ? label->text() : "");
                }
            }
            if (!window->rect().contains(caption->geometry())) {
                found << caption->text() + " leaves the window";
            }
        }
        return found.join('\n');
    };
    for (const QSize size : {QSize(1280, 800), QSize(1024, 768), QSize(960, 540)}) {
        window->resize(size); // the headline may take another line a moment later
        EXPECT_TRUE(waitUntil([&] { return covered().isEmpty(); })) << covered().toStdString();
    }
    QTest::mouseClick(&window->stage(), Qt::LeftButton, {}, QPoint(3, 3)); // what is clicked is for whom it was
    EXPECT_FALSE(window->captions().areShown());
    settleEvents();
    EXPECT_TRUE(window->findChildren<QLabel*>("first-caption").isEmpty());
    window->showCaptions();
    EXPECT_FALSE(window->captions().areShown());
    close();
    open();
    window->showCaptions();
    EXPECT_FALSE(window->captions().areShown()) << "once in a user's life";
}

// The last one stood in the chart until somebody clicked.
TEST_F(FirstCaptionsTest, GoByThemselvesOnceTheExampleHasEndedAndTheyCanHaveBeenRead) {
    load({{"points", 4}, {"iterations", 100}, {"delay_us", 3000}});
    workbench->run();
    ASSERT_TRUE(workbench->controller().isBusy());
    window->captions().setReadingTime(0);
    window->showCaptions();
    settleEvents();
    ASSERT_TRUE(window->captions().areShown()) << "while it computes they stay";
    ASSERT_TRUE(waitUntil([&] { return !workbench->controller().isBusy(); }, 30000));
    EXPECT_TRUE(waitUntil([&] { return !window->captions().areShown(); }));
}

} // namespace
} // namespace lambdascope
