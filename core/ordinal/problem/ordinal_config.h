// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ordinal/problem/loss_model.h"
#include "core/triplets/problem/path_config.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lambdascope::ordinal {

/// Where comparisons come from.
enum class ComparisonSource {
    File,      ///< answers in a file
    Distances, ///< the data are a matrix of distances
    Rows,      ///< distances between rows of the data
    Classes,   ///< rows of one class are closer than rows of two
};
enum class ComparisonLayout { Auto, Triplets, Quadruplets };
enum class IdBase { Auto, Zero, One };
enum class RepeatPolicy {
    Keep,     ///< every answer stands for itself
    Merge,    ///< equal answers become one with the sum of their weights
    Majority, ///< and contradicting ones cancel each other
};

/// The "problem" section.
struct ProblemConfig {
    ComparisonSource comparisons = ComparisonSource::Rows;
    std::string file;
    std::string names;
    ComparisonLayout layout = ComparisonLayout::Auto;
    IdBase base = IdBase::Auto;
    ComparisonLayout form = ComparisonLayout::Triplets; ///< of what is sampled
    RepeatPolicy repeats = RepeatPolicy::Keep;
    bool dropSelf = false; ///< leave out answers that compare an object with itself
    std::optional<std::int64_t> train;
    std::optional<std::int64_t> test;
    double noise = 0;
    std::int64_t dimensions = 2;
    ModelKind model = ModelKind::Ste;
    double mu = 0.05;
    std::optional<double> alpha; ///< nothing for p − 1, at least 1
    double margin = 1;
    double gamma = 0.05;          ///< width of the quadratic piece of a path over λ; 0 for the hinge itself
    std::int64_t top = 40;        ///< K of Precision@K and Recall@K
    std::optional<double> kernel; ///< γ of the out-of-sample map; nothing for 1/(features · mean variance)
    double ridge = 1e-3;
    bool operator==(const ProblemConfig&) const = default;

    /// The model for `dimensionCount` dimensions, or of another kind than the problem's.
    [[nodiscard]] ModelSpec modelFor(std::int64_t dimensionCount, std::optional<ModelKind> kind = {}) const;
};

enum class StartKind {
    Random, ///< N(0, spread² I)
    Convex, ///< the longest axes of the convex solution at one λ
};
enum class MethodKind { Batch, Sgd, Svrg, SvrgSbb0, SvrgSbb, Modular, Lbfgs, Convex };

/// The "solver" section.
struct SolverConfig {
    MethodKind method = MethodKind::SvrgSbb;
    double step = 0.01;            ///< η₀
    std::optional<double> epsilon; ///< of SBB_ε; nothing for 20/m
    std::int64_t batch = 10;
    double inner = 1; ///< m / |Q|
    double decay = 0.1;
    std::int64_t module = 5; ///< epochs of a module of [O, Alg 2]
    bool lazy = true;
    bool rollback = false;
    std::optional<std::int64_t> polish; ///< epoch after which L-BFGS goes on; nothing for never
    std::int64_t trials = 1;
    double spread = 0.1; ///< standard deviation of a random start
    StartKind start = StartKind::Random;
    double startLambda = 0.01; ///< λ of a convex start over λ_max
    // Of a path over λ, as in triplets::SolverConfig.
    double tolerance = 1e-6;
    triplets::ToleranceKind toleranceKind = triplets::ToleranceKind::Relative;
    std::int64_t maxIterations = 100000;
    std::optional<std::int64_t> rank = {}; ///< of the Gram matrix over λ; nothing: whole where n permits
    bool operator==(const SolverConfig&) const = default;
};

enum class PathKind {
    Epochs,
    Dimensions,
    Lambda, ///< the convex problem over Gram matrices, screened: GramProblem
};

/// The "path" section; the values of λ are those of triplets::PathConfig.
struct PathConfig : triplets::PathConfig {
    PathKind kind = PathKind::Epochs;
    std::int64_t epochs = 30;
    std::optional<double> stopError;
    std::int64_t maxDimensions = 6;
    std::int64_t folds = 5;
    bool operator==(const PathConfig&) const = default;
};

enum class LaneModel { Problem, Gnmds, Ckl, Ste, Tste, Soe };

/// Settings of a lane besides its name and solver; what screens a path over λ is that of triplets::LaneConfig.
struct LaneConfig : triplets::LaneConfig {
    LaneModel model = LaneModel::Problem;
    bool operator==(const LaneConfig&) const = default;

    /// Nothing for the problem's.
    [[nodiscard]] std::optional<ModelKind> kind() const;
};

struct Lane {
    std::string name;
    SolverConfig solver;
    LaneConfig settings;
};

/// An experiment as the family reads it.
struct OrdinalConfig {
    ProblemConfig problem;
    SolverConfig solver; ///< of lanes that say nothing else
    PathConfig path;
    std::vector<Lane> lanes;
};

} // namespace lambdascope::ordinal
