// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/benchmarks/svm_runs/table_totals.h"

#include <string>

namespace lambdascope::benchmarks {

/// Decisions of all bounds, and of a lane that screens while it solves, against solutions of much smaller gap: the four
/// kernels, C over ten decades from C_min, references of gap 1e-3 and 1e-10 below and above each C; on the data as they
/// are, with duplicates and zero vectors, and with one class ten times as heavy.
void printAudit(const std::string& data, TableTotals& totals);

/// Screening rates at C = 10 over C_ref/C for the four kernels [S, figure 4], and DT and GAP beside them. Every sample
/// that BT1 or BT2 decides must be decided by IT too.
void printRates(const std::string& data, TableTotals& totals);

} // namespace lambdascope::benchmarks
