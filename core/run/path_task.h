// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/run/run_context.h"
#include "core/run/value_bounds.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

namespace lambdascope {

class StateArchive;

/// What a family carries from one path point to the next; opaque to the runner.
struct WarmStart {
    virtual ~WarmStart() = default;
    /// Memory it takes, roughly, for those who keep many.
    [[nodiscard]] virtual double bytes() const { return 0; }
};

/// Writes a warm start of type `Own`, or none, to an archive, or takes over what was written.
template <class Own>
void transferWarmStart(auto& archive, std::shared_ptr<const WarmStart>& warmStart) {
    auto own = std::dynamic_pointer_cast<const Own>(warmStart);
    archive(own);
    warmStart = std::move(own);
}

/// Share of the items that could be fixed at a point which are. Rounding may let set counts leave items open that were
/// fixed all the same; a share is at most 1 even so.
[[nodiscard]] inline double screeningRate(std::int64_t fixed, std::int64_t decidable) {
    return decidable > 0 ? std::min(1.0, static_cast<double>(fixed) / static_cast<double>(decidable)) : 0.0;
}

struct PathPoint {
    std::int32_t index = 0;
    double value = 0; ///< of the path parameter
};

/// Outcome of one path point.
struct PointReport {
    Termination termination = Termination::Converged;
    std::vector<double> values;      ///< aligned with the columns of RunStarted
    std::int64_t decidableItems = 0; ///< see PointFinished
    double cpuSolve = 0;
    double cpuScreen = 0;
    std::shared_ptr<const WarmStart> warmStart; ///< for the next point
    ValueBounds bounds;                         ///< of the optimal value; empty where the solution proves none
};

/// A number of a finished point that only the evaluation knows.
struct MeasuredValue {
    std::size_t column = 0; ///< of PointReport::values
    double value = 0;
};

/// Pictures, matrices and measures of a finished point, made outside the CPU accounts, and only when wished for.
struct PointEvaluation {
    std::vector<MeasuredValue> measures; ///< take the places of what PointReport::values holds there
    std::shared_ptr<const Embedding> embedding;
    std::shared_ptr<const Solution> solution;
    std::shared_ptr<const RangeRow> ranges;
};

/// One lane of a problem, as the runner sees it. One virtual call per path point; the loops inside are the family's.
class PathTask {
  public:
    virtual ~PathTask() = default;

    [[nodiscard]] virtual LaneDescription describe() const = 0;

    /// All values the path may visit, in order. A stop rule may end it earlier.
    [[nodiscard]] virtual std::vector<double> schedule() const = 0;

    /// Why schedule() is empty, with a remedy; asked for only when it is.
    [[nodiscard]] virtual Error emptyPathError() const {
        return plainError(ErrorCode::InvalidData, "the path of this lane has no point");
    }

    /// Solves one point. Publishes Iterated and Screened through `context`, asks context.shouldStop(). On a stop it
    /// returns a report with StoppedByUser or TimeLimit; the runner then does not count the point as finished.
    virtual Result<PointReport> solvePoint(const PathPoint& point, const std::shared_ptr<const WarmStart>& warmStart,
                                           RunContext& context) = 0;

    /// Embedding, solution and ranges of the point just solved, as context.wishes() asks.
    virtual PointEvaluation evaluate(const PathPoint& point, const PointReport& report, RunContext& context) = 0;

    /// Writes to `archive` all that points to come depend on besides what the task was made from: the warm start of the
    /// next one, and what the task itself keeps from point to point; or takes over what was written by a task that was
    /// made from the same. Points then come out the same to the last bit.
    virtual void transfer(StateArchive& archive, std::shared_ptr<const WarmStart>& warmStart, RunContext& context) = 0;

    /// The stop rule of the path: true when `last` is the last point worth solving.
    [[nodiscard]] virtual bool endsPath(const std::vector<PointReport>& finished) const = 0;

    /// A guess at the number of points of the whole path, from what is finished; 0 when unknown.
    [[nodiscard]] virtual std::int32_t estimatedPointCount(const std::vector<PointReport>& finished) const = 0;
};

} // namespace lambdascope
