// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/seed_statistics.h"

#include "core/common/quantile.h"
#include "core/common/random_stream.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace lambdascope {

namespace {

constexpr std::size_t kResamples = 2000;
constexpr std::uint64_t kSeed = 1;

/// Scaled, so that the sum of large values does not overflow.
double meanOfAll(const std::vector<double>& values) {
    const auto n = static_cast<double>(values.size());
    const double sum = std::accumulate(values.begin(), values.end(), 0.0);
    if (std::isfinite(sum)) {
        return sum / n;
    }
    return std::accumulate(values.begin(), values.end(), 0.0,
                           [&](double part, double value) { return part + value / n; });
}

} // namespace

SeedStatistics seedStatistics(const std::vector<double>& values) {
    assert(!values.empty());
    std::vector<double> sorted = values;
    std::sort(sorted.begin(), sorted.end());
    SeedStatistics statistics;
    statistics.mean = meanOfAll(sorted);
    statistics.median = quantile(sorted, 0.5);
    statistics.lowerQuartile = quantile(sorted, 0.25);
    statistics.upperQuartile = quantile(sorted, 0.75);
    if (sorted.size() < 2) {
        return statistics;
    }
    RandomStream random(kSeed, "bootstrap");
    std::vector<std::uint32_t> drawn(sorted.size());
    std::vector<double> resample(sorted.size());
    std::vector<double> means;
    for (std::size_t b = 0; b < kResamples; ++b) {
        random.fillBelow(sorted.size(), drawn);
        std::transform(drawn.begin(), drawn.end(), resample.begin(), [&](std::uint32_t i) { return sorted[i]; });
        means.push_back(meanOfAll(resample));
    }
    // Rounding of a mean may leave the range of the values by a bit.
    statistics.low = std::max(quantile(means, 0.025), sorted.front());
    statistics.high = std::min(quantile(means, 0.975), sorted.back());
    return statistics;
}

} // namespace lambdascope
