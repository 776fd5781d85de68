// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/experiment.h"
#include "core/run/family.h"

#include <memory>
#include <optional>
#include <string>

namespace lambdascope::benchmarks {

/// A problem on a data set and the lanes that are measured on it.
struct MetricBlock {
    std::string title;
    Json experiment; ///< document; lanes are given as they stand in experiment files
    double factor = 1;
    bool hasNearDuplicates = false; ///< every tenth row once more, 1e-13 of its largest value away
    double decadesAbove = 0;        ///< the path starts so many decades above λ_max

    [[nodiscard]] std::string source() const { return experiment["data"]["source"].get<std::string>(); }
};

struct PreparedBlock {
    Experiment experiment;
    std::shared_ptr<const PreparedProblem> problem;

    /// The facts that all lanes share: triplets, λ_max, ….
    [[nodiscard]] Json facts() const;
};

/// Bundled data are always there; other data only if somebody put them beside the repository.
[[nodiscard]] bool hasData(const MetricBlock& block);

[[nodiscard]] Result<PreparedBlock> prepareBlock(const MetricBlock& block);

/// Prints the block's heading and, when its data are not there, that it is skipped; or why preparing it failed.
/// Nothing in both cases; `failures` counts the second one.
[[nodiscard]] std::optional<PreparedBlock> openBlock(const MetricBlock& block, int& failures);

} // namespace lambdascope::benchmarks
