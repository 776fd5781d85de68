// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/matrix_values.h"
#include "core/inspect/capability.h"

#include <cstddef>
#include <string>

namespace lambdascope {

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
        std::string text; ///< what the part is made of, in lines; empty where its name says it
        /// Of a region that is a ball times a bracket of one more coordinate, the vertical one: the ball alone leaves
        /// all between the left and the right end of the outline.
        bool isBracketed = false;
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

/// A lens that shows the regions that bounds know the optimum to lie in, and how far along the path they hold.
class RegionSlicer {
  public:
    static constexpr const char* kMissing = "runs of this family keep no ranges, lifetimes or slices";

    virtual ~RegionSlicer() = default;

    virtual Result<RangeGrid> ranges(const RunLens::Progress& progress, std::stop_token stop) = 0;
    virtual Result<Lifetimes> lifetimes(std::int32_t point, std::size_t count, std::stop_token stop) = 0;
    virtual Result<BallSlice> slice(std::int32_t point, std::stop_token stop) = 0;
};

} // namespace lambdascope
