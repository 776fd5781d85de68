// SPDX-License-Identifier: GPL-3.0-or-later
// What becomes of LIBSVM's process and of its lane, however they end; and what looks into such a lane.
#include "core/svm/rivals/libsvm_program.h"
#include "tests/core/svm/rivals/libsvm_lanes.h"
#include "tests/support/child_processes.h"
#include "tests/support/lens_capability.h"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <thread>

namespace lambdascope::svm {
namespace {

class LibsvmEnds : public ::testing::Test {
  protected:
    void SetUp() override {
        if (!hasLibsvm()) {
            GTEST_SKIP() << "LIBSVM is not in this build";
        }
    }
    void TearDown() override { EXPECT_TRUE(test::childProcesses().empty()) << "a process was left"; }

    /// Which the library gives up after half a minute.
    static Json endless() {
        Json document = documentWith({{"data", {{"source", "toy:svm-figure1?n=2000"}}},
                                      {"problem", {{"kernel", "linear"}, {"intercept", "free"}}},
                                      {"path", {{"kind", "list"}, {"values", {1e12}}}}});
        document["lanes"] = Json::array({libsvmLane("LIBSVM", 1e-9)});
        return document;
    }
    static Json twoLanes() {
        Json document = documentWith(
            {{"problem", {{"intercept", "free"}}}, {"path", {{"kind", "list"}, {"values", {0.1, 1, 10, 100}}}}});
        document["lanes"] = Json::array({{{"name", "ours"}}, libsvmLane("LIBSVM", 1e-3)});
        return document;
    }
};

TEST_F(LibsvmEnds, TheProcessThatIsKilledFailsTheLaneAndNothingElse) {
    test::StoppingSink sink([](const RunEvent& event) {
        const auto* point = std::get_if<PointFinished>(&event.body);
        const std::vector<pid_t> processes = test::childProcesses();
        if (point != nullptr && point->index == 1 && processes.size() == 1) { // ours comes first
            ::kill(processes.front(), SIGKILL);
        }
        return false;
    });
    const std::vector<LaneRun> runs = lanesOf(twoLanes(), sink);
    ASSERT_EQ(runs.size(), 2U);
    EXPECT_FALSE(runs[0].outcome.error);
    EXPECT_EQ(runs[0].points.size(), 4U);
    ASSERT_TRUE(runs[1].outcome.error);
    EXPECT_EQ(runs[1].outcome.error->code, ErrorCode::OutOfMemory);
    EXPECT_NE(runs[1].outcome.error->describe().find("was killed"), std::string::npos);
    EXPECT_EQ(std::ssize(runs[1].points), runs[1].outcome.finishedPoints);
    EXPECT_GE(runs[1].points.size(), 1U);
    EXPECT_LT(runs[1].points.size(), 4U);
}

TEST_F(LibsvmEnds, AStopKeepsWhatIsFinished) {
    test::StoppingSink sink([](const RunEvent& event) {
        const auto* point = std::get_if<PointStarted>(&event.body);
        return point != nullptr && point->index == 2;
    });
    Json document = twoLanes();
    document["lanes"] = Json::array({libsvmLane("LIBSVM", 1e-3)});
    const LaneRun stopped = lanesOf(document, sink).front();
    EXPECT_EQ(stopped.outcome.termination, Termination::StoppedByUser);
    const LaneRun whole = lanesOf(document).front();
    ASSERT_EQ(stopped.points.size(), 2U);
    EXPECT_EQ(stopped.at(1, "primal"), whole.at(1, "primal"));
}

TEST_F(LibsvmEnds, ATimeLimitEndsALaneThatWouldComeToNoEnd) {
    Json document = endless();
    document["run"] = {{"time_limit", 1}};
    const LaneRun run = lanesOf(document).front();
    EXPECT_EQ(run.outcome.termination, Termination::TimeLimit);
    EXPECT_TRUE(run.points.empty());
}

/// Waits for the process to be in a state; false when it never comes to that.
bool seesProcess(char state) {
    for (int tick = 0; tick < 4000; ++tick) {
        const std::vector<pid_t> all = test::childProcesses();
        if (!all.empty() && test::processState(all.front()) == state) {
            return true;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return false;
}

TEST_F(LibsvmEnds, AStopKillsTheProcessAndAPauseHoldsIt) {
    auto experiment = validateExperiment(endless(), catalog());
    ASSERT_TRUE(experiment);
    ExperimentRunner runner(std::move(*experiment), family(), {});
    ASSERT_TRUE(runner.prepare());
    std::stop_source stop;
    PauseGate gate;
    bool began = false;
    bool isHeld = false;
    bool goesOn = false;
    std::jthread user([&] {
        began = seesProcess('R');
        gate.pause();
        isHeld = seesProcess('T');
        gate.resume();
        goesOn = seesProcess('R');
        stop.request_stop();
    });
    RecordingSink sink;
    const auto outcome = runner.run(sink, stop.get_token(), &gate);
    user.join();
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->lanes.front().termination, Termination::StoppedByUser);
    EXPECT_EQ(outcome->lanes.front().finishedPoints, 0);
    EXPECT_TRUE(began);
    EXPECT_TRUE(isHeld);
    EXPECT_TRUE(goesOn);
}

TEST_F(LibsvmEnds, KernelValuesBeyondSinglePrecisionAreNeverTakenForASolution) {
    for (const int degree : {6, 12, 20}) {
        Json document = documentWith({{"data", {{"source", "toy:svm-figure1?n=80"}}},
                                      {"problem",
                                       {{"kernel", "polynomial"},
                                        {"degree", degree},
                                        {"gamma", 1e5},
                                        {"gamma_unit", "absolute"},
                                        {"intercept", "free"}}},
                                      {"path", {{"kind", "list"}, {"values", {1e-3, 1}}}},
                                      {"run", {{"time_limit", 2}}}});
        document["lanes"] = Json::array({libsvmLane("LIBSVM", 1e-3)});
        const LaneRun run = lanesOf(document).front();
        EXPECT_TRUE(run.outcome.error || run.outcome.termination != Termination::PathEnded || degree == 6);
        for (std::size_t p = 0; p < run.points.size(); ++p) {
            EXPECT_TRUE(std::isfinite(run.at(p, "gap")));
            EXPECT_GE(run.at(p, "gap"), run.at(p, "primal") - run.at(p, "dual"));
        }
    }
}

TEST_F(LibsvmEnds, ALaneIsVerifiedExplainedAndExportedFromSeveralThreads) {
    Json document = twoLanes();
    document["lanes"][0]["bounds"] = {"GAP"};
    document["problem"]["positive_weight"] = 2;
    auto experiment = validateExperiment(document, catalog());
    ASSERT_TRUE(experiment) << experiment.error().describe();
    ExperimentRunner runner(std::move(*experiment), family(), {});
    ASSERT_TRUE(runner.prepare());
    const auto ours = runner.makeLens(0);
    const auto lens = runner.makeLens(1);
    ASSERT_TRUE(ours->open(0, {}, {}));
    // Whoever asks may do so in another thread than the one in which the process has begun.
    std::jthread([&lens] { EXPECT_TRUE(lens->open(0, {}, {})); }).join();
    const auto audit = as<DecisionAuditor>(*lens).audit(0, {}, {});
    ASSERT_TRUE(audit) << audit.error().describe();
    EXPECT_EQ(audit->decisions, 0);
    EXPECT_EQ(audit->wrong, 0);
    EXPECT_EQ(audit->proven.size(), 4U);
    for (const std::int64_t item : {3, 50, 120}) {
        const auto why = as<ItemExplainer>(*lens).explain(item, 2, {});
        const auto expected = as<ItemExplainer>(*ours).explain(item, 2, {});
        ASSERT_TRUE(why && expected);
        EXPECT_TRUE(why->set.empty());
        EXPECT_TRUE(why->trueSet == expected->trueSet || why->trueSet == "E" || expected->trueSet == "E");
    }
    const auto model = as<ModelExporter>(*lens).exportModel(2, {});
    ASSERT_TRUE(model) << model.error().describe();
    EXPECT_TRUE(model->starts_with("svm_type c_svc\nkernel_type rbf\n")) << *model;
    EXPECT_TRUE(as<PlaneSampler>(*lens).plane(1, {}, {}));
}

TEST(LibsvmTrouble, IsToldAsWhatIsWrongWithTheLane) {
    using Kind = HelperTrouble::Kind;
    const auto expect = [](const Error& error, ErrorCode code, const char* message, const char* remedy) {
        EXPECT_EQ(error.code, code);
        const std::string text = error.describe();
        EXPECT_NE(text.find("solver.method"), std::string::npos) << text;
        EXPECT_NE(text.find(message), std::string::npos) << text;
        EXPECT_NE(text.find(remedy), std::string::npos) << text;
    };
    const std::filesystem::path program = "/nowhere/lambdascope-libsvm";
    const auto of = [&program](Kind kind, const char* detail = "", bool isInBuild = true) {
        return libsvmError({kind, detail}, program, 0.5, isInBuild);
    };
    expect(of(Kind::NotThere), ErrorCode::FileNotFound, "/nowhere/lambdascope-libsvm, is not there", "Install Lambda");
    expect(of(Kind::NotThere, "", false), ErrorCode::FileNotFound, "LIBSVM is not in this build", "Install libsvm-dev");
    expect(of(Kind::NotStartable), ErrorCode::FileNotFound, "may not be started", "Install Lambdascope again");
    expect(of(Kind::NotLoaded), ErrorCode::Internal, "does not start", "Start it by hand");
    expect(of(Kind::Killed), ErrorCode::OutOfMemory, "was killed", "Close other programs");
    expect(of(Kind::Ended, "Segmentation fault"), ErrorCode::Internal,
           "LIBSVM ended while it solved C = 0.5: Segmentation fault", "Leave the lane out");
    expect(of(Kind::Unclear), ErrorCode::Internal, "no clear answer", "Install");
    expect(of(Kind::NoProcess, "out of processes"), ErrorCode::Internal, "out of processes", "End some programs");
    expect(libsvmRefusal(2, "nu is infeasible"), ErrorCode::InvalidData, "C = 2: nu is infeasible", "Leave the lane");
}

} // namespace
} // namespace lambdascope::svm
