// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace lambdascope::triplets {

/// Which triplets of a product set may lie between the edges of the loss at the points of a capsule. In some order of
/// its sames, which are taken in groups of four, the loss with an other is zero before a run of groups and linear
/// behind it. Empty for all triplets.
struct QuadraticRuns {
    static constexpr std::size_t kGroupSize = 4;
    static constexpr std::size_t kMostSames = 256;

    std::span<const std::uint8_t> order; ///< places of the sames
    std::span<const std::uint8_t> begin; ///< of each other: the first group of its run
    std::span<const std::uint8_t> end;   ///< … and the first one behind it

    [[nodiscard]] static constexpr std::size_t groupsOf(std::size_t sames) {
        return (sames + kGroupSize - 1) / kGroupSize;
    }
    [[nodiscard]] bool empty() const { return order.empty(); }
};

} // namespace lambdascope::triplets
