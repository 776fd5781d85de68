// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/record/run_record.h"

#include <string>
#include <vector>

namespace lambdascope::cli {

/// One row per lane: points, CPU seconds, ratio to the baseline, screening rates, how it ended.
[[nodiscard]] std::string summaryTable(const std::vector<RunRecord>& lanes);

/// Published numbers beside ours, one row each; empty when the experiment has none.
[[nodiscard]] std::string publishedTable(const std::vector<RunRecord>& lanes);

} // namespace lambdascope::cli
