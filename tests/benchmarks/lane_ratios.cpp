// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmarks/lane_ratios.h"

#include <cstdio>

namespace lambdascope::benchmarks {

std::string spreadText(const Spread& spread) {
    char text[64];
    (void)std::snprintf(text, sizeof text, "%.2f (%.2f–%.2f)", spread.median, spread.lower, spread.upper);
    return text;
}

std::vector<Spread> interleavedRatios(const std::vector<std::function<double()>>& lanes, double seconds, int repeats) {
    std::vector<std::vector<double>> ratios(lanes.size());
    for (int repeat = 0; repeat < repeats; ++repeat) {
        std::vector<double> times(lanes.size(), 0);
        std::vector<int> walks(lanes.size(), 0);
        const auto isFilled = [&](std::size_t lane) { return walks[lane] > 0 && times[lane] >= seconds; };
        for (bool isGoingOn = true; isGoingOn;) {
            isGoingOn = false;
            for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
                if (!isFilled(lane)) {
                    times[lane] += lanes[lane]();
                    ++walks[lane];
                    isGoingOn = isGoingOn || !isFilled(lane);
                }
            }
        }
        for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
            ratios[lane].push_back(times[lane] / walks[lane] / (times[0] / walks[0]));
        }
    }
    std::vector<Spread> spreads;
    std::transform(ratios.begin(), ratios.end(), std::back_inserter(spreads), spreadOf);
    return spreads;
}

} // namespace lambdascope::benchmarks
