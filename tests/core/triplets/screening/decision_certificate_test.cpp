// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/engines/engine.h"
#include "core/triplets/screening/decision_certificate.h"
#include "tests/core/triplets/small_problems.h"

#include <gtest/gtest.h>

namespace lambdascope::triplets {
namespace {

TEST(LiesIn, LeavesRoomForRounding) {
    const Eigen::MatrixXd q = Eigen::Vector3d(3, 4, 0).asDiagonal();
    EXPECT_TRUE(liesIn({q, 0.5}, {q, 0.501}));
    EXPECT_FALSE(liesIn({q, 0.5}, {q, 0.499}));
    EXPECT_FALSE(liesIn({q, 0.5}, {q, 0.5})); // too near to tell
    EXPECT_TRUE(liesIn({1.1 * q, 0.4}, {q, 0.901}));
    EXPECT_FALSE(liesIn({1.1 * q, 0.4}, {q, 0.899}));
    EXPECT_FALSE(liesIn({q, 0}, {Eigen::MatrixXd::Identity(2, 2), 10}));
    EXPECT_FALSE(liesIn({q, 0}, {q, -1}));
    EXPECT_FALSE(liesIn({q * std::numeric_limits<double>::quiet_NaN(), 0}, {q, 1}));
}

class CertifiedSums : public testing::TestWithParam<SmallShape> {};

/// Where the certificate holds, decisions hold and sums over what is left say all. Points inside the balls, at their
/// borders and beyond them.
TEST_P(CertifiedSums, AreThoseOverAllWhereverTheCertificateHolds) {
    StopCheck never;
    for (const EngineKind kind : {EngineKind::Pairs, EngineKind::Triplets, EngineKind::Sorted}) {
        std::int64_t held = 0;
        std::int64_t beyond = 0;
        for (std::uint64_t seed = 1; seed <= 3; ++seed) {
            const TripletSet set = smallTriplets(GetParam(), seed);
            if (set.triplets() == 0) {
                continue;
            }
            const MetricPoint centre = randomPoint(set, seed);
            const MetricPoint other = randomPoint(set, seed + 50);
            const double size = centre.matrix.norm();
            const auto engine = makeEngine(kind, set);
            const auto whole = makeEngine(kind, set);
            DecisionCertificate certificate;
            ScreenedPart screened;
            for (const double radius : {0.2 * size, 0.05 * size}) {
                const std::vector<Region> regions = {{.sphere = {centre.matrix, radius}}};
                ASSERT_TRUE(engine->screen(regions, kGamma, never, screened));
                certificate.add(regions);
            }
            const Eigen::MatrixXd way = other.matrix - centre.matrix;
            const double length = way.norm();
            for (const double distance : {0.0, 0.02, 0.04999, 0.0501, 0.1, 0.3}) {
                const double share = length > 0 ? std::min(distance * size / length, 1.0) : 0;
                const MetricPoint point = MetricPoint::fromSplit(splitByCone(centre.matrix + share * way));
                const bool isInside = (point.matrix - centre.matrix).norm() <= 0.05 * size;
                if (!certificate.holdsAt(point)) {
                    beyond += isInside ? 0 : 1;
                    continue;
                }
                ASSERT_TRUE(isInside);
                ASSERT_TRUE(certificate.lastHoldsAt(point));
                ++held;
                LossTotals left;
                LossTotals all;
                SetCounts leftCounts;
                SetCounts allCounts;
                ASSERT_TRUE(engine->evaluateCounting(point, kGamma, kGamma, never, left, leftCounts));
                ASSERT_TRUE(whole->evaluateAll(point, kGamma, kGamma, never, all, allCounts));
                expectSameTotals(withScreened(left, screened, point), all);
                EXPECT_EQ(leftCounts.above + screened.zero - screened.heldZero, allCounts.above);
                EXPECT_EQ(leftCounts.below + screened.linearOutside(), allCounts.below);
            }
            certificate.spoil();
            EXPECT_FALSE(certificate.holdsAt(centre));
            EXPECT_FALSE(certificate.lastHoldsAt(centre));
        }
        if (GetParam().features > 1) { // else the cone is a ray, and all points may be near
            EXPECT_TRUE(held == 0 || beyond > 0);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, CertifiedSums, testing::ValuesIn(bothStructures()),
                         [](const auto& entry) { return entry.param.name; });

} // namespace
} // namespace lambdascope::triplets
