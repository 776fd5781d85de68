// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triplets/problem/path_config.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lambdascope::metric {

using namespace triplets; // what the family shares with other problems of triplets

enum class LossKind { SmoothedHinge, Hinge };
enum class ConstraintSource { Neighbours, File };

/// The "problem" section.
struct ProblemConfig {
    std::optional<std::int64_t> k = 10; ///< neighbours of each kind per anchor; nothing for all
    LossKind loss = LossKind::SmoothedHinge;
    double gamma = 0.05; ///< in (0, 1)
    Structure structure = Structure::Full;
    std::int64_t knn = 10; ///< neighbours that vote in the test on held-out rows
    ConstraintSource constraints = ConstraintSource::Neighbours;
    std::string file;      ///< of comparisons (comparison_file.h); a path
    double linearTerm = 0; ///< factor of the linear term over target pairs
    bool operator==(const ProblemConfig&) const = default;

    /// γ of the loss: 0 for the hinge.
    [[nodiscard]] double lossGamma() const { return loss == LossKind::Hinge ? 0 : gamma; }
};

/// An experiment as the family reads it.
struct MetricConfig {
    ProblemConfig problem;
    SolverConfig solver; ///< of lanes that say nothing else
    PathConfig path;
    std::vector<Lane> lanes;
};

} // namespace lambdascope::metric
