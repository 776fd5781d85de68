// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace lambdascope::benchmarks {

/// The six approaches of [S, table IV], and with GAP, along the ε-path up to C = 10⁴ for the four kernels: CPU time
/// without kernel rows, which all share; rates and work. The last row is no approach but the limit of them all:
/// shrinking with an oracle that knows from the start what the solutions prove.
void printApproaches(const std::string& data);

} // namespace lambdascope::benchmarks
