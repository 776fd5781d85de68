// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/path/path_plan.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::metric {

std::vector<double> pathSchedule(const PathConfig& config, double lambdaMax) {
    std::vector<double> schedule;
    double lambda = config.start.value_or(lambdaMax);
    for (std::int64_t t = 0; t < config.maxPoints && lambda > 0 && lambda >= config.minLambda; ++t) {
        schedule.push_back(lambda);
        lambda *= config.ratio;
    }
    return schedule;
}

double lossGain(const PathMark& before, const PathMark& after) {
    if (before.loss <= 0) {
        return 0;
    }
    return (before.loss - after.loss) / before.loss * before.lambda / (before.lambda - after.lambda);
}

bool pathEnds(const PathConfig& config, const std::vector<PathMark>& finished) {
    const std::size_t count = finished.size();
    if (config.stop <= 0 || count < 3) {
        return false;
    }
    const double last = lossGain(finished[count - 2], finished[count - 1]);
    const double before = lossGain(finished[count - 3], finished[count - 2]);
    return last < config.stop && last <= before;
}

std::int32_t estimatedPoints(const PathConfig& config, const std::vector<PathMark>& finished, std::int32_t scheduled) {
    constexpr std::size_t kSpan = 8; // points that the slope is taken from
    const auto count = static_cast<std::int32_t>(finished.size());
    if (config.stop <= 0 || pathEnds(config, finished)) {
        return config.stop <= 0 ? scheduled : count;
    }
    if (finished.size() < kSpan + 2) {
        return 0;
    }
    const std::size_t end = finished.size() - 1;
    const double now = lossGain(finished[end - 1], finished[end]);
    const double then = lossGain(finished[end - 1 - kSpan], finished[end - kSpan]);
    if (!(now > 0) || !(then > now)) {
        return 0;
    }
    const double perPoint = std::log(then / now) / kSpan;
    const double left = std::ceil(std::max(std::log(now / config.stop), 0.0) / perPoint);
    return static_cast<std::int32_t>(std::clamp(count + left, count + 1.0, static_cast<double>(scheduled)));
}

} // namespace lambdascope::metric
