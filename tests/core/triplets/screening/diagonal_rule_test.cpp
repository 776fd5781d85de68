// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/random_stream.h"
#include "core/triplets/screening/diagonal_rule.h"
#include "tests/core/triplets/small_problems.h"

#include <gtest/gtest.h>

#include <limits>

namespace lambdascope::triplets {
namespace {

Eigen::VectorXd slopesOf(const TripletSet& set, TripletIndex number) {
    const Triplet t = set.triplet(number);
    const auto row = [&](RowIndex i) {
        return Eigen::VectorXd(set.paddedRows().row(i).head(set.features()).transpose());
    };
    return (row(t.anchor) - row(t.other)).cwiseAbs2() - (row(t.anchor) - row(t.same)).cwiseAbs2();
}

/// A ball that meets x ≥ 0, its centre anywhere, in the cone, or inside the cone.
Sphere randomSphere(std::uint64_t seed, Eigen::Index d) {
    RandomStream random(seed, "ball");
    Sphere sphere;
    sphere.centre.resize(d, 1);
    for (Eigen::Index k = 0; k < d; ++k) {
        const double q = random.normal();
        sphere.centre(k, 0) = seed % 3 == 0 ? q : seed % 3 == 1 ? std::max(q, 0.0) : std::abs(q);
    }
    sphere.radius = sphere.centre.cwiseMin(0.0).norm() * (1 + 1e-6) + std::exp(1.5 * random.normal() - 1);
    return sphere;
}

/// min hᵀx over the ball and x ≥ 0, by trying every set of positive entries.
double leastValue(const Eigen::VectorXd& h, const Sphere& sphere) {
    const Eigen::VectorXd q = sphere.centre.col(0);
    const double squared = sphere.radius * sphere.radius;
    double least = std::numeric_limits<double>::infinity();
    const auto offer = [&](const Eigen::VectorXd& x) {
        if (x.minCoeff() >= 0 && (x - q).squaredNorm() <= squared * (1 + 1e-12)) {
            least = std::min(least, h.dot(x));
        }
    };
    Eigen::VectorXd corner = q.cwiseMax(0.0); // where hᵀx = 0, if all of h is ≥ 0 [T, Thm 12]
    for (Eigen::Index k = 0; k < q.size(); ++k) {
        corner[k] = h[k] > 0 ? 0.0 : corner[k];
    }
    offer(corner);
    for (int set = 0; set < 1 << q.size(); ++set) {
        const auto isIn = [set](Eigen::Index k) { return (set >> k & 1) != 0; };
        double slopes = 0;
        double constant = 0;
        for (Eigen::Index k = 0; k < q.size(); ++k) {
            (isIn(k) ? slopes : constant) += isIn(k) ? h[k] * h[k] : q[k] * q[k];
        }
        if (slopes > 0 && constant <= squared) {
            const double u = std::sqrt((squared - constant) / slopes);
            Eigen::VectorXd x = Eigen::VectorXd::Zero(q.size());
            for (Eigen::Index k = 0; k < q.size(); ++k) {
                x[k] = isIn(k) ? q[k] - u * h[k] : 0.0;
            }
            offer(x);
        }
    }
    return least;
}

Sphere scaled(const Sphere& sphere, double factor) {
    return {sphere.centre * factor, sphere.radius * factor};
}

class DiagonalRules : public testing::TestWithParam<RuleKind> {
  protected:
    [[nodiscard]] Decision judge(const TripletSet& set, TripletIndex number, const Sphere& sphere) const {
        const Triplet t = set.triplet(number);
        return DiagonalRule(set, {sphere, GetParam()}, kGamma).judge({t.anchor, t.other}, {t.anchor, t.same});
    }
};

TEST_P(DiagonalRules, DecideExactlyWhatTryingAllSetsOfPositiveEntriesDecides) {
    int zeros = 0;
    int linears = 0;
    int never = 0;
    for (const Eigen::Index d : {1, 2, 3, 5, 8}) {
        const SmallShape shape{.name = "rule", .features = static_cast<int>(d), .structure = Structure::Diagonal};
        const TripletSet set = smallTriplets(shape, 3);
        for (std::uint64_t seed = 0; seed < 200; ++seed) {
            const auto number = static_cast<TripletIndex>(seed * 7) % set.triplets();
            const Eigen::VectorXd h = slopesOf(set, number);
            const Sphere sphere = randomSphere(seed + 1000 * static_cast<std::uint64_t>(d), d);
            const double size = h.norm() * (sphere.centre.norm() + sphere.radius);
            // The ball is scaled until the extreme margin lies just to one side of the edge and then to the other.
            const double least = leastValue(h, sphere);
            if (least > 1e-3 * size) {
                EXPECT_EQ(judge(set, number, scaled(sphere, (1 + 1e-7) / least)), Decision::Zero) << d << ' ' << seed;
                EXPECT_EQ(judge(set, number, scaled(sphere, (1 - 1e-7) / least)), Decision::Keep) << d << ' ' << seed;
                ++zeros;
            }
            const double largest = -leastValue(-h, sphere);
            if (largest > 1e-3 * size) {
                const double edge = 1 - kGamma;
                EXPECT_EQ(judge(set, number, scaled(sphere, edge * (1 - 1e-7) / largest)), Decision::Linear);
                EXPECT_NE(judge(set, number, scaled(sphere, edge * (1 + 1e-7) / largest)), Decision::Linear);
                ++linears;
            } else if (largest < 1e-9 * size) {
                EXPECT_EQ(judge(set, number, scaled(sphere, 1e3 / size)), Decision::Linear); // no margin is positive
                ++never;
            }
        }
    }
    EXPECT_GT(zeros, 100);
    EXPECT_GT(linears, 500);
    EXPECT_GT(never, 50);
}

TEST_P(DiagonalRules, DecideAllThatTheSphereRuleDecidesAndMore) {
    const SmallShape shape{.name = "wide", .features = 30, .structure = Structure::Diagonal};
    const TripletSet set = smallTriplets(shape, 3);
    int bySphere = 0;
    int byRule = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        const MetricPoint point = randomPoint(set, seed);
        const Sphere sphere{point.matrix, 0.3 * static_cast<double>(1 + seed % 8) * point.matrix.norm()};
        const SphereRule weak(sphere.radius, kGamma, 1e-12);
        DiagonalRule rule(set, {sphere, GetParam()}, kGamma);
        for (TripletIndex number = 0; number < set.triplets(); ++number) {
            const Triplet t = set.triplet(number);
            const double norm = normOf(set, number);
            const Decision expected = weak.judge(marginOf(set, number, sphere.centre), norm * norm);
            const Decision decision = rule.judge({t.anchor, t.other}, {t.anchor, t.same});
            if (expected != Decision::Keep) {
                ASSERT_EQ(decision, expected);
            }
            bySphere += expected != Decision::Keep ? 1 : 0;
            byRule += decision != Decision::Keep ? 1 : 0;
            // And nothing that a matrix of the ball refutes.
            if (decision != Decision::Keep) {
                RandomStream random(seed, "member");
                Eigen::MatrixXd x = sphere.centre;
                for (Eigen::Index k = 0; k < x.rows(); ++k) {
                    x(k, 0) = random.normal();
                }
                x = (sphere.centre + x * (sphere.radius / x.norm())).cwiseMax(0.0).eval();
                const double margin = marginOf(set, number, x);
                ASSERT_EQ(decision, margin > 1            ? Decision::Zero
                                    : margin < 1 - kGamma ? Decision::Linear
                                                          : Decision::Keep);
            }
        }
    }
    EXPECT_GT(bySphere, 100);
    EXPECT_GT(byRule, bySphere + 100);
}

INSTANTIATE_TEST_SUITE_P(Searches, DiagonalRules, testing::Values(RuleKind::Analytic, RuleKind::Semidefinite),
                         [](const auto& entry) {
                             return entry.param == RuleKind::Analytic ? "analytic" : "dual_ascent";
                         });

} // namespace
} // namespace lambdascope::triplets
