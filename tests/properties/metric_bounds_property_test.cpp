// SPDX-License-Identifier: GPL-3.0-or-later
// Every bound encloses the optimum, and the published orders between bounds hold.
#include "core/metric/pairs_engine.h"
#include "core/metric/sphere_bounds.h"
#include "tests/core/metric/small_problems.h"

#include <gtest/gtest.h>

#include <tuple>

namespace lambdascope::metric {
namespace {

constexpr std::array kKinds = {BoundKind::Gradient, BoundKind::ProjectedGradient, BoundKind::DualityGap,
                               BoundKind::RelaxedPath};

/// Reference quantities of a point at a λ.
struct Reference {
    Reference(const TripletSet& set, MetricPoint at, double lambda, double gamma, double smoothing)
        : point(std::move(at)) {
        PairsEngine engine(set);
        WorkPoll never;
        engine.evaluate(point, smoothing, never, totals);
        value.point = &point;
        value.totals = &totals;
        value.lambda = lambda;
        value.gamma = gamma;
        value.gap = gapAt(lambda);
    }
    [[nodiscard]] double gapAt(double lambda) const {
        const Bounded gap = primalValue(totals, point, lambda, value.gamma) -
                            dualValue(totals, squaredNormInCone(totals.pull), lambda, value.gamma);
        return std::max(gap.value, 0.0) + gap.error;
    }
    MetricPoint point;
    LossTotals totals;
    BoundReference value;
};

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
                    for (const BoundKind boundKind : kKinds) {
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
        reference.value.path = {&reference.point, lambda0, 0}; // ε = 0: the path bound of an exact optimum
        const Sphere path = relaxedPathBound(reference.value);
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

} // namespace
} // namespace lambdascope::metric
