// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/run_headline.h"

#include <cstddef>
#include <string>
#include <vector>

namespace lambdascope {

/// Lanes that a part of a headline names one by one, at most.
inline constexpr std::size_t kMostNamed = 4;
/// "PGB", "PGB and RRPB", "GB, PGB and RRPB"; from five on "5 lanes".
[[nodiscard]] std::string namesOf(const std::vector<HeadlineLane>& lanes);

/// The lane that the others are compared with: that without screening; where there is none, the one that took most
/// time. `lanes` must not be empty.
[[nodiscard]] const HeadlineLane& referenceOf(const std::vector<HeadlineLane>& lanes);

/// What a headline says of the times of lanes beside those of `reference`.
struct TimesTold {
    std::vector<std::string> parts;    ///< "PGB: 3.4 × faster than none", "GB 1.5 × slower"
    std::vector<HeadlineLane> fastest; ///< the lanes that are clearly faster; may be empty
    std::string named; ///< the lanes that the first part begins with, which the next need not name again
};
[[nodiscard]] TimesTold timesTold(const HeadlineLane& reference, const std::vector<HeadlineLane>& lanes);

} // namespace lambdascope
