// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/data_config.h"
#include "core/kernel/kernel_function.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lambdascope::pu {

enum class LabelMeaning {
    Classes, ///< true classes, from which a PU problem is drawn
    Marked,  ///< the positive class marks labelled rows, all others are unlabeled
    Files,   ///< none: the rows of the data are labelled positives, those of another file unlabeled
};
enum class PriorKind {
    Unlabeled, ///< share of positives among the unlabeled, from the true classes
    Training,  ///< share of positives among all training rows, as in [P, section 6]
    Given,
    ElkanNoto,
    Energy,
};

/// The "problem" section.
struct ProblemConfig {
    LabelMeaning labels = LabelMeaning::Classes;
    std::string unlabeledFile;     ///< of LabelMeaning::Files
    Scaling scale = Scaling::None; ///< of both files together
    std::string positive = "auto"; ///< names of positive classes, separated by commas
    double labelledShare = 0.2;
    std::optional<std::int64_t> labelledCount; ///< instead of the share
    std::optional<std::int64_t> unlabeled;     ///< nothing for all
    PriorKind prior = PriorKind::Training;
    double priorValue = 0.5;
    std::int64_t bootstrap = 100;
    KernelKind kernel = KernelKind::Linear;
    double gamma = 1;
    GammaUnit gammaUnit = GammaUnit::Absolute;
    std::int64_t degree = 3;
    double offset = 1;
    std::int64_t kernelMemory = 2000; ///< MB
    bool operator==(const ProblemConfig&) const = default;
};

enum class MethodKind {
    Pairs,         ///< pair steps of second order; smoothed Newton for the linear kernel
    Usmo,          ///< as published
    InteriorPoint, ///< the whole quadratic program
    Ramp,          ///< ramp loss by the concave-convex procedure
    Biased,        ///< weighted SVM that takes the unlabeled for negative
};
enum class StartKind { Uniform, Ranked, OneClass, Nested };

enum class ToleranceKind {
    Gap,       ///< gap ≤ tolerance · max(1, |primal|)
    Violation, ///< violation of [P, (13)], in units of f, ≤ tolerance
};

/// The "solver" section.
struct SolverConfig {
    MethodKind method = MethodKind::Pairs;
    double tolerance = 1e-6;
    ToleranceKind toleranceKind = ToleranceKind::Gap;
    StartKind start = StartKind::Nested;
    std::int64_t maxIterations = 100000000;
    std::int64_t baselineMemory = 4000; ///< MB
    bool operator==(const SolverConfig&) const = default;
};

enum class PathKind { Lambda, Prior, Unlabeled };

/// The "path" section.
struct PathConfig {
    PathKind kind = PathKind::Lambda;
    double start = 0.1;
    double ratio = 0.31622776601683794;
    double stop = 1e-4;
    std::vector<double> values; ///< instead of the grid; of priors and counts always
    double lambda = 0.01;       ///< of the other kinds
    bool operator==(const PathConfig&) const = default;
};

enum class BoundKind { Gap };

/// When samples are screened again while a point is solved.
enum class ScheduleKind {
    Auto,  ///< where counted work says that it pays; what the last λ has proven rests at first
    Every, ///< whenever the violation has fallen to a share
};

/// Settings of a lane besides its name and solver.
struct LaneConfig {
    bool shrink = true;
    std::vector<BoundKind> bounds;
    ScheduleKind schedule = ScheduleKind::Auto;
    double every = 0.2; ///< screens again when the violation has fallen to this share
    bool operator==(const LaneConfig&) const = default;
};

struct Lane {
    std::string name;
    SolverConfig solver;
    LaneConfig settings;
};

/// An experiment as the family reads it.
struct PuConfig {
    ProblemConfig problem;
    SolverConfig solver; ///< of lanes that say nothing else
    PathConfig path;
    std::vector<Lane> lanes;
};

/// Priors this near to 0 or 1 leave Σσ (m = 2πn in the units of PuProblem) no room to its bounds 0 and 2n that rounding
/// could not use up.
inline constexpr double kLeastPrior = 1e-9;
[[nodiscard]] constexpr bool isUsablePrior(double prior) {
    return prior >= kLeastPrior && prior <= 1 - kLeastPrior;
}

/// The values the path visits: λ falling, priors or counts rising.
[[nodiscard]] std::vector<double> pathValues(const PathConfig& path);

} // namespace lambdascope::pu
