// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/benchmarks/svm_runs/table_totals.h"

#include <string>

namespace lambdascope::benchmarks {

/// Optimal values of a linear SVM beside those of the library LIBLINEAR (solver 3, no bias), and α = C up to C_min.
/// They must agree to 1e-6.
void printObjectives(const std::string& data, TableTotals& totals);

} // namespace lambdascope::benchmarks
