// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace lambdascope::metric {

/// Bits of a word in groups of four, as many as a vector register has places for numbers.
inline constexpr int kGroupSize = 4;
inline constexpr std::uint64_t kGroupBits = 15;

/// visit(number of the group, its bits) for every group of the 64 bits with one that is set.
template <class Visit>
void forEachGroup(std::uint64_t bits, const Visit& visit) {
    while (bits != 0) {
        const int number = std::countr_zero(bits) / kGroupSize;
        const std::uint64_t group = bits >> (kGroupSize * number) & kGroupBits;
        bits &= ~(kGroupBits << (kGroupSize * number));
        visit(number, static_cast<std::uint32_t>(group));
    }
}

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

} // namespace lambdascope::metric
