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

/// What samples are used for, with a free bias.
enum class BiasTask { Classification, Regression, Novelty };

/// Decisions with a free bias, by rule, against solutions of much smaller gap: BT1, BT2, IT and GAP from every
/// reference of gap 1e-2, 1e-4 and 1e-8 at the points near it (one class: BT1 proves nothing there, see allowsBalance),
/// and every check of lanes that screen while they solve. RBF kernels of three widths and the linear one, C over six
/// decades; the data as they are, with duplicates and zero vectors, and with one class ten times as heavy.
void printFreeBiasAudit(BiasTask task, const std::string& data, TableTotals& totals);

/// The same on the small problems of the tests, on purpose awkward: `seeds` of each shape and kernel.
void printAwkwardAudit(int seeds, TableTotals& totals);

} // namespace lambdascope::benchmarks
