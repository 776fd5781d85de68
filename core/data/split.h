// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lambdascope {

/// Row numbers of the two parts of a split, each ascending.
struct Split {
    std::vector<std::size_t> first;
    std::vector<std::size_t> second;
    bool operator==(const Split&) const = default;
};

/// Draws `share` of each class for the first part, rounded half up. A class of m rows gives at least one row to the
/// first part and, when `leavesRest` and m ≥ 2, at least one to the second. No labels: all rows are one class.
/// The same seed and labels give the same split; `share` in (0, 1].
[[nodiscard]] Split stratifiedSplit(std::size_t rows, std::span<const std::int32_t> labels, double share,
                                    std::uint64_t seed, bool leavesRest);

} // namespace lambdascope
