// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/record/run_record.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lambdascope {

enum class TimeVerdict {
    Faster,   ///< by `factor`
    Slower,   ///< by `factor`
    TooClose, ///< noise of the clock could turn the answer
    TooShort, ///< too little was measured to tell
    Unknown,  ///< there is no path point that both have finished
};

/// CPU seconds of each finished point, solving and screening together, and between which values its quartiles over
/// repeats lie; without repeats the quartiles are the time itself.
struct PointTimes {
    std::vector<double> median;
    std::vector<double> lower;
    std::vector<double> upper;
    bool hasQuartiles = true;
};
[[nodiscard]] PointTimes pointTimes(const RunRecord& record);
/// How often each point of the lane was timed, as its experiment says.
[[nodiscard]] std::int64_t timingRepeats(const RunRecord& record);

/// How the CPU times of two lanes compare over the path points that both have finished.
struct TimeComparison {
    TimeVerdict verdict = TimeVerdict::Unknown;
    double factor = 1;      ///< at least 1; valid when faster or slower
    bool isAtLeast = false; ///< the shorter time is below kShortestTold, so the factor is a lower bound
    double own = 0;         ///< CPU seconds
    double reference = 0;   ///< CPU seconds

    [[nodiscard]] double shortest() const { return std::min(own, reference); }
};

/// Times below this, in CPU seconds, are not told apart and make no ratio: what caches, clocks and the rest of the
/// machine add is a good part of them.
inline constexpr double kShortestTold = 0.1;
/// Two lanes of the same cost differ by less than this factor.
inline constexpr double kClearFactor = 1.25;

/// Tells which lane is faster only where noise cannot turn it: the longer time is kShortestTold at least; the factor is
/// kClearFactor at least or, where both lanes keep quartiles of their time, their quartiles lie apart; and leaving out
/// any one path point does not turn the order.
[[nodiscard]] TimeComparison compareTimes(const RunRecord& record, const RunRecord& reference);

/// Which of `lanes` are clearly faster than `reference`, without those that are clearly slower than the fastest one of
/// them: positions in `lanes`, rising.
[[nodiscard]] std::vector<std::size_t> fastestLanes(const std::vector<const RunRecord*>& lanes,
                                                    const RunRecord& reference);

/// A ratio of times up to each path point, from where it means something.
struct TimeRatio {
    std::vector<AxisValue> values; ///< cumulated CPU over that of the reference
    /// Where both lanes keep quartiles, for each value: sums of lower quartiles over those of upper ones, and the other
    /// way round. Sums of quartiles lie farther apart than quartiles of sums, so the ratio is not told too well.
    std::vector<double> lower;
    std::vector<double> upper;
    bool isTooShort = false; ///< no point has kShortestTold behind it
};
/// cumulativeCpuRatio() without the points up to which either lane has used less than kShortestTold.
[[nodiscard]] TimeRatio tellingTimeRatio(const RunRecord& record, const RunRecord& reference);

/// totalCpuRatio() where it means something: nothing where either lane has used less than kShortestTold over the points
/// that both have finished, unless they are one lane.
[[nodiscard]] std::optional<double> tellingCpuRatio(const RunRecord& record, const RunRecord& reference);
/// Said in place of a ratio that noise makes.
inline constexpr const char* kTooShort = "too short";

/// What no rule can do better than, by an oracle lane: "the limit of PGB is 5.1 × faster"; empty for other lanes and
/// where that cannot be told.
[[nodiscard]] std::string limitText(const RunRecord& oracle, const RunRecord& reference);

/// "3.4 × faster", "at least 20 × slower", "too close to tell", "too short to tell"; empty when unknown.
[[nodiscard]] std::string timeText(const TimeComparison& comparison);

} // namespace lambdascope
