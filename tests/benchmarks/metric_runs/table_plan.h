// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/benchmarks/metric_runs/metric_block.h"

#include <vector>

namespace lambdascope::benchmarks {

/// One table: the lanes of a block and what else is told about them.
struct TableBlock : MetricBlock {
    bool showsChecks = false; ///< compare PGB and RRPB check by check
};

enum class TableSize { Quick, Whole };

/// All tables of a size, adversarial ones too.
[[nodiscard]] std::vector<TableBlock> tableBlocks(TableSize size);

/// A lane as it stands in an experiment file, named after its bounds and rule.
[[nodiscard]] Json screeningLane(const std::vector<std::string>& bounds, const std::string& rule, bool range = false);
[[nodiscard]] Json naiveLane();

} // namespace lambdascope::benchmarks
