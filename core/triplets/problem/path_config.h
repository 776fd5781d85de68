// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triplets/problem/kinds.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lambdascope::triplets {

enum class MethodKind {
    ProjectedGradient, ///< as published, with the step of Barzilai and Borwein
    Newton,            ///< semismooth Newton on a working set
    Automatic,         ///< either of them, by counted work
};

enum class ToleranceKind {
    Relative, ///< gap ≤ tolerance · max(1, |primal|)
    Absolute, ///< gap ≤ tolerance
};

/// How each problem of a path is solved; the "solver" section of `metric`.
struct SolverConfig {
    EngineKind engine = EngineKind::Pairs;
    MethodKind method = MethodKind::Automatic;
    double tolerance = 1e-6;
    ToleranceKind toleranceKind = ToleranceKind::Relative;
    std::int64_t maxIterations = 100000; ///< per path point
    std::int64_t memoryBudget = 2000;    ///< MB that lists and decisions of engine "sorted" may take
    bool activeSet = false;              ///< of [T, §7.3]: for ten iterations sums over triplets with a loss alone
    bool operator==(const SolverConfig&) const = default;
};

enum class PathKind {
    Grid,          ///< each λ the same factor times the one before
    Approximation, ///< each λ as small as the solution before stays good enough
};

/// The values of λ; the "path" section of `metric`.
struct PathConfig {
    PathKind kind = PathKind::Grid;
    std::optional<double> start; ///< first λ; nothing for λ_max
    double ratio = 0.9;          ///< λ_t = ratio · λ_{t−1}, of a grid
    double epsilon = 1e-2;       ///< share of the optimum that an approximation may lose between two λ
    double stop = 0.01;          ///< of the published stop rule; 0 for never
    double minLambda = 0;        ///< no λ below this one
    std::int64_t maxPoints = 300;
    bool operator==(const PathConfig&) const = default;
};

/// When items are screened while a path is solved.
enum class ScheduleKind {
    Auto,  ///< on arrival and later, where counted work says that it pays
    Every, ///< on arrival, and every so many iterations
};

/// Settings of a lane besides its name and solver. No bounds: the naive baseline.
struct LaneConfig {
    std::vector<BoundKind> bounds;
    RuleKind rule = RuleKind::Sphere;
    ScheduleKind schedule = ScheduleKind::Auto;
    std::int64_t every = 10; ///< iterations between two dynamic screenings, of ScheduleKind::Every
    bool range = false;      ///< of ScheduleKind::Every: fix triplets by the λ intervals of earlier references too
    std::string oracle = {}; ///< the lane whose sets this one knows; empty for one that has to find them
    bool operator==(const LaneConfig&) const = default;

    /// Not with ScheduleKind::Auto, where decisions are kept for several λ that cost less to make (Capsule).
    [[nodiscard]] bool keepsRanges() const { return range && schedule == ScheduleKind::Every; }
    /// The bound whose λ intervals are kept: MGB where the lane has it, else RRPB; nothing where it has neither.
    [[nodiscard]] std::optional<BoundKind> rangeBound() const {
        for (const BoundKind kind : {BoundKind::MidpointGap, BoundKind::RelaxedPath}) {
            if (std::find(bounds.begin(), bounds.end(), kind) != bounds.end()) {
                return kind;
            }
        }
        return std::nullopt;
    }
};

/// What a solution proves of the triplets at its own λ, by the smallest balls round it: the bounds of an oracle lane.
inline const std::vector<BoundKind> kOracleBounds = {BoundKind::MidpointGap, BoundKind::ProjectedGradient};

struct Lane {
    std::string name;
    SolverConfig solver;
    LaneConfig settings;
};

} // namespace lambdascope::triplets
