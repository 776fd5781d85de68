// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace lambdascope {

/// An integer that cannot be mixed up with another kind of integer: StrongIndex<struct RunTag> is no lane number.
template <class Tag, class Integer = std::int64_t>
struct StrongIndex {
    Integer value = -1;

    constexpr auto operator<=>(const StrongIndex&) const = default; // NOLINT(modernize-use-nullptr): takes <=> for one
    [[nodiscard]] constexpr bool isValid() const { return value >= 0; }
};

} // namespace lambdascope

template <class Tag, class Integer>
struct std::hash<lambdascope::StrongIndex<Tag, Integer>> {
    std::size_t operator()(const lambdascope::StrongIndex<Tag, Integer>& index) const noexcept {
        return std::hash<Integer>{}(index.value);
    }
};
