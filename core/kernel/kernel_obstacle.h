// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernel/kernel_function.h"

#include <string>

namespace lambdascope {

/// Why kernel values of samples with ‖x‖² up to `largestNorm` and so many features are worth nothing in double
/// precision, as words that follow the name of a field; empty when they are worth something. Either they overflow, or
/// their rounding is a share of themselves that one can see: distances of points far from the origin are what is left
/// when large numbers cancel, and a large γ multiplies what is wrong with them.
[[nodiscard]] std::string kernelObstacle(const KernelFunction& kernel, std::int64_t features, double largestNorm);

/// What to do about it.
inline constexpr const char* kKernelRemedy = "Scale the data (data.scale), or take a smaller γ or degree.";

} // namespace lambdascope
