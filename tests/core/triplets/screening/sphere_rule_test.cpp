// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/screening/sphere_rule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace lambdascope::triplets {
namespace {

TEST(SphereRule, DecidesOnlyBeyondBothEdges) {
    const SphereRule rule(0.5, 0.05, 0);
    EXPECT_EQ(rule.judge(2.6, 9), Decision::Zero);              // 2.6 − 1.5 > 1
    EXPECT_EQ(rule.judge(2.4, 9), Decision::Keep);              // 2.4 − 1.5 < 1
    EXPECT_EQ(rule.judge(-0.6, 9), Decision::Linear);           // −0.6 + 1.5 < 0.95
    EXPECT_EQ(rule.judge(-0.5, 9), Decision::Keep);             // −0.5 + 1.5 > 0.95
    EXPECT_EQ(rule.judge(0.97, 0), Decision::Keep);             // between the edges
    EXPECT_EQ(SphereRule(0, 0, 0).judge(1, 1), Decision::Keep); // hinge: at the kink nothing is certain
}

TEST(SphereRule, LosesADecisionRatherThanTrustingTheLastDigits) {
    const double q = 1 + 1e-13;
    EXPECT_EQ(SphereRule(0, 0.05, 0).judge(q, 1), Decision::Zero);
    EXPECT_EQ(SphereRule(0, 0.05, 1e-12).judge(q, 1), Decision::Keep);
    EXPECT_EQ(SphereRule(0, 0.05, 1e-12).judge(0.95 - 1e-13, 1), Decision::Keep);
    EXPECT_EQ(SphereRule(1, 0.05, 0).judge(2 + 2e-16, 1), Decision::Keep);
}

TEST(SphereRule, IsNotFooledBySquaresThatUnderflow) {
    // r h = 1e-9, but r² = 0 in double.
    EXPECT_EQ(SphereRule(1e-162, 0.05, 0).judge(1 + 5e-10, 1e306), Decision::Keep);
    EXPECT_EQ(SphereRule(1e-162, 0.05, 0).judge(0.95 - 5e-10, 1e306), Decision::Keep);
    EXPECT_EQ(SphereRule(1e150, 0.05, 0).look(1 + 5e-11, 1e-170, 0), Decision::Keep); // h² = 0 in double
    EXPECT_EQ(SphereRule(1e-162, 0.05, 0).judge(2, 1), Decision::Zero);
}

TEST(SphereRule, FirstLookNeverContradictsTheExactNorm) {
    for (double a : {0.1, 1.0, 4.0}) {
        for (double b : {0.1, 1.0, 3.9}) {
            for (double cosine : {0.0, 0.5, 1.0}) {
                const double squared = a * a + b * b - 2 * a * b * cosine * cosine;
                for (double q = -4; q < 6; q += 0.0371) {
                    const SphereRule rule(0.3, 0.05, 1e-12);
                    const Decision look = rule.look(q, a, b);
                    const Decision exact = rule.judge(q, squared);
                    EXPECT_TRUE(look == exact || look == Decision::Unsure) << a << ' ' << b << ' ' << q;
                }
            }
        }
    }
}

/// (A² + B²)^½ ≤ f(A) + g(B), which is the larger norm for A = 0 or B = 0 and lengths far from c.
TEST(SeparableNormBound, IsAtLeastTheNormAndNoMoreThanTheSum) {
    for (const double unit : {1e-200, 1e-30, 1.0, 1e30, 1e150}) {
        for (const double c : {0.0, 0.3, 1.0, 7.0}) {
            const SeparableNormBound bound(c * unit, 1);
            for (const double a : {0.0, 1e-9, 0.2, 1.0, 3.0, 6.9, 7.0, 40.0}) {
                for (const double b : {0.0, 1e-9, 0.2, 1.0, 3.0, 40.0}) {
                    const double found = bound.ofOther(a * unit) + bound.ofSame(b * unit);
                    if (c > 0 || a > 0) { // c is the mean of A
                        ASSERT_GE(found, std::hypot(a, b) * unit) << c << ' ' << a << ' ' << b << ' ' << unit;
                    }
                    ASSERT_LE(found, std::max(a + b, std::hypot(a, c) + b) * unit * (1 + 1e-11));
                }
            }
        }
    }
}

} // namespace
} // namespace lambdascope::triplets
