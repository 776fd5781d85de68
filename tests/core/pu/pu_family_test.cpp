// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/clocks.h"
#include "core/inspect/audit_report.h"
#include "core/pu/inspect/pu_lens.h"
#include "core/pu/path/prepared_pu.h"
#include "core/pu/path/pu_schema.h"
#include "core/pu/problem/pu_measures.h"
#include "core/pu/rivals/one_class_start.h"
#include "core/pu/rivals/svm_baselines.h"
#include "tests/core/pu/prepared_pus.h"
#include "tests/support/lens_capability.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lambdascope::pu {
namespace {

Json lanesOf(const std::vector<std::string>& methods) {
    Json lanes = Json::array();
    for (const std::string& method : methods) {
        lanes.push_back({{"name", method}, {"solver", {{"method", method}}}});
    }
    return lanes;
}

TEST(PuFamily, TablesWriteAndReadEveryField) {
    std::vector<Fault> faults;
    const ProblemConfig problem{
        LabelMeaning::Files,    "u.csv", Scaling::MinMax,       "a,b", 0.3, 7, 9, PriorKind::Energy, 0.2, 20,
        KernelKind::Polynomial, 0.3,     GammaUnit::PerFeature, 5,     0.5, 77};
    EXPECT_EQ(problemFields().read(problemFields().write(problem), "problem", faults), problem);
    const SolverConfig solver{MethodKind::Ramp, 1e-4, ToleranceKind::Violation, StartKind::OneClass, 77, 88};
    EXPECT_EQ(solverFields().read(solverFields().write(solver), "solver", faults), solver);
    const PathConfig path{PathKind::Prior, 0.5, 0.3, 0.1, {0.1, 0.2}, 3};
    EXPECT_EQ(pathFields().read(pathFields().write(path), "path", faults), path);
    const LaneConfig lane{false, {BoundKind::Gap}, ScheduleKind::Every, 0.7};
    EXPECT_EQ(laneFields().read(laneFields().write(lane), "lane", faults), lane);
    EXPECT_TRUE(faults.empty());
}

TEST(PuFamily, ReadsTheScheduleUnderTheKeyOfEarlierVersions) {
    std::vector<Fault> faults;
    const auto scheduleOf = [&](const Json& lane) { return laneFields().read(lane, "lanes[0]", faults).schedule; };
    EXPECT_EQ(scheduleOf(Json::object()), ScheduleKind::Auto);
    EXPECT_EQ(scheduleOf({{"thrifty", true}}), ScheduleKind::Auto);
    EXPECT_EQ(scheduleOf({{"thrifty", false}}), ScheduleKind::Every);
    EXPECT_EQ(scheduleOf({{"schedule", "auto"}, {"thrifty", false}}), ScheduleKind::Auto) << "today's key wins";
    EXPECT_TRUE(faults.empty());
    (void)scheduleOf({{"thrifty", "no"}});
    ASSERT_EQ(faults.size(), 1u);
    EXPECT_EQ(faults[0].key, "lanes[0].thrifty");
    EXPECT_EQ(faults[0].message, "takes true or false, not \"no\"");
    EXPECT_NE(faults[0].remedy.find("\"schedule\""), std::string::npos);
}

TEST(PuTask, CountsTheSameWorkInEveryRunAndLessWhereScreeningPays) {
    for (const char* kernel : {"linear", "rbf"}) {
        const Json overlay{{"problem", {{"kernel", kernel}}},
                           {"lanes",
                            {{{"name", "none"}},
                             {{"name", "auto"}, {"bounds", {"GAP"}}},
                             {{"name", "every"}, {"bounds", {"GAP"}}, {"schedule", "every"}}}}};
        double work[2][3] = {};
        for (double(&run)[3] : work) {
            const Prepared prepared(overlay);
            for (std::size_t lane = 0; lane < 3; ++lane) {
                const auto task = prepared.problem->makeTask(lane);
                for (const PointReport& report : prepared.walk(lane)) {
                    EXPECT_GT(Prepared::at(*task, report, "work"), 0);
                    run[lane] += Prepared::at(*task, report, "work");
                }
            }
        }
        for (std::size_t lane = 0; lane < 3; ++lane) {
            EXPECT_EQ(work[0][lane], work[1][lane]) << kernel << ", lane " << lane;
        }
        EXPECT_LE(work[0][1], 1.01 * work[0][0]) << kernel << ": looks that tell that none pays";
        EXPECT_GT(work[0][2], work[0][1]) << kernel << ": so small a problem is not worth a look";
    }
}

/// With shrinking a look has to make the scores of all current first, which takes as long as hundreds of steps.
TEST(PuTask, LooksOnTheWayOnlyWhereMakingScoresCurrentIsAffordable) {
    const Prepared prepared({{"data", {{"source", "breast-cancer"}, {"scale", "minmax"}, {"subset", 0.9}, {"seed", 1}}},
                             {"problem",
                              {{"positive", "malignant"},
                               {"labelled_share", 0.2},
                               {"kernel", "rbf"},
                               {"gamma", 1},
                               {"gamma_unit", "per-feature"}}},
                             {"solver", {{"tolerance", 1e-6}}},
                             {"path", {{"kind", "prior"}, {"values", {0.05, 0.1, 0.15}}, {"lambda", 0.001}}},
                             {"lanes", {{{"name", "none"}}, {{"name", "auto"}, {"bounds", {"GAP"}}}}}});
    double work[2] = {};
    for (std::size_t lane = 0; lane < 2; ++lane) {
        const auto task = prepared.problem->makeTask(lane);
        for (const PointReport& report : prepared.walk(lane)) {
            work[lane] += Prepared::at(*task, report, "work");
        }
    }
    EXPECT_LE(work[1], 1.01 * work[0]);
}

TEST(PuTask, MethodsOfOneProblemAgreeAndFillEveryColumn) {
    for (const char* kernel : {"linear", "rbf"}) {
        Json overlay{{"problem", {{"kernel", kernel}}},
                     {"lanes", lanesOf({"pairs", "interior-point", "usmo", "ramp", "biased-svm"})}};
        const Prepared prepared(overlay);
        std::vector<double> objectives;
        for (std::size_t lane = 0; lane < prepared.experiment.laneNames.size(); ++lane) {
            const std::string& name = prepared.experiment.laneNames[lane];
            const auto task = prepared.problem->makeTask(lane);
            const auto reports = prepared.walk(lane);
            ASSERT_EQ(reports.size(), 3U);
            for (std::size_t k = 0; k < reports.size(); ++k) {
                const double objective = Prepared::at(*task, reports[k], "objective");
                const double f = Prepared::at(*task, reports[k], "f_measure");
                EXPECT_TRUE(f >= 0 && f <= 1) << name;
                EXPECT_TRUE(std::isfinite(Prepared::at(*task, reports[k], "test_f"))) << name;
                if (name == "pairs") {
                    objectives.push_back(objective);
                } else if (name != "ramp" && name != "biased-svm") {
                    const double allowed = name == "usmo" ? 1e-2 : 2e-6;
                    EXPECT_NEAR(objective, objectives.at(k), allowed * std::max(1.0, std::abs(objectives[k])));
                }
            }
        }
    }
}

TEST(PuTask, PathsOverPriorsAndCountsHaveTheirAxis) {
    const Prepared priors(Json{{"path", {{"kind", "prior"}, {"values", {0.2, 0.4, 0.7}}}}});
    const auto reports = priors.walk(0);
    const auto task = priors.problem->makeTask(0);
    EXPECT_EQ(Prepared::at(*task, reports[1], "prior"), 0.4);
    EXPECT_LE(Prepared::at(*task, reports[0], "predicted_share"), Prepared::at(*task, reports[2], "predicted_share"));
    const Prepared counts(Json{{"path", {{"kind", "unlabeled"}, {"values", {50, 100}}}}});
    for (std::size_t lane = 0; lane < counts.experiment.laneNames.size(); ++lane) {
        const auto walked = counts.walk(lane);
        EXPECT_EQ(Prepared::at(*counts.problem->makeTask(lane), walked[1], "n_unlabeled"), 100);
    }
    EXPECT_EQ(counts.problem->makeLens(0), nullptr);
}

TEST(PuTask, BaselinesThatWouldNotFitAreLeftOut) {
    Json lanes = lanesOf({"interior-point"});
    lanes[0]["solver"]["baseline_memory"] = 1;
    const Prepared prepared(Json{{"data", {{"source", "toy:svm-figure1?n=1000"}}}, {"lanes", lanes}});
    const auto task = prepared.problem->makeTask(0);
    EXPECT_TRUE(task->schedule().empty());
    EXPECT_TRUE(task->describe().facts.contains("skipped"));
    const std::string why = task->emptyPathError().describe();
    EXPECT_NE(why.find("solver.baseline_memory"), std::string::npos) << why;
}

TEST(PuTask, CountsThatDoNotFitTheMemoryAreLeftOut) {
    const Prepared prepared(Json{{"data", {{"source", "toy:svm-figure1?n=50000"}}},
                                 {"problem", {{"kernel", "rbf"}, {"kernel_memory", 1}, {"labelled_count", 10}}},
                                 {"path", {{"kind", "unlabeled"}, {"values", {200, 400, 30000}}, {"lambda", 0.1}}}});
    const std::size_t lane = 0;
    const auto task = prepared.problem->makeTask(lane);
    EXPECT_EQ(task->schedule(), (std::vector<double>{200, 400}));
    EXPECT_EQ(task->estimatedPointCount({}), 2);
    const auto why = task->describe().facts.at("skipped").get<std::string>();
    EXPECT_NE(why.find("problem.kernel_memory"), std::string::npos) << why;
    const auto reports = prepared.walk(lane);
    ASSERT_EQ(reports.size(), 2U);
    for (const PointReport& report : reports) {
        EXPECT_EQ(report.termination, Termination::Converged);
    }
    // Lanes at the same point look at the same samples; nothing else keeps them.
    StopCheck never;
    const auto& problem = dynamic_cast<const PreparedPu&>(*prepared.problem);
    auto one = problem.problemAt(200, never);
    const auto other = problem.problemAt(200, never);
    EXPECT_EQ(one.problem->space().sharedSamples(), other.problem->space().sharedSamples());
    const std::weak_ptr<const PuSamples> later = problem.problemAt(400, never).problem->space().sharedSamples();
    EXPECT_TRUE(later.expired());
    EXPECT_EQ(one.problem->unlabeled(), 200);
}

TEST(PuLens, ComputesTheSameBitsAgainAndFindsNothingWrong) {
    const Prepared prepared(Json::object());
    const std::size_t lane = 1; // with GAP
    const auto reports = prepared.walk(lane);
    const auto lens = prepared.problem->makeLens(lane);
    ASSERT_TRUE(lens->open(0, {}, {}));
    for (std::size_t k = 0; k < reports.size(); ++k) {
        EXPECT_EQ(lens->path().at(k).values.at(4), reports[k].values.at(4));
    }
    const auto audit = as<DecisionAuditor>(*lens).audit(0, {}, {});
    ASSERT_TRUE(audit);
    EXPECT_EQ(audit->wrong, 0);
    EXPECT_GT(audit->decisions, 100);
    const auto notable = as<ItemExplainer>(*lens).notableItems(1, 12, {});
    ASSERT_TRUE(notable);
    ASSERT_FALSE(notable->empty());
    for (const NotableItem& item : *notable) {
        const auto why = as<ItemExplainer>(*lens).explain(item.item, 1, {});
        ASSERT_TRUE(why);
        EXPECT_EQ(why->set, item.set);
        if (!why->set.empty()) {
            EXPECT_EQ(why->set, why->trueSet);
            EXPECT_EQ(why->used.at(0).set, why->set);
            EXPECT_GT(why->used.at(0).room, 0);
        }
    }
}

TEST(PuMeasures, CountWhatTheyShould) {
    Eigen::VectorXd values(5);
    values << 2, 1, -1, 0.5, -3;
    const std::vector<std::int8_t> truth = {1, 0, 1, 1, 0};
    const PuMeasures measures = measureAgainst(values, truth);
    EXPECT_DOUBLE_EQ(measures.precision, 2.0 / 3);
    EXPECT_DOUBLE_EQ(measures.recall, 2.0 / 3);
    EXPECT_DOUBLE_EQ(measures.f, 2.0 / 3);
    EXPECT_DOUBLE_EQ(measures.error, 0.4);
    EXPECT_DOUBLE_EQ(measures.auc, 4.0 / 6);
    Eigen::VectorXd positives(2);
    positives << 1, -1;
    EXPECT_DOUBLE_EQ(zeroOneRisk(positives, values, 0.3), 2 * 0.3 * 0.5 + 0.6 - 0.3);
    EXPECT_DOUBLE_EQ(doubleHingeRisk(positives, values, 0.3), (2 + 1 + 0 + 0.75 + 0) / 5);
}

TEST(PuPrior, EstimatorsFindTheShareOfClassesFarApart) {
    StopCheck never;
    for (const double share : {0.2, 0.6}) {
        const auto samples =
            smallSamples({.name = "apart", .positives = 150, .unlabeled = 600, .share = share, .spread = 5}, 3);
        double truth = 0;
        for (const std::int8_t isPositive : samples->truth) {
            truth += isPositive;
        }
        truth /= 600;
        const Eigen::VectorXd scores = crossScores(*samples, 1, never);
        const PriorEstimate elkan = elkanNotoPrior(*samples, scores, 100, 1);
        const PriorEstimate energy = energyPrior(*samples, scores, 50, 1, never);
        for (const PriorEstimate& estimate : {elkan, energy}) {
            EXPECT_NEAR(estimate.value, truth, 0.1);
            EXPECT_LE(estimate.low, estimate.value);
            EXPECT_GE(estimate.high, estimate.value);
        }
    }
}

TEST(PuPrior, TheEnergyEstimatorStopsSoon) {
    // All distances of so wide rows would take seconds.
    const auto samples = smallSamples({.name = "wide", .positives = 400, .unlabeled = 1200, .features = 4000}, 3);
    const Eigen::VectorXd scores = Eigen::VectorXd::LinSpaced(samples->size(), 0, 1);
    double asked = 0;
    StopCheck stopCheck([&] {
        asked = threadCpuSeconds();
        return true;
    });
    const PriorEstimate estimate = energyPrior(*samples, scores, 1000, 1, stopCheck);
    EXPECT_GT(asked, 0);
    EXPECT_LT(threadCpuSeconds() - asked, 0.2);
    EXPECT_TRUE(std::isnan(estimate.value));
}

TEST(PuPrior, TheEnergyEstimatorKeepsItsValueWhenResamplingStops) {
    StopCheck never;
    const auto samples = smallSamples({.name = "apart", .positives = 150, .unlabeled = 600, .spread = 5}, 3);
    const Eigen::VectorXd scores = crossScores(*samples, 1, never);
    const PriorEstimate whole = energyPrior(*samples, scores, 200, 1, never);
    int questions = 0;
    StopCheck soon([&] { return ++questions >= 3; });
    const PriorEstimate part = energyPrior(*samples, scores, 1'000'000, 1, soon);
    EXPECT_EQ(questions, 3);
    EXPECT_EQ(part.value, whole.value);
    EXPECT_LE(part.low, part.high);
}

TEST(PuStart, PublishedStartIsFeasible) {
    StopCheck never;
    for (const SmallShape& shape : smallShapes()) {
        for (const KernelFunction& kernel : smallKernels()) {
            const auto problem = smallPu(shape, kernel, 6);
            const Eigen::VectorXd s = oneClassStart(*problem, never);
            ExactSum sum;
            for (Eigen::Index u = problem->positives(); u < problem->size(); ++u) {
                EXPECT_TRUE(s(u) >= 0 && s(u) <= 2);
                sum.add(s(u));
            }
            EXPECT_EQ(sum.minus(ExactSum::of(problem->mass())), 0) << shape.name;
        }
    }
}

TEST(PuBaselines, RampRoundsEndInAFixedPoint) {
    StopCheck never;
    const auto problem =
        smallPu({.name = "ramp", .positives = 20, .unlabeled = 100}, {.kind = KernelKind::Rbf, .gamma = 0.5}, 2);
    const BaselineOutcome ramp = solveRamp(*problem, 1e-2, 1e-8, 1000000, never);
    EXPECT_TRUE(ramp.hasConverged);
    EXPECT_NEAR(ramp.model.alpha.sum(), 0, 1e-10);
    // Values are those of the coefficients, and the objective is that of the definition.
    const Eigen::VectorXd f = (kernelMatrix(*problem) * ramp.model.alpha).array() + ramp.model.beta;
    EXPECT_LE((f - ramp.model.values).cwiseAbs().maxCoeff(), 1e-9);
    const BaselineOutcome biased = solveBiased(*problem, 1e-2, 1e-8, 1000000, never);
    EXPECT_TRUE(biased.hasConverged);
    double objective = 0.5 * ramp.model.alpha.dot((f.array() - ramp.model.beta).matrix());
    for (Eigen::Index i = 0; i < f.size(); ++i) {
        const bool isPositive = i < problem->positives();
        const double weight =
            isPositive ? problem->prior() / (2 * 1e-2 * problem->positives()) : 1 / (4 * 1e-2 * problem->unlabeled());
        objective += weight * std::clamp(1 - (isPositive ? f(i) : -f(i)), 0.0, 2.0);
    }
    EXPECT_NEAR(ramp.objective, objective, 1e-9 * std::abs(objective));
    EXPECT_LT(ramp.rounds, 30);
}

} // namespace
} // namespace lambdascope::pu
