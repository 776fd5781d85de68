// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/ordinal/all_models.h"

#include <gtest/gtest.h>

#include <limits>

namespace lambdascope::ordinal {
namespace {

TEST(LossModel, SlopesAreThoseOfTheValueAtAllSizesOfDistances) {
    // Never at a kink: n − f = −1 and √n − √f = −1.
    const std::vector<double> nearSizes = {1e-12, 2e-3, 0.37, 1.3, 2.2, 9, 1.7e3, 3e10, 2e100};
    const std::vector<double> farSizes = {3e-12, 1e-3, 0.3, 1.05, 2.6, 7, 1e3, 1e10, 1e100};
    for (const ModelSpec& model : allModels(4)) {
        SCOPED_TRACE(modelName(model.kind));
        withLoss(model, [&](const auto& loss) {
            for (const double n : nearSizes) {
                for (const double f : farSizes) {
                    const Slopes slopes = loss.slopes(n, f);
                    const double hn = 1e-5 * n;
                    const double hf = 1e-5 * f;
                    const double near = (loss.value(n + hn, f) - loss.value(n - hn, f)) / (2 * hn);
                    const double far = (loss.value(n, f + hf) - loss.value(n, f - hf)) / (2 * hf);
                    // What rounding of the value alone does to a quotient.
                    const double noise = 8 * std::numeric_limits<double>::epsilon() * (n + f + loss.value(n, f));
                    const double noiseNear = loss.value(n, f) > 0 ? noise / hn : 0;
                    const double noiseFar = loss.value(n, f) > 0 ? noise / hf : 0;
                    EXPECT_NEAR(slopes.near, near, 1e-6 * std::abs(near) + noiseNear) << n << " " << f;
                    EXPECT_NEAR(slopes.far, far, 1e-6 * std::abs(far) + noiseFar) << n << " " << f;
                }
            }
        });
    }
}

TEST(LossModel, NothingOverflowsUpToTheSquareOfHugeDistances) {
    const std::vector<double> sizes = {0, 1e-320, 1e-300, 1e-160, 1e-8, 1, 800, 1e9, 1e160, 1e301, 1e304};
    for (const ModelSpec& model : allModels(10)) {
        SCOPED_TRACE(modelName(model.kind));
        withLoss(model, [&](const auto& loss) {
            for (const double n : sizes) {
                for (const double f : sizes) {
                    EXPECT_TRUE(std::isfinite(loss.value(n, f))) << n << " " << f;
                    EXPECT_GE(loss.value(n, f), 0);
                    const Slopes slopes = loss.slopes(n, f);
                    EXPECT_TRUE(std::isfinite(slopes.near) && std::isfinite(slopes.far)) << n << " " << f;
                    EXPECT_GE(slopes.near, 0); // closer is never worse
                    EXPECT_LE(slopes.far, 0);
                }
            }
        });
    }
}

TEST(LossModel, ValueAndSlopesTogetherAreThoseAskedForAlone) {
    const std::vector<double> sizes = {0, 1e-300, 1e-8, 0.3, 1, 2.7, 800, 1e9, 1e301};
    for (const ModelSpec& model : allModels(10)) {
        SCOPED_TRACE(modelName(model.kind));
        withLoss(model, [&](const auto& loss) {
            for (const double n : sizes) {
                for (const double f : sizes) {
                    const LossAt both = loss.at(n, f);
                    EXPECT_EQ(both.value, loss.value(n, f)) << n << " " << f;
                    EXPECT_EQ(both.slopes.near, loss.slopes(n, f).near) << n << " " << f;
                    EXPECT_EQ(both.slopes.far, loss.slopes(n, f).far) << n << " " << f;
                }
            }
        });
    }
}

TEST(LossModel, StudentLossIsThatOfItsKernels) {
    for (const double alpha : {0.5, 1.0, 9.0}) {
        const TsteLoss loss(alpha);
        const auto kernel = [alpha](double d) { return std::pow(1 + d / alpha, -(alpha + 1) / 2); };
        for (const double n : {0.0, 0.4, 3.0, 50.0}) {
            for (const double f : {0.0, 0.6, 2.0, 70.0}) {
                const double expected = -std::log(kernel(n) / (kernel(n) + kernel(f)));
                EXPECT_NEAR(loss.value(n, f), expected, 1e-13 * (1 + expected)) << alpha << " " << n << " " << f;
            }
        }
    }
}

TEST(LossModel, CrowdKernelIsNotTheLogisticModel) {
    // [O, (47)] prints the formula of STE for CKL.
    const CklLoss ckl{0.05};
    EXPECT_NEAR(ckl.value(2, 3), -std::log((3 + 0.05) / (2 + 3 + 0.1)), 1e-15);
    EXPECT_GT(std::abs(ckl.value(2, 3) - SteLoss{}.value(2, 3)), 0.1);
}

TEST(LossModel, SoftplusAndLogisticKeepTheirTails) {
    EXPECT_EQ(Softplus(1e300).value(), 1e300);
    EXPECT_EQ(Softplus(-1e300).value(), 0);
    EXPECT_DOUBLE_EQ(Softplus(-40).value(), std::exp(-40.0));
    EXPECT_EQ(Softplus(1e300).slope(), 1);
    EXPECT_EQ(Softplus(-1e300).slope(), 0);
    EXPECT_DOUBLE_EQ(Softplus(-40).slope(), std::exp(-40.0));
    EXPECT_DOUBLE_EQ(Softplus(0).slope(), 0.5);
}

} // namespace
} // namespace lambdascope::ordinal
