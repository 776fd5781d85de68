// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

namespace lambdascope {

/// What the values of one measure over several seeds come to.
struct SeedStatistics {
    double mean = 0;
    double median = 0;
    double lowerQuartile = 0; ///< quantiles interpolate between the sorted values [Hyndman and Fan 1996, type 7]
    double upperQuartile = 0;
    /// 95 % percentile bootstrap interval of the mean [Efron and Tibshirani 1993, section 13.3] from 2,000 resamples,
    /// the same ones for every measure of so many seeds, on every machine. None for a single value.
    std::optional<double> low;
    std::optional<double> high;
};

/// Of at least one value; all finite. Cost O(2,000 n).
[[nodiscard]] SeedStatistics seedStatistics(const std::vector<double>& values);

} // namespace lambdascope
