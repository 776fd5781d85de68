// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/json.h"

#include <string>
#include <vector>

namespace lambdascope::benchmarks {

/// One table: a problem on a data set and the lanes that screen it.
struct TableBlock {
    std::string title;
    Json experiment; ///< document; lanes are given as they stand in experiment files
    double factor = 1;
    bool hasNearDuplicates = false; ///< every tenth row once more, 1e-13 of its largest value away
    double decadesAbove = 0;        ///< the path starts so many decades above λ_max
    bool showsChecks = false;       ///< compare PGB and RRPB check by check
};

enum class TableSize { Quick, Whole };

/// All tables of a size, adversarial ones too.
[[nodiscard]] std::vector<TableBlock> tableBlocks(TableSize size);

} // namespace lambdascope::benchmarks
