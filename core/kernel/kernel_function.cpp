// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernel/kernel_function.h"

#include "core/numeric/error_bound.h"

#include <cmath>

namespace lambdascope {

namespace {

/// Eigen's vectorized exponential is good to two units in the last place; some room is left for its argument.
constexpr double kExpError = 8 * kUnitRoundoff;

} // namespace

double kernelDiagonal(const KernelFunction& kernel, double squaredNorm) {
    const double bias = kernel.bias * kernel.bias;
    switch (kernel.kind) {
    case KernelKind::Rbf: return 1 + bias;
    case KernelKind::Polynomial: return polynomialKernel(kernel, squaredNorm) + bias;
    default: return squaredNorm + bias;
    }
}

double kernelError(const KernelFunction& kernel, std::int64_t features, double largestNorm) {
    const auto terms = static_cast<double>(features);
    const double rest = 4 * kUnitRoundoff; // the bias
    switch (kernel.kind) {
    case KernelKind::Precomputed: return kernel.bias != 0 ? rest : 0;
    case KernelKind::Linear: return roundingFactor(terms) + rest;
    case KernelKind::Rbf: {
        // ‖x‖² + ‖x'‖² − 2xᵀx' is wrong by at most γ_{d+4} (‖x‖ + ‖x'‖)².
        const double distance = roundingFactor(terms + 4) * 4 * largestNorm;
        return std::expm1(kernel.gamma * distance) + kExpError + rest;
    }
    case KernelKind::Polynomial: return std::expm1(kernel.degree * roundingFactor(terms + 4)) * 2 + rest;
    }
    return 0;
}

} // namespace lambdascope
