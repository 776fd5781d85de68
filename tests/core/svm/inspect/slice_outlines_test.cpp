// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/inspect/slice_outlines.h"
#include "tests/core/svm/outline_depth.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace lambdascope::svm {
namespace {

constexpr double kPi = std::numbers::pi;

double depthIn(const Disc& disc, double x, double y) {
    return static_cast<double>(disc.radius -
                               std::hypot(static_cast<long double>(x) - disc.x, static_cast<long double>(y) - disc.y));
}

TEST(SliceOutlines, KnowDiscsApartInsideAndCrossing) {
    EXPECT_TRUE(commonOutline(Disc{0, 0, 1}, Disc{3, 0, 1}).empty());
    EXPECT_TRUE(commonOutline(Disc{0, 0, 1}, Disc{3, 0, 0}).empty());
    const auto inner = commonOutline(Disc{0, 0, 3}, Disc{0.5, 0, 1});
    ASSERT_EQ(inner.size(), 64u);
    for (const auto& corner : inner) {
        EXPECT_NEAR(std::hypot(corner.x - 0.5, corner.y), 1, 1e-12);
        EXPECT_NEAR(corner.bulge, std::tan(2 * kPi / 64 / 4), 1e-15);
    }
    const auto lens = commonOutline(Disc{0, 0, 1}, Disc{1, 0, 1});
    double highest = 0;
    for (const auto& corner : lens) {
        highest = std::max(highest, corner.y);
    }
    EXPECT_NEAR(highest, std::sqrt(0.75), 1e-12);
    const auto cap = commonOutline(Disc{0, 0, 2}, HalfPlane{0, 2, 2});
    for (const auto& corner : cap) {
        EXPECT_GE(corner.y, 1 - 1e-12);
    }
    EXPECT_TRUE(commonOutline(Disc{0, 0, 2}, HalfPlane{0, 2, 5}).empty());
    EXPECT_EQ(commonOutline(Disc{0, 0, 2}, HalfPlane{0, 2, -5}).size(), 64u);
    EXPECT_EQ(commonOutline(Disc{0, 0, 2}, HalfPlane{0, 0, -5}).size(), 64u);
    EXPECT_TRUE(commonOutline(Disc{0, 0, 2}, HalfPlane{0, 0, 5}).empty());
}

/// A disc that holds the origin, whose rim passes it at about `near`.
Disc discAround(std::mt19937_64& random, double radius, double near) {
    std::uniform_real_distribution<double> share(0, 1);
    const double angle = 2 * kPi * share(random);
    const double distance = std::max(radius - near * share(random), radius * share(random) * 1e-3);
    return {distance * std::cos(angle), distance * std::sin(angle), radius};
}

/// Whether an outline says of places round the origin what `depth` does, wherever that is more than rounding.
template <class Depth>
void expectSamePlaces(const std::vector<BallSlice::Corner>& outline, Depth depth, double rounding, double size,
                      std::mt19937_64& random) {
    std::uniform_real_distribution<double> place(-2 * size, 2 * size);
    for (int sample = 0; sample < 40; ++sample) {
        const double x = sample == 0 ? 0 : place(random), y = sample == 0 ? 0 : place(random);
        const double expected = depth(x, y);
        if (std::abs(expected) > rounding) {
            EXPECT_EQ(lambdascope::svm::depthIn(outline, x, y) > 0, expected > 0) << x << ' ' << y << ' ' << expected;
        }
    }
}

/// What two balls leave of a plane was drawn with chords in place of the arcs of the larger one, and left out places
/// that both balls hold.
TEST(SliceOutlines, HoldWhatBothDiscsHoldOverTenDecadesOfRadii) {
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> decade(-2, 8);
    for (int round = 0; round < 1500; ++round) {
        const double radius = std::pow(10, decade(random)), other = std::pow(10, decade(random));
        const double size = std::min({radius, other, 1.0});
        const Disc first = discAround(random, radius, size), second = discAround(random, other, size);
        const auto outline = commonOutline(first, second);
        ASSERT_GT(outline.size(), 1u) << radius << ' ' << other;
        const auto depth = [&](double x, double y) { return std::min(depthIn(first, x, y), depthIn(second, x, y)); };
        expectSamePlaces(outline, depth, 1e-14 * (radius + other) + 1e-9 * size, size, random);
    }
}

TEST(SliceOutlines, HoldWhatADiscAndAHalfPlaneShareOverTenDecadesOfRadii) {
    std::mt19937_64 random(2);
    std::uniform_real_distribution<double> decade(-2, 8);
    std::uniform_real_distribution<double> share(-1, 1);
    for (int round = 0; round < 1500; ++round) {
        const double radius = std::pow(10, decade(random));
        const double size = std::min(radius, 1.0);
        const Disc disc = discAround(random, radius, size);
        const HalfPlane half{share(random), share(random), -size * 0.1 * std::abs(share(random))};
        const double length = std::hypot(half.a, half.b);
        const auto outline = commonOutline(disc, half);
        ASSERT_GT(outline.size(), 1u) << radius;
        const auto depth = [&](double x, double y) {
            return std::min(depthIn(disc, x, y), (half.a * x + half.b * y - half.least) / length);
        };
        expectSamePlaces(outline, depth, 1e-14 * radius + 1e-9 * size, size, random);
    }
}

} // namespace
} // namespace lambdascope::svm
