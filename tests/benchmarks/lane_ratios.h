// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace lambdascope::benchmarks {

/// Median and quartiles over repeats.
struct Spread {
    double median = 0;
    double lower = 0;
    double upper = 0;
};

/// Of at least one value; each quartile is a value that was met.
[[nodiscard]] inline Spread spreadOf(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t last = values.size() - 1;
    return {values[(last + 1) / 2], values[last / 4], values[last - last / 4]};
}

/// "0.84 (0.83–0.86)".
[[nodiscard]] std::string spreadText(const Spread& spread);

/// How times of lanes are compared: each lane is a walk that returns its CPU seconds. In each repeat every lane is
/// walked as often as it takes to fill `seconds`, one walk of each in turn, so that what else the machine does meets
/// all of them alike. Per lane, its time over that of the first lane, over the repeats.
[[nodiscard]] std::vector<Spread> interleavedRatios(const std::vector<std::function<double()>>& lanes, double seconds,
                                                    int repeats);

} // namespace lambdascope::benchmarks
