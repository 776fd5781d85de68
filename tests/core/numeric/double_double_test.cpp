// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/random_stream.h"
#include "core/numeric/double_double.h"
#include "tests/support/quad_precision.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace lambdascope {
namespace {

constexpr double kSquareOfRoundoff = kUnitRoundoff * kUnitRoundoff;

TEST(DoubleDouble, OperationsKeepTheirErrorBounds) {
    RandomStream random(3, "operands");
    for (int times = 0; times < 20000; ++times) {
        const auto draw = [&] {
            const double high = std::ldexp(random.normal(), static_cast<int>(random.below(40)) - 20);
            return exactSum(high, 0.49 * kUnitRoundoff * high * random.uniform(-1, 1));
        };
        const DoubleDouble a = draw();
        const DoubleDouble b = draw();
        const auto check = [](DoubleDouble found, Quad exact, double share) {
            const Quad error = absolute(quad(found) - exact);
            EXPECT_LE(static_cast<double>(error), share * std::abs(static_cast<double>(exact)));
        };
        check(a + b, quad(a) + quad(b), 3.01 * kSquareOfRoundoff);
        check(a + b.high, quad(a) + static_cast<Quad>(b.high), 2.01 * kSquareOfRoundoff);
        check(a * b, quad(a) * quad(b), 6.01 * kSquareOfRoundoff);
        check(a * b.high, quad(a) * static_cast<Quad>(b.high), 2.01 * kSquareOfRoundoff);
        EXPECT_TRUE(quad(exactSum(a.high, b.high)) == static_cast<Quad>(a.high) + static_cast<Quad>(b.high));
        EXPECT_TRUE(quad(exactProduct(a.high, b.high)) == static_cast<Quad>(a.high) * static_cast<Quad>(b.high));
    }
}

TEST(DoubleDouble, ProductsOfVectorsKeepTheirErrorBound) {
    RandomStream random(4, "vectors");
    for (const std::size_t size : {0, 1, 7, 8, 9, 64, 1000}) {
        std::vector<double> x(size), y(size);
        Quad exact = 0;
        Quad magnitude = 0;
        DoubleDoubleSum sum;
        for (std::size_t k = 0; k < size; ++k) {
            x[k] = std::ldexp(random.normal(), static_cast<int>(random.below(60)) - 30);
            // Opposite near-twins: nearly all of the sum cancels.
            y[k] = k % 2 == 1 ? -x[k - 1] * y[k - 1] / x[k] : random.normal();
            exact += static_cast<Quad>(x[k]) * static_cast<Quad>(y[k]);
            magnitude += absolute(static_cast<Quad>(x[k]) * static_cast<Quad>(y[k]));
            sum.addProduct(x[k], 0, y[k]);
        }
        const double bound = DoubleDoubleSum::error(static_cast<double>(size)) * static_cast<double>(magnitude);
        EXPECT_LE(static_cast<double>(absolute(quad(preciseProduct(x, y)) - exact)), bound) << size;
        EXPECT_LE(static_cast<double>(absolute(quad(sum.value()) - exact)), bound) << size;
    }
}

TEST(DoubleDouble, ExponentialsKeepTheirErrorBound) {
    RandomStream random(5, "exponents");
    double largest = 0;
    for (int times = 0; times < 3000; ++times) {
        const double high = -std::exp(random.uniform(std::log(1e-12), std::log(600.0)));
        const DoubleDouble x{high, high * kUnitRoundoff * random.uniform(-0.4, 0.4)};
        const Quad exact = quadExponential(quad(x));
        const Quad error = absolute(quad(preciseExponential(x)) - exact) / exact;
        largest = std::max(largest, static_cast<double>(error));
    }
    EXPECT_LE(largest, kPreciseExponentialError);
    EXPECT_EQ(preciseExponential({}).value(), 1);
    EXPECT_EQ(preciseExponential({-1e4, 0}).value(), 0);
    EXPECT_LT(preciseExponential({-745.5, 0}).value(), kUnderflow);
}

} // namespace
} // namespace lambdascope
