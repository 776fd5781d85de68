// SPDX-License-Identifier: GPL-3.0-or-later
// λ intervals say what the rule says, λ by λ, and the store hands out what the intervals say.
#include "core/common/random_stream.h"
#include "core/metric/engines/engine.h"
#include "core/metric/path/interval_counter.h"
#include "core/metric/screening/range_rule.h"
#include "core/metric/screening/range_store.h"
#include "tests/core/metric/small_problems.h"

#include <gtest/gtest.h>

#include <tuple>

namespace lambdascope::metric {
namespace {

constexpr int kLambdas = 100;

/// Grid of λ over four decades round λ₀, λ₀ not on it.
std::vector<double> lambdasRound(double lambda0) {
    std::vector<double> lambdas;
    for (int i = 0; i < kLambdas; ++i) {
        lambdas.push_back(lambda0 * std::pow(10.0, 2 - 4 * (i + 0.31) / kLambdas));
    }
    return lambdas;
}

class Ranges : public testing::TestWithParam<std::tuple<SmallShape, double>> {
  protected:
    void compareWithTheRule(double threshold);
};

void Ranges::compareWithTheRule(double threshold) {
    const auto& [shape, share] = GetParam();
    std::int64_t inside = 0;
    std::int64_t outside = 0;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const TripletSet set = smallTriplets(shape, seed);
        MetricPoint point = randomPoint(set, seed);
        const double lambda0 = std::pow(10.0, static_cast<double>(seed));
        // ε = share · ‖M₀‖
        const double epsilon = share * point.matrix.norm();
        const PathReference reference{&point, lambda0, 0.5 * lambda0 * epsilon * epsilon};
        const RangeRule rule(reference, kGamma, 0);
        BoundReference at;
        at.point = &point;
        at.path = reference;
        const TripletIndex stride = std::max<TripletIndex>(1, set.triplets() / 150);
        for (TripletIndex number = 0; number < set.triplets(); number += stride) {
            const double t = marginOf(set, number, point.matrix);
            const double h = normOf(set, number);
            const LambdaRange zero = rule.zero(t, h * h, threshold);
            const LambdaRange linear = rule.linear(t, h * h, threshold);
            EXPECT_TRUE(zero.isEmpty() || linear.isEmpty());
            for (const double lambda : lambdasRound(lambda0)) {
                at.lambda = lambda;
                const Sphere sphere = relaxedPathBound(at);
                const double q = (lambda0 + lambda) / (2 * lambda) * t;
                const double reach = sphere.radius * h;
                const double doubt = 1e-9 * (1 + std::abs(q) + reach);
                const double edge = threshold - kGamma;
                if (std::abs(q - reach - threshold) > doubt) {
                    EXPECT_EQ(zero.contains(lambda), q - reach > threshold) << number << " at " << lambda;
                }
                if (std::abs(q + reach - edge) > doubt) {
                    EXPECT_EQ(linear.contains(lambda), q + reach < edge) << number << " at " << lambda;
                }
                (zero.contains(lambda) || linear.contains(lambda) ? inside : outside) += 1;
            }
        }
    }
    EXPECT_GT(inside, 0);
    EXPECT_GT(outside, 0);
}

TEST_P(Ranges, HoldExactlyTheLambdasAtWhichTheRuleDecides) {
    compareWithTheRule(1);
}

/// Bounds on distances: upper ones have negative thresholds.
TEST_P(Ranges, HoldThemForOtherThresholdsToo) {
    for (const double threshold : {-0.7, -0.02, 0.0, 0.3, 2.5}) {
        compareWithTheRule(threshold);
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, Ranges,
                         testing::Combine(testing::ValuesIn(smallShapes()), testing::Values(0.0, 1e-3, 0.05)),
                         [](const auto& entry) {
                             return std::get<0>(entry.param).name + "_reference" + std::to_string(entry.index % 3);
                         });

TEST(RangeRuleRounding, MovesEndsInwards) {
    const TripletSet set = smallTriplets({.name = "plain"}, 1);
    const MetricPoint point = randomPoint(set, 2);
    const PathReference reference{&point, 10, 1e-9};
    const RangeRule sharp(reference, kGamma, 0);
    const RangeRule padded(reference, kGamma, 1e-6);
    int compared = 0;
    for (TripletIndex number = 0; number < set.triplets(); ++number) {
        const double t = marginOf(set, number, point.matrix);
        const double h = normOf(set, number);
        for (const bool isZero : {true, false}) {
            const LambdaRange wide = isZero ? sharp.zero(t, h * h) : sharp.linear(t, h * h);
            const LambdaRange narrow = isZero ? padded.zero(t, h * h) : padded.linear(t, h * h);
            if (!wide.isEmpty() && !narrow.isEmpty() && wide.low > 0) {
                EXPECT_GT(narrow.low, wide.low);
                EXPECT_LE(narrow.high, wide.high);
                ++compared;
            }
        }
    }
    EXPECT_GT(compared, 0);
}

TEST(RangeStore, FixesWhatTheIntervalsHoldAndFreesTheRest) {
    RandomStream random(3, "ranges");
    constexpr TripletIndex kCount = 500;
    RangeStore store(kCount);
    std::vector<double> low(kCount, std::numeric_limits<double>::infinity());
    std::vector<Verdict> verdict(kCount, Verdict::Keep);
    double lambda = 1000;
    for (int step = 0; step < 40; ++step, lambda *= 0.8) {
        store.moveTo(lambda);
        for (TripletIndex t = 0; t < kCount; ++t) {
            const auto at = static_cast<std::size_t>(t);
            const Verdict expected = low[at] < lambda ? verdict[at] : Verdict::Keep;
            ASSERT_EQ(store.fixed().at(t), expected) << t << " at " << lambda;
            if (expected == Verdict::Keep && random.below(3) == 0) {
                low[at] = lambda * random.uniform() * random.uniform();
                verdict[at] = random.below(2) == 0 ? Verdict::Zero : Verdict::Linear;
                store.add(t, verdict[at], low[at]);
            }
        }
        store.seal();
        EXPECT_LE(static_cast<double>(store.bytes()), RangeStore::largestBytes(kCount) + 64);
    }
    store.moveTo(2000); // a new path
    for (TripletIndex t = 0; t < kCount; ++t) {
        EXPECT_EQ(store.fixed().at(t), Verdict::Keep);
    }
}

TEST(RangeRates, CountTheTripletsWhoseIntervalHoldsTheTarget) {
    for (const Structure structure : {Structure::Full, Structure::Diagonal}) {
        const TripletSet set = smallTriplets({.name = "plain", .structure = structure}, 2);
        const MetricPoint point = randomPoint(set, 2);
        const PathReference reference{&point, 10, 1e-7};
        const RangeRule rule(reference, kGamma, 0);
        std::vector<double> targets;
        for (double lambda = 30; lambda > 0.1; lambda *= 0.83) {
            targets.push_back(lambda);
        }
        std::vector<double> rates;
        WorkPoll never;
        ASSERT_TRUE(rangeRates(set, reference, kGamma, targets, never, rates));
        ASSERT_EQ(rates.size(), targets.size());
        for (std::size_t i = 0; i < targets.size(); ++i) {
            std::int64_t count = 0;
            for (TripletIndex t = 0; t < set.triplets(); ++t) {
                const double margin = marginOf(set, t, point.matrix);
                const double norm = normOf(set, t);
                count += rule.zero(margin, norm * norm).contains(targets[i]) ? 1 : 0;
                count += rule.linear(margin, norm * norm).contains(targets[i]) ? 1 : 0;
            }
            EXPECT_NEAR(rates[i] * static_cast<double>(set.triplets()), static_cast<double>(count), 1) << i;
        }
        EXPECT_GT(rates[6], 0.0);
        EXPECT_LT(rates.back(), rates[6]);
    }
}

/// Engine calls along a falling path: what the ranges fix is what the sphere rule of RRPB would decide.
class RangeScreeningOfEngines : public testing::TestWithParam<EngineKind> {};

TEST_P(RangeScreeningOfEngines, DecidesWhatTheRuleOfTheSameReferenceDecides) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        const TripletSet set = smallTriplets({.name = "plain", .rowsPerClass = 12, .k = 5}, seed);
        const MetricPoint point = randomPoint(set, seed);
        const PathReference reference{&point, 100, 1e-6};
        const auto engine = makeEngine(GetParam(), set);
        TripletStates states(set.triplets());
        engine->record(&states);
        RangeStore store(set.triplets());
        WorkPoll never;
        bool isFirst = true;
        std::int64_t decided = 0;
        std::int64_t released = 0;
        for (double lambda = 95; lambda > 1; lambda *= 0.7) {
            store.moveTo(lambda);
            states.reset();
            ScreenedPart screened;
            ASSERT_TRUE(engine->ranges()->activateExcept(store.fixed(), never, screened));
            EXPECT_EQ(engine->activeTriplets(), set.triplets() - screened.zero - screened.linear);
            if (isFirst) {
                ASSERT_TRUE(engine->ranges()->screenRanges(reference, lambda, kGamma, never, store, screened));
                isFirst = false;
            }
            BoundReference at;
            at.point = &point;
            at.path = reference;
            at.lambda = lambda;
            const Sphere sphere = relaxedPathBound(at);
            Eigen::MatrixXd linearSum = Eigen::MatrixXd::Zero(set.features(), set.features());
            for (TripletIndex t = 0; t < set.triplets(); ++t) {
                const double q = marginOf(set, t, sphere.centre);
                const double reach = sphere.radius * normOf(set, t);
                const Verdict expected = q - reach > 1            ? Verdict::Zero
                                         : q + reach < 1 - kGamma ? Verdict::Linear
                                                                  : Verdict::Keep;
                if (std::abs(q - reach - 1) > 1e-9 && std::abs(q + reach - (1 - kGamma)) > 1e-9) {
                    EXPECT_EQ(states.at(t), expected) << t << " at " << lambda;
                }
                decided += expected != Verdict::Keep ? 1 : 0;
                released += expected == Verdict::Keep && lambda < 90 ? 1 : 0;
                if (states.at(t) == Verdict::Linear) {
                    const Triplet triplet = set.triplet(t);
                    const Eigen::Index d = set.features();
                    const Eigen::RowVectorXd a =
                        (set.paddedRows().row(triplet.anchor) - set.paddedRows().row(triplet.other)).head(d);
                    const Eigen::RowVectorXd b =
                        (set.paddedRows().row(triplet.anchor) - set.paddedRows().row(triplet.same)).head(d);
                    linearSum += a.transpose() * a - b.transpose() * b;
                }
            }
            if (screened.linear > 0) {
                EXPECT_LE((screened.linearSum - linearSum).norm(), screened.linearError + 1e-12 * linearSum.norm());
            }
        }
        EXPECT_GT(decided, 0);
        EXPECT_GT(released, 0);
    }
}

INSTANTIATE_TEST_SUITE_P(Engines, RangeScreeningOfEngines, testing::Values(EngineKind::Pairs, EngineKind::Triplets),
                         [](const auto& entry) { return entry.param == EngineKind::Pairs ? "pairs" : "triplets"; });

} // namespace
} // namespace lambdascope::metric
