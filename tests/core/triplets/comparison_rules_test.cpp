// SPDX-License-Identifier: GPL-3.0-or-later
// General forms: what the rules decide over a region is what the smallest and largest margin over it say, found by
// brute force; and λ ranges decide what the sphere rule of the same ball decides at each λ.
#include "core/triplets/engines/comparison_engine.h"
#include "core/triplets/screening/path_ball.h"
#include "tests/core/triplets/extreme_margins.h"
#include "tests/core/triplets/small_comparisons.h"
#include "tests/core/triplets/small_problems.h"

#include <gtest/gtest.h>

#include <tuple>

namespace lambdascope::triplets {
namespace {

constexpr TripletIndex kMostItems = 24; ///< of a set, for brute force; a quarter of it in many dimensions
/// Bounds on one pair have H ⪰ 0, over which X(t) may end inside the ball.
constexpr int kMostDoublings = 24;

/// A ball with a centre of the wanted kind, and a half-space that cuts it.
Region regionFor(const PairTable& table, Centre kind, RuleKind rule, double radius, std::uint64_t seed) {
    Region region;
    region.rule = rule;
    const Eigen::MatrixXd point = pointFor(table, seed).matrix;
    const double size = point.norm();
    region.sphere.centre = point;
    if (kind == Centre::Positive) {
        region.sphere.centre += 0.1 * size * identityLike(point);
    } else if (kind == Centre::Indefinite) {
        const Eigen::MatrixXd other = pointFor(table, seed + 77).matrix;
        region.sphere.centre -= 0.3 * size / other.norm() * other;
    }
    region.sphere.radius = radius * size;
    const Eigen::MatrixXd other = pointFor(table, seed + 99).matrix;
    region.normal = splitByCone(0.5 * size / other.norm() * other - region.sphere.centre).positive;
    return region;
}

TripletStates decisionsOf(const GeneralProblem& general, std::span<const Region> regions) {
    TripletStates states(general.set.size());
    const auto engine = general.engine();
    engine->record(&states);
    StopCheck never;
    ScreenedPart screened;
    EXPECT_TRUE(engine->screen(regions, kGamma, never, screened));
    EXPECT_EQ(engine->activeTriplets(), general.set.size() - screened.zero - screened.linear);
    return states;
}

struct Outcome {
    int decided = 0;
    int beyondSphere = 0; ///< decided, but not by the sphere rule
};

/// Compares the engine's decisions with brute force, item by item.
Outcome compare(const GeneralProblem& general, const Region& region, const Projection& project) {
    Outcome outcome;
    const TripletStates states = decisionsOf(general, std::span(&region, 1));
    const TripletIndex stride = 1 + general.set.size() / (general.set.features() > 8 ? kMostItems / 4 : kMostItems);
    for (TripletIndex c = 0; c < general.set.size(); c += stride) {
        const Eigen::MatrixXd h = general.matrixOf(c);
        const double norm = h.norm();
        if (norm == 0) {
            continue; // equal rows: the sphere rule alone, see the engine's tests
        }
        const double tau = general.set.items().threshold[static_cast<std::size_t>(c)];
        const double low = smallestMargin(h, region.sphere, project, kMostDoublings);
        const double high = -smallestMargin(-h, region.sphere, project, kMostDoublings);
        // The rules stop looking when a decision could only hang by a thread.
        const double doubt = 1e-6 * (1 + std::abs(tau) + norm * (region.sphere.centre.norm() + region.sphere.radius));
        const Decision decision = states.at(c);
        if (std::abs(low - tau) > doubt && std::abs(high - (tau - kGamma)) > doubt) {
            const Decision expected = low > tau             ? Decision::Zero
                                      : high < tau - kGamma ? Decision::Linear
                                                            : Decision::Keep;
            EXPECT_EQ(decision, expected) << c << " margins in [" << low << ", " << high << "], τ " << tau;
        }
        const double q = h.cwiseProduct(region.sphere.centre).sum();
        const double reach = region.sphere.radius * norm;
        outcome.decided += decision != Decision::Keep ? 1 : 0;
        outcome.beyondSphere += (decision == Decision::Zero && q - reach <= tau) ||
                                        (decision == Decision::Linear && q + reach >= tau - kGamma)
                                    ? 1
                                    : 0;
    }
    return outcome;
}

class ComparisonRules : public testing::TestWithParam<std::tuple<SmallShape, RuleKind>> {};

TEST_P(ComparisonRules, DecideExactlyWhatTheExtremeMarginsAllow) {
    const SmallShape& shape = std::get<0>(GetParam());
    const RuleKind rule = std::get<1>(GetParam());
    Outcome sum;
    std::uint64_t seed = 0;
    for (const FormMix& mix : formMixes()) {
        if (mix.hasWeights != (mix.linear > 0)) {
            continue; // weights do not matter to rules, nor does the linear term: once with both is enough
        }
        const GeneralProblem general(shape, mix, ++seed);
        forEachRegion(
            rule, [&](Centre centre, double radius) { return regionFor(general.set, centre, rule, radius, seed); },
            [&](const Region& region, const Projection& project) {
                const Outcome outcome = compare(general, region, project);
                sum.decided += outcome.decided;
                sum.beyondSphere += outcome.beyondSphere;
            });
    }
    EXPECT_GT(sum.decided, 0);
    if (usesCone(rule) && shape.features > 1 && shape.features < 10) {
        EXPECT_GT(sum.beyondSphere, 0);
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, ComparisonRules, testing::ValuesIn(shapesWithRules()), [](const auto& entry) {
    return std::get<0>(entry.param).name + '_' + ruleName(std::get<1>(entry.param));
});

TEST(ComparisonRulesOrder, EachRuleDecidesWhatTheWeakerOnesDo) {
    int linearMore = 0;
    int semidefiniteMore = 0;
    for (const FormMix& mix : formMixes()) {
        for (std::uint64_t seed = 1; seed <= 3; ++seed) {
            const GeneralProblem general({.name = "plain", .features = 5}, mix, seed);
            // The half-space that comes from the centre's own negative part cuts off what is farthest from M ⪰ 0.
            Region region = regionFor(general.set, Centre::Indefinite, RuleKind::Sphere, 0.5, seed);
            region.normal = splitByCone(-region.sphere.centre).positive;
            std::vector<TripletStates> states;
            for (const RuleKind rule : {RuleKind::Sphere, RuleKind::Linear, RuleKind::Semidefinite}) {
                region.rule = rule;
                states.push_back(decisionsOf(general, std::span(&region, 1)));
            }
            for (TripletIndex c = 0; c < general.set.size(); ++c) {
                for (std::size_t weaker = 0; weaker < 2; ++weaker) {
                    if (states[weaker].at(c) != Decision::Keep) {
                        EXPECT_EQ(states[weaker + 1].at(c), states[weaker].at(c)) << mix.name << ' ' << c;
                    }
                }
                linearMore += states[1].at(c) != states[0].at(c) ? 1 : 0;
                semidefiniteMore += states[2].at(c) != states[1].at(c) ? 1 : 0;
            }
        }
    }
    EXPECT_GT(linearMore, 0);
    EXPECT_GT(semidefiniteMore, 0);
}

/// A triplet of neighbours is decided the same whether it comes from a list or not.
TEST(ComparisonRulesOfTriplets, DecideWhatThePairsEngineDecides) {
    for (const Structure structure : {Structure::Full, Structure::Diagonal}) {
        const SmallShape shape{.name = "plain", .features = 4, .structure = structure};
        const TripletSet triplets = smallTriplets(shape, 4);
        auto built = ComparisonSet::build(smallData(shape, 4)->dense(), listOf(triplets), {}, structure);
        ASSERT_TRUE(built);
        const ComparisonSet set = std::move(built).value();
        for (const RuleKind rule : {RuleKind::Linear, RuleKind::Semidefinite}) {
            for (const Centre centre : {Centre::Positive, Centre::Indefinite}) {
                const Region region = regionFor(set, centre, rule, 0.4, 4);
                TripletStates ours(set.size());
                TripletStates theirs(set.size());
                ComparisonEngine engine(set);
                const auto pairs = makeEngine(EngineKind::Pairs, triplets);
                engine.record(&ours);
                pairs->record(&theirs);
                StopCheck never;
                ScreenedPart a;
                ScreenedPart b;
                ASSERT_TRUE(engine.screen(std::span(&region, 1), kGamma, never, a));
                ASSERT_TRUE(pairs->screen(std::span(&region, 1), kGamma, never, b));
                EXPECT_GT(a.zero + a.linear, 0);
                for (TripletIndex t = 0; t < set.size(); ++t) {
                    ASSERT_EQ(ours.at(t), theirs.at(t)) << t;
                }
            }
        }
    }
}

TEST(ComparisonRulesWork, IsCounted) {
    for (const RuleKind rule : {RuleKind::Linear, RuleKind::Semidefinite}) {
        double besides = 0;
        double left = 0;
        for (std::uint64_t seed = 1; seed <= 6; ++seed) {
            const GeneralProblem general({.name = "plain"}, formMixes().back(), seed);
            const Region region = regionFor(general.set, Centre::Indefinite, rule, 0.5, seed);
            const Region ball{.sphere = region.sphere};
            const auto byRule = general.engine();
            const auto bySphere = general.engine();
            StopCheck never;
            ScreenedPart screened;
            ASSERT_TRUE(byRule->screen(std::span(&region, 1), kGamma, never, screened));
            ASSERT_TRUE(bySphere->screen(std::span(&ball, 1), kGamma, never, screened));
            besides += byRule->countedWork() - bySphere->countedWork();
            left += static_cast<double>(bySphere->activeTriplets());
        }
        EXPECT_GT(besides, (rule == RuleKind::Linear ? 3 : 12) * left);
    }
}

TEST(ComparisonRulesStops, GiveUpWhenTheStopCheckSaysSo) {
    const GeneralProblem general({.name = "plain"}, formMixes().back(), 1);
    const auto engine = general.engine();
    StopCheck stopped([] { return true; });
    (void)stopped.ask();
    ScreenedPart screened;
    for (const RuleKind rule : {RuleKind::Linear, RuleKind::Semidefinite}) {
        const Region region = regionFor(general.set, Centre::Indefinite, rule, 0.5, 1);
        EXPECT_FALSE(engine->screen(std::span(&region, 1), kGamma, stopped, screened));
    }
    const MetricPoint point = pointFor(general.set, 1);
    RangeStore store(general.set.size());
    EXPECT_FALSE(engine->ranges()->activateExcept(store.fixed(), stopped, screened));
    EXPECT_FALSE(engine->ranges()->screenRanges(PathBall({&point, 10, 1e-6}, BoundKind::RelaxedPath, kGamma), 9, kGamma,
                                                stopped, store, screened));
}

class ComparisonRanges : public testing::TestWithParam<std::tuple<SmallShape, FormMix>> {};

/// One reference, 100 λ below it: what the store fixes is what the sphere rule of the same ball decides, item by item.
TEST_P(ComparisonRanges, FixWhatTheRuleOfTheSameReferenceDecides) {
    const auto& [shape, mix] = GetParam();
    for (const BoundKind kind : {BoundKind::RelaxedPath, BoundKind::MidpointGap}) {
        std::int64_t decided = 0;
        for (std::uint64_t seed = 1; seed <= 2; ++seed) {
            const GeneralProblem general = solvableProblem(shape, mix, seed);
            const double lambda0 = 0.3 * general.start(kGamma).lambda;
            const SolvedPoint solved = general.solveTightly(lambda0, kGamma, 1e-4).solved;
            const PathBall ball({&solved.point, lambda0, solved.gap, &solved.totals}, kind, kGamma);
            const auto engine = general.engine();
            TripletStates states(general.set.size());
            engine->record(&states);
            RangeStore store(general.set.size());
            StopCheck never;
            std::vector<double> norms;
            std::vector<double> margins;
            std::vector<double> duals;
            for (TripletIndex c = 0; c < general.set.size(); ++c) {
                norms.push_back(general.matrixOf(c).norm());
                margins.push_back(general.margin(c, solved.point.matrix));
                duals.push_back(general.margin(c, ball.dual()));
            }
            for (int step = 1; step <= 100; ++step) {
                const double lambda = lambda0 * std::pow(0.955, step);
                store.moveTo(lambda);
                states.reset();
                ScreenedPart screened;
                ASSERT_TRUE(engine->ranges()->activateExcept(store.fixed(), never, screened));
                if (step == 1) {
                    ASSERT_TRUE(engine->ranges()->screenRanges(ball, lambda, kGamma, never, store, screened));
                }
                EXPECT_EQ(engine->activeTriplets(), general.set.size() - screened.zero - screened.linear);
                BoundReference at;
                at.point = &solved.point;
                at.totals = &solved.totals;
                at.gamma = kGamma;
                at.path = {&solved.point, lambda0, solved.gap};
                at.lambda = lambda;
                const double radius = makeBound(kind)->sphere(at).radius;
                at.lambda = lambda0;
                const double firstRadius = makeBound(kind)->sphere(at).radius;
                for (TripletIndex c = 0; c < general.set.size(); ++c) {
                    const auto i = static_cast<std::size_t>(c);
                    const double tau = general.set.items().threshold[i];
                    const double q = 0.5 * (margins[i] + lambda0 / lambda * duals[i]);
                    const double reach = radius * norms[i];
                    const double doubt = 1e-9 * (1 + std::abs(q) + reach + std::abs(tau));
                    if (std::abs(q - reach - tau) > doubt && std::abs(q + reach - (tau - kGamma)) > doubt) {
                        // Ranges hold λ₀: what is not decided there is not kept.
                        const double first = 0.5 * (margins[i] + duals[i]);
                        const double firstReach = firstRadius * norms[i];
                        if (std::abs(first - firstReach - tau) < doubt ||
                            std::abs(first + firstReach - (tau - kGamma)) < doubt) {
                            continue;
                        }
                        const bool isZero = q - reach > tau && first - firstReach > tau;
                        const bool isLinear = q + reach < tau - kGamma && first + firstReach < tau - kGamma;
                        const Decision expected = isZero     ? Decision::Zero
                                                  : isLinear ? Decision::Linear
                                                             : Decision::Keep;
                        ASSERT_EQ(states.at(c), expected) << c << " at " << lambda << " τ " << tau;
                    }
                    decided += states.at(c) != Decision::Keep ? 1 : 0;
                }
            }
        }
        EXPECT_GT(decided, 0);
    }
}

INSTANTIATE_TEST_SUITE_P(Mixes, ComparisonRanges,
                         testing::Combine(testing::ValuesIn(smallShapes()), testing::ValuesIn(formMixes())),
                         [](const auto& entry) {
                             return std::get<0>(entry.param).name + "_" + std::get<1>(entry.param).name;
                         });

} // namespace
} // namespace lambdascope::triplets
