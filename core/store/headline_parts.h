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

/// The lane that `lane`'s group is compared with: that without screening; where there is none, the one that took most
/// time. `lanes` must have some of that group.
[[nodiscard]] const HeadlineLane& referenceOf(const HeadlineLane& lane, const std::vector<HeadlineLane>& lanes);

/// What a headline says of the times of lanes.
struct TimesTold {
    std::vector<std::string> parts;    ///< "PGB: 3.4 × faster than none", "GB 1.5 × slower"
    std::vector<HeadlineLane> fastest; ///< the lanes that are clearly faster; may be empty
    std::string named;      ///< the lanes that the first part begins with, which the next need not name again
    bool isAnyTold = false; ///< some lane is clearly faster or slower
};
/// Each group of `lanes` by itself (LaneRunConfig), beside its own reference; then, where there are several, how much
/// faster the fastest lane of the last group is than the reference of the first: "as published: PGB 2.9 × faster than
/// naive; today: PGB 1.4 × faster than plain; PGB, today is 80 × faster than naive". `lanes` must not be empty.
[[nodiscard]] TimesTold timesTold(const std::vector<HeadlineLane>& lanes);

/// Where the experiment's own view is on a measure of the solutions, its best value and whose it is, as in "best
/// F-measure (unlabeled): 0.953 by Pairs and USMO at λ = 0.001, 0.94 by Ramp loss at λ = 0.01"; empty where it is not,
/// and where more of the measure is neither better nor worse. `isFirst`: it begins the sentence.
[[nodiscard]] std::string viewedPart(const std::vector<HeadlineLane>& lanes, bool isRunning, bool isFirst);

/// Where nothing is screened, lanes are different solvers and their times are of different solutions. What each of them
/// has reached, as in "Least error on held-out comparisons: 0.0448 by STE at p = 2, 0.0483 by SOE at p = 4"; empty
/// where no lane measures anything. `isFirst`: it begins the sentence. `lanes` must not be empty.
[[nodiscard]] std::string reachedPart(const std::vector<HeadlineLane>& lanes, bool isRunning, bool isFirst);

} // namespace lambdascope
