// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/random_stream.h"
#include "core/inspect/audit_report.h"
#include "core/record/run_record.h"
#include "core/svm/inspect/svm_lens.h"
#include "core/svm/path/path_plan.h"
#include "core/svm/path/preparation.h"
#include "core/svm/path/svm_schema.h"
#include "tests/core/svm/small_svms.h"
#include "tests/core/svm/svm_experiment.h"
#include "tests/support/lens_capability.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lambdascope::svm {
namespace {

/// All points of a lane.
std::vector<PointReport> walk(const PreparedSvm& prepared, std::size_t lane, EventSink& sink) {
    const auto task = prepared.makeTask(lane);
    RunContext context(RunId{0}, sink, {}, nullptr, {.measures = true});
    std::vector<PointReport> reports;
    std::shared_ptr<const WarmStart> last;
    for (const double value : task->schedule()) {
        const PathPoint point{static_cast<std::int32_t>(reports.size()), value};
        auto report = task->solvePoint(point, last, context);
        EXPECT_TRUE(report);
        last = report->warmStart;
        for (const MeasuredValue& measured : task->evaluate(point, *report, context).measures) {
            report->values.at(measured.column) = measured.value;
        }
        reports.push_back(std::move(*report));
    }
    return reports;
}

TEST(SvmFamily, HasTheSixApproachesAndGap) {
    const Prepared prepared(Json::object());
    EXPECT_EQ(prepared.experiment.laneNames,
              (std::vector<std::string>{"Full", "BT1", "IT", "Shrink", "Shrink+BT1", "Shrink+IT", "Shrink+IT+GAP"}));
}

TEST(SvmFamily, TablesWriteAndReadEveryField) {
    std::vector<Fault> faults;
    const ProblemConfig problem{TaskKind::Regression,
                                0.7,
                                "3",
                                KernelKind::Polynomial,
                                0.3,
                                GammaUnit::Absolute,
                                5,
                                0.5,
                                2,
                                3,
                                4,
                                77,
                                6,
                                "w.txt",
                                InterceptKind::Free};
    EXPECT_EQ(problemFields().read(problemFields().write(problem), "problem", faults), problem);
    const SolverConfig solver{MethodKind::Liblinear, 1e-4, 77};
    EXPECT_EQ(solverFields().read(solverFields().write(solver), "solver", faults), solver);
    const PathConfig path{PathKind::List, 0.5, 3, 77, 0.01, {1, 2}, CUnit::CMin, 3, 4};
    EXPECT_EQ(pathFields().read(pathFields().write(path), "path", faults), path);
    const LaneConfig lane{false, allBounds(), ScheduleKind::Every, 3, 1.7};
    EXPECT_EQ(laneFields().read(laneFields().write(lane), "lane", faults), lane);
    EXPECT_TRUE(faults.empty());
}

TEST(SvmTask, AllLanesReachTheSameOptimaAndFillEveryColumn) {
    for (const char* kernel : {"linear", "rbf", "polynomial"}) {
        const Prepared prepared(Json{{"problem", {{"kernel", kernel}, {"bias", 0.5}, {"positive_weight", 2}}}});
        std::vector<double> primals;
        for (std::size_t lane = 0; lane < prepared.experiment.laneNames.size(); ++lane) {
            RecordingSink sink;
            const auto reports = walk(*prepared.problem, lane, sink);
            const auto description = prepared.problem->makeTask(lane)->describe();
            for (std::size_t p = 0; p < reports.size(); ++p) {
                const std::vector<double>& values = reports[p].values;
                ASSERT_EQ(values.size(), description.columns.size());
                EXPECT_EQ(reports[p].termination, Termination::Converged);
                EXPECT_LE(values[5], 1e-6 * values[3]);
                EXPECT_EQ(values[7], 160);
                EXPECT_EQ(values[8] + values[9] + values[10], 160);
                EXPECT_NEAR(values[17] + values[18], values[22] + values[23] + values[24], 1e-9);
                EXPECT_GE(values[20], 0); // of the 40 rows held out
                EXPECT_LE(values[20], 0.5);
                EXPECT_GE(values[21], 0.5);
                if (primals.size() <= p) {
                    primals.push_back(values[3]);
                }
                EXPECT_NEAR(values[3] / primals[p], 1, 2e-6);
            }
        }
    }
}

TEST(SvmTask, LiblinearFindsTheSameObjective) {
    const Prepared prepared(
        {{"path", {{"max_c", 0.3}}}, // beyond it the library ends at its own limit of 1,000 sweeps
         {"problem", {{"kernel", "linear"}, {"bias", 1}, {"negative_weight", 3}}},
         {"lanes",
          {{{"name", "ours"}}, {{"name", "library"}, {"solver", {{"method", "liblinear"}, {"tolerance", 1e-8}}}}}}});
    NullSink sink;
    const auto ours = walk(*prepared.problem, prepared.lane("ours"), sink);
    const auto theirs = walk(*prepared.problem, prepared.lane("library"), sink);
    ASSERT_EQ(ours.size(), theirs.size());
    for (std::size_t p = 0; p < ours.size(); ++p) {
        EXPECT_NEAR(theirs[p].values[3] / ours[p].values[3], 1, 2e-6) << p;
        EXPECT_TRUE(std::isnan(theirs[p].values[5]));
        EXPECT_EQ(theirs[p].values[20], ours[p].values[20]);
    }
}

TEST(SvmTask, LiblinearSolvesAFixedCWithoutReferences) {
    const Prepared prepared(
        {{"path", {{"kind", "reference"}, {"c", 0.1}, {"values", {0.5, 1}}}},
         {"problem", {{"kernel", "linear"}}},
         {"lanes",
          {{{"name", "ours"}}, {{"name", "library"}, {"solver", {{"method", "liblinear"}, {"tolerance", 1e-8}}}}}}});
    const auto ours = prepared.lensOf("ours");
    const auto theirs = prepared.lensOf("library"); // with the measures of each point
    ASSERT_EQ(theirs->path().size(), 2U);
    for (std::size_t p = 0; p < 2; ++p) {
        EXPECT_NEAR(theirs->path()[p].values[3] / ours->path()[p].values[3], 1, 2e-6) << p;
        EXPECT_EQ(theirs->path()[p].values[20], ours->path()[p].values[20]) << p;
    }
}

TEST(SvmTask, PrecomputedKernelsGiveWhatTheirKernelGives) {
    const auto x = smallSvm({.name = "plain"}, {.kind = KernelKind::Rbf, .gamma = 0.5}, 7);
    FeatureRows::Dense matrix(40, 40);
    for (SampleIndex i = 0; i < 40; ++i) {
        std::copy_n(x->problem->rows().row(i).values, 40, matrix.row(i).data());
    }
    const auto precomputed = svmOf(matrix, x->problem->y(), {.kind = KernelKind::Precomputed});
    EXPECT_EQ(solveAt(*x->problem, 3, 1e-8).solved.alpha, solveAt(*precomputed->problem, 3, 1e-8).solved.alpha);
}

TEST(SvmPathPlan, EpsilonPathLosesNoMoreThanEpsilon) {
    const auto svm = smallSvm({.name = "overlapping", .rows = 60, .spread = 0.3}, {.kind = KernelKind::Rbf}, 8);
    const SvmProblem& problem = *svm->problem;
    PathConfig config;
    config.kind = PathKind::Approximation;
    config.epsilon = 1e-2;
    config.maxC = 1e3;
    NullSink sink;
    RunContext context(RunId{0}, sink);
    StopCheck never;
    const double least = cMinOf(problem);
    const std::vector<double> values =
        pathSchedule(config, problem, bottomPoint(problem, least, never), least, context, {});
    ASSERT_GT(values.size(), 10u);
    EXPECT_DOUBLE_EQ(values.front(), least);
    EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));
    for (std::size_t t = 1; t < values.size(); ++t) {
        const SolvedSvm before = solveAt(problem, values[t - 1], 1e-10).solved;
        const double ratio = values[t] / values[t - 1];
        const double scaled = ratio * before.linearSum.value - 0.5 * ratio * ratio * before.squaredNorm.value;
        const double best = solveAt(problem, values[t], 1e-10).dual.value;
        EXPECT_LE((best - scaled) / best, 1.001 * config.epsilon) << t;
    }
}

TEST(SvmPathPlan, GridsAndListsGiveTheValuesAskedFor) {
    const Prepared grid(Json{{"path", {{"start", 0.5}, {"ratio", 2}, {"max_c", 8}}}});
    EXPECT_EQ(grid.problem->schedule(), (std::vector<double>{0.5, 1, 2, 4, 8}));
    const Prepared list(Json{{"path", {{"kind", "list"}, {"values", {0.1, 7}}}}});
    EXPECT_EQ(list.problem->schedule(), (std::vector<double>{0.1, 7}));
    const Prepared multiples(Json{{"path", {{"kind", "list"}, {"values", {1, 10}}, {"unit", "c-min"}}}});
    EXPECT_DOUBLE_EQ(multiples.problem->schedule()[1] / multiples.problem->schedule()[0], 10);
}

TEST(SvmTask, ReferencesNearerToCScreenMore) {
    const Prepared prepared({{"path", {{"kind", "reference"}, {"c", 5}, {"values", {0.1, 0.5, 0.9, 0.99, 1}}}},
                             {"lanes",
                              {{{"name", "BT1"}, {"bounds", {"BT1"}}, {"schedule", "every"}},
                               {{"name", "IT"}, {"bounds", {"IT"}}, {"schedule", "every"}}}}});
    NullSink sink;
    const auto bt1 = walk(*prepared.problem, prepared.lane("BT1"), sink);
    const auto it = walk(*prepared.problem, prepared.lane("IT"), sink);
    for (std::size_t p = 0; p < bt1.size(); ++p) {
        EXPECT_EQ(bt1[p].values[1], (std::vector{0.1, 0.5, 0.9, 0.99, 1.0})[p]);
        EXPECT_NEAR(bt1[p].values[3] / bt1[0].values[3], 1, 2e-6);
        EXPECT_GE(it[p].values[13], bt1[p].values[13]);
        if (p > 0) {
            EXPECT_GE(bt1[p].values[13], bt1[p - 1].values[13]);
        }
    }
    EXPECT_GT(bt1.back().values[13], 0.9);
}

class SvmLensTest : public ::testing::Test {
  protected:
    SvmLensTest() : prepared(Json{{"path", {{"ratio", 1.6}, {"max_c", 30}}}}) {}
    [[nodiscard]] std::unique_ptr<RunLens> lensOf(const char* lane) const { return prepared.lensOf(lane); }
    Prepared prepared;
};

TEST_F(SvmLensTest, ComputesTheSameBitsAgain) {
    for (const char* lane : {"Full", "Shrink+IT", "Shrink+IT+GAP"}) {
        NullSink sink;
        const auto reports = walk(*prepared.problem, prepared.lane(lane), sink);
        const auto lens = lensOf(lane);
        ASSERT_EQ(lens->path().size(), reports.size());
        for (std::size_t p = 0; p < reports.size(); ++p) {
            for (std::size_t c = 0; c < reports[p].values.size(); ++c) {
                if (lens->lane().columns[c].unit != "s") {
                    EXPECT_EQ(lens->path()[p].values[c], reports[p].values[c]) << lens->lane().columns[c].key;
                }
            }
        }
    }
}

TEST_F(SvmLensTest, IsComputedWhereAnotherBuildHasItsPoints) {
    const std::vector<double> schedule = prepared.problem->schedule();
    ASSERT_GT(schedule.size(), 5U);
    std::vector<double> values;
    for (std::size_t p = 0; p < 4; ++p) {
        values.push_back(schedule[p] * (1 + (p % 2 == 0 ? -1e-13 : 1e-13)));
    }
    const auto lens = prepared.problem->makeLens(prepared.lane("Shrink+IT+GAP"));
    ASSERT_TRUE(lens->computeAt(values));
    const auto report = as<DecisionAuditor>(*lens).audit(0, {}, {});
    ASSERT_TRUE(report);
    EXPECT_EQ(report->wrong, 0);
    EXPECT_EQ(report->undecided, 0);
    ASSERT_EQ(lens->path().size(), 4U);
    ASSERT_EQ(report->proven.size(), 4U);
    for (std::size_t p = 0; p < 4; ++p) {
        const RecomputedPoint& point = lens->path()[p];
        EXPECT_EQ(point.axisValue, values[p]);
        EXPECT_EQ(point.scheduled, schedule[p]);
        const ValueBounds& tight = report->proven[p].value;
        EXPECT_LE(point.bounds.lower, tight.upper);
        EXPECT_GE(point.bounds.upper, tight.lower);
        EXPECT_LE(tight.upper - tight.lower, 1e-9 * tight.upper); // the promise of 1e-10 and rounding
    }
    for (const auto& bad : {std::vector<double>{1, 0.5}, {0.3, 0.3}, {1e9}, {std::nan("")}, {-1}}) {
        EXPECT_EQ(lens->computeAt(bad).error().code, ErrorCode::InvalidData);
    }
}

TEST_F(SvmLensTest, FindsNoWrongDecision) {
    for (const char* lane : {"BT1", "Shrink+IT+GAP"}) {
        const auto fresh = prepared.problem->makeLens(prepared.lane(lane));
        const auto walked = lensOf(lane);
        for (RunLens* lens : {fresh.get(), walked.get()}) {
            const auto report = as<DecisionAuditor>(*lens).audit(0, {}, {});
            ASSERT_TRUE(report);
            EXPECT_EQ(report->wrong, 0);
            EXPECT_GT(report->decisions, 300);
            EXPECT_GT(report->smallestSlack, 0);
            EXPECT_LE(report->largestGap, 1e-9);
        }
    }
    const auto none = as<DecisionAuditor>(*lensOf("Full")).audit(0, {}, {});
    ASSERT_TRUE(none);
    EXPECT_EQ(none->decisions, 0);
}

TEST_F(SvmLensTest, ExplainsWhatItDecidedByAnInequalityThatHolds) {
    const auto lens = lensOf("Shrink+IT+GAP");
    const auto point = static_cast<std::int32_t>(lens->path().size() / 2);
    const auto notable = as<ItemExplainer>(*lens).notableItems(point, 30, {});
    ASSERT_TRUE(notable);
    int decided = 0;
    for (const NotableItem& item : *notable) {
        const auto why = as<ItemExplainer>(*lens).explain(item.item, point, {});
        ASSERT_TRUE(why);
        EXPECT_EQ(why->set, item.set);
        EXPECT_GT(why->checks, 0);
        EXPECT_FALSE(why->used.empty());
        const bool someHolds = std::any_of(why->used.begin(), why->used.end(),
                                           [&](const BoundDecision& decision) { return decision.set == item.set; });
        EXPECT_TRUE(someHolds);
        if (!why->set.empty()) {
            EXPECT_EQ(why->trueSet, why->set);
            EXPECT_FALSE(why->rivals.empty());
            ++decided;
        }
    }
    EXPECT_GE(decided, 10);
    EXPECT_FALSE(as<ItemExplainer>(*lens).explain(160, point, {}));
    EXPECT_FALSE(as<ItemExplainer>(*lens).explain(0, 1000, {}));
    EXPECT_FALSE(as<ItemExplainer>(*lens).findItem("x"));
    EXPECT_EQ(as<ItemExplainer>(*lens).findItem("17").value(), 17);
}

TEST_F(SvmLensTest, BallsHoldTheOptimumOfTheirPlane) {
    const auto lens = lensOf("Shrink+IT+GAP");
    const auto point = static_cast<std::int32_t>(lens->path().size() / 2);
    const auto slice = as<RegionSlicer>(*lens).slice(point, {});
    ASSERT_TRUE(slice);
    ASSERT_GE(slice->balls.size(), 3u);
    for (const BallSlice::Ball& ball : slice->balls) {
        EXPECT_LE(std::hypot(ball.x, ball.y), ball.radius * 1.0001 + 1e-6) << ball.name;
        EXPECT_LE(ball.radius, ball.fullRadius);
        EXPECT_EQ(ball.isUsed, true);
    }
}

TEST_F(SvmLensTest, RangesAgreeWithLifetimes) {
    const auto lens = lensOf("Shrink");
    const auto ranges = as<RegionSlicer>(*lens).ranges({}, {});
    ASSERT_TRUE(ranges);
    const auto count = static_cast<Eigen::Index>(lens->path().size());
    ASSERT_EQ(ranges->rates.rows(), count);
    const Eigen::Index p = count / 2;
    const auto lifetimes = as<RegionSlicer>(*lens).lifetimes(static_cast<std::int32_t>(p), 0, {});
    ASSERT_TRUE(lifetimes);
    ASSERT_GT(lifetimes->intervals.size(), 20u);
    for (Eigen::Index q = p; q < count; ++q) {
        const double c = ranges->targets[static_cast<std::size_t>(q)];
        const auto alive = std::count_if(lifetimes->intervals.begin(), lifetimes->intervals.end(),
                                         [c](const auto& life) { return life.low <= c && c <= life.high; });
        const double decidable =
            lens->path()[static_cast<std::size_t>(q)].values[8] + lens->path()[static_cast<std::size_t>(q)].values[9];
        EXPECT_NEAR(ranges->rates(p, q), static_cast<double>(alive) / decidable, 0.05) << q;
    }
}

TEST(BiasColumn, IsAppendedToDenseAndSparseRowsOfAnyLengths) {
    for (const Eigen::Index features : {1, 7, 40}) {
        for (const std::uint64_t seed : {1U, 2U, 3U}) {
            RandomStream random(seed, "rows of uneven lengths");
            DenseRows x = DenseRows::Zero(50, features);
            for (Eigen::Index i = 0; i < x.rows(); ++i) {
                const double share = i % 4 == 0 ? 0 : random.uniform(); // some rows are empty
                for (Eigen::Index f = 0; f < features; ++f) {
                    x(i, f) = random.uniform() < share ? random.normal() : 0;
                }
            }
            Dataset::Parts dense;
            dense.dense = x;
            Dataset::Parts sparse;
            sparse.isSparse = true;
            sparse.sparse = x.sparseView(0, 0);
            DenseRows wanted(x.rows(), features + 1);
            wanted << x, Eigen::VectorXd::Constant(x.rows(), 0.25);
            PreparedParts parts;
            addBias(Dataset(std::move(dense)), 0.25, parts);
            EXPECT_EQ(*parts.biasedDense, wanted);
            PreparedParts ofSparse;
            addBias(Dataset(std::move(sparse)), 0.25, ofSparse);
            EXPECT_TRUE(ofSparse.biasedSparse->isCompressed());
            EXPECT_EQ(ofSparse.biasedSparse->nonZeros(), (x.array() != 0).count() + x.rows());
            EXPECT_EQ(DenseRows(*ofSparse.biasedSparse), wanted);
        }
    }
}

} // namespace
} // namespace lambdascope::svm
