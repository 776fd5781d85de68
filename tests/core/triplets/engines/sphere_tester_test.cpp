// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/engines/sphere_tester.h"
#include "core/triplets/problem/pair_quadratic_forms.h"
#include "tests/core/triplets/small_problems.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace lambdascope::triplets {
namespace {

/// Calls visit(decision, row, other pair) for every triplet of a set, of which it leaves nothing.
template <class Visit>
struct VisitingJudge {
    SphereTester& tester;
    const Visit& visit;
    PackedTriplets::AnchorView anchor = {};
    PackedTriplets::Row row = {};
    Decision whole = Decision::Keep;

    std::span<const std::uint32_t> beginAnchor(const PackedTriplets::AnchorView& view,
                                               std::span<const PackedTriplets::Row> rows) {
        anchor = view;
        const JudgedRows judged = tester.beginAnchor(view, rows);
        const std::span<const Decision> decisions = tester.decisions();
        EXPECT_EQ(decisions.size(), rows.size());
        std::array<std::vector<std::uint32_t>, 3> numbers; // of the rows with each decision
        for (std::uint32_t number = 0; number < rows.size(); ++number) {
            row = rows[number];
            whole = decisions[number];
            numbers[static_cast<std::size_t>(whole)].push_back(number);
            tester.beginRow(row, number);
            for (const std::uint32_t group : anchor.groupsOf(row)) {
                test(group >> kGroupSize, group & kGroupBits);
            }
        }
        EXPECT_TRUE(std::equal(judged.tested.begin(), judged.tested.end(), numbers[0].begin(), numbers[0].end()));
        EXPECT_TRUE(std::equal(judged.zero.begin(), judged.zero.end(), numbers[1].begin(), numbers[1].end()));
        EXPECT_TRUE(std::equal(judged.linear.begin(), judged.linear.end(), numbers[2].begin(), numbers[2].end()));
        return {};
    }
    void beginRow(const PackedTriplets::Row& /*row*/, std::uint32_t /*number*/) {}
    void test(std::uint32_t group, std::uint32_t bits) {
        GroupDecisions decisions;
        if (whole == Decision::Keep) {
            decisions = tester.test(group, bits);
        } else {
            (whole == Decision::Zero ? decisions.zero : decisions.linear) = bits;
        }
        ASSERT_EQ(decisions.zero & decisions.linear, 0u);
        ASSERT_EQ((decisions.zero | decisions.linear) & ~bits, 0u);
        for (; bits != 0; bits &= bits - 1) {
            const int bit = std::countr_zero(bits);
            const bool isZero = (decisions.zero >> bit & 1U) != 0;
            const bool isLinear = (decisions.linear >> bit & 1U) != 0;
            visit(isZero     ? Decision::Zero
                  : isLinear ? Decision::Linear
                             : Decision::Keep,
                  row, anchor.columns[kGroupSize * group + static_cast<std::size_t>(bit)]);
        }
    }
    std::uint32_t rest(std::uint32_t /*group*/, std::uint32_t bits) const { return bits; }
    void endRow() {}
    void endAnchor() {}
};

std::vector<double> ofEntries(const PackedTriplets& packed, const std::vector<double>& values) {
    std::vector<double> found;
    packed.toEntries(values, found);
    EXPECT_EQ(found.size(), packed.entryCount());
    return found;
}

template <class Visit>
void testAll(const TripletSet& set, const PackedTriplets& packed, SphereTester& tester, const Visit& visit) {
    StopCheck never;
    PackedTriplets nothing;
    VisitingJudge<Visit> judge{tester, visit};
    ASSERT_TRUE(nothing.takeFrom(packed, set, judge, never));
    EXPECT_EQ(nothing.triplets(), 0);
}

class TestedGroups : public testing::TestWithParam<SmallShape> {};

/// As a rule that is a little stricter judges at least, and as the rule judges at most: at both ends of a capsule.
TEST_P(TestedGroups, AreDecidedAsTheSphereRuleDecidesEveryTriplet) {
    std::int64_t decided = 0;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const TripletSet set = smallTriplets(GetParam(), seed);
        PackedTriplets packed;
        packed.setWhole(set);
        PairQuadraticForms space(set);
        StopCheck never;
        TripletNorm norm(set);
        const MetricPoint point = randomPoint(set, seed);
        for (const double share : {0.0, 0.01, 0.1, 0.5}) {
            for (const double turn : {0.0, 0.3}) {
                const Sphere sphere{point.matrix, share * point.matrix.norm()};
                std::vector<double> q;
                ASSERT_TRUE(space.forms(sphere.centre, nullptr, never, q));
                const Eigen::MatrixXd end = sphere.centre + turn * randomPoint(set, seed + 30).matrix;
                std::vector<double> far;
                ASSERT_TRUE(space.forms(end, nullptr, never, far));
                const double size = std::max(spectralBound(sphere.centre), spectralBound(end));
                const double error = set.marginError(space.valueError(size), size) * (1 + 1e-15);
                const SphereRule rule(sphere.radius, kGamma, error);
                const SphereRule strict(sphere.radius * (1 + 1e-6), kGamma, error + 1e-9);
                NormCache kept(set);
                NormCache notKept(set, 0);
                const std::vector<double> nearForms = ofEntries(packed, q);
                const std::vector<double> farForms = ofEntries(packed, far);
                const std::vector<double> zeros(packed.entryCount(), 0); // an end that is not there
                for (NormCache* norms : {&kept, &notKept}) {
                    SphereTester tester(set, *norms, nearForms, rule,
                                        turn > 0 ? std::span(farForms) : std::span(zeros).first(0));
                    testAll(set, packed, tester,
                            [&](Decision decision, const PackedTriplets::Row& row, PairIndex other) {
                                const double margin =
                                    q[static_cast<std::size_t>(other)] - q[static_cast<std::size_t>(row.same)];
                                const double farMargin =
                                    far[static_cast<std::size_t>(other)] - far[static_cast<std::size_t>(row.same)];
                                const double squared = norm.squared(other, row.same);
                                const auto byBoth = [&](const SphereRule& by) {
                                    const Decision near = by.judge(margin, squared);
                                    return near == by.judge(farMargin, squared) ? near : Decision::Keep;
                                };
                                ASSERT_TRUE(decision == Decision::Keep || decision == byBoth(rule));
                                ASSERT_TRUE(byBoth(strict) == Decision::Keep || decision == byBoth(strict));
                                decided += decision != Decision::Keep ? 1 : 0;
                            });
                }
            }
        }
    }
    EXPECT_GT(decided, 0);
}

/// At either end of a capsule, of a pair of either kind.
TEST_P(TestedGroups, OfWhatIsNoNumberNothingIsDecided) {
    const TripletSet set = smallTriplets(GetParam(), 1);
    PackedTriplets packed;
    packed.setWhole(set);
    PairQuadraticForms space(set);
    StopCheck never;
    std::vector<double> q;
    ASSERT_TRUE(space.forms(randomPoint(set, 1).matrix, nullptr, never, q));
    NormCache kept(set);
    NormCache notKept(set, 0);
    const SphereRule rule(0, kGamma, 1e-9);
    for (PairIndex bad = 0; bad < set.pairs(); bad += std::max<PairIndex>(1, set.pairs() / 20)) {
        for (const bool isFar : {false, true}) {
            std::vector<double> near = q;
            std::vector<double> far = q;
            (isFar ? far : near)[static_cast<std::size_t>(bad)] = std::nan("");
            const std::vector<double> nearForms = ofEntries(packed, near);
            const std::vector<double> farForms = ofEntries(packed, far);
            for (NormCache* norms : {&kept, &notKept}) {
                SphereTester tester(set, *norms, nearForms, rule, farForms);
                testAll(set, packed, tester, [&](Decision decision, const PackedTriplets::Row& row, PairIndex other) {
                    ASSERT_TRUE(decision == Decision::Keep || (row.same != bad && other != bad));
                });
            }
        }
    }
}

/// Shares of the sample are shares, and more is left by a larger ball.
TEST_P(TestedGroups, ALargerBallLeavesMoreOfASample) {
    const TripletSet set = smallTriplets(GetParam(), 1);
    const MetricPoint point = randomPoint(set, 1);
    RestSample sample(set);
    double last = 0;
    for (const double share : {0.0, 1e-3, 1e-2, 0.1, 1.0, 1e9}) {
        const Capsule ball{point.matrix, {}, share * point.matrix.norm()};
        const RestSample::Rest rest = sample.leftBy(ball, kGamma);
        EXPECT_GE(rest.triplets, last);
        EXPECT_LE(rest.triplets, rest.pairs);
        EXPECT_LE(rest.pairs, 1);
        // A ball is the capsule whose ends are one.
        EXPECT_EQ(sample.leftBy({ball.centre, ball.centre, ball.radius}, kGamma).triplets, rest.triplets);
        last = rest.triplets;
    }
    const RestSample::Rest any = sample.leftBy({point.matrix, {}, std::nan("")}, kGamma);
    EXPECT_EQ(any.pairs, 1); // what is no number decides nothing
}

class Forecasts : public testing::TestWithParam<EngineKind> {};

/// Against what a look takes and leaves.
TEST_P(Forecasts, TellWhatALookTakesAndLeavesAbout) {
    for (const std::int64_t k : {4, 12}) {
        const TripletSet set = smallTriplets({.name = "many", .rowsPerClass = 400, .features = 6, .k = k}, 1);
        const auto engine = makeEngine(GetParam(), set);
        ASSERT_TRUE(engine->canForecast());
        StopCheck never;
        const SolvedPoint start = startOf(set, kGamma, *engine);
        const PointOutcome tight = solveTightly(set, 0.2 * start.lambda, kGamma, 1e-4);
        double lastLeft = 0;
        for (const double share : {0.001, 0.01, 0.05, 0.2, 1e3}) {
            engine->activateAll();
            LossTotals totals;
            const auto spent = [&](const auto& act) {
                const double before = engine->countedWork();
                act();
                return engine->countedWork() - before;
            };
            const auto evaluate = [&] { ASSERT_TRUE(engine->evaluate(tight.solved.point, kGamma, never, totals)); };
            const double whole = spent(evaluate);
            const Region region{{tight.solved.point.matrix, share * tight.solved.point.matrix.norm()}};
            const LookForecast forecast = engine->forecast({region.sphere.centre, {}, region.sphere.radius}, kGamma);
            ScreenedPart screened;
            const double look = spent([&] { ASSERT_TRUE(engine->screen({&region, 1}, kGamma, never, screened)); });
            const double left = std::min(spent(evaluate) / whole, 1.0);
            EXPECT_NEAR(forecast.left, left, 0.25) << k << ' ' << share;
            EXPECT_GE(forecast.left, lastLeft);
            EXPECT_LE(forecast.work + forecast.once, 3 * look) << k << ' ' << share;
            EXPECT_GE(3 * (forecast.work + forecast.once), look) << k << ' ' << share;
            const double cost = spent([&] { (void)engine->forecast({region.sphere.centre, {}, 1}, kGamma); });
            EXPECT_LE(cost, 0.1 * whole) << k;
            lastLeft = forecast.left;
        }
        EXPECT_EQ(lastLeft, 1);
    }
}

INSTANTIATE_TEST_SUITE_P(Engines, Forecasts, testing::Values(EngineKind::Pairs, EngineKind::Sorted),
                         [](const auto& at) { return at.param == EngineKind::Pairs ? "pairs" : "sorted"; });

INSTANTIATE_TEST_SUITE_P(Shapes, TestedGroups, testing::ValuesIn(smallShapes()),
                         [](const auto& entry) { return entry.param.name; });

} // namespace
} // namespace lambdascope::triplets
