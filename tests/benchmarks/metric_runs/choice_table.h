// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/benchmarks/metric_runs/metric_block.h"

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace lambdascope::benchmarks {

/// The lanes of a block on which methods are compared.
inline constexpr std::array kMethods = {"projected-gradient", "newton", "auto"};
/// So many λ in a row are compared, and by how much "auto" may exceed the better method there.
inline constexpr std::size_t kWindow = 10;
inline constexpr double kPromised = 1.1;

/// Data read by `data`, unscreened, with a lane per method.
[[nodiscard]] MetricBlock methodBlock(const std::string& title, const Json& data, const Json& k,
                                      const std::string& engine);
[[nodiscard]] Json scaledData(const std::string& source);

/// Paths on which method "auto" is compared with the two methods that it chooses from.
[[nodiscard]] std::vector<MetricBlock> choiceBlocks();

/// Runs projected gradient, Newton and "auto" along the path of a block, in turns, and prints the worst ratio of "auto"
/// to the better of the two over any ten λ in a row, in counted work and in CPU time (medians). True when "auto" keeps
/// to the promised ratio in counted work, or the data are not there.
[[nodiscard]] bool runChoice(const MetricBlock& block, int& failures);

} // namespace lambdascope::benchmarks
