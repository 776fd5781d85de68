// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/random_stream.h"
#include "core/common/state_archive.h"
#include "core/svm/path/svm_task.h"
#include "core/svm/screening/bias_anchor.h"
#include "core/svm/screening/nc3_cut.h"
#include "core/svm/solver/dual_iterate.h"
#include "core/svm/solver/path_start.h"
#include "core/svm/solver/rounded_products.h"
#include "tests/core/svm/small_svms.h"
#include "tests/core/svm/svm_experiment.h"
#include "tests/support/stopping_sink.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace lambdascope::svm {
namespace {

constexpr Eigen::Index kRows = 2000;

/// Two classes whose kernel rows are made each time they are asked for, so that each costs 26 operations per row.
std::unique_ptr<SmallSvm> slowSvm(Eigen::Index rows = kRows) {
    RandomStream random(3, "samples of the stops");
    FeatureRows::Dense x(rows, 5);
    Eigen::VectorXd y(rows);
    for (Eigen::Index i = 0; i < rows; ++i) {
        y(i) = i % 2 == 0 ? 1 : -1;
        for (Eigen::Index f = 0; f < x.cols(); ++f) {
            x(i, f) = random.normal() + 0.3 * y(i);
        }
    }
    return svmOf(std::move(x), std::move(y), {.kind = KernelKind::Rbf, .gamma = 0.1}, {},
                 3 * KernelRows::bytesPerRow(rows));
}

/// Says no k − 1 times, and yes from then on.
struct Patience {
    explicit Patience(int k) : left(k), stopCheck([this] { return --left <= 0; }) {}
    int left;
    StopCheck stopCheck;
};

/// Rows between two questions.
constexpr Eigen::Index kRowsPerQuestion = StopCheck::kOperationsPerQuestion / (kRows * 26) + 1;

class SvmStops : public ::testing::TestWithParam<int> {
  protected:
    void expectStopped(const Patience& patience) const {
        EXPECT_TRUE(patience.stopCheck.isStopped());
        EXPECT_EQ(patience.left, 0) << "asked again after a yes, or never";
    }
    std::unique_ptr<SmallSvm> m_svm = slowSvm();
    const SvmProblem& m_problem = *m_svm->problem;
};

SolvedSvm zeroPoint(const SvmProblem& problem) {
    SolvedSvm zero;
    zero.c = 1;
    zero.alpha = Eigen::VectorXd::Zero(problem.size());
    zero.margins = Eigen::VectorXd::Zero(problem.size());
    return zero;
}

TEST_P(SvmStops, EndAMoveAtTheQuestionThatSaysSo) {
    const auto space = makeSpace(m_problem);
    StopCheck never;
    space->load(zeroPoint(m_problem), 1, never);
    std::vector<std::int32_t> all(static_cast<std::size_t>(kRows));
    std::iota(all.begin(), all.end(), 0);
    Patience patience(GetParam());
    (void)space->move(all, Eigen::VectorXd::Ones(kRows), patience.stopCheck);
    expectStopped(patience);
    EXPECT_EQ(space->alpha().sum(), static_cast<double>(GetParam() * kRowsPerQuestion));
    // What has moved is in the margins.
    const Eigen::VectorXd margins = space->margins();
    space->refresh(never);
    EXPECT_LE((space->margins() - margins).cwiseAbs().maxCoeff(), space->marginError() + space->drift());
}

TEST_P(SvmStops, EndALoadAtTheQuestionThatSaysSo) {
    SolvedSvm start = zeroPoint(m_problem);
    start.alpha.setConstant(0.5);
    start.alpha.head(kRows / 2 + 10).setOnes(); // more bounded than free ones: those move
    const auto space = makeSpace(m_problem);
    Patience patience(GetParam());
    space->load(start, 2, patience.stopCheck);
    expectStopped(patience);
    EXPECT_GE(space->alpha().minCoeff(), 0);
    EXPECT_LE(space->alpha().maxCoeff(), 2);
}

TEST_P(SvmStops, EndACatchUpAtTheQuestionThatSaysSo) {
    const auto space = makeSpace(m_problem);
    StopCheck never;
    space->load(zeroPoint(m_problem), 1, never);
    std::vector<std::int32_t> half(static_cast<std::size_t>(kRows / 2));
    std::iota(half.begin(), half.end(), 0);
    space->narrow(half);
    (void)space->move(half, Eigen::VectorXd::Ones(kRows / 2), never);
    Patience patience(GetParam());
    space->widen(patience.stopCheck);
    expectStopped(patience);
    EXPECT_EQ(space->depth(), 1u);
    EXPECT_EQ(space->members().size(), static_cast<std::size_t>(kRows));
}

TEST_P(SvmStops, EndACutAtTheQuestionThatSaysSo) {
    Nc3Cut cut(m_problem); // all samples lie on the near side of their edges: each row is made
    Patience patience(GetParam());
    cut.update(zeroPoint(m_problem), 1, patience.stopCheck);
    expectStopped(patience);
}

/// What takes 64 kernel rows makes fewer of them where the first question, which comes before the last row, ends it.
template <class Take>
void expectFewerRowsWhenStopped(const Take& take) {
    const auto svm = slowSvm(14'000);
    const SvmProblem& problem = *svm->problem;
    const auto rowsFor = [&](StopCheck& stopCheck) {
        const std::int64_t before = problem.rows().rowsMade();
        take(problem, stopCheck);
        return problem.rows().rowsMade() - before;
    };
    StopCheck never;
    Patience patience(1);
    EXPECT_LT(rowsFor(patience.stopCheck), rowsFor(never));
    EXPECT_EQ(patience.left, 0);
}

TEST(SvmStop, EndsAnAnchorAtTheQuestionThatSaysSo) {
    expectFewerRowsWhenStopped([](const SvmProblem& problem, StopCheck& stopCheck) {
        const Eigen::VectorXd alpha = Eigen::VectorXd::Constant(problem.size(), 0.5);
        const auto anchor = BiasAnchor::among(problem, alpha, 1, {.wanted = 1e9, .stopCheck = &stopCheck});
        EXPECT_EQ(anchor == nullptr, stopCheck.isStopped());
    });
}

TEST(SvmStop, EndsTheChoiceOfAnOriginAtTheQuestionThatSaysSo) {
    expectFewerRowsWhenStopped([](const SvmProblem& of, StopCheck& stopCheck) {
        const SvmProblem problem(of.features(), of.y(), of.weights(), of.sharedRows(), true, &stopCheck);
    });
}

TEST(SvmStop, LeavesTheKernelValuesOfAnArchiveToWhoeverAsksForThem) {
    const auto svm = slowSvm();
    std::vector<SampleIndex> samples(1000);
    std::iota(samples.begin(), samples.end(), 0);
    StopCheck never;
    RoundedProducts products(*svm->problem);
    ASSERT_TRUE(products.hold(samples, never));
    StateArchive writing;
    products.transfer(writing);
    const std::string bytes = writing.take();
    const auto read = [&] {
        auto other = std::make_unique<RoundedProducts>(*svm->problem);
        StateArchive reading(bytes);
        other->transfer(reading);
        EXPECT_TRUE(reading.isWhole());
        return other;
    };
    const std::int64_t before = svm->problem->rows().rowsMade();
    const auto stopped = read();
    EXPECT_EQ(svm->problem->rows().rowsMade(), before);
    EXPECT_EQ(stopped->missing(samples), 0U);
    Patience patience(1);
    EXPECT_FALSE(stopped->hold(samples, patience.stopCheck));
    EXPECT_EQ(patience.left, 0);
    EXPECT_LT(svm->problem->rows().rowsMade() - before, std::ssize(samples));
    const auto whole = read();
    const Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(std::ssize(samples), -1, 2);
    for (RoundedProducts* other : {stopped.get(), whole.get()}) {
        ASSERT_TRUE(other->hold(samples, never));
        EXPECT_EQ(other->multiply(x), products.multiply(x));
    }
}

/// Of a fixed C, the solve at the C of the reference comes first.
TEST(SvmStop, ATimeLimitEndsTheSolveOfTheReferenceToo) {
    const Prepared prepared({{"data", {{"source", "toy:two-moons?n=120"}}},
                             {"path", {{"kind", "reference"}, {"values", {0.5, 1}}}},
                             {"solver", {{"tolerance", 1e-9}}},
                             {"lanes", Json::array({{{"name", "lane"}, {"bounds", {"IT"}}}})}});
    const auto sumOfReference = [&](double timeLimit) {
        NullSink sink;
        RunContext context(RunId{0}, sink);
        context.setTimeLimit(timeLimit);
        const auto task = prepared.problem->makeTask(0);
        const auto report = task->solvePoint({0, task->schedule().front()}, nullptr, context);
        EXPECT_TRUE(report);
        EXPECT_EQ(isInterruption(report->termination), timeLimit > 0);
        return dynamic_cast<const SvmWarmStart&>(*report->warmStart).next.alpha.sum();
    };
    EXPECT_GT(sumOfReference(0), 0);
    EXPECT_EQ(sumOfReference(1e-9), 0) << "it was not solved";
}

INSTANTIATE_TEST_SUITE_P(Questions, SvmStops, ::testing::Values(1, 2));

TEST(SampleSpaces, TellWhatTheDualGainsByAMove) {
    for (const KernelFunction& kernel : {KernelFunction{}, KernelFunction{.kind = KernelKind::Rbf, .gamma = 0.5}}) {
        const auto svm = smallSvm({.name = "moved"}, kernel, 2);
        const auto space = makeSpace(*svm->problem);
        StopCheck never;
        space->load(bottomOf(*svm->problem), 1, never);
        const auto dual = [&] { return space->alpha().sum() - 0.5 * space->squaredNorm(); };
        for (const double target : {0.3, 0.0, 1.0}) {
            const double before = dual();
            const double gain = space->move({1, 4, 9, 16, 25}, Eigen::VectorXd::Constant(5, target), never);
            EXPECT_NEAR(gain, dual() - before, 1e-11 * (1 + std::abs(before)));
        }
    }
}

TEST(SvmStop, AnywhereLeavesAFeasiblePointAndASolverThatGoesOn) {
    for (const KernelFunction& kernel : {KernelFunction{}, KernelFunction{.kind = KernelKind::Rbf, .gamma = 0.5}}) {
        const auto svm = smallSvm({.name = "stopped", .rows = 300, .spread = 0.3}, kernel, 8);
        const SvmProblem& problem = *svm->problem;
        PointSettings settings;
        settings.bounds = {BoundKind::Intersection, BoundKind::Gap};
        settings.screenEvery = 1;
        settings.tolerance = 1e-9;
        const SolvedSvm bottom = bottomOf(problem);
        NullSink silent;
        RunContext undisturbed(RunId{0}, silent);
        const PointOutcome whole = PointSolver(problem, settings).solve(50, bottom, 0, undisturbed);
        for (int k = 1; k <= 6; ++k) {
            PointSolver solver(problem, settings);
            test::StoppingSink sink([left = k](const RunEvent&) mutable { return --left == 0; });
            RunContext context(RunId{0}, sink, sink.token());
            const PointOutcome outcome = solver.solve(50, bottom, 0, context);
            if (outcome.termination == Termination::StoppedByUser && outcome.solved.alpha.size() > 0) {
                EXPECT_GE(outcome.solved.alpha.minCoeff(), 0) << k;
                EXPECT_LE(outcome.solved.alpha.maxCoeff(), 50) << k;
            }
            EXPECT_EQ(outcome.termination, Termination::StoppedByUser) << k;
            const PointOutcome again = solver.solve(50, bottom, 0, undisturbed);
            EXPECT_EQ(again.termination, Termination::Converged);
            EXPECT_LE(std::abs(again.dual.value - whole.dual.value), whole.solved.gap + again.solved.gap) << k;
        }
    }
}

TEST(SvmStop, KeepsTheFinishedPointsOfEveryTask) {
    const Json targets = {{"source", "toy:sine?n=120&noise=0.1"}};
    const Json moons = {{"source", "toy:two-moons?n=120"}};
    const Json list = {{"kind", "list"}, {"values", {0.1, 0.3, 1, 3, 10}}};
    for (const Json& task : std::vector<Json>{
             {{"data", moons}, {"problem", {{"intercept", "free"}}}, {"path", list}},
             {{"data", targets}, {"problem", {{"task", "regression"}, {"epsilon", 0.05}}}, {"path", list}},
             {{"data", targets},
              {"problem", {{"task", "regression"}, {"epsilon", 0.05}, {"intercept", "free"}}},
              {"path", list}},
             {{"data", moons},
              {"problem", {{"task", "novelty"}, {"gamma", 8}}},
              {"path", {{"kind", "list"}, {"unit", "nu"}, {"values", {0.8, 0.5, 0.3, 0.1, 0.03}}}}}}) {
        for (const char* bound : {"", "GAP"}) {
            SCOPED_TRACE(task.dump() + bound);
            Json document = documentWith(task);
            document["solver"] = {{"tolerance", 1e-9}};
            const Json bounds = *bound != 0 ? Json::array({bound}) : Json::array();
            document["lanes"] = Json::array({{{"name", "lane"}, {"bounds", bounds}, {"schedule", "every"}}});
            const auto run = [&](int stopAt) {
                auto experiment = validateExperiment(document, catalog());
                EXPECT_TRUE(experiment) << (experiment ? "" : experiment.error().describe());
                ExperimentRunner runner(std::move(*experiment), family(), {});
                EXPECT_TRUE(runner.prepare());
                test::StoppingSink sink(test::within(stopAt));
                const auto outcome = runner.run(sink, sink.token());
                EXPECT_TRUE(outcome);
                EXPECT_EQ(outcome->lanes.at(0).termination,
                          stopAt < 0 ? Termination::PathEnded : Termination::StoppedByUser);
                return sink.all<PointFinished>();
            };
            const std::vector<PointFinished> whole = run(-1);
            ASSERT_EQ(whole.size(), 5U);
            const std::vector<PointFinished> stopped = run(3);
            ASSERT_EQ(stopped.size(), 3U) << "those before the one that was being solved, and no other";
            for (std::size_t p = 0; p < stopped.size(); ++p) {
                EXPECT_EQ(stopped[p].index, whole[p].index);
                EXPECT_EQ(stopped[p].termination, Termination::Converged);
                EXPECT_EQ(stopped[p].values.at(3), whole[p].values.at(3)) << "the primal value";
            }
        }
    }
}

struct GapOnlooker final : ScreeningObserver {
    void checked(const ScreeningCheck& check) override {
        ++checks;
        finite += std::isfinite(check.reference.gap) && !check.reference.current.products.empty() ? 1 : 0;
    }
    int checks = 0;
    int finite = 0;
};

std::vector<PointOutcome> pathOfOutcomes(const SvmProblem& problem, const PointSettings& settings,
                                         ScreeningObserver* observer) {
    NullSink sink;
    RunContext context(RunId{0}, sink);
    PointSolver solver(problem, settings);
    solver.observe(observer);
    std::vector<PointOutcome> outcomes;
    SolvedSvm last = bottomOf(problem);
    for (double c = 2 * cMinOf(problem); outcomes.size() < 5; c *= 3) {
        outcomes.push_back(solver.solve(c, last, static_cast<std::int32_t>(outcomes.size()), context));
        last = outcomes.back().solved;
    }
    return outcomes;
}

/// The first solve may end before it has an α.
TEST(SvmStop, AtTheStartOfAPathNeedsNoSolution) {
    std::stop_source stop;
    stop.request_stop();
    NullSink sink;
    RunContext context(RunId{0}, sink, stop.get_token());
    for (const bool isTube : {false, true}) {
        for (const KernelFunction& kernel : smallKernels()) {
            const auto svm = smallSvm({.name = "stopped", .hasFreeBias = true, .isTube = isTube}, kernel, 3);
            for (const int question : {1, 2}) { // before and after the point below all solutions
                Patience patience(question);
                EXPECT_EQ(pathStart(*svm->problem, patience.stopCheck, context).cMin, 0);
            }
        }
    }
}

TEST(SvmWatching, ChangesNoBitOfAnyLane) {
    int checks = 0;
    for (const SmallShape& shape : smallShapes()) {
        for (const KernelFunction& kernel : smallKernels()) {
            const auto svm = smallSvm(shape, kernel, 3);
            for (const BoundKind bound : allBounds()) {
                for (const double tolerance : {0.3, 1e-6}) {
                    SCOPED_TRACE(shape.name + ", " + kernelName(kernel) + ", " + std::string(boundName(bound)));
                    PointSettings settings;
                    settings.bounds = {bound};
                    settings.tolerance = tolerance;
                    settings.shrinks = tolerance < 0.1;
                    settings.schedule = tolerance < 0.1 ? ScheduleKind::Auto : ScheduleKind::Every;
                    GapOnlooker observer;
                    const auto alone = pathOfOutcomes(*svm->problem, settings, nullptr);
                    const auto watched = pathOfOutcomes(*svm->problem, settings, &observer);
                    for (std::size_t p = 0; p < alone.size(); ++p) {
                        EXPECT_EQ(alone[p].solved.alpha, watched[p].solved.alpha) << p;
                        EXPECT_EQ(alone[p].solved.gap, watched[p].solved.gap) << p;
                        EXPECT_EQ(alone[p].solved.marginError, watched[p].solved.marginError) << p;
                        EXPECT_EQ(alone[p].sweeps, watched[p].sweeps) << p;
                        EXPECT_EQ(alone[p].ledger.updates, watched[p].ledger.updates) << p;
                    }
                    // The observer hears of the ball of the gap all the same.
                    EXPECT_EQ(observer.finite, observer.checks);
                    checks += observer.checks;
                }
            }
        }
    }
    EXPECT_GT(checks, 1000);
}

} // namespace
} // namespace lambdascope::svm
