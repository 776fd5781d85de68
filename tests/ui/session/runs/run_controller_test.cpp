// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/run_library.h"
#include "tests/ui/session/tiny_family.h"
#include "tests/ui/ui_test_main.h"
#include "ui/session/runs/left_run.h"
#include "ui/session/runs/run_controller.h"
#include "ui/session/runs/run_event_bridge.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <filesystem>

namespace lambdascope {

namespace {

/// Long enough that no test sees its natural end.
const Json kEndless = {{"points", 1000000}, {"iterations", 1000}, {"delay_us", 200}};

/// A controller with everything it says, and helpers that wait.
class RunControllerTest : public testing::Test {
  protected:
    void SetUp() override {
        QObject::connect(&m_bridge, &RunEventBridge::eventsArrived, &m_bridge,
                         [this](const auto& batch) { m_events.insert(m_events.end(), batch.begin(), batch.end()); });
        make({});
    }

    void make(std::shared_ptr<RunLibrary> library) {
        m_controller = std::make_unique<RunController>(
            m_bridge, RunController::Options{.library = std::move(library), .findFamily = findTinyFamily});
        QObject::connect(m_controller.get(), &RunController::failed, m_controller.get(),
                         [this](const Error& error) { m_errors.push_back(error); });
        QObject::connect(m_controller.get(), &RunController::warned, m_controller.get(),
                         [this](const Error& error) { m_warnings.push_back(error); });
        QObject::connect(m_controller.get(), &RunController::finished, m_controller.get(),
                         [this](Termination how) { m_endings.push_back(how); });
        QObject::connect(m_controller.get(), &RunController::stateChanged, m_controller.get(),
                         [this](RunState state) { m_states.push_back(state); });
    }

    static RunRequest request(const Json& problem) { return {tinyExperiment(problem), tinyPlaces(), {}, {}}; }

    bool reach(RunState state) {
        return waitUntil([&] { return m_controller->state() == state; });
    }
    bool computes() {
        const std::size_t before = m_events.size();
        return waitUntil([&] { return m_events.size() > before + 5; });
    }
    std::size_t countFinishedPoints() const {
        return static_cast<std::size_t>(std::count_if(m_events.begin(), m_events.end(), [](const RunEvent& event) {
            return std::holds_alternative<PointFinished>(event.body);
        }));
    }

    RunEventBridge m_bridge;
    std::vector<RunEvent> m_events;
    std::vector<Error> m_errors;
    std::vector<Error> m_warnings;
    std::vector<Termination> m_endings;
    std::vector<RunState> m_states;
    std::unique_ptr<RunController> m_controller;
};

TEST_F(RunControllerTest, RunsAllLanesToTheirEnds) {
    m_controller->start(request({{"points", 3}}));
    EXPECT_EQ(m_controller->state(), RunState::Preparing);
    EXPECT_EQ(m_controller->currentName(), "tiny experiment");
    ASSERT_TRUE(reach(RunState::Idle));
    EXPECT_EQ(m_states, (std::vector{RunState::Preparing, RunState::Running, RunState::Idle}));
    EXPECT_EQ(m_endings, std::vector{Termination::PathEnded});
    EXPECT_TRUE(m_errors.empty());
    // All events are here when `finished` is.
    EXPECT_EQ(countFinishedPoints(), 6U);
    EXPECT_NE(m_controller->dataset(), nullptr);
}

TEST_F(RunControllerTest, RunsOnlyTheLanesAskedFor) {
    RunRequest one = request({{"points", 3}});
    one.lanes = {"half"};
    m_controller->start(std::move(one));
    ASSERT_TRUE(reach(RunState::Idle));
    EXPECT_EQ(countFinishedPoints(), 3U);
}

TEST_F(RunControllerTest, PausesResumesAndStops) {
    m_controller->start(request(kEndless));
    ASSERT_TRUE(reach(RunState::Running));
    ASSERT_TRUE(computes());
    m_controller->pause();
    EXPECT_EQ(m_controller->state(), RunState::Paused);
    // At most the iteration in work still comes; then silence.
    const bool hasComeToRest = waitUntil([this, last = std::size_t(0), calm = 0]() mutable {
        calm = m_events.size() == last ? calm + 1 : 0;
        last = m_events.size();
        return calm > 10;
    });
    EXPECT_TRUE(hasComeToRest);
    m_controller->resume();
    ASSERT_TRUE(computes());
    QElapsedTimer clock;
    clock.start();
    m_controller->stop();
    EXPECT_EQ(m_controller->state(), RunState::Stopping);
    ASSERT_TRUE(reach(RunState::Idle));
    RecordProperty("stop_ms", static_cast<int>(clock.elapsed()));
    EXPECT_LT(clock.elapsed(), 5000); // measured: 10 to 19 ms in six runs on two busy cores
    EXPECT_EQ(m_endings, std::vector{Termination::StoppedByUser});
}

TEST_F(RunControllerTest, GoesOnWithALeftRunOfTheLibrary) {
    QTemporaryDir folder;
    const auto library = RunLibrary::open(std::filesystem::path(folder.path().toStdString()) / "library.sqlite");
    ASSERT_TRUE(library);
    make(*library);
    const Json problem = {{"points", 30}, {"iterations", 10}, {"delay_us", 4000}};
    m_controller->start(request(problem));
    ASSERT_TRUE(waitUntil([&] { return countFinishedPoints() >= 40; }));
    m_controller->stop();
    ASSERT_TRUE(reach(RunState::Idle));
    const auto left = leftRuns(library->get(), 5);
    ASSERT_TRUE(left);
    ASSERT_EQ(left->size(), 1U);
    EXPECT_TRUE(left->front().text.contains(QStringLiteral("of 60 points"))) << left->front().text.toStdString();
    EXPECT_TRUE(left->front().wasStopped);

    m_events.clear();
    RunRequest rest = request(problem);
    rest.left = LeftRun{left->front().experiment, {}};
    m_controller->start(std::move(rest));
    ASSERT_TRUE(reach(RunState::Idle));
    EXPECT_TRUE(m_errors.empty());
    ASSERT_EQ(m_endings.size(), 2U);
    EXPECT_EQ(m_endings.back(), Termination::PathEnded);
    EXPECT_EQ(countFinishedPoints(), 60U) << "what had been computed is told again";
    const auto started = std::count_if(m_events.begin(), m_events.end(), [](const RunEvent& event) {
        const auto* point = std::get_if<PointStarted>(&event.body);
        return point != nullptr && point->index == 0;
    });
    EXPECT_EQ(started, 2) << "no lane began anew";
    const auto experiments = (*library)->experiments();
    ASSERT_EQ(experiments->size(), 1U);
    for (const LibraryRun& run : experiments->front().runs) {
        EXPECT_EQ(run.state, RunRecord::State::Finished);
        EXPECT_EQ(run.finishedPoints, 30);
        EXPECT_EQ((*library)->loadRecord(run.id)->finishedPointCount(), 30U);
    }
    EXPECT_TRUE(leftRuns(library->get(), 5)->empty());
}

TEST_F(RunControllerTest, StopsWhilePaused) {
    m_controller->start(request(kEndless));
    ASSERT_TRUE(reach(RunState::Running));
    m_controller->pause();
    m_controller->stop();
    ASSERT_TRUE(reach(RunState::Idle));
    EXPECT_EQ(m_endings, std::vector{Termination::StoppedByUser});
}

TEST_F(RunControllerTest, StopsWhilePreparing) {
    m_controller->start(request(kEndless));
    m_controller->stop();
    ASSERT_TRUE(reach(RunState::Idle));
    EXPECT_EQ(m_endings, std::vector{Termination::StoppedByUser});
    EXPECT_TRUE(m_errors.empty());
}

TEST_F(RunControllerTest, CanBeDestroyedInEveryState) {
    m_controller->start(request(kEndless));
    m_controller.reset();
    make({});
    m_controller->start(request(kEndless));
    ASSERT_TRUE(reach(RunState::Running));
    m_controller.reset();
    make({});
    m_controller->start(request(kEndless));
    ASSERT_TRUE(reach(RunState::Running));
    m_controller->pause();
    m_controller.reset();
    make({});
    m_controller->start(request(kEndless));
    ASSERT_TRUE(reach(RunState::Running));
    m_controller->stop();
    m_controller.reset();
    settleEvents(); // nothing that was posted may reach the dead
    make({});
    m_controller->start(request({{"points", 2}}));
    ASSERT_TRUE(reach(RunState::Idle));
}

TEST_F(RunControllerTest, StartsAgainAfterAStop) {
    m_controller->start(request(kEndless));
    ASSERT_TRUE(reach(RunState::Running));
    m_controller->stop();
    ASSERT_TRUE(reach(RunState::Idle));
    m_controller->start(request({{"points", 2}}));
    ASSERT_TRUE(reach(RunState::Idle));
    EXPECT_EQ(m_endings, (std::vector{Termination::StoppedByUser, Termination::PathEnded}));
}

TEST_F(RunControllerTest, SaysWhyAnExperimentFailedWithoutADialog) {
    m_controller->start(request({{"refuse", true}}));
    ASSERT_TRUE(reach(RunState::Idle));
    ASSERT_EQ(m_errors.size(), 1U);
    ASSERT_EQ(m_errors[0].faults.size(), 1U);
    EXPECT_EQ(m_errors[0].faults[0].key, "problem.refuse");
    EXPECT_TRUE(m_endings.empty());
    EXPECT_TRUE(m_events.empty());
    EXPECT_EQ(QApplication::activeModalWidget(), nullptr);
    EXPECT_TRUE(QApplication::topLevelWidgets().isEmpty());
}

TEST_F(RunControllerTest, AFailingLaneIsToldAndItsPointsAreKept) {
    m_controller->start(request({{"fail_at", 2}, {"points", 5}}));
    ASSERT_TRUE(reach(RunState::Idle));
    ASSERT_EQ(m_errors.size(), 1U);
    EXPECT_NE(m_errors[0].message.find("told to fail"), std::string::npos);
    EXPECT_EQ(countFinishedPoints(), 4U);
}

TEST_F(RunControllerTest, RefusesAFamilyThatDoesNotExist) {
    RunController controller(
        m_bridge, {.library = nullptr, .findFamily = [](std::string_view) -> const Family* { return nullptr; }});
    QSignalSpy failures(&controller, &RunController::failed);
    controller.start(request({}));
    EXPECT_EQ(failures.count(), 1);
    EXPECT_EQ(controller.state(), RunState::Idle);
}

TEST_F(RunControllerTest, QueueRunsInOrderAndStopHoldsIt) {
    QSignalSpy started(m_controller.get(), &RunController::started);
    m_controller->start(request(kEndless));
    m_controller->enqueue(request({{"points", 1}}));
    m_controller->start(request({{"points", 2}})); // busy: the same as enqueue
    m_controller->enqueue(request({{"points", 3}}));
    ASSERT_EQ(m_controller->queueSize(), 3U);
    m_controller->moveQueued(2, 0);
    EXPECT_EQ(m_controller->queued(0).experiment->document["problem"]["points"], 3);
    m_controller->removeQueued(1);
    m_controller->stop();
    ASSERT_TRUE(reach(RunState::Idle));
    EXPECT_TRUE(m_controller->isQueueHeld());
    EXPECT_EQ(started.count(), 1);
    m_controller->releaseQueue();
    ASSERT_TRUE(waitUntil([&] { return m_endings.size() == 3; }));
    EXPECT_EQ(m_controller->queueSize(), 0U);
    EXPECT_EQ(countFinishedPoints(), 2U * (3 + 2));
}

TEST_F(RunControllerTest, ProgressGrowsAndNamesTheLane) {
    std::vector<double> shares;
    QStringList texts;
    QObject::connect(m_controller.get(), &RunController::progressChanged, m_controller.get(),
                     [&](double share, const QString& text, double) {
                         if (m_controller->state() == RunState::Running && share >= 0) {
                             shares.push_back(share);
                             texts << text;
                         }
                     });
    m_controller->start(request({{"points", 20}, {"iterations", 10}, {"delay_us", 1000}}));
    ASSERT_TRUE(reach(RunState::Idle));
    ASSERT_FALSE(shares.empty());
    EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
    EXPECT_LE(shares.back(), 1.0);
    EXPECT_TRUE(texts.front().contains("of about 20")) << texts.front().toStdString();
    EXPECT_TRUE(texts.back().contains("of 20")) << "a lane has gone the whole way: " << texts.back().toStdString();
}

TEST_F(RunControllerTest, KeepsEveryPointInTheLibraryAndTheRunFolder) {
    QTemporaryDir folder;
    auto library = RunLibrary::open(folder.filePath("library.sqlite").toStdString());
    ASSERT_TRUE(library.has_value());
    make(*library);
    RunRequest kept = request({{"points", 3}});
    kept.runFolder = folder.filePath("out").toStdString();
    m_controller->start(kept);
    ASSERT_TRUE(reach(RunState::Idle));
    EXPECT_TRUE(m_warnings.empty());
    const auto experiments = (*library)->experiments();
    ASSERT_TRUE(experiments.has_value());
    ASSERT_EQ(experiments->size(), 1U);
    ASSERT_EQ(experiments->front().runs.size(), 2U);
    EXPECT_EQ(experiments->front().runs[1].finishedPoints, 3);
    EXPECT_TRUE(std::filesystem::exists(folder.filePath("out/run.json").toStdString()));
    EXPECT_TRUE(std::filesystem::exists(folder.filePath("out/half/path.csv").toStdString()));
    // The same folder again holds a run already: refused before anything is read.
    m_controller->start(kept);
    ASSERT_TRUE(reach(RunState::Idle));
    ASSERT_EQ(m_errors.size(), 1U);
    EXPECT_EQ(m_errors[0].code, ErrorCode::FileUnwritable);
}

} // namespace
} // namespace lambdascope
