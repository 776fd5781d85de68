// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/benchmarks/svm_runs/table_totals.h"

#include <string>

namespace lambdascope::benchmarks {

/// What screening by the schedule "auto" saves on top of shrinking, along the ε-path up to C = 10⁴: counted operations
/// and CPU time over those of shrinking alone, and beside them those of an oracle that knows from the start what the
/// solutions prove. A row where screening costs operations counts as a failed check. Large sets with the linear kernel
/// alone.
void printPays(const std::string& data, bool isQuick, TableTotals& totals);

} // namespace lambdascope::benchmarks
