// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/benchmarks/svm_runs/table_totals.h"

#include <string>

namespace lambdascope::benchmarks {

/// Screening rates at C = 10 over C_ref/C for the four kernels [S, figure 4], and DT and GAP beside them. Every sample
/// that BT1 or BT2 decides must be decided by IT too.
void printRates(const std::string& data, TableTotals& totals);

} // namespace lambdascope::benchmarks
