// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#ifdef __AVX__
#include <immintrin.h>
#endif

namespace lambdascope::triplets {

/// Triplets go in groups of four, as many as a vector register has places for numbers.
inline constexpr std::size_t kGroupSize = 4;
inline constexpr std::uint32_t kGroupBits = 15;

/// Ones where the bits of a group are set, else zeros.
struct alignas(32) GroupMask {
    std::array<double, kGroupSize> ones;
};
inline constexpr std::array<GroupMask, 16> kGroupMasks = [] {
    std::array<GroupMask, 16> masks{};
    for (std::size_t bits = 0; bits < masks.size(); ++bits) {
        for (std::size_t b = 0; b < kGroupSize; ++b) {
            masks[bits].ones[b] = (bits >> b & 1U) != 0 ? 1.0 : 0.0;
        }
    }
    return masks;
}();
/// Places of the bits that are set; what follows them means nothing.
inline constexpr std::array<std::array<std::uint8_t, kGroupSize>, 16> kGroupPlaces = [] {
    std::array<std::array<std::uint8_t, kGroupSize>, 16> places{};
    for (std::size_t bits = 0; bits < places.size(); ++bits) {
        std::size_t count = 0;
        for (std::uint8_t b = 0; b < kGroupSize; ++b) {
            places[bits][count] = b;
            count += bits >> b & 1U;
        }
    }
    return places;
}();
/// How many bits of a group are set.
inline constexpr std::array<std::uint8_t, 16> kGroupCounts = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};

/// Bit b is set where value b is above the limit; not for NaN.
[[nodiscard]] inline std::uint32_t bitsAbove(const double* values, double limit) {
#ifdef __AVX__
    return static_cast<std::uint32_t>(
        _mm256_movemask_pd(_mm256_cmp_pd(_mm256_loadu_pd(values), _mm256_set1_pd(limit), _CMP_GT_OQ)));
#else
    std::uint32_t bits = 0;
    for (std::uint32_t b = 0; b < kGroupSize; ++b) {
        bits |= static_cast<std::uint32_t>(values[b] > limit) << b;
    }
    return bits;
#endif
}
/// Bit b is set where value b is below the limit; not for NaN.
[[nodiscard]] inline std::uint32_t bitsBelow(const double* values, double limit) {
#ifdef __AVX__
    return static_cast<std::uint32_t>(
        _mm256_movemask_pd(_mm256_cmp_pd(_mm256_loadu_pd(values), _mm256_set1_pd(limit), _CMP_LT_OQ)));
#else
    std::uint32_t bits = 0;
    for (std::uint32_t b = 0; b < kGroupSize; ++b) {
        bits |= static_cast<std::uint32_t>(values[b] < limit) << b;
    }
    return bits;
#endif
}

} // namespace lambdascope::triplets
