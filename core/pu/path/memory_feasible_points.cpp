// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pu/path/memory_feasible_points.h"

#include "core/common/number_text.h"
#include "core/pu/path/prepared_pu.h"
#include "core/pu/rivals/interior_point.h"

#include <algorithm>
#include <functional>

namespace lambdascope::pu {

namespace {

struct Limit {
    std::int64_t megabytes = 0;
    std::function<double(SampleIndex)> bytesFor; ///< of so many unlabeled samples
    std::string what;
    std::string key;
};

} // namespace

MemoryFeasiblePoints memoryFeasiblePoints(const PreparedPu& prepared, const SolverConfig& config) {
    MemoryFeasiblePoints fitting{pathValues(prepared.path()), {}};
    const bool isCount = prepared.path().kind == PathKind::Unlabeled;
    const auto keepWithin = [&](const Limit& limit) {
        double most = 0;
        const std::size_t left = std::erase_if(fitting.values, [&](double value) {
            const double bytes =
                limit.bytesFor(isCount ? static_cast<SampleIndex>(value) : prepared.samples().unlabeled);
            most = std::max(most, bytes);
            return bytes > 1e6 * static_cast<double>(limit.megabytes);
        });
        if (left > 0) {
            fitting.obstacle += (fitting.obstacle.empty() ? "" : "; ") + std::to_string(left) +
                                (left == 1 ? " point: " : " points: ") + limit.what + " would take up to " +
                                byteText(most) + ", more than " + limit.key;
        }
    };
    if (config.method == MethodKind::InteriorPoint) {
        keepWithin({config.baselineMemory, interiorPointBytes, "the full Gram matrix", "solver.baseline_memory"});
    }
    if (isCount) {
        keepWithin({prepared.config().kernelMemory, [&](SampleIndex n) { return prepared.leastBytes(n); },
                    "the samples of a point and four kernel rows", "problem.kernel_memory"});
    }
    return fitting;
}

} // namespace lambdascope::pu
