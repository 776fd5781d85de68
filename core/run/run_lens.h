// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/run/decision_plane.h"
#include "core/run/point_relations.h"
#include "core/run/run_event.h"
#include "core/run/value_bounds.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace lambdascope {

struct AuditReport;

/// A number with the name it has in the paper: {"‖H‖", "norm of the triplet's matrix", 3.2}.
struct NamedValue {
    std::string symbol;
    std::string meaning;
    double value = 0;
};

/// What one bound with one rule says about one item: `left` < or > `threshold`, with the numbers it is made of.
struct BoundDecision {
    std::string bound;             ///< "PGB"
    std::string rule;              ///< "sphere"
    std::string set;               ///< "R", "L"; empty when it does not decide the item
    std::string inequality;        ///< for people: "⟨H,Q⟩ − r‖H‖ > 1"
    double left = 0;               ///< left side of the inequality, or of the closer one when none holds
    double threshold = 0;          ///< its right side
    double room = 0;               ///< how far the inequality holds (> 0) or fails (< 0), error bounds taken off
    std::vector<NamedValue> terms; ///< from which `left` can be recomputed
};

/// A solution further up the path that decides an item for a whole interval of the path parameter, so that nothing has
/// to look at the item in there.
struct FixingReference {
    double axisValue = 0;   ///< λ₀, where it is the solution
    std::int32_t point = 0; ///< path point it is the solution of; −1 for a start of the path that is none
    double low = 0;         ///< ends of the interval, which holds λ₀; `high` may be infinite
    double high = 0;
    BoundDecision decision; ///< what it says at the point that is explained
};

/// Why an item was, or was not, taken out of the problem at one path point.
struct ItemExplanation {
    std::int64_t item = 0;
    std::string title;                        ///< "triplet (4, 9, 71)"
    std::vector<NamedValue> facts;            ///< of the item alone: distances, norm, margin at the solution
    std::string set;                          ///< where it was fixed; empty when it stayed in the problem
    std::string trueSet;                      ///< where it lies at the solution: "R", "C", "L"
    std::optional<FixingReference> reference; ///< what fixed it before the first screening here
    std::int32_t check = -1;                  ///< screening that fixed it, counted from 0; −1 when none did
    std::int64_t iteration = 0;               ///< of that screening (0: the path screening); else of the last one
    bool isAfterwards = false;       ///< that judgement was made with the finished solution, too late to save anything
    std::int32_t checks = 0;         ///< judgements at this point, late ones too; 0: the lane screens nothing
    std::vector<BoundDecision> used; ///< what the lane's own bounds said then
    std::vector<BoundDecision> rivals; ///< what all other bounds would have said at the same reference
};

/// An item that is worth a look at a point.
struct NotableItem {
    std::int64_t item = 0;
    std::string title;
    std::string set;  ///< where it was fixed; empty when it stayed in the problem
    double slack = 0; ///< distance of its value at the solution from the edge of its set; negative beyond it
};

/// A path point as it came out when the lane was computed again; see PointFinished.
struct RecomputedPoint {
    double axisValue = 0;
    Termination termination = Termination::Converged;
    std::vector<double> values;
    ValueBounds bounds; ///< what this solution proves of the optimal value
    /// Where the lane's own schedule has the point, when it was computed elsewhere (see RunLens::computeAt).
    std::optional<double> scheduled = std::nullopt;
};

/// Rates over reference × target values of the path parameter: how much of the items a reference decides elsewhere.
struct RangeGrid {
    std::vector<double> references;
    std::vector<double> targets;
    MatrixValues rates;       ///< references × targets, in [0, 1]
    std::string axisLabel;    ///< of both, where it is not the path parameter but what that is a share of; else empty
    std::int64_t items = 0;   ///< of the problem
    std::int64_t sampled = 0; ///< items looked at, all of them or a sample drawn with a fixed seed
};

/// Balls round the optimum, cut by a plane through it: for each screening at a point, those of all bounds at that
/// reference.
struct BallSlice {
    struct Ball {
        std::string name;
        bool isUsed = false; ///< one of the lane's own
        double x = 0;        ///< centre projected on the plane
        double y = 0;
        double radius = 0;     ///< of the cut; 0 when the plane misses the ball
        double fullRadius = 0; ///< of the ball
        std::int32_t check = 0;
        std::int64_t iteration = 0;
    };
    /// Where an outline turns or one arc follows another.
    struct Corner {
        double x = 0;
        double y = 0;
        /// Of the line to the next corner: tan of a quarter of the angle of an arc, counter-clockwise; 0 when straight.
        /// Unlike centre and radius, it keeps its accuracy however large the circle is.
        double bulge = 0;
    };
    /// What a bound knows that is no ball, such as what balls have in common, cut by the same plane.
    struct Part {
        std::string name;
        bool isUsed = false;
        std::vector<Corner> outline; ///< convex, counter-clockwise; the last one leads to the first; empty when the
                                     ///< plane misses it
        std::int32_t check = 0;
        std::int64_t iteration = 0;
    };
    std::vector<Ball> balls;
    std::vector<Part> parts;
    double optimumX = 0;
    double optimumY = 0;
    std::string xLabel;
    std::string yLabel;
};

/// For every item the interval of the path parameter over which its removal is guaranteed by one reference.
struct Lifetimes {
    struct Interval {
        std::int64_t item = 0;
        double low = 0;
        double high = 0;        ///< may be infinite
        bool isHighSet = false; ///< fixed at the high side (L), else at the low side (R)
    };
    std::vector<Interval> intervals; ///< evenly drawn from all that were found, longest first
    std::int64_t total = 0;          ///< intervals found
    std::int64_t items = 0;          ///< of the problem
    std::int64_t sampled = 0;        ///< items looked at, all of them or a sample drawn with a fixed seed
    double reference = 0;
    std::string axisLabel; ///< as in RangeGrid
};

/// Longest first, and no more than `count` of them, evenly drawn (0: all). Sets `total`.
void arrange(Lifetimes& lifetimes, std::size_t count);

/// Looks into one lane of an experiment: computes it again (same seed, same bits) and answers the questions that need
/// its items. Not thread-safe; every long function takes a stop token and may report its share done. A question that a
/// family does not override is answered by BadUsage.
class RunLens {
  public:
    using Progress = std::function<void(double share)>;

    virtual ~RunLens() = default;

    /// Computes the lane again and keeps what the questions need, at most the first `mostPoints` points (0: the whole
    /// path; a run that was interrupted has fewer). The others may be called when it succeeded.
    virtual Result<void> open(std::int32_t mostPoints, const Progress& progress, std::stop_token stop) = 0;
    /// From now on the lane is computed at these values of the path parameter, all of them, in place of its own
    /// schedule and stop rule: those that a run has stored, which may be another build's. Errors: InvalidData for
    /// values that no run of the lane can have visited.
    virtual Result<void> computeAt(std::vector<double> axisValues) = 0;

    /// The lane's description: columns of path(), names of the sets.
    [[nodiscard]] virtual const LaneDescription& lane() const = 0;
    /// Why the lane's decisions are not guaranteed; empty when they are.
    [[nodiscard]] virtual std::string unsafeReason() const { return {}; }
    [[nodiscard]] virtual const std::vector<RecomputedPoint>& path() const = 0;
    [[nodiscard]] virtual std::int64_t items() const { return 0; }
    /// The items that are worth a look at a point: fixed ones and kept ones, nearest to the edge first.
    virtual Result<std::vector<NotableItem>> notableItems(std::int32_t point, std::size_t count, std::stop_token stop);
    /// The same among the items that begin at a sample, a point of the lane's embeddings. Errors: BadUsage for none.
    virtual Result<std::vector<NotableItem>> itemsOfSample(std::int64_t sample, std::int32_t point, std::size_t count,
                                                           std::stop_token stop);
    /// Reads "4, 9, 71" as people write an item; an error says what is expected.
    [[nodiscard]] virtual Result<std::int64_t> findItem(const std::string& text) const;

    virtual Result<ItemExplanation> explain(std::int64_t item, std::int32_t point, std::stop_token stop);
    /// Compares all decisions of the path with accurate solutions. Opens the lane by the way when it is not open.
    virtual Result<AuditReport> audit(std::int32_t mostPoints, const Progress& progress, std::stop_token stop);
    virtual Result<RangeGrid> ranges(const Progress& progress, std::stop_token stop);
    virtual Result<Lifetimes> lifetimes(std::int32_t point, std::size_t count, std::stop_token stop);
    virtual Result<BallSlice> slice(std::int32_t point, std::stop_token stop);
    /// What is said about point `sample` of the embedding at a path point, at most `count` of it, half of them violated
    /// ones if there are so many. Errors: BadUsage when there is no such sample or point.
    virtual Result<PointRelations> relations(std::int64_t sample, std::int32_t point, std::size_t count,
                                             std::stop_token stop);
    /// The same in a solution that a run has kept, whichever point it is of: the lane need not be open. Errors:
    /// BadUsage also for a solution of another problem.
    virtual Result<PointRelations> relationsIn(const Solution& solution, std::int64_t sample, std::size_t count,
                                               std::stop_token stop);

    /// Why there are no ranges, lifetimes and slices, for families that do not override them.
    [[nodiscard]] virtual std::string regionsObstacle() const {
        return "runs of this family keep no ranges, lifetimes or slices";
    }
    /// Why there is no decision plane, in words; empty when there is one.
    [[nodiscard]] virtual std::string planeObstacle() const { return "runs of this family have no decision plane"; }
    /// What the solution at a point makes of the plane of two features. Errors: BadUsage without one, and for axes that
    /// are not two different features.
    virtual Result<DecisionPlane> plane(std::int32_t point, const PlaneAxes& axes, std::stop_token stop);
    /// The solution at a point as a file that other programs read. Errors: BadUsage when the family has no such format.
    virtual Result<std::string> exportModel(std::int32_t point, std::stop_token stop);
};

} // namespace lambdascope
