// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/time_comparison.h"

#include "core/common/number_text.h"
#include "core/record/measure_series.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lambdascope {

namespace {

/// Times up to a point.
struct PointSum {
    double median = 0;
    double lower = 0;
    double upper = 0;

    void add(const PointTimes& times, std::size_t point) {
        median += times.median[point];
        lower += times.lower[point];
        upper += times.upper[point];
    }
};

/// Pairs of positions in the two lists of points, for each path index that both have finished.
std::vector<std::pair<std::size_t, std::size_t>> commonPoints(const RunRecord& record, const RunRecord& reference) {
    std::vector<std::pair<std::size_t, std::size_t>> common;
    std::size_t j = 0;
    for (std::size_t i = 0; i < record.finishedPointCount(); ++i) {
        const std::int32_t index = record.points()[i].index;
        while (j < reference.finishedPointCount() && reference.points()[j].index < index) {
            ++j;
        }
        if (j < reference.finishedPointCount() && reference.points()[j].index == index) {
            common.emplace_back(i, j);
        }
    }
    return common;
}

/// Whether the order of the two sums is the same without any one of its terms.
bool isOrderKept(const std::vector<double>& shorter, const std::vector<double>& longer, double shortSum,
                 double longSum) {
    constexpr std::size_t kFewest = 3; // of fewer points each is a good part of the path
    constexpr double kLeft = 1.05;     // of the difference
    for (std::size_t i = 0; shorter.size() >= kFewest && i < shorter.size(); ++i) {
        if (!(kLeft * (shortSum - shorter[i]) < longSum - longer[i])) {
            return false;
        }
    }
    return true;
}

/// Two significant digits: "3.4", "12", "1,200".
std::string factorText(double factor) {
    if (factor < 9.95) {
        return shortText(factor, 2);
    }
    const double unit = std::pow(10.0, std::floor(std::log10(factor)) - 1);
    return groupedText(std::llround(std::round(factor / unit) * unit));
}

} // namespace

PointTimes pointTimes(const RunRecord& record) {
    PointTimes times;
    const std::size_t count = record.finishedPointCount();
    times.median = times.lower = times.upper = std::vector<double>(count, 0);
    const auto& columns = record.start().columns;
    for (std::size_t k = 0; k < columns.size(); ++k) {
        if (columns[k].role != ColumnRole::CpuSolve && columns[k].role != ColumnRole::CpuScreen) {
            continue;
        }
        const auto quartiles = quartilesOf(record, k);
        times.hasQuartiles = times.hasQuartiles && quartiles.has_value();
        for (std::size_t i = 0; i < count; ++i) {
            const std::vector<double>& values = record.points()[i].values;
            times.median[i] += values[k];
            times.lower[i] += quartiles ? values[quartiles->lower] : values[k];
            times.upper[i] += quartiles ? values[quartiles->upper] : values[k];
        }
    }
    return times;
}

std::int64_t timingRepeats(const RunRecord& record) {
    const Json& experiment = record.start().experiment;
    const Json run = experiment.isObject() ? experiment.value("run", Json()) : Json();
    return run.isObject() ? run.value("timing_repeats", std::int64_t{1}) : 1;
}

TimeComparison compareTimes(const RunRecord& record, const RunRecord& reference) {
    TimeComparison result;
    const PointTimes own = pointTimes(record);
    const PointTimes other = pointTimes(reference);
    std::vector<double> ownTimes;
    std::vector<double> otherTimes;
    double ownEdge = 0;   // the quartile of each that lies nearer to the other one
    double otherEdge = 0; // once the order is known
    const auto common = commonPoints(record, reference);
    for (const auto& [i, j] : common) {
        ownTimes.push_back(own.median[i]);
        otherTimes.push_back(other.median[j]);
        result.own += own.median[i];
        result.reference += other.median[j];
    }
    if (common.empty() || !std::isfinite(result.own) || !std::isfinite(result.reference)) {
        return result;
    }
    const bool isFaster = result.own < result.reference;
    for (const auto& [i, j] : common) {
        ownEdge += isFaster ? own.upper[i] : own.lower[i];
        otherEdge += isFaster ? other.lower[j] : other.upper[j];
    }
    const double longer = std::max(result.own, result.reference);
    const double shorter = std::min(result.own, result.reference);
    if (longer < kShortestTold) {
        result.verdict = TimeVerdict::TooShort;
        return result;
    }
    result.isAtLeast = shorter < kShortestTold;
    result.factor = longer / std::max(shorter, kShortestTold);
    const bool areApart = isFaster ? ownEdge < otherEdge : ownEdge > otherEdge;
    const bool isClear = own.hasQuartiles && other.hasQuartiles ? areApart : result.factor >= kClearFactor;
    const bool isKept = isFaster ? isOrderKept(ownTimes, otherTimes, shorter, longer)
                                 : isOrderKept(otherTimes, ownTimes, shorter, longer);
    if (isClear && isKept && result.factor > 1) {
        result.verdict = isFaster ? TimeVerdict::Faster : TimeVerdict::Slower;
    } else {
        result.verdict = result.isAtLeast ? TimeVerdict::TooShort : TimeVerdict::TooClose;
    }
    return result;
}

std::vector<std::size_t> fastestLanes(const std::vector<const RunRecord*>& lanes, const RunRecord& reference) {
    std::vector<std::size_t> faster;
    const RunRecord* best = nullptr;
    double most = 0;
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        const TimeComparison time = compareTimes(*lanes[i], reference);
        if (time.verdict == TimeVerdict::Faster) {
            faster.push_back(i);
            best = time.factor > most ? lanes[i] : best;
            most = std::max(most, time.factor);
        }
    }
    if (best == nullptr) {
        return faster;
    }
    std::erase_if(faster, [&](std::size_t i) {
        return lanes[i] != best && compareTimes(*lanes[i], *best).verdict == TimeVerdict::Slower;
    });
    return faster;
}

TimeRatio tellingTimeRatio(const RunRecord& record, const RunRecord& reference) {
    TimeRatio ratio;
    const PointTimes own = pointTimes(record);
    const PointTimes other = pointTimes(reference);
    PointSum ownSum;
    PointSum otherSum;
    for (const auto& [i, j] : commonPoints(record, reference)) {
        ownSum.add(own, i);
        otherSum.add(other, j);
        if (ownSum.median >= kShortestTold && otherSum.median >= kShortestTold) {
            const PointRecord& point = record.points()[i];
            ratio.values.push_back({point.index, point.axisValue, ownSum.median / otherSum.median});
            if (own.hasQuartiles && other.hasQuartiles) {
                ratio.lower.push_back(ownSum.lower / otherSum.upper);
                ratio.upper.push_back(ownSum.upper / otherSum.lower);
            }
        }
    }
    ratio.isTooShort = ratio.values.empty();
    return ratio;
}

std::optional<double> tellingCpuRatio(const RunRecord& record, const RunRecord& reference) {
    const bool canTell = &record == &reference || compareTimes(record, reference).shortest() >= kShortestTold;
    return canTell ? totalCpuRatio(record, reference) : std::nullopt;
}

std::string limitText(const RunRecord& oracle, const RunRecord& reference) {
    const std::string source = oracleSource(oracle);
    const TimeComparison time = source.empty() ? TimeComparison() : compareTimes(oracle, reference);
    return time.verdict == TimeVerdict::Faster ? "the limit of " + source + " is " + timeText(time) : std::string();
}

std::string timeText(const TimeComparison& comparison) {
    const std::string factor = (comparison.isAtLeast ? "at least " : "") + factorText(comparison.factor) + " × ";
    switch (comparison.verdict) {
    case TimeVerdict::Faster: return factor + "faster";
    case TimeVerdict::Slower: return factor + "slower";
    case TimeVerdict::TooClose: return "too close to tell";
    case TimeVerdict::TooShort: return "too short to tell";
    case TimeVerdict::Unknown: break;
    }
    return {};
}

} // namespace lambdascope
