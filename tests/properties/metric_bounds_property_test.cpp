// SPDX-License-Identifier: GPL-3.0-or-later
// Every bound encloses the optimum, and the published orders between bounds hold.
#include "core/triplets/engines/pairs_engine.h"
#include "core/triplets/screening/primal_dual_pair.h"
#include "core/triplets/screening/sphere_bounds.h"
#include "tests/core/triplets/small_problems.h"

#include <gtest/gtest.h>

#include <tuple>

namespace lambdascope::triplets {
namespace {

/// Reference quantities of a point at a λ.
struct Reference {
    Reference(const TripletSet& set, MetricPoint at, double lambda, double gamma, double smoothing)
        : point(std::move(at)) {
        PairsEngine engine(set);
        StopCheck never;
        engine.evaluate(point, smoothing, never, totals);
        value.point = &point;
        value.totals = &totals;
        value.lambda = lambda;
        value.gamma = gamma;
        value.gap = gapAt(lambda);
        // M_λ(α), its own primal value and the dual value of α.
        PsdSplit split = splitByCone(totals.pull);
        dual.error = (split.error + totals.pullError) / lambda;
        dual.point = MetricPoint::fromSplit(std::move(split), 1 / lambda);
        LossTotals there;
        engine.evaluate(dual.point, smoothing, never, there);
        const Bounded gap = primalValue(there, dual.point, lambda, gamma) -
                            dualValue(totals, squaredNormInCone(totals.pull), lambda, gamma);
        dual.gap = std::max(gap.value, 0.0) + gap.error;
        value.dual = &dual;
    }
    [[nodiscard]] double gapAt(double lambda) const {
        const Bounded gap = primalValue(totals, point, lambda, value.gamma) -
                            dualValue(totals, squaredNormInCone(totals.pull), lambda, value.gamma);
        return std::max(gap.value, 0.0) + gap.error;
    }
    MetricPoint point;
    LossTotals totals;
    DualPoint dual;
    BoundReference value;
};

/// The usual ones, and scales at which squares of squares leave half of the range of a double.
std::vector<SmallShape> midpointShapes() {
    std::vector<SmallShape> shapes = smallShapes();
    shapes.push_back({.name = "scale_1e8", .scale = 1e8});
    shapes.push_back({.name = "scale_1e_minus_8", .scale = 1e-8});
    shapes.push_back({.name = "two_neighbours_of_three", .classes = 4, .rowsPerClass = 3, .k = 2});
    return shapes;
}

class Bounds : public testing::TestWithParam<std::tuple<SmallShape, double>> {
  protected:
    [[nodiscard]] double gamma() const { return std::get<1>(GetParam()); }
    [[nodiscard]] double smoothing() const { return gamma() > 0 ? gamma() : 0.01; }
};

TEST_P(Bounds, HoldTheOptimumWhateverTheReference) {
    for (std::uint64_t seed = 1; seed <= 2; ++seed) {
        const TripletSet set = solvableTriplets(std::get<0>(GetParam()), seed);
        PairsEngine engine(set);
        const SolvedPoint start = startOf(set, gamma(), engine);
        for (const double share : {0.5, 0.1, 0.01}) {
            const double lambda = share * start.lambda;
            const PointOutcome tight = solveTightly(set, lambda, gamma(), gamma() > 0 ? 1e-11 : 1e-7);
            const double doubt = std::sqrt(2 * tight.solved.gap / lambda);
            for (int kind = 0; kind < 4; ++kind) {
                // References: the optimum's neighbour λ, near the optimum, a random matrix, zero.
                MetricPoint point = tight.solved.point;
                if (kind == 1) {
                    point = MetricPoint::fromSplit(
                        splitByCone(point.matrix + 1e-3 * point.matrix.norm() * identityOf(set)));
                } else if (kind == 2) {
                    point = randomPoint(set, seed);
                } else if (kind == 3) {
                    point = MetricPoint::zero(set.features(), set.structure());
                }
                for (const double lambda0Share : {0.8, 1.0, 1.3}) {
                    Reference reference(set, point, lambda, gamma(), smoothing());
                    const double lambda0 = lambda / lambda0Share;
                    reference.value.path = {&reference.point, lambda0, reference.gapAt(lambda0)};
                    for (const BoundKind boundKind : allBounds()) {
                        const auto bound = makeBound(boundKind);
                        const Sphere sphere = bound->sphere(reference.value);
                        EXPECT_LE((tight.solved.point.matrix - sphere.centre).norm(), sphere.radius + doubt)
                            << bound->name() << " λ share " << share << " reference " << kind;
                    }
                }
            }
        }
    }
}

TEST_P(Bounds, ProjectingTheGradientBallNeverEnlargesIt) {
    const TripletSet set = solvableTriplets(std::get<0>(GetParam()), 3);
    PairsEngine engine(set);
    const double top = startOf(set, gamma(), engine).lambda;
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const Reference reference(set, randomPoint(set, seed), top * std::pow(0.5, static_cast<double>(seed)), gamma(),
                                  smoothing());
        const double gradient = gradientBound(reference.value).radius;
        EXPECT_LE(projectedGradientBound(reference.value).radius, gradient * (1 + 1e-12));
    }
}

/// Without the hinge, which has no reference that is exact to this accuracy.
class BoundOrders : public Bounds {};

TEST_P(BoundOrders, HoldAtAnExactReference) {
    const TripletSet set = solvableTriplets(std::get<0>(GetParam()), 4);
    PairsEngine engine(set);
    const SolvedPoint start = startOf(set, gamma(), engine);
    // λ_max is solved exactly in closed form; the others as well as doubles allow.
    for (const double share : {1.0, 0.5, 0.2}) {
        const double lambda0 = share * start.lambda;
        const SolvedPoint solved = share == 1.0 ? start : solveTightly(set, lambda0, gamma(), 1e-12).solved;
        const double lambda = 0.6 * lambda0;
        Reference reference(set, solved.point, lambda, gamma(), smoothing());
        reference.value.path = {&reference.point, lambda0, solved.gap};
        const Sphere path = pathBound(reference.value);
        EXPECT_LE(path.radius, relaxedPathBound(reference.value).radius);
        const Sphere projected = projectedGradientBound(reference.value);
        const Sphere gap = dualityGapBound(reference.value);
        // ‖M₀ − M₀*‖ ≤ e shifts centres and radii by a few e.
        const double e = std::sqrt(2 * solved.gap / lambda0) + 1e-9 * path.radius;
        EXPECT_NEAR(projected.radius, path.radius, 20 * e);
        EXPECT_LE((projected.centre - path.centre).norm(), 20 * e);
        EXPECT_NEAR(gap.radius, 2 * path.radius, 20 * e);
        EXPECT_GE(gradientBound(reference.value).radius, projected.radius * (1 - 1e-12));
    }
}

TEST_P(BoundOrders, HalveTheSquareOfTheGapWhereThePrimalPointIsThatOfTheDual) {
    const TripletSet set = solvableTriplets(std::get<0>(GetParam()), 5);
    PairsEngine engine(set);
    const double top = startOf(set, gamma(), engine).lambda;
    for (const double share : {0.7, 0.1}) {
        const Reference first(set, randomPoint(set, 1), share * top, gamma(), smoothing());
        const Sphere constrained = constrainedDualityGapBound(first.value);
        // DGB with the same α and M = M_λ(α).
        BoundReference same = first.value;
        same.point = &first.dual.point;
        same.gap = first.dual.gap;
        EXPECT_NEAR(dualityGapBound(same).radius, std::sqrt(2.0) * constrained.radius, 1e-6 * constrained.radius);
        EXPECT_EQ(dualityGapBound(same).centre, constrained.centre);
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, BoundOrders,
                         testing::Combine(testing::ValuesIn(smallShapes()), testing::Values(0.05, 0.5)),
                         [](const auto& entry) {
                             return std::get<0>(entry.param).name + "_gamma" + std::to_string(entry.index % 2);
                         });
INSTANTIATE_TEST_SUITE_P(Shapes, Bounds,
                         testing::Combine(testing::ValuesIn(smallShapes()), testing::Values(0.05, 0.5, 0.0)),
                         [](const auto& entry) {
                             return std::get<0>(entry.param).name + "_gamma" + std::to_string(entry.index % 3);
                         });

/// [T, Thm 3] for the hinge: there is a subgradient with which the projected gradient ball shrinks to nothing at the
/// optimum, made from the dual variables of the triplets at the kink. Those of ever sharper smoothed hinges tend to it.
TEST(BoundsOfTheHinge, ShrinkToNothingByDualSubgradients) {
    const TripletSet set = solvableTriplets(
        {.name = "two_classes_overlapping", .classes = 2, .rowsPerClass = 14, .features = 5, .k = 4, .spread = 0.3}, 1);
    PairsEngine engine(set);
    const double lambda = 0.1 * startOf(set, 0.1, engine).lambda;
    double last = std::numeric_limits<double>::infinity();
    for (const double width : {0.1, 0.01, 0.001}) {
        const SolvedPoint solved = solveTightly(set, lambda, width, 1e-12).solved;
        BoundReference reference;
        reference.point = &solved.point;
        reference.totals = &solved.totals;
        reference.lambda = lambda;
        const double radius = projectedGradientBound(reference).radius;
        // M is the optimum of the smoothed problem, so only Σ of the slacks is left.
        EXPECT_NEAR(radius, std::sqrt(subgradientSlack(solved.totals, 0).value / lambda), 0.05 * radius);
        EXPECT_LT(radius, 0.6 * last) << width;
        last = radius;
        // The kink taken for a step, α = 1 below it and 0 above, is a subgradient too, but not that one.
        LossTotals sharp;
        StopCheck never;
        engine.evaluate(solved.point, 1e-12, never, sharp);
        reference.totals = &sharp;
        EXPECT_GT(projectedGradientBound(reference).radius, radius);
    }
}

/// MGB at random and at solved points, at the λ of the point and along the path.
class MidpointBound : public Bounds {
  protected:
    /// Calls visit(optimum at λ, doubt of it, reference at λ with a path reference at λ₀) for loose and tight points.
    template <class Visit>
    void forReferences(const Visit& visit) {
        for (std::uint64_t seed = 1; seed <= 3; ++seed) {
            const TripletSet set = solvableTriplets(std::get<0>(GetParam()), seed);
            PairsEngine engine(set);
            const double top = startOf(set, gamma(), engine).lambda;
            for (const double share : {0.6, 0.03}) {
                const double lambda = share * top;
                const SolvedPoint tight = solveTightly(set, lambda, gamma(), gamma() > 0 ? 1e-11 : 1e-7).solved;
                const double doubt = std::sqrt(2 * tight.gap / lambda);
                for (const double lambda0 : {lambda, lambda / 0.99, lambda / 0.9, lambda / 0.5, 0.8 * lambda}) {
                    std::vector<MetricPoint> points = {randomPoint(set, seed)};
                    for (const double tolerance : {1.0, 1e-2, 1e-5}) {
                        points.push_back(solveTightly(set, lambda0, gamma(), tolerance).solved.point);
                    }
                    for (const MetricPoint& point : points) {
                        Reference reference(set, point, lambda, gamma(), smoothing());
                        reference.value.path = {&reference.point, lambda0, reference.gapAt(lambda0), &reference.totals};
                        visit(tight, doubt, reference);
                    }
                }
            }
        }
    }
};

TEST_P(MidpointBound, HoldsTheOptimumAndIsNoLargerThanTheBallsOfTheSameDualVariables) {
    double closest = 0; // largest distance over radius
    forReferences([&](const SolvedPoint& tight, double doubt, const Reference& reference) {
        const Sphere sphere = midpointGapBound(reference.value);
        const double distance = (tight.point.matrix - sphere.centre).norm();
        EXPECT_LE(distance, sphere.radius + doubt);
        const double size = tight.point.matrix.norm() + sphere.centre.norm();
        if (sphere.radius > 1e-6 * size) {
            closest = std::max(closest, (distance - doubt) / sphere.radius);
        }
        const double rounding = 1e-7 * size; // what padding may add to either, more in one than in the other
        EXPECT_LE(sphere.radius, dualityGapBound(reference.value).radius + rounding);
        EXPECT_LE(sphere.radius, relaxedPathBound(reference.value).radius + rounding);
        // PGB is the best ball of the same family; its radius is a difference of squares, padded by their rounding.
        const double gradient = gradientBound(reference.value).radius;
        EXPECT_LE(projectedGradientBound(reference.value).radius,
                  std::hypot(sphere.radius + rounding, 1e-5 * gradient));
    });
    EXPECT_GT(closest, 0.7) << "a much smaller radius would go unnoticed";
}

/// The two forms of the radius: with the gap it is a difference, as it is computed it is a sum.
TEST_P(MidpointBound, HasTheRadiusOfTheGap) {
    forReferences([&](const SolvedPoint&, double, const Reference& reference) {
        const double lambda = reference.value.lambda;
        const PrimalDualPair pair = primalDualPair(reference.point, reference.totals, gamma());
        const Sphere sphere = pair.midpointBall(lambda);
        const double apart = (reference.point.matrix - pair.pull / lambda).norm();
        const double squared = reference.gapAt(lambda) / lambda - 0.25 * apart * apart;
        const double size = reference.totals.loss.value / lambda + reference.point.matrix.squaredNorm() +
                            pair.pull.squaredNorm() / (lambda * lambda);
        EXPECT_NEAR(sphere.radius * sphere.radius, squared, 1e-9 * size);
        EXPECT_LE((sphere.centre - 0.5 * (reference.point.matrix + pair.pull / lambda)).norm(),
                  1e-12 * sphere.centre.norm());
    });
}

/// M of one point and α of another one: the ball is made from their gap at λ₀, for λ₀ and for other λ.
TEST_P(MidpointBound, HoldsTheOptimumForAnyDualVariables) {
    const TripletSet set = solvableTriplets(std::get<0>(GetParam()), 7);
    PairsEngine engine(set);
    const double top = startOf(set, gamma(), engine).lambda;
    const double lambda0 = 0.1 * top;
    std::vector<Reference> references;
    references.reserve(8);
    for (const auto& [share, tolerance] : {std::pair{0.1, 1e-6}, {0.1, 1e-2}, {0.1, 1.0}, {0.13, 1e-6}, {0.5, 1e-6}}) {
        const MetricPoint point = solveTightly(set, share * top, gamma(), tolerance).solved.point;
        references.emplace_back(set, point, lambda0, gamma(), smoothing());
    }
    references.emplace_back(set, randomPoint(set, 7), lambda0, gamma(), smoothing());
    for (const double lambda : {lambda0, 0.9 * lambda0, 0.4 * lambda0, 1.2 * lambda0}) {
        const SolvedPoint tight = solveTightly(set, lambda, gamma(), gamma() > 0 ? 1e-11 : 1e-7).solved;
        const double doubt = std::sqrt(2 * tight.gap / lambda);
        for (const Reference& one : references) {
            for (const Reference& other : references) {
                const auto gapAt = [&](double at) {
                    const Bounded gap = primalValue(one.totals, one.point, at, gamma()) -
                                        dualValue(other.totals, squaredNormInCone(other.totals.pull), at, gamma());
                    return std::max(gap.value, 0.0) + gap.error;
                };
                const DualPull dual{other.totals.pull, other.totals.pullError};
                const Sphere sphere = primalDualPair(one.point, dual, gapAt(lambda0), lambda0).midpointBall(lambda);
                ASSERT_TRUE(std::isfinite(sphere.radius));
                EXPECT_LE((tight.point.matrix - sphere.centre).norm(), sphere.radius + doubt);
                const double rounding = 1e-6 * (one.point.matrix.norm() + sphere.centre.norm());
                EXPECT_LE(sphere.radius, std::sqrt(2 * gapAt(lambda) / lambda) + rounding);
                if (&one == &other) { // α = α(M), where σ is known as a sum
                    const PrimalDualPair pair = primalDualPair(one.point, one.totals, gamma());
                    EXPECT_NEAR(pair.midpointBall(lambda).radius, sphere.radius, 10 * rounding);
                }
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, MidpointBound,
                         testing::Combine(testing::ValuesIn(midpointShapes()), testing::Values(0.05, 0.5, 0.0)),
                         [](const auto& entry) {
                             return std::get<0>(entry.param).name + "_gamma" + std::to_string(entry.index % 3);
                         });

/// Why RPB is labelled unsafe: with a reference that is solved loosely its ball misses the optimum; RRPB's does not.
TEST(UnsafePathBound, MissesTheOptimumWhenTheReferenceIsApproximate) {
    int missed = 0;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const TripletSet set = solvableTriplets({.name = "plain", .features = 4, .k = 4}, seed);
        PairsEngine engine(set);
        const double lambda0 = 0.1 * startOf(set, 0.05, engine).lambda;
        const double lambda = 0.99 * lambda0;
        const SolvedPoint loose = solveTightly(set, lambda0, 0.05, 3e-2).solved;
        const SolvedPoint tight = solveTightly(set, lambda, 0.05).solved;
        BoundReference reference;
        reference.point = &loose.point;
        reference.lambda = lambda;
        reference.path = {&loose.point, lambda0, loose.gap};
        const auto isHeld = [&](const Sphere& sphere) {
            return (tight.point.matrix - sphere.centre).norm() <= sphere.radius + std::sqrt(2 * tight.gap / lambda);
        };
        missed += isHeld(pathBound(reference)) ? 0 : 1;
        EXPECT_TRUE(isHeld(relaxedPathBound(reference)));
    }
    EXPECT_GT(missed, 0);
    EXPECT_FALSE(isSafe(BoundKind::Path));
    for (const BoundKind kind : allBounds()) {
        EXPECT_TRUE(isSafe(kind));
    }
}

TEST(UnsafePathBound, DecidesNothingDuringTheOptimization) {
    const TripletSet set = solvableTriplets({.name = "plain"}, 1);
    const Reference reference(set, randomPoint(set, 1), 1, 0.05, 0.05);
    EXPECT_TRUE(std::isinf(pathBound(reference.value).radius));
}

TEST(DualityGapBound, HasARadiusWhereItsSquareUnderflows) {
    const TripletSet set = solvableTriplets({.name = "plain"}, 1);
    const MetricPoint origin = MetricPoint::fromSplit(splitByCone(0 * identityOf(set)));
    BoundReference reference;
    reference.point = &origin;
    reference.gap = 1e-16;
    reference.lambda = 1e308;
    EXPECT_GE(dualityGapBound(reference).radius, 1.4142e-162);
}

} // namespace
} // namespace lambdascope::triplets
