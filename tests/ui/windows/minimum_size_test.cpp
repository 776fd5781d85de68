// SPDX-License-Identifier: GPL-3.0-or-later
// The window at its smallest: 900 × 560, and what 1080p at scale 2 leaves. The minimum was 1228 × 632, and a view with
// many lanes made it larger.
#include "tests/ui/windows/window_fixture.h"
#include "ui/charts/figure_view.h"
#include "ui/panels/experiment/paint_page.h"
#include "ui/panels/views/view_stage.h"

#include <QAbstractButton>
#include <QAbstractScrollArea>
#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QLineEdit>
#include <QScrollBar>
#include <QSlider>
#include <QTabBar>
#include <QToolBar>
#include <QToolButton>

namespace lambdascope {
namespace {

class MinimumSizeTest : public WindowTest {
  protected:
    void shrinkTo(const QSize& size) {
        window->setWindowState(Qt::WindowNoState);
        settleEvents();
        window->resize(size);
        settleEvents();
        settleEvents();
    }
};

bool isControl(const QWidget& widget) {
    return (qobject_cast<const QAbstractButton*>(&widget) != nullptr ||
            qobject_cast<const QComboBox*>(&widget) != nullptr || qobject_cast<const QLineEdit*>(&widget) != nullptr ||
            qobject_cast<const QSlider*>(&widget) != nullptr || qobject_cast<const FigureView*>(&widget) != nullptr) &&
           !widget.objectName().startsWith(QLatin1String("qt_"));
}

/// Whether all of a widget can be seen, if need be after scrolling.
bool isReachable(const QWidget& widget) {
    constexpr int frame = 2; // px that a style may cut
    QRect part = widget.rect();
    for (const QWidget* inner = &widget; !inner->isWindow(); inner = inner->parentWidget()) {
        const QWidget* outer = inner->parentWidget();
        const auto* scroll = qobject_cast<const QAbstractScrollArea*>(outer->parentWidget());
        if (scroll != nullptr && scroll->viewport() == outer && inner != scroll->viewport()) {
            const bool isWideEnough =
                inner->width() <= outer->width() || scroll->horizontalScrollBarPolicy() != Qt::ScrollBarAlwaysOff;
            if (!isWideEnough) {
                return false;
            }
            part = outer->rect();
            inner = outer;
            outer = scroll;
        }
        part = QRect(inner->mapTo(outer, part.topLeft()), part.size());
        if (!outer->rect().adjusted(-frame, -frame, frame, frame).contains(part)) {
            return false;
        }
    }
    return true;
}

std::string nameOf(const QWidget& widget) {
    const auto* button = qobject_cast<const QAbstractButton*>(&widget);
    return std::string(widget.metaObject()->className()) + " '" + widget.accessibleName().toStdString() + "' '" +
           (button == nullptr ? std::string() : button->text().toStdString()) + "'";
}

/// Whether a dock lies behind others of its tabs.
bool isBehindOthers(const QWidget& widget) {
    for (const QWidget* outer = &widget; outer != nullptr; outer = outer->parentWidget()) {
        if (qobject_cast<const QDockWidget*>(outer) != nullptr) {
            return outer->visibleRegion().isEmpty();
        }
    }
    return false;
}

/// What asks for how much room, for the message of a failure.
std::string minimaOf(const MainWindow& window) {
    std::string text;
    for (const QWidget* widget : window.findChildren<QWidget*>()) {
        const QSize least = widget->minimumSizeHint().expandedTo(widget->minimumSize());
        if (widget->isVisible() && (least.width() > 250 || least.height() > 250)) {
            text +=
                "\n" + nameOf(*widget) + " " + std::to_string(least.width()) + " x " + std::to_string(least.height());
        }
    }
    return text;
}

void expectAllReachable(const MainWindow& window, const std::string& where) {
    int seen = 0;
    for (const QWidget* widget : window.findChildren<QWidget*>()) {
        const bool isPartOfTabs = qobject_cast<const QTabBar*>(widget->parentWidget()) != nullptr; // its scroll arrows
        if (!widget->isVisible() || widget->window() != &window || !isControl(*widget) || isPartOfTabs ||
            isBehindOthers(*widget) || widget->inherits("QTableCornerButton") ||
            widget->x() <= -10000) { // put away by its layout
            continue;
        }
        ++seen;
        EXPECT_TRUE(isReachable(*widget)) << where << ": " << nameOf(*widget);
        if (qobject_cast<const QComboBox*>(widget) != nullptr) {
            EXPECT_GE(widget->width(), widget->minimumSizeHint().width()) << where << ": " << nameOf(*widget);
        }
    }
    EXPECT_GT(seen, 15) << where;
    for (const QToolBar* bar : window.findChildren<QToolBar*>()) {
        const auto* overflow = bar->findChild<QToolButton*>(QStringLiteral("qt_toolbar_ext_button"));
        const bool canOverflow = overflow != nullptr && overflow->isVisible();
        for (QAction* action : bar->actions()) {
            const QWidget* shown = bar->widgetForAction(action);
            EXPECT_TRUE(canOverflow || (shown != nullptr && shown->isVisible())) << action->text().toStdString();
        }
    }
}

TEST_F(MinimumSizeTest, NothingIsUnreachableAt900By560NorAtScale2On1080p) {
    compute();
    for (const QSize size : {QSize(900, 560), QSize(960, 520), QSize(1024, 700)}) {
        shrinkTo(size);
        for (const char* dock : {"experiment-dock", "runs-dock", "inspector-dock"}) {
            auto* shown = window->findChild<QDockWidget*>(QString::fromLatin1(dock));
            shown->show();
            shown->raise();
            settleEvents();
            ASSERT_EQ(window->size(), size) << dock << minimaOf(*window);
            const QStringList offered = window->stage().offered();
            for (const QString& view : offered) {
                window->stage().choose(view);
                settleEvents();
                const std::string where = view.toStdString() + " beside " + dock + " at " +
                                          std::to_string(size.width()) + " × " + std::to_string(size.height());
                EXPECT_EQ(window->size(), size) << where;
                expectAllReachable(*window, where);
            }
        }
    }
}

TEST_F(MinimumSizeTest, EveryViewFitsEvenWithoutRuns) {
    window->showWelcome(false);
    shrinkTo({900, 560});
    for (const QString& view : window->stage().offered()) {
        window->stage().choose(view);
        settleEvents();
        EXPECT_EQ(window->size(), QSize(900, 560)) << view.toStdString() << minimaOf(*window);
        expectAllReachable(*window, view.toStdString());
    }
    window->showWelcome(true);
    settleEvents();
    EXPECT_EQ(window->size(), QSize(900, 560));
    for (const char* source : {"painted", "iris"}) {
        workbench->document().setValue("data.source", source);
        window->showPaint(true);
        ASSERT_TRUE(waitUntil([&] { return window->paintPage()->editor().isOpen(); }));
        const int frames = window->paintPage()->frames();
        Q_EMIT window->paintPage()->editor().changed();
        ASSERT_TRUE(waitUntil([&] { return window->paintPage()->frames() > frames; }));
        settleEvents();
        EXPECT_EQ(window->size(), QSize(900, 560)) << source << minimaOf(*window);
        expectAllReachable(*window, source);
    }
}

// Seven lanes made the window taller than the screen.
TEST_F(MinimumSizeTest, NoNumberOfLanesResizesTheWindow) {
    compute();
    std::vector<RunEvent> events;
    for (int lane = 0; lane < 7; ++lane) {
        for (const RunEvent& event : tinyEvents({.id = RunId{1000 + lane},
                                     .lane = "lane " + std::to_string(lane),
                                     .isBaseline = lane == 0,
                                     .share = 0.5})) {
            events.push_back(event);
        }
    }
    workbench->runs().apply(events);
    shrinkTo({900, 560});
    for (const char* view : {"cost", "heatmap"}) {
        window->stage().choose(QString::fromLatin1(view));
        window->stage().current().tab->refreshNow();
        settleEvents();
        EXPECT_EQ(window->size(), QSize(900, 560)) << view;
        EXPECT_GE(window->stage().current().tab->charts().size(), 6U) << view;
        expectAllReachable(*window, view);
    }
}

TEST_F(MinimumSizeTest, DocksOfOneSideAtATimeInANarrowWindow) {
    shrinkTo({1400, 800});
    auto* form = window->findChild<QDockWidget*>("experiment-dock");
    auto* inspector = window->findChild<QDockWidget*>("inspector-dock");
    inspector->show();
    form->hide();
    form->show(); // shown last
    settleEvents();
    EXPECT_FALSE(form->isHidden() || inspector->isHidden()) << "there is room for both";
    shrinkTo({1000, 700});
    EXPECT_FALSE(form->isHidden());
    EXPECT_TRUE(inspector->isHidden());
    window->actions()["view.inspector"]->trigger();
    EXPECT_FALSE(inspector->isHidden());
    EXPECT_TRUE(form->isHidden());
    shrinkTo({1400, 800});
    EXPECT_FALSE(form->isHidden()) << "it comes back";
    window->actions()["view.experiment"]->trigger();
    shrinkTo({1000, 700});
    shrinkTo({1400, 800});
    EXPECT_TRUE(form->isHidden()) << "what was hidden by hand stays so";
}

} // namespace
} // namespace lambdascope
