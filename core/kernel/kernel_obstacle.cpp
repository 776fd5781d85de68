// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernel/kernel_obstacle.h"

#include "core/common/number_text.h"

#include <cmath>

namespace lambdascope {

namespace {

/// K(x, x) up to which sums of squares of sums of kernel values are far from overflow.
constexpr double kMostValue = 1e140;
/// Share of a kernel value that rounding may be.
constexpr double kMostError = 1e-4;

} // namespace

std::string kernelObstacle(const KernelFunction& kernel, std::int64_t features, double largestNorm) {
    if (!(largestNorm <= kMostValue) || !(kernelDiagonal(kernel, largestNorm) <= kMostValue)) {
        return "has values too large for floating point on these data";
    }
    const double error = kernelError(kernel, features, largestNorm);
    if (!(error <= kMostError)) {
        return "has values that rounding changes by a share of up to " + shortText(error, 2) + ": samples lie up to " +
               shortText(std::sqrt(largestNorm), 3) + " from the origin, too far for γ = " + shortText(kernel.gamma, 3);
    }
    return {};
}

} // namespace lambdascope
