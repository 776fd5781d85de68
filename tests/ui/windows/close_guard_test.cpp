// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/run_library.h"
#include "tests/ui/windows/window_fixture.h"
#include "ui/windows/close_guard.h"

#include <QCloseEvent>

namespace lambdascope {
namespace {

class Closing : public WindowTest {
  protected:
    void SetUp() override {
        WindowTest::SetUp();
        window->setCloseQuestion([this] {
            ++asked;
            return answer;
        });
    }

    void startLong(int points = 100000) {
        load({{"points", points}, {"delay_us", 300}});
        workbench->run();
        ASSERT_TRUE(waitUntil([&] { return workbench->controller().state() == RunState::Running; }));
        ASSERT_TRUE(waitUntil([&] { return workbench->cursor().count() > 0; }));
    }

    int asked = 0;
    CloseAnswer answer = CloseAnswer::Cancel;
};

TEST_F(Closing, AsksNothingWhileIdle) {
    EXPECT_TRUE(window->close());
    EXPECT_EQ(asked, 0);
}

TEST_F(Closing, CancelStaysAndGoesOn) {
    startLong();
    EXPECT_FALSE(window->close());
    EXPECT_EQ(asked, 1);
    EXPECT_TRUE(workbench->controller().isBusy());
    EXPECT_TRUE(window->isVisible());
    workbench->controller().stop();
    ASSERT_TRUE(waitUntil([&] { return !workbench->controller().isBusy(); }));
    settleEvents();
    EXPECT_TRUE(window->isVisible()); // cancelled is cancelled
}

TEST_F(Closing, StopKeepsFinishedPointsAndCloses) {
    startLong();
    answer = CloseAnswer::StopAndKeep;
    EXPECT_FALSE(window->close());
    EXPECT_TRUE(waitUntil([&] { return !window->isVisible(); }));
    EXPECT_EQ(asked, 1);
    EXPECT_FALSE(workbench->controller().isBusy());
    EXPECT_GT(workbench->runs().record(workbench->runs().ids().front())->finishedPointCount(), 0U);
}

TEST_F(Closing, WaitLetsItEndAndCloses) {
    startLong(40);
    answer = CloseAnswer::Wait;
    EXPECT_FALSE(window->close());
    EXPECT_TRUE(hasNotice("closes when the work is done"));
    EXPECT_TRUE(waitUntil([&] { return !window->isVisible(); }));
    EXPECT_EQ(asked, 1);
    workbench->bridge().drainNow();
    EXPECT_EQ(workbench->runs().record(workbench->runs().ids().front())->finishedPointCount(), 40U);
}

TEST_F(Closing, AsksOnceWhileExperimentsWaitInAHeldQueue) {
    startLong();
    load({{"points", 5}});
    workbench->run(true);
    workbench->controller().stop(); // holds the queue
    ASSERT_TRUE(waitUntil([&] { return !workbench->controller().isBusy(); }));
    ASSERT_EQ(workbench->controller().queueSize(), 1U);
    EXPECT_FALSE(window->close());
    EXPECT_EQ(asked, 1);
    EXPECT_TRUE(window->isVisible());
    answer = CloseAnswer::StopAndKeep;
    EXPECT_TRUE(window->close());
    EXPECT_EQ(asked, 2);
}

TEST_F(Closing, WaitsForAHeldQueueToo) {
    startLong();
    load({{"points", 5}});
    workbench->run(true);
    workbench->controller().stop();
    ASSERT_TRUE(waitUntil([&] { return !workbench->controller().isBusy(); }));
    answer = CloseAnswer::Wait;
    EXPECT_FALSE(window->close());
    EXPECT_TRUE(waitUntil([&] { return !window->isVisible(); }));
    EXPECT_EQ(asked, 1);
    workbench->bridge().drainNow();
    EXPECT_EQ(workbench->runs().record(workbench->runs().ids().back())->finishedPointCount(), 5U);
}

TEST_F(Closing, StoppingLeavesTheQueueWithoutASecondQuestion) {
    startLong();
    workbench->run(true);
    answer = CloseAnswer::StopAndKeep;
    EXPECT_FALSE(window->close());
    EXPECT_TRUE(waitUntil([&] { return !window->isVisible(); }));
    EXPECT_EQ(asked, 1);
}

TEST(ClosingWithLibrary, LeavesEverythingInTheLibrary) {
    QTemporaryDir folder;
    const auto file = std::filesystem::path(folder.path().toStdString()) / "library.sqlite";
    {
        Workbench::Options options;
        options.catalog = &tinyCatalog();
        options.run.findFamily = findTinyFamily;
        auto library = RunLibrary::open(file);
        ASSERT_TRUE(library.has_value());
        options.run.library = *library;
        Workbench workbench(std::move(options));
        MainWindow window(workbench);
        window.setCloseQuestion([] { return CloseAnswer::StopAndKeep; });
        window.show();
        workbench.document().load(tinyDocument({{"points", 100000}, {"delay_us", 300}}));
        workbench.run();
        ASSERT_TRUE(waitUntil([&] { return workbench.cursor().count() > 2; }));
        (void)window.close();
        ASSERT_TRUE(waitUntil([&] { return !window.isVisible(); }));
    }
    auto library = RunLibrary::open(file);
    ASSERT_TRUE(library.has_value());
    const auto experiments = (*library)->experiments();
    ASSERT_TRUE(experiments.has_value());
    ASSERT_EQ(experiments->size(), 1U);
    ASSERT_EQ(experiments->front().runs.size(), 2U);
    EXPECT_GT(experiments->front().runs.front().finishedPoints, 2);
    EXPECT_EQ(experiments->front().runs.front().state, RunRecord::State::Stopped);
}

} // namespace
} // namespace lambdascope
