// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/benchmarks/svm_runs/table_totals.h"

#include <string>

namespace lambdascope::benchmarks {

/// Optimal values of a linear SVM beside those of the library LIBLINEAR (solver 3, no bias), and α = C up to C_min.
/// They must agree to 1e-6.
void printObjectives(const std::string& data, TableTotals& totals);

/// The six approaches of [S, table IV], and with GAP, along the ε-path up to C = 10⁴ for the four kernels: CPU time
/// without kernel rows, which all share; rates and work. The last row is no approach but the limit of them all:
/// shrinking with an oracle that knows from the start what the solutions prove.
void printApproaches(const std::string& data);

/// What screening by the schedule "auto" saves on top of shrinking: counted operations and CPU time over those of
/// shrinking alone, and beside them those of an oracle that knows from the start what the solutions prove. Without a
/// bias along the ε-path up to C = 10⁴, with a free one along 21 values of C from 0.01 to 100. A row where screening
/// costs operations counts as a failed check. With a free bias a second limit stands beside the oracle's: a lane that
/// is told how far it is from the optimum, and the bias, and decides at no cost what the smallest ball round its
/// iterate decides that holds the optimum, beside what IT decides on arrival. No ball round those iterates can decide
/// more. Large sets with the linear kernel alone.
void printPays(const std::string& data, bool hasFreeBias, bool isQuick, TableTotals& totals);

} // namespace lambdascope::benchmarks
