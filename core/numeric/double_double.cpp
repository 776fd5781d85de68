// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/numeric/double_double.h"

#include <array>
#include <cstddef>

namespace lambdascope {

namespace {

/// Sums side by side, so that several terms are worked on at once.
constexpr std::size_t kSums = 8;

/// ln 2 in three parts; the first two have 42 bits, so that their products with whole numbers up to 2¹¹ are exact.
constexpr std::array kLogTwo = {0x1.62e42fefa3800p-1, 0x1.ef35793c76000p-45, 0x1.cc01f97b57a08p-87};
constexpr double kInverseLogTwo = 0x1.71547652b82fep+0;
/// e⁻ˣ is below every double.
constexpr double kLargestExponent = 746;
/// e^r − 1 is found for r / 2⁸ and doubled in its exponent so often.
constexpr int kHalvings = 8;
/// 1/n! for n = 3 … 10; beyond, terms of |r| ≤ ½ ln 2 / 2⁸ are below u³.
constexpr std::array<DoubleDouble, 8> kInverseFactorials = {{{0x1.5555555555555p-3, 0x1.5555555555555p-57},
                                                             {0x1.5555555555555p-5, 0x1.5555555555555p-59},
                                                             {0x1.1111111111111p-7, 0x1.1111111111111p-63},
                                                             {0x1.6c16c16c16c17p-10, -0x1.f49f49f49f49fp-65},
                                                             {0x1.a01a01a01a01ap-13, 0x1.a01a01a01a01ap-73},
                                                             {0x1.a01a01a01a01ap-16, 0x1.a01a01a01a01ap-76},
                                                             {0x1.71de3a556c734p-19, -0x1.c154f8ddc6c00p-73},
                                                             {0x1.27e4fb7789f5cp-22, 0x1.cbbc05b4fa99ap-76}}};

} // namespace

DoubleDouble preciseProduct(std::span<const double> x, std::span<const double> y) {
    double sums[kSums] = {};
    double carries[kSums] = {};
    const double* const left = x.data();
    const double* const right = y.data();
    const std::size_t whole = x.size() / kSums * kSums;
    for (std::size_t at = 0; at < whole; at += kSums) {
        for (std::size_t l = 0; l < kSums; ++l) {
            const double product = left[at + l] * right[at + l];
            const double lost = std::fma(left[at + l], right[at + l], -product);
            const double sum = sums[l] + product;
            const double added = sum - sums[l];
            carries[l] += ((sums[l] - (sum - added)) + (product - added)) + lost;
            sums[l] = sum;
        }
    }
    DoubleDouble all;
    for (std::size_t l = 0; l < kSums; ++l) {
        all = all + exactSum(sums[l], carries[l]);
    }
    for (std::size_t at = whole; at < x.size(); ++at) {
        all = all + exactProduct(left[at], right[at]);
    }
    return all;
}

// |r| ≤ 0.35 is off by 3 · 2u² |r| and what ln 2 lacks, 2⁻¹⁴⁰ · 2¹⁰. Each step of the series and each doubling of
// the exponent adds some 9u² of what has been reached by then, and the following doublings multiply that by what they
// multiply the value by, up to e^|r|: 8 · 9u² · 0.35 · e^0.35 and the last addition are far below 256 u².
DoubleDouble preciseExponential(DoubleDouble x) {
    if (!(x.high > -kLargestExponent)) {
        return {};
    }
    const double twos = std::nearbyint(x.high * kInverseLogTwo);
    DoubleDouble r = x;
    for (const double part : kLogTwo) {
        r = r + -(twos * part);
    }
    const double scale = std::ldexp(1.0, -kHalvings);
    const DoubleDouble s{r.high * scale, r.low * scale};
    DoubleDouble series = kInverseFactorials.back();
    for (std::size_t n = kInverseFactorials.size() - 1; n-- > 0;) {
        series = kInverseFactorials[n] + series * s;
    }
    const DoubleDouble square = s * s;
    DoubleDouble lessOne = s + DoubleDouble{0.5 * square.high, 0.5 * square.low} + square * s * series;
    for (int k = 0; k < kHalvings; ++k) {
        lessOne = DoubleDouble{2 * lessOne.high, 2 * lessOne.low} + lessOne * lessOne;
    }
    const DoubleDouble result = lessOne + 1.0;
    const int exponent = static_cast<int>(twos);
    return {std::ldexp(result.high, exponent), std::ldexp(result.low, exponent)};
}

} // namespace lambdascope
