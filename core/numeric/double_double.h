// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/numeric/error_bound.h"

#include <cmath>
#include <span>

namespace lambdascope {

/// A number as the sum of two doubles, |low| ≤ u |high|: about 106 bits. Errors of operations are relative, for
/// operands and results far from overflow and underflow [Joldes, Muller, Popescu 2017, algorithms 4, 6, 9 and 11].
struct DoubleDouble {
    double high = 0;
    double low = 0;

    [[nodiscard]] double value() const { return high + low; }
};

/// a + b exactly, in any order of magnitude.
[[nodiscard]] inline DoubleDouble exactSum(double a, double b) {
    const double sum = a + b;
    const double added = sum - a;
    return {sum, (a - (sum - added)) + (b - added)};
}
/// a + b exactly where |a| ≥ |b| or a = 0.
[[nodiscard]] inline DoubleDouble exactSumOfOrdered(double a, double b) {
    const double sum = a + b;
    return {sum, b - (sum - a)};
}
/// a b exactly.
[[nodiscard]] inline DoubleDouble exactProduct(double a, double b) {
    const double product = a * b;
    return {product, std::fma(a, b, -product)};
}

/// Error 2u².
[[nodiscard]] inline DoubleDouble operator+(DoubleDouble a, double b) {
    const DoubleDouble sum = exactSum(a.high, b);
    return exactSumOfOrdered(sum.high, a.low + sum.low);
}
/// Error 3u² / (1 − 4u).
[[nodiscard]] inline DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
    const DoubleDouble highs = exactSum(a.high, b.high);
    const DoubleDouble lows = exactSum(a.low, b.low);
    const DoubleDouble sum = exactSumOfOrdered(highs.high, highs.low + lows.high);
    return exactSumOfOrdered(sum.high, lows.low + sum.low);
}
[[nodiscard]] inline DoubleDouble operator-(DoubleDouble a) {
    return {-a.high, -a.low};
}
[[nodiscard]] inline DoubleDouble operator-(DoubleDouble a, DoubleDouble b) {
    return a + -b;
}
/// Error 2u².
[[nodiscard]] inline DoubleDouble operator*(DoubleDouble a, double b) {
    const DoubleDouble product = exactProduct(a.high, b);
    return exactSumOfOrdered(product.high, std::fma(a.low, b, product.low));
}
/// Error 6u².
[[nodiscard]] inline DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
    const DoubleDouble product = exactProduct(a.high, b.high);
    return exactSumOfOrdered(product.high, product.low + std::fma(a.high, b.low, a.low * b.high));
}

/// Σ of products, whose rounding errors are summed up beside it [Ogita, Rump, Oishi 2005].
class DoubleDoubleSum {
  public:
    /// a b, where a = aHigh + aLow.
    void addProduct(double aHigh, double aLow, double b) {
        const DoubleDouble product = exactProduct(aHigh, b);
        const DoubleDouble sum = exactSum(m_high, product.high);
        m_high = sum.high;
        m_low += sum.low + (product.low + aLow * b);
    }
    [[nodiscard]] DoubleDouble value() const { return exactSum(m_high, m_low); }

    /// Error of a sum of so many terms as a share of Σ |term|. What is summed up in `low` is at most terms · u Σ |term|
    /// for the sums, and 2u Σ |term| for the products, rounded three times for each term.
    [[nodiscard]] static double error(double terms) {
        return 4 * kUnitRoundoff * kUnitRoundoff * ((terms + 4) * (terms + 4) + 16);
    }

  private:
    double m_high = 0;
    double m_low = 0;
};

/// xᵀy, with the error of a DoubleDoubleSum of as many terms as a share of |x|ᵀ|y|.
[[nodiscard]] DoubleDouble preciseProduct(std::span<const double> x, std::span<const double> y);

/// eˣ for x ≤ 0, with a relative error of kPreciseExponentialError where it is not below kUnderflow.
[[nodiscard]] DoubleDouble preciseExponential(DoubleDouble x);
inline constexpr double kPreciseExponentialError = 256 * kUnitRoundoff * kUnitRoundoff;

} // namespace lambdascope
