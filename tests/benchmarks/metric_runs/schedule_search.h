// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace lambdascope::benchmarks {

/// Work at one λ of each of two methods, given the method at the λ before: work[before][here].
using StepWork = std::array<std::array<double, 2>, 2>;

/// A method for each λ of a path.
struct MethodSchedule {
    std::vector<std::size_t> methods;
    double worstWindow = 0; ///< largest work of `window` λ in a row, over that of the better of the two methods there
    double wholePath = 0;   ///< the same of all λ
};

/// What keeping to one method throughout takes at each λ.
[[nodiscard]] std::vector<double> workOfOne(const std::vector<StepWork>& work, std::size_t method);

/// The schedule whose worst window is least, and of those one that takes least over the whole path: the limit of what
/// choosing a method per λ can reach, knowing all of `work` in advance. By dynamic programming over the methods of the
/// last `window` + 1 λ; time and memory O(n 2^(window + 1)).
[[nodiscard]] MethodSchedule leastWorstSchedule(const std::vector<StepWork>& work, std::size_t window);

} // namespace lambdascope::benchmarks
