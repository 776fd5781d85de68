// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/run/run_event.h"
#include "core/run/value_bounds.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

namespace lambdascope {

/// A path point as it came out when the lane was computed again; see PointFinished.
struct RecomputedPoint {
    double axisValue = 0;
    Termination termination = Termination::Converged;
    std::vector<double> values;
    ValueBounds bounds; ///< what this solution proves of the optimal value
    /// Where the lane's own schedule has the point, when it was computed elsewhere (see RunLens::computeAt).
    std::optional<double> scheduled = std::nullopt;
};

/// Looks into one lane of an experiment: computes it again (same seed, same bits) and answers the questions that need
/// what no run keeps. Which questions, that differs: a family's lens is an ItemExplainer, DecisionAuditor,
/// RegionSlicer, PlaneSampler, RelationFinder or ModelExporter besides (core/inspect), as it can be; capability() asks.
/// Not thread-safe; every long function takes a stop token and may report its share done.
class RunLens {
  public:
    using Progress = std::function<void(double share)>;

    virtual ~RunLens() = default;

    /// Computes the lane again and keeps what the questions need, at most the first `mostPoints` points (0: the whole
    /// path; a run that was interrupted has fewer). Questions may be asked when it succeeded.
    virtual Result<void> open(std::int32_t mostPoints, const Progress& progress, std::stop_token stop) = 0;
    /// From now on the lane is computed at these values of the path parameter, all of them, in place of its own
    /// schedule and stop rule: those that a run has stored, which may be another build's. Errors: InvalidData for
    /// values that no run of the lane can have visited.
    virtual Result<void> computeAt(std::vector<double> axisValues) = 0;

    /// The lane's description: columns of path(), names of the sets.
    [[nodiscard]] virtual const LaneDescription& lane() const = 0;
    [[nodiscard]] virtual const std::vector<RecomputedPoint>& path() const = 0;
};

} // namespace lambdascope
