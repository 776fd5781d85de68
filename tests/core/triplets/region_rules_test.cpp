// SPDX-License-Identifier: GPL-3.0-or-later
// What the rules decide over a region is what the smallest and largest margin over it say, found by brute force.
#include "core/triplets/engines/engine.h"
#include "tests/core/triplets/extreme_margins.h"
#include "tests/core/triplets/small_problems.h"

#include <gtest/gtest.h>

#include <tuple>
#include <utility>
#include <vector>

namespace lambdascope::triplets {
namespace {

constexpr TripletIndex kMostTriplets = 120; ///< of a set, for brute force

Eigen::MatrixXd matrixOf(const TripletSet& set, TripletIndex number) {
    const Triplet t = set.triplet(number);
    const Eigen::Index d = set.features();
    const Eigen::RowVectorXd x = set.paddedRows().row(t.anchor).head(d);
    const Eigen::RowVectorXd a = x - set.paddedRows().row(t.other).head(d);
    const Eigen::RowVectorXd b = x - set.paddedRows().row(t.same).head(d);
    if (set.structure() == Structure::Diagonal) {
        return (a.array().square() - b.array().square()).matrix().transpose();
    }
    return a.transpose() * a - b.transpose() * b;
}

/// A ball with a centre of the wanted kind, and a half-space that cuts it.
Region middlingRegion(const TripletSet& set, Centre kind, RuleKind rule, double radius, std::uint64_t seed) {
    Region region;
    region.rule = rule;
    const MetricPoint point = randomPoint(set, seed);
    const double size = point.matrix.norm();
    region.sphere.centre = point.matrix;
    if (kind == Centre::Positive) {
        region.sphere.centre += 0.1 * size * identityOf(set);
    } else if (kind == Centre::Indefinite) {
        const Eigen::MatrixXd other = randomPoint(set, seed + 77).matrix;
        region.sphere.centre -= 0.3 * size / other.norm() * other;
    }
    region.sphere.radius = radius * size;
    const Eigen::MatrixXd other = randomPoint(set, seed + 99).matrix;
    const Eigen::MatrixXd step = region.sphere.centre - 0.5 * size / other.norm() * other;
    region.normal = splitByCone(-step).positive;
    return region;
}

struct Outcome {
    int decided = 0;
    int beyondSphere = 0; ///< decided, but not by the sphere rule
    int near = 0;
};

TripletStates decisionsOf(EngineKind kind, const TripletSet& set, const Region& region) {
    TripletStates states(set.triplets());
    const auto engine = makeEngine(kind, set);
    engine->record(&states);
    StopCheck never;
    ScreenedPart screened;
    EXPECT_TRUE(engine->screen(std::span(&region, 1), kGamma, never, screened));
    return states;
}

/// Compares the decisions of both engines with brute force, triplet by triplet.
Outcome compare(const TripletSet& set, const Region& region, const Projection& project) {
    Outcome outcome;
    const TripletStates byPairs = decisionsOf(EngineKind::Pairs, set, region);
    const TripletStates byTriplets = decisionsOf(EngineKind::Triplets, set, region);
    const TripletIndex stride = 1 + set.triplets() / kMostTriplets;
    for (TripletIndex t = 0; t < set.triplets(); t += stride) {
        const Eigen::MatrixXd h = matrixOf(set, t);
        const double norm = h.norm();
        if (norm == 0) {
            EXPECT_EQ(byPairs.at(t), Decision::Linear) << t; // ⟨H, M⟩ = 0
            continue;
        }
        const double low = smallestMargin(h, region.sphere, project);
        const double high = -smallestMargin(-h, region.sphere, project);
        // The rules stop looking when a decision could only hang by a thread.
        const double doubt = 1e-6 * (1 + norm * (region.sphere.centre.norm() + region.sphere.radius));
        const Decision decision = byPairs.at(t);
        if (std::abs(low - 1) <= doubt || std::abs(high - (1 - kGamma)) <= doubt) {
            ++outcome.near;
        } else {
            const Decision expected = low > 1 ? Decision::Zero : high < 1 - kGamma ? Decision::Linear : Decision::Keep;
            EXPECT_EQ(decision, expected) << t << " margins in [" << low << ", " << high << ']';
            EXPECT_EQ(byTriplets.at(t), expected) << t << " margins in [" << low << ", " << high << ']';
        }
        const double q = h.cwiseProduct(region.sphere.centre).sum();
        const double reach = region.sphere.radius * norm;
        outcome.decided += decision != Decision::Keep ? 1 : 0;
        outcome.beyondSphere +=
            (decision == Decision::Zero && q - reach <= 1) || (decision == Decision::Linear && q + reach >= 1 - kGamma)
                ? 1
                : 0;
    }
    return outcome;
}

class RegionRules : public testing::TestWithParam<std::tuple<SmallShape, RuleKind>> {};

TEST_P(RegionRules, DecideExactlyWhatTheExtremeMarginsAllow) {
    const SmallShape& shape = std::get<0>(GetParam());
    const RuleKind rule = std::get<1>(GetParam());
    Outcome sum;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const TripletSet set = smallTriplets(shape, seed);
        forEachRegion(
            rule, [&](Centre centre, double radius) { return middlingRegion(set, centre, rule, radius, seed); },
            [&](const Region& region, const Projection& project) {
                const Outcome outcome = compare(set, region, project);
                sum.decided += outcome.decided;
                sum.beyondSphere += outcome.beyondSphere;
            });
    }
    EXPECT_GT(sum.decided, 0);
    if (usesCone(rule) && shape.features > 1 && shape.features < 10) {
        EXPECT_GT(sum.beyondSphere, 0);
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, RegionRules, testing::ValuesIn(shapesWithRules()), [](const auto& entry) {
    return std::get<0>(entry.param).name + '_' + ruleName(std::get<1>(entry.param));
});

TEST(RegionRulesOrder, EachRuleDecidesWhatTheWeakerOnesDo) {
    int linearMore = 0;
    int semidefiniteMore = 0;
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        const TripletSet set = smallTriplets({.name = "plain", .features = 5, .k = 6}, seed);
        // The half-space that comes from the centre's own negative part cuts off what is farthest from M ⪰ 0.
        Region region = middlingRegion(set, Centre::Indefinite, RuleKind::Sphere, 0.5, seed);
        region.normal = splitByCone(-region.sphere.centre).positive;
        std::vector<TripletStates> states;
        for (const RuleKind rule : {RuleKind::Sphere, RuleKind::Linear, RuleKind::Semidefinite}) {
            region.rule = rule;
            states.emplace_back(set.triplets());
            const auto engine = makeEngine(EngineKind::Pairs, set);
            engine->record(&states.back());
            StopCheck never;
            ScreenedPart screened;
            ASSERT_TRUE(engine->screen(std::span(&region, 1), kGamma, never, screened));
        }
        for (TripletIndex t = 0; t < set.triplets(); ++t) {
            for (std::size_t weaker = 0; weaker < 2; ++weaker) {
                if (states[weaker].at(t) != Decision::Keep) {
                    EXPECT_EQ(states[weaker + 1].at(t), states[weaker].at(t)) << t;
                }
            }
            linearMore += states[1].at(t) != states[0].at(t) ? 1 : 0;
            semidefiniteMore += states[2].at(t) != states[1].at(t) ? 1 : 0;
        }
    }
    EXPECT_GT(linearMore, 0);
    EXPECT_GT(semidefiniteMore, 0);
}

/// What looks by a rule take besides what a look by the ball does, summed, and the triplets that this leaves, times d.
struct BesidesBall {
    double work = 0;
    double left = 0;

    void add(Engine& bySphere, Engine& byRule, Region region, Eigen::Index features) {
        const RuleKind rule = std::exchange(region.rule, RuleKind::Sphere);
        StopCheck never;
        ScreenedPart screened;
        EXPECT_TRUE(bySphere.screen(std::span(&region, 1), kGamma, never, screened));
        region.rule = rule;
        EXPECT_TRUE(byRule.screen(std::span(&region, 1), kGamma, never, screened));
        work += byRule.countedWork() - bySphere.countedWork();
        left += static_cast<double>(bySphere.activeTriplets() * features);
    }
};

// Else a schedule that goes by counted work would look by a dear rule as if it were a cheap one.
TEST(RegionRulesWork, IsCounted) {
    for (const Structure structure : {Structure::Full, Structure::Diagonal}) {
        for (const EngineKind kind : {EngineKind::Pairs, EngineKind::Triplets}) {
            std::vector<double> perTriplet;
            for (const RuleKind rule : {RuleKind::Linear, RuleKind::Semidefinite}) {
                BesidesBall besides;
                for (std::uint64_t seed = 1; seed <= 6; ++seed) {
                    const SmallShape shape{.name = "plain", .features = 5, .k = 6, .structure = structure};
                    const TripletSet set = smallTriplets(shape, seed);
                    besides.add(*makeEngine(kind, set), *makeEngine(kind, set),
                                middlingRegion(set, Centre::Indefinite, rule, 0.5, seed), set.features());
                }
                perTriplet.push_back(besides.work / besides.left);
            }
            EXPECT_GT(perTriplet.front(), 1);
            EXPECT_GT(perTriplet.back(), 4);
        }
    }
}

TEST(RegionRulesEdges, AHalfSpaceThatSaysNothingIsTheSphereRule) {
    const TripletSet set = smallTriplets({.name = "plain"}, 1);
    for (const bool isZero : {true, false}) {
        Region region = middlingRegion(set, Centre::Positive, RuleKind::Sphere, 0.3, 1);
        // P = 0, or a half-space that holds the whole ball.
        region.normal = isZero ? Eigen::MatrixXd(Eigen::MatrixXd::Zero(3, 3)) : region.sphere.centre;
        for (const EngineKind kind : {EngineKind::Pairs, EngineKind::Triplets}) {
            ScreenedPart bySphere;
            ScreenedPart byLine;
            StopCheck never;
            region.rule = RuleKind::Sphere;
            ASSERT_TRUE(makeEngine(kind, set)->screen(std::span(&region, 1), kGamma, never, bySphere));
            region.rule = RuleKind::Linear;
            ASSERT_TRUE(makeEngine(kind, set)->screen(std::span(&region, 1), kGamma, never, byLine));
            EXPECT_EQ(byLine.zero, bySphere.zero);
            EXPECT_EQ(byLine.linear, bySphere.linear);
        }
    }
}

TEST(RegionRulesStops, GiveUpWhenTheStopCheckSaysSo) {
    const TripletSet set = smallTriplets({.name = "plain"}, 1);
    for (const RuleKind rule : {RuleKind::Linear, RuleKind::Semidefinite}) {
        const Region region = middlingRegion(set, Centre::Indefinite, rule, 0.5, 1);
        for (const EngineKind kind : {EngineKind::Pairs, EngineKind::Triplets}) {
            StopCheck stopped([] { return true; });
            (void)stopped.ask();
            ScreenedPart screened;
            EXPECT_FALSE(makeEngine(kind, set)->screen(std::span(&region, 1), kGamma, stopped, screened));
        }
    }
}

} // namespace
} // namespace lambdascope::triplets
