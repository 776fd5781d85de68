// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/random_stream.h"
#include "core/triplets/engines/sorted_engine.h"
#include "core/triplets/engines/triplets_engine.h"
#include "core/triplets/screening/product_set_screening.h"
#include "tests/core/triplets/small_problems.h"

#include <gtest/gtest.h>

#include <tuple>

namespace lambdascope::triplets {
namespace {

/// The usual shapes, and some whose product sets are large enough for long runs.
std::vector<SmallShape> shapes() {
    std::vector<SmallShape> list = smallShapes();
    list.push_back({.name = "all_of_many", .rowsPerClass = 40, .features = 4, .k = std::nullopt});
    list.push_back({.name = "all_on_a_grid",
                    .classes = 2,
                    .rowsPerClass = 50,
                    .features = 2,
                    .k = std::nullopt,
                    .isRounded = true});
    list.push_back(
        {.name = "all_in_one_dimension", .rowsPerClass = 30, .features = 1, .k = std::nullopt, .spread = 0.2});
    list.push_back({.name = "all_and_duplicates", .rowsPerClass = 30, .k = std::nullopt, .hasDuplicates = true});
    list.push_back(
        {.name = "all_more_dimensions_than_rows", .classes = 2, .rowsPerClass = 8, .features = 40, .k = std::nullopt});
    list.push_back({.name = "all_huge", .rowsPerClass = 30, .k = std::nullopt, .scale = 1e6});
    list.push_back({.name = "all_tiny", .rowsPerClass = 30, .k = std::nullopt, .scale = 1e-6});
    list.push_back({.name = "all_diagonal",
                    .rowsPerClass = 30,
                    .features = 5,
                    .k = std::nullopt,
                    .structure = Structure::Diagonal});
    return list;
}

class SortedSums : public testing::TestWithParam<std::tuple<SmallShape, double>> {
  protected:
    [[nodiscard]] SmallShape shape() const { return std::get<0>(GetParam()); }
    [[nodiscard]] double smoothing() const { return std::get<1>(GetParam()); }
    StopCheck never;
};

TEST_P(SortedSums, EqualTripletByTripletSums) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        const TripletSet set = smallTriplets(shape(), seed);
        SortedEngine sorted(set);
        TripletsEngine triplets(set);
        for (const MetricPoint& point : {randomPoint(set, seed), MetricPoint::zero(set.features(), set.structure())}) {
            LossTotals a;
            LossTotals b;
            ASSERT_TRUE(sorted.evaluate(point, smoothing(), never, a));
            ASSERT_TRUE(triplets.evaluate(point, smoothing(), never, b));
            expectSameTotals(a, b);
            EXPECT_LE(std::abs(a.loss.value - b.loss.value), a.loss.error + b.loss.error);
            EXPECT_LE(a.pullError, 1e-9 * (1 + a.alphaSum.value) * set.largestNorm() * set.largestNorm());
            LossTotals all;
            SetCounts setCounts;
            SetCounts expected;
            ASSERT_TRUE(sorted.evaluateAll(point, smoothing(), 0.05, never, all, setCounts));
            ASSERT_TRUE(triplets.evaluateAll(point, smoothing(), 0.05, never, b, expected));
            expectSameTotals(all, b);
            EXPECT_EQ(setCounts.above, expected.above);
            EXPECT_EQ(setCounts.below, expected.below);
        }
    }
}

TEST_P(SortedSums, AreTheSameToTheBitForAnyNumberOfThreads) {
    const TripletSet set = smallTriplets(shape(), 6);
    const MetricPoint point = randomPoint(set, 6);
    const std::vector<Region> regions = {Region{middlingSphere(point)}, {{point.matrix, 0.3 * point.matrix.norm()}}};
    LossTotals first;
    ScreenedPart firstScreened;
    for (const int threads : {1, 2, 3, 8}) {
        SortedEngine engine(set, threads);
        LossTotals before;
        LossTotals after;
        ScreenedPart screened;
        ASSERT_TRUE(engine.evaluate(point, smoothing(), never, before));
        ASSERT_TRUE(engine.screen(regions, 0.05, never, screened));
        ASSERT_TRUE(engine.evaluate(point, smoothing(), never, after));
        after = withScreened(after, screened, point);
        if (threads == 1) {
            first = after;
            firstScreened = screened;
        }
        EXPECT_EQ(after.loss.value, first.loss.value);
        EXPECT_EQ(after.alphaSum.value, first.alphaSum.value);
        EXPECT_EQ(after.pull, first.pull);
        EXPECT_EQ(screened.zero, firstScreened.zero);
        EXPECT_EQ(screened.linear, firstScreened.linear);
        engine.activateAll();
        LossTotals again;
        ASSERT_TRUE(engine.evaluate(point, smoothing(), never, again));
        EXPECT_EQ(again.loss.value, before.loss.value);
        EXPECT_EQ(again.pull, before.pull);
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, SortedSums,
                         testing::Combine(testing::ValuesIn(shapes()), testing::Values(0.05, 0.5, 1e-3, 1e-7)),
                         [](const auto& entry) {
                             return std::get<0>(entry.param).name + "_s" + std::to_string(entry.index % 4);
                         });

class SortedScreening : public testing::TestWithParam<SmallShape> {
  protected:
    StopCheck never;
};

TEST_P(SortedScreening, DecidesOnlyWhatTheRuleProvesAndCountsIt) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        const TripletSet set = smallTriplets(GetParam(), seed);
        SortedEngine engine(set, 2);
        TripletStates states(set.triplets());
        engine.record(&states);
        const MetricPoint point = randomPoint(set, seed + 10);
        const std::vector<Region> regions = {Region{middlingSphere(point)},
                                             {{point.matrix, 0.3 * point.matrix.norm()}}};
        ScreenedPart screened;
        // In two checks, as while solving: what is decided stays so.
        ASSERT_TRUE(engine.screen(std::span(regions).first(1), 0.05, never, screened));
        ASSERT_TRUE(engine.screen(std::span(regions).last(1), 0.05, never, screened));
        TripletIndex zero = 0;
        TripletIndex linear = 0;
        for (TripletIndex t = 0; t < set.triplets(); ++t) {
            const Decision decision = states.at(t);
            zero += decision == Decision::Zero ? 1 : 0;
            linear += decision == Decision::Linear ? 1 : 0;
            bool isZero = false;
            bool isLinear = false;
            for (const Region& region : regions) {
                const double q = marginOf(set, t, region.sphere.centre);
                const double reach = region.sphere.radius * normOf(set, t);
                isZero = isZero || q - reach > 1;
                isLinear = isLinear || q + reach < 0.95;
            }
            ASSERT_TRUE(decision != Decision::Zero || isZero) << t;
            ASSERT_TRUE(decision != Decision::Linear || isLinear) << t;
        }
        EXPECT_EQ(screened.zero, zero);
        EXPECT_EQ(screened.linear, linear);
        EXPECT_EQ(engine.activeTriplets(), set.triplets() - zero - linear);
    }
}

/// Triplets of rows that lie before or behind all rows of the other kind of their anchor, with room for rounding, by
/// intervals from ‖H‖ ≤ f + g (SeparableNormBound), at every one of those centres of balls.
std::vector<bool> tripletsOfRowsOutside(const TripletSet& set, std::span<const Eigen::MatrixXd> centres,
                                        double radius) {
    std::vector<bool> outside(static_cast<std::size_t>(set.triplets()), false);
    for (RowIndex i = 0; i < set.rows(); ++i) {
        const std::int64_t sames = set.sameCount(i);
        const std::int64_t others = set.otherCount(i);
        double c = 0;
        for (std::int64_t o = 0; o < others; ++o) {
            c += set.squaredLength(set.otherPair(set.otherOffset(i) + o)) / static_cast<double>(others);
        }
        std::vector<bool> isBefore(static_cast<std::size_t>(sames + others), sames * others > 0);
        std::vector<bool> isBehind = isBefore;
        for (const Eigen::MatrixXd& q : centres) {
            const auto form = [&](PairIndex pair) {
                const Eigen::VectorXd delta = set.paddedRows().row(set.partner(pair, i)).head(set.features()) -
                                              set.paddedRows().row(i).head(set.features());
                return set.structure() == Structure::Diagonal ? delta.cwiseAbs2().dot(q.col(0)) : delta.dot(q * delta);
            };
            Eigen::ArrayXd low(sames + others);
            Eigen::ArrayXd high(sames + others);
            for (std::int64_t at = 0; at < sames + others; ++at) {
                const bool isSame = at < sames;
                const PairIndex pair =
                    isSame ? set.samePair(set.sameOffset(i) + at) : set.otherPair(set.otherOffset(i) + at - sames);
                const double length = set.squaredLength(pair);
                const double part = isSame ? (length < 2 * c ? length * length / (2 * c) : length)
                                           : (length < c ? (length * length + c * c) / (2 * c) : length);
                low[at] = form(pair) - radius * part - (isSame ? 0 : 1);
                high[at] = form(pair) + radius * part - (isSame ? 0 : 1 - kGamma);
            }
            const double room = 1e-9 * (1 + low.abs().maxCoeff() + high.abs().maxCoeff());
            for (std::int64_t at = 0; at < sames + others && sames * others > 0; ++at) {
                const auto row = static_cast<std::size_t>(at);
                const std::int64_t begin = at < sames ? sames : 0;
                const std::int64_t count = at < sames ? others : sames;
                isBefore[row] = isBefore[row] && high[at] + room < low.segment(begin, count).minCoeff();
                isBehind[row] = isBehind[row] && low[at] - room > high.segment(begin, count).maxCoeff();
            }
        }
        for (std::int64_t s = 0; s < sames; ++s) {
            for (std::int64_t o = 0; o < others; ++o) {
                const auto same = static_cast<std::size_t>(s);
                const auto other = static_cast<std::size_t>(sames + o);
                outside[static_cast<std::size_t>(set.tripletOffset(i) + s * others + o)] =
                    isBefore[same] || isBehind[same] || isBefore[other] || isBehind[other];
            }
        }
    }
    return outside;
}

TEST_P(SortedScreening, TakesOutRowsOutsideOfAllOfTheOtherKindAndDecidesNoMoreThanTripletByTriplet) {
    std::int64_t outsideOfAll = 0;
    for (const double share : {0.3, 0.1, 0.02}) {
        const TripletSet set = smallTriplets(GetParam(), 5);
        SortedEngine sorted(set);
        TripletsEngine triplets(set);
        const MetricPoint point = randomPoint(set, 15);
        const Region region{{point.matrix, share * point.matrix.norm()}};
        const CheckOutcome ours = checkBy(std::span(&region, 1), sorted, set.triplets());
        const CheckOutcome theirs = checkBy(std::span(&region, 1), triplets, set.triplets());
        const std::vector<bool> outside = tripletsOfRowsOutside(set, {&point.matrix, 1}, region.sphere.radius);
        for (TripletIndex t = 0; t < set.triplets(); ++t) {
            const Decision decision = ours.decisions.at(t);
            ASSERT_TRUE(decision == Decision::Keep || decision == theirs.decisions.at(t)) << t << " at " << share;
            ASSERT_TRUE(decision != Decision::Keep || !outside[static_cast<std::size_t>(t)]) << t << " at " << share;
        }
        outsideOfAll += std::count(outside.begin(), outside.end(), true);
        EXPECT_LE(ours.screened.decided(), theirs.screened.decided());
    }
    EXPECT_GT(outsideOfAll, 0);
}

/// Forms may be off by the margin's error at either end, and intervals end on a grid, where many meet exactly.
TEST_P(SortedScreening, DecidesNothingThatTheErrorOfAMarginCouldTurn) {
    constexpr double kError = 1.0 / 64;
    const TripletSet set = smallTriplets(GetParam(), 5);
    const ProductLists all = ProductLists::all(set);
    ProductSetScreening screening(set);
    RandomStream random(8, "forms on a grid");
    TripletIndex decided = 0;
    const auto onGrid = [&](std::int64_t sames, std::int64_t others) {
        std::vector<double> forms;
        for (std::int64_t at = 0; at < sames + others; ++at) {
            forms.push_back(static_cast<double>(random.below(at < sames ? 32 : 192)) / 64);
        }
        return forms;
    };
    for (const ProductLists::Anchor& anchor : all.anchors) {
        const std::vector<double> near = onGrid(anchor.sames(), anchor.others());
        const std::vector<double> far = onGrid(anchor.sames(), anchor.others());
        std::vector<double> weights(near.size());
        TripletStates states(set.triplets());
        ProductLists rest;
        const auto went = screening.remove(all, anchor, {near.data(), far.data()}, SphereRule(0, kGamma, kError),
                                           &states, rest, weights.data());
        decided += went.zero + went.linear;
        for (std::int64_t s = 0; s < anchor.sames(); ++s) {
            for (std::int64_t o = 0; o < anchor.others(); ++o) {
                const Decision decision = states.at(set.tripletOffset(anchor.row) + s * anchor.others() + o);
                for (const std::vector<double>& forms : {near, far}) {
                    const double margin =
                        forms[static_cast<std::size_t>(anchor.sames() + o)] - forms[static_cast<std::size_t>(s)];
                    ASSERT_TRUE(decision != Decision::Zero || margin > 1 + kError);
                    ASSERT_TRUE(decision != Decision::Linear || margin < 1 - kGamma - kError);
                }
            }
        }
    }
    EXPECT_GT(decided, 0);
}

/// And by a capsule what both its ends decide alike.
TEST_P(SortedScreening, TakesOutRowsOutsideOfAllOfTheOtherKindAtBothEndsOfACapsule) {
    TripletIndex decided = 0;
    for (const double share : {0.1, 0.02, 0.002}) {
        const TripletSet set = smallTriplets(GetParam(), 5);
        const Eigen::MatrixXd from = randomPoint(set, 15).matrix;
        const Capsule capsule{from, from + 5 * share * (randomPoint(set, 25).matrix - from), share * from.norm()};
        const std::vector<Eigen::MatrixXd> centres = {capsule.centre, capsule.far};
        std::vector<TripletStates> ends;
        for (const Eigen::MatrixXd& end : centres) {
            TripletsEngine triplets(set);
            const Region ball{{end, capsule.radius}};
            ends.push_back(checkBy({&ball, 1}, triplets, set.triplets()).decisions);
        }
        SortedEngine sorted(set, 2);
        TripletStates ours(set.triplets());
        ASSERT_TRUE(sorted.makeLasting(capsule, kGamma, never));
        sorted.record(&ours);
        const Region inside{{capsule.centre, 0.9 * capsule.radius}};
        ScreenedPart part;
        ASSERT_TRUE(sorted.recall({&inside, 1}, kGamma, never, part));
        decided += part.decided();
        const std::vector<bool> outside = tripletsOfRowsOutside(set, centres, capsule.radius);
        for (TripletIndex t = 0; t < set.triplets(); ++t) {
            const Decision decision = ours.at(t);
            ASSERT_TRUE(decision == Decision::Keep || (decision == ends[0].at(t) && decision == ends[1].at(t))) << t;
            ASSERT_TRUE(decision != Decision::Keep || !outside[static_cast<std::size_t>(t)]) << t << " at " << share;
        }
    }
    EXPECT_GT(decided, 0);
}

TEST_P(SortedScreening, LeavesTheSumsOfTheProblemAsTheyAre) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        const TripletSet set = smallTriplets(GetParam(), seed);
        SortedEngine engine(set);
        const MetricPoint point = randomPoint(set, seed);
        LossTotals all;
        ASSERT_TRUE(engine.evaluate(point, 0.05, never, all));
        ScreenedPart screened;
        // Balls around the point itself: what they decide is true at the point.
        for (const double radius : {0.2, 0.05, 0.01, 0.0}) {
            const Region region{{point.matrix, radius * point.matrix.norm()}};
            ASSERT_TRUE(engine.screen(std::span(&region, 1), 0.05, never, screened));
            LossTotals active;
            ASSERT_TRUE(engine.evaluate(point, 0.05, never, active));
            EXPECT_EQ(active.triplets, set.triplets() - screened.decided());
            const LossTotals whole = withScreened(active, screened, point);
            expectSameTotals(whole, all);
            EXPECT_NEAR(whole.loss.value, all.loss.value, whole.loss.error + all.loss.error);
        }
        EXPECT_GT(screened.zero + screened.linear, set.triplets() / 4);
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, SortedScreening, testing::ValuesIn(shapes()),
                         [](const auto& entry) { return entry.param.name; });

TEST(SortedScreeningOfRuns, DropsPairsOfWhichEveryTripletIsDecided) {
    const TripletSet set =
        smallTriplets({.name = "far", .rowsPerClass = 30, .features = 2, .k = std::nullopt, .spread = 6}, 3);
    SortedEngine engine(set);
    const std::int64_t all = engine.pairsPerEvaluation();
    const MetricPoint point = randomPoint(set, 3);
    const Region region{{point.matrix, 0.02 * point.matrix.norm()}};
    StopCheck never;
    ScreenedPart screened;
    ASSERT_TRUE(engine.screen(std::span(&region, 1), 0.05, never, screened));
    EXPECT_LT(engine.pairsPerEvaluation(), 3 * all / 4);
    engine.activateAll();
    EXPECT_EQ(engine.pairsPerEvaluation(), all);
    EXPECT_EQ(engine.activeTriplets(), set.triplets());
}

TEST(SortedScreeningOfRuns, ABallOfInfiniteRadiusDecidesNothing) {
    const TripletSet set = smallTriplets({.name = "plain"}, 1);
    SortedEngine engine(set);
    const Region region{{Eigen::MatrixXd::Zero(3, 3), std::numeric_limits<double>::infinity()}};
    StopCheck never;
    ScreenedPart screened;
    ASSERT_TRUE(engine.screen(std::span(&region, 1), 0.05, never, screened));
    EXPECT_EQ(engine.activeTriplets(), set.triplets());
}

TEST(SortedEngineStops, GivesUpWorkWhenTheStopCheckSaysSo) {
    const TripletSet set = smallTriplets({.name = "plain"}, 1);
    StopCheck stopped([] { return true; });
    (void)stopped.ask();
    const Region region{{Eigen::MatrixXd::Zero(3, 3), 1}};
    SortedEngine engine(set, 2);
    LossTotals totals;
    SetCounts setCounts;
    ScreenedPart screened;
    EXPECT_FALSE(engine.evaluate(randomPoint(set, 1), 0.05, stopped, totals));
    EXPECT_FALSE(engine.evaluateAll(randomPoint(set, 1), 0.05, 0.05, stopped, totals, setCounts));
    EXPECT_FALSE(engine.screen(std::span(&region, 1), 0.05, stopped, screened));
}

TEST(SortedPaths, EndAtTheOptimumOfTheOtherEnginesWithAndWithoutScreening) {
    for (const auto& shape :
         {SmallShape{.name = "plain"}, SmallShape{.name = "all", .rowsPerClass = 15, .k = std::nullopt}}) {
        const TripletSet set = solvableTriplets(shape, 2);
        const auto reference = makeEngine(EngineKind::Pairs, set);
        const SolvedPoint start = startOf(set, 0.05, *reference);
        RecordingSink sink;
        RunContext context(RunId{0}, sink);
        PointSettings settings;
        settings.tolerance = 1e-9;
        PointSolver baseline(*reference, {}, settings);
        const auto sorted = makeEngine(EngineKind::Sorted, set, 2);
        std::vector<std::unique_ptr<Bound>> bounds;
        bounds.push_back(makeBound(BoundKind::RelaxedPath));
        bounds.push_back(makeBound(BoundKind::ProjectedGradient));
        PointSolver screening(*sorted, std::move(bounds), settings);
        SolvedPoint a = start;
        SolvedPoint b = start;
        for (int step = 1; step <= 8; ++step) {
            const double lambda = start.lambda * std::pow(0.6, step);
            const PointOutcome ours = screening.solve(lambda, a, step, context);
            const PointOutcome theirs = baseline.solve(lambda, b, step, context);
            ASSERT_EQ(ours.termination, Termination::Converged);
            EXPECT_NEAR(ours.primal.value, theirs.primal.value, 3e-9 * theirs.primal.value);
            EXPECT_NEAR(ours.dual.value, theirs.dual.value, 3e-9 * theirs.primal.value);
            a = ours.solved;
            b = theirs.solved;
        }
    }
}

} // namespace
} // namespace lambdascope::triplets
