// SPDX-License-Identifier: GPL-3.0-or-later
// λ intervals say what the rule says, λ by λ, and the store hands out what the intervals say.
#include "core/common/random_stream.h"
#include "core/triplets/engines/engine.h"
#include "core/triplets/screening/path_ball.h"
#include "core/triplets/screening/range_rule.h"
#include "core/triplets/screening/range_store.h"
#include "tests/core/triplets/small_problems.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <tuple>
#include <vector>

namespace lambdascope::triplets {
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

/// How many judgements were compared.
struct Compared {
    std::int64_t inside = 0;
    std::int64_t outside = 0;
};

/// Whether a ball decides R̂, or L̂ for `sign` −1; nothing when rounding may have the last word.
std::optional<bool> decides(double q, double reach, double edge, double sign) {
    const double room = sign * (q - edge) - reach;
    return std::abs(room) > 1e-9 * (1 + std::abs(q) + reach) ? std::optional(room > 0) : std::nullopt;
}

/// Ranges for each threshold against fresh judgements by the sphere of the same reference, λ by λ. An interval that
/// does not hold λ₀ is empty.
template <class SphereAt>
Compared compareWithTheRule(const TripletSet& set, const PathBall& ball, const SphereAt& sphereAt,
                            std::initializer_list<double> thresholds) {
    Compared compared;
    const double lambda0 = ball.radius().lambda;
    const RangeRule rule(ball, kGamma, 0, 0);
    const std::vector<double> lambdas = lambdasRound(lambda0);
    std::vector<Sphere> spheres;
    std::transform(lambdas.begin(), lambdas.end(), std::back_inserter(spheres), sphereAt);
    const Sphere first = sphereAt(lambda0);
    const TripletIndex stride = std::max<TripletIndex>(1, set.triplets() / 150);
    for (TripletIndex number = 0; number < set.triplets(); number += stride) {
        const double t = marginOf(set, number, ball.point().matrix);
        const double dual = marginOf(set, number, ball.dual());
        const double h = normOf(set, number);
        const double firstQ = marginOf(set, number, first.centre);
        std::vector<double> q;
        std::transform(spheres.begin(), spheres.end(), std::back_inserter(q),
                       [&](const Sphere& sphere) { return marginOf(set, number, sphere.centre); });
        for (const double threshold : thresholds) {
            const LambdaRange zero = rule.zero(t, dual, h * h, threshold);
            const LambdaRange linear = rule.linear(t, dual, h * h, threshold);
            EXPECT_TRUE(zero.isEmpty() || linear.isEmpty());
            for (const auto& [range, edge, sign] :
                 {std::tuple{zero, threshold, 1.0}, std::tuple{linear, threshold - kGamma, -1.0}}) {
                const auto atFirst = decides(firstQ, first.radius * h, edge, sign);
                for (std::size_t at = 0; atFirst && at < lambdas.size(); ++at) {
                    if (const auto here = decides(q[at], spheres[at].radius * h, edge, sign)) {
                        EXPECT_EQ(range.contains(lambdas[at]), *atFirst && *here) << number << " at " << lambdas[at];
                        (*atFirst && *here ? compared.inside : compared.outside) += 1;
                    }
                }
            }
        }
    }
    return compared;
}

class RangesOfRelaxedPath : public testing::TestWithParam<std::tuple<SmallShape, double>> {
  protected:
    void compareAt(std::initializer_list<double> thresholds) {
        const auto& [shape, share] = GetParam();
        Compared all;
        for (std::uint64_t seed = 1; seed <= 3; ++seed) {
            const TripletSet set = smallTriplets(shape, seed);
            const MetricPoint point = randomPoint(set, seed);
            const double lambda0 = std::pow(10.0, static_cast<double>(seed));
            const double epsilon = share * point.matrix.norm();
            BoundReference at;
            at.point = &point;
            at.path = {&point, lambda0, 0.5 * lambda0 * epsilon * epsilon};
            const auto sphereAt = [&](double lambda) {
                at.lambda = lambda;
                return relaxedPathBound(at);
            };
            const Compared one =
                compareWithTheRule(set, PathBall(at.path, BoundKind::RelaxedPath, kGamma), sphereAt, thresholds);
            all.inside += one.inside;
            all.outside += one.outside;
        }
        EXPECT_GT(all.inside, 0);
        EXPECT_GT(all.outside, 0);
    }
};

TEST_P(RangesOfRelaxedPath, HoldExactlyTheLambdasAtWhichTheRuleDecides) {
    compareAt({1});
}

/// Bounds on distances: upper ones have negative thresholds.
TEST_P(RangesOfRelaxedPath, HoldThemForOtherThresholdsToo) {
    compareAt({-0.7, -0.02, 0.0, 0.3, 2.5});
}

/// References that are solved to the relative gap of the second parameter.
class RangesOfMidpointGap : public testing::TestWithParam<std::tuple<SmallShape, double>> {};

TEST_P(RangesOfMidpointGap, HoldExactlyTheLambdasAtWhichTheRuleDecides) {
    const auto& [shape, tolerance] = GetParam();
    Compared all;
    for (std::uint64_t seed = 1; seed <= 2; ++seed) {
        const TripletSet set = solvableTriplets(shape, seed);
        const auto engine = makeEngine(EngineKind::Pairs, set);
        const double top = startOf(set, kGamma, *engine).lambda;
        for (const double share : {0.5, 0.05}) {
            const SolvedPoint solved = solveTightly(set, share * top, kGamma, tolerance).solved;
            const PrimalDualPair pair = primalDualPair(solved.point, solved.totals, kGamma);
            const PathBall ball({&solved.point, solved.lambda, solved.gap, &solved.totals}, BoundKind::MidpointGap,
                                kGamma);
            for (const double lambda : lambdasRound(solved.lambda)) {
                const Sphere sphere = pair.midpointBall(lambda);
                const double radius = ball.radius().at(lambda);
                EXPECT_NEAR(radius, sphere.radius, 1e-6 * (sphere.radius + ball.dual().norm()));
            }
            const Compared one = compareWithTheRule(set, ball, [&](double lambda) { return pair.midpointBall(lambda); },
                                                    {1.0, -0.2, 0.4});
            all.inside += one.inside;
            all.outside += one.outside;
        }
    }
    EXPECT_GT(all.inside, 0);
    EXPECT_GT(all.outside, 0);
}

INSTANTIATE_TEST_SUITE_P(Shapes, RangesOfMidpointGap,
                         testing::Combine(testing::ValuesIn(smallShapes()), testing::Values(1e-1, 1e-3, 1e-8)),
                         [](const auto& entry) {
                             return std::get<0>(entry.param).name + "_reference" + std::to_string(entry.index % 3);
                         });
INSTANTIATE_TEST_SUITE_P(Shapes, RangesOfRelaxedPath,
                         testing::Combine(testing::ValuesIn(smallShapes()), testing::Values(0.0, 1e-3, 0.05)),
                         [](const auto& entry) {
                             return std::get<0>(entry.param).name + "_reference" + std::to_string(entry.index % 3);
                         });

TEST(RangeRuleRounding, MovesEndsInwards) {
    const TripletSet set = smallTriplets({.name = "plain"}, 1);
    const MetricPoint point = randomPoint(set, 2);
    const PathBall ball({&point, 10, 1e-9}, BoundKind::RelaxedPath, kGamma);
    const RangeRule sharp(ball, kGamma, 0, 0);
    const RangeRule padded(ball, kGamma, 1e-6, 1e-6);
    int compared = 0;
    for (TripletIndex number = 0; number < set.triplets(); ++number) {
        const double t = marginOf(set, number, point.matrix);
        const double h = normOf(set, number);
        for (const bool isZero : {true, false}) {
            const LambdaRange wide = isZero ? sharp.zero(t, t, h * h) : sharp.linear(t, t, h * h);
            const LambdaRange narrow = isZero ? padded.zero(t, t, h * h) : padded.linear(t, t, h * h);
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
    std::vector<Decision> decision(kCount, Decision::Keep);
    double lambda = 1000;
    for (int step = 0; step < 40; ++step, lambda *= 0.8) {
        store.moveTo(lambda);
        for (TripletIndex t = 0; t < kCount; ++t) {
            const auto at = static_cast<std::size_t>(t);
            const Decision expected = low[at] < lambda ? decision[at] : Decision::Keep;
            ASSERT_EQ(store.fixed().at(t), expected) << t << " at " << lambda;
            if (expected == Decision::Keep && random.below(3) == 0) {
                low[at] = lambda * random.uniform() * random.uniform();
                decision[at] = random.below(2) == 0 ? Decision::Zero : Decision::Linear;
                store.add(t, decision[at], low[at]);
            }
        }
        store.seal();
        EXPECT_LE(static_cast<double>(store.bytes()), RangeStore::largestBytes(kCount) + 64);
    }
    store.moveTo(2000); // a new path
    for (TripletIndex t = 0; t < kCount; ++t) {
        EXPECT_EQ(store.fixed().at(t), Decision::Keep);
    }
}

TEST(RangeRates, CountTheTripletsWhoseIntervalHoldsTheTarget) {
    for (const Structure structure : {Structure::Full, Structure::Diagonal}) {
        const TripletSet set = smallTriplets({.name = "plain", .structure = structure}, 2);
        const MetricPoint point = randomPoint(set, 2);
        const PathBall ball({&point, 10, 1e-7}, BoundKind::RelaxedPath, kGamma);
        const RangeRule rule(ball, kGamma, 0, 0);
        std::vector<double> targets;
        for (double lambda = 30; lambda > 0.1; lambda *= 0.83) {
            targets.push_back(lambda);
        }
        std::vector<double> rates;
        StopCheck never;
        ASSERT_TRUE(rangeRates(set, ball, kGamma, targets, never, rates));
        ASSERT_EQ(rates.size(), targets.size());
        for (std::size_t i = 0; i < targets.size(); ++i) {
            std::int64_t count = 0;
            for (TripletIndex t = 0; t < set.triplets(); ++t) {
                const double margin = marginOf(set, t, point.matrix);
                const double norm = normOf(set, t);
                count += rule.zero(margin, margin, norm * norm).contains(targets[i]) ? 1 : 0;
                count += rule.linear(margin, margin, norm * norm).contains(targets[i]) ? 1 : 0;
            }
            EXPECT_NEAR(rates[i] * static_cast<double>(set.triplets()), static_cast<double>(count), 1) << i;
        }
        EXPECT_GT(rates[6], 0.0);
        EXPECT_LT(rates.back(), rates[6]);
    }
}

/// Engine calls along a falling path: what the ranges fix is what the sphere rule of the same reference would decide.
class RangeScreeningOfEngines : public testing::TestWithParam<std::tuple<EngineKind, BoundKind>> {};

TEST_P(RangeScreeningOfEngines, DecidesWhatTheRuleOfTheSameReferenceDecides) {
    const EngineKind kind = std::get<0>(GetParam());
    const BoundKind boundKind = std::get<1>(GetParam());
    std::int64_t decided = 0;
    std::int64_t released = 0;
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        const TripletSet set = smallTriplets({.name = "plain", .rowsPerClass = 12, .k = 5}, seed);
        const auto engine = makeEngine(kind, set);
        const double top = startOf(set, kGamma, *engine).lambda;
        const SolvedPoint solved = solveTightly(set, 0.2 * top, kGamma, 1e-4).solved;
        BoundReference at;
        at.point = &solved.point;
        at.totals = &solved.totals;
        at.gamma = kGamma;
        at.path = {&solved.point, solved.lambda, solved.gap, &solved.totals};
        TripletStates states(set.triplets());
        engine->record(&states);
        RangeStore store(set.triplets());
        StopCheck never;
        bool isFirst = true;
        const auto decisionAt = [&](double lambda, TripletIndex t) -> std::optional<Decision> {
            at.lambda = lambda;
            const Sphere sphere = makeBound(boundKind)->sphere(at);
            const double q = marginOf(set, t, sphere.centre);
            const double reach = sphere.radius * normOf(set, t);
            const auto zero = decides(q, reach, 1, 1);
            const auto linear = decides(q, reach, 1 - kGamma, -1);
            return !zero || !linear ? std::nullopt
                                    : std::optional(*zero     ? Decision::Zero
                                                    : *linear ? Decision::Linear
                                                              : Decision::Keep);
        };
        for (double lambda = 0.95 * solved.lambda; lambda > 0.01 * solved.lambda; lambda *= 0.7) {
            store.moveTo(lambda);
            states.reset();
            ScreenedPart screened;
            ASSERT_TRUE(engine->ranges()->activateExcept(store.fixed(), never, screened));
            EXPECT_EQ(engine->activeTriplets(), set.triplets() - screened.zero - screened.linear);
            if (isFirst) {
                const PathBall ball(at.path, boundKind, kGamma);
                ASSERT_TRUE(engine->ranges()->screenRanges(ball, lambda, kGamma, never, store, screened));
                isFirst = false;
            }
            Eigen::MatrixXd linearSum = Eigen::MatrixXd::Zero(set.features(), set.features());
            for (TripletIndex t = 0; t < set.triplets(); ++t) {
                // Ranges hold λ₀: what is not decided there is not kept.
                const std::optional<Decision> first = decisionAt(solved.lambda, t);
                const std::optional<Decision> here = decisionAt(lambda, t);
                if (first && here) {
                    const Decision expected = *first == Decision::Keep ? Decision::Keep : *here;
                    EXPECT_EQ(states.at(t), expected) << t << " at " << lambda;
                    decided += expected != Decision::Keep ? 1 : 0;
                    released += expected == Decision::Keep && lambda < 0.9 * solved.lambda ? 1 : 0;
                }
                if (states.at(t) == Decision::Linear) {
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
    }
    EXPECT_GT(decided, 0);
    EXPECT_GT(released, 0);
}

INSTANTIATE_TEST_SUITE_P(Engines, RangeScreeningOfEngines,
                         testing::Combine(testing::Values(EngineKind::Pairs, EngineKind::Triplets),
                                          testing::Values(BoundKind::RelaxedPath, BoundKind::MidpointGap)),
                         [](const auto& entry) {
                             return std::string(std::get<0>(entry.param) == EngineKind::Pairs ? "pairs" : "triplets") +
                                    (std::get<1>(entry.param) == BoundKind::MidpointGap ? "_MGB" : "_RRPB");
                         });

} // namespace
} // namespace lambdascope::triplets
