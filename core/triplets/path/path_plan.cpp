// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/path/path_plan.h"

#include "core/common/number_text.h"
#include "core/run/path_task.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::triplets {

std::vector<ColumnDescription> pathColumns(const std::string& items) {
    return {
        {"index", "Point", "", ColumnRole::Index, true},
        {"lambda", "λ", "", ColumnRole::Axis, false},
        {"iterations", "Iterations", "", ColumnRole::Iterations, true},
        {"primal", "Primal value", "", ColumnRole::Objective, false},
        {"dual", "Dual value", "", ColumnRole::Other, false},
        {"gap", "Duality gap (upper bound)", "", ColumnRole::Optimality, false},
        {"loss", "Loss term", "", ColumnRole::Other, false},
        {"n_items", items, "", ColumnRole::ItemsTotal, true},
    };
}

std::vector<PathMark> pathMarks(const std::vector<ColumnDescription>& columns,
                                const std::vector<PointReport>& finished) {
    const std::size_t lambda = placeOfColumn(columns, "lambda");
    const std::size_t loss = placeOfColumn(columns, "loss");
    std::vector<PathMark> marks;
    marks.reserve(finished.size());
    for (const PointReport& report : finished) {
        marks.push_back({report.values[lambda], report.values[loss]});
    }
    return marks;
}

std::vector<double> pathSchedule(const PathConfig& config, double lambdaMax) {
    std::vector<double> schedule;
    double lambda = config.start.value_or(lambdaMax);
    for (std::int64_t t = 0; t < config.maxPoints && lambda > 0 && lambda >= config.minLambda; ++t) {
        schedule.push_back(lambda);
        lambda *= config.ratio;
    }
    return schedule;
}

Error emptyPathError(const PathConfig& config, double lambdaMax) {
    // path.start is checked against path.min_lambda with the experiment, so that it is "lambda-max" here.
    const std::string limit = shortText(lambdaMax, 4);
    return singleFault(ErrorCode::InvalidData,
                       {"path.min_lambda",
                        "is " + exactText(config.minLambda) + ", above λ_max = " + limit +
                            " of this problem, where the path begins; it has no point",
                        "Lower min_lambda below " + limit + ", or give a number above min_lambda in path.start.",
                        {}});
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
    constexpr std::size_t kLeastSpan = 8;
    constexpr std::size_t kShare = 4; // of the path, whose gains the slope is taken from: on a fine one they are noisy
    const auto count = static_cast<std::int32_t>(finished.size());
    if (config.stop <= 0 || pathEnds(config, finished)) {
        return config.stop <= 0 ? scheduled : count;
    }
    if (finished.size() < kLeastSpan + 2) {
        return 0;
    }
    const std::size_t span = std::max(kLeastSpan, finished.size() / kShare);
    double number = 0; // least squares of log gain over the points, counted from the last one
    double sum = 0;
    double square = 0;
    double logs = 0;
    double product = 0;
    for (std::size_t back = 0; back <= span; ++back) {
        const std::size_t at = finished.size() - 1 - back;
        if (const double gain = lossGain(finished[at - 1], finished[at]); gain > 0) {
            const double x = -static_cast<double>(back);
            number += 1;
            sum += x;
            square += x * x;
            logs += std::log(gain);
            product += x * std::log(gain);
        }
    }
    const double spread = number * square - sum * sum;
    const double perPoint = spread > 0 ? (sum * logs - number * product) / spread : 0;
    if (!(perPoint > 0)) {
        return 0;
    }
    const double now = (logs + perPoint * sum) / number - std::log(config.stop);
    const double left = std::ceil(std::max(now, 0.0) / perPoint);
    return static_cast<std::int32_t>(std::clamp(count + left, count + 1.0, static_cast<double>(scheduled)));
}

} // namespace lambdascope::triplets
