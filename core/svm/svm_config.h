// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/experiment.h"
#include "core/config/field_table.h"
#include "core/numeric/kernel_fields.h"
#include "core/svm/bounds.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lambdascope::svm {

/// The "problem" section.
struct ProblemConfig {
    std::string positive = "auto"; ///< name of the class with y = +1
    KernelKind kernel = KernelKind::Linear;
    double gamma = 1;
    GammaUnit gammaUnit = GammaUnit::PerFeature;
    std::int64_t degree = 3;
    double offset = 1;
    double bias = 0;
    double positiveWeight = 1;
    double negativeWeight = 1;
    std::int64_t kernelMemory = 2000; ///< MB
    std::int64_t folds = 0;           ///< of cross-validation along the path; 0 for none
    std::string weights;              ///< file with one factor of C per row; empty for none
    bool operator==(const ProblemConfig&) const = default;

    [[nodiscard]] KernelFunction kernelFor(Eigen::Index features) const;
};
const FieldTable<ProblemConfig>& problemFields();

enum class MethodKind {
    Descent,   ///< dual coordinate descent with steps on the face
    Liblinear, ///< the library, every C from nothing
};

/// The "solver" section.
struct SolverConfig {
    MethodKind method = MethodKind::Descent;
    double tolerance = 1e-6; ///< gap ≤ tolerance · primal
    std::int64_t maxIterations = 100000;
    bool operator==(const SolverConfig&) const = default;
};
const FieldTable<SolverConfig>& solverFields();

enum class PathKind {
    Grid,          ///< start · ratio^t
    Approximation, ///< the ε-path of [S, appendix D]
    List,          ///< given values
    Reference,     ///< one C, from references at given shares of it [S, figure 4]
};
enum class CUnit { Absolute, CMin };

/// The "path" section.
struct PathConfig {
    PathKind kind = PathKind::Grid;
    std::optional<double> start; ///< first C; nothing for C_min
    double ratio = 1.5;
    double maxC = 1e4;
    double epsilon = 1e-3;
    std::vector<double> values;
    CUnit unit = CUnit::Absolute;
    double c = 10; ///< of Reference
    std::int64_t maxPoints = 1000;
    bool operator==(const PathConfig&) const = default;
};
const FieldTable<PathConfig>& pathFields();

/// Settings of a lane besides its name and solver. No bounds and no shrinking: the naive baseline.
struct LaneConfig {
    bool shrink = true;
    std::vector<BoundKind> bounds;
    std::int64_t every = 10;
    double beyond = 1.3; ///< of DT
    bool operator==(const LaneConfig&) const = default;
};
const FieldTable<LaneConfig>& laneFields();

/// The family's schema: the four tables, default lanes and rules between fields.
[[nodiscard]] FamilySchema schema();

} // namespace lambdascope::svm
