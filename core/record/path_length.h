// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace lambdascope {

class RunRecord;

/// How far a lane is on the path that it shares with the other lanes of its experiment.
struct LanePlace {
    std::int32_t finished = 0; ///< points
    std::int32_t planned = 0;  ///< its newest guess at the points of the whole path; 0 when unknown
    bool isOver = false;       ///< it ended by itself: neither computing nor stopped, interrupted or failed
};
[[nodiscard]] LanePlace placeOf(const RunRecord& record);

/// Points of a path.
struct PathLength {
    std::int32_t points = 0; ///< 0 when unknown
    bool isKnown = false;    ///< a lane has gone the whole way: no guess
};

/// The length of the path of an experiment's lanes, the same wherever it is said. A lane that is over and did all that
/// it planned knows it. Without such a lane the one that got farthest guesses best, of lanes equally far the first; one
/// that is over before its plan, at its target say, tells nothing of the others. Never less than a lane has finished.
[[nodiscard]] PathLength pathLength(const std::vector<LanePlace>& lanes);

} // namespace lambdascope
