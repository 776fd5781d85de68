// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/benchmarks/metric_runs/metric_block.h"

#include <vector>

namespace lambdascope::benchmarks {

/// The limit of all sphere rules on a path: counted work of a lane that is told at each λ how far it is from the
/// optimum, and decides at no cost what follows by the smallest balls round its iterates, and round the centres of MGB
/// and PGB there or not; the least of several that look after each iteration or after every third. It bounds what can
/// be decided at those iterates, not the work of every schedule. Solver settings are those of `lane`.
[[nodiscard]] double workOfBalls(const PreparedBlock& prepared, std::size_t lane, const std::vector<double>& lambdas);

} // namespace lambdascope::benchmarks
