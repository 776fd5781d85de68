// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/random_stream.h"
#include "core/common/stop_check.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace lambdascope::ordinal {

namespace detail {

/// Leaves a standard algorithm from within its comparison; never seen outside of this file.
struct SortGivenUp {};

/// A comparison of two places in memory and what it moves, in operations.
constexpr std::int64_t kSortWork = 20;
constexpr std::int64_t kSwapWork = 50;

} // namespace detail

/// std::sort, or std::stable_sort when asked for, that `stopCheck` can end. False when it did; the values are then all
/// there, in any order.
template <class T, class Less>
bool polledSort(std::vector<T>& values, Less less, StopCheck& stopCheck, bool isStable = false) {
    const auto stoppable = [&](const T& a, const T& b) {
        if (stopCheck.spend(detail::kSortWork)) {
            throw detail::SortGivenUp();
        }
        return less(a, b);
    };
    try {
        if (isStable) {
            std::stable_sort(values.begin(), values.end(), stoppable);
        } else {
            std::sort(values.begin(), values.end(), stoppable);
        }
    } catch (const detail::SortGivenUp&) {
        return false;
    }
    return true;
}

/// RandomStream::shuffle that `stopCheck` can end.
template <class T>
void polledShuffle(std::vector<T>& values, RandomStream& random, StopCheck& stopCheck) {
    random.shuffle(values, [&stopCheck] { return !stopCheck.spend(detail::kSwapWork); });
}

/// RandomStream::permutation in the same way.
inline std::vector<std::size_t> polledPermutation(std::size_t count, RandomStream& random, StopCheck& stopCheck) {
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    polledShuffle(order, random, stopCheck);
    return order;
}

} // namespace lambdascope::ordinal
