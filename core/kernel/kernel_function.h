// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace lambdascope {

enum class KernelKind {
    Linear,      ///< xᵀx'
    Rbf,         ///< exp(−γ‖x − x'‖²)
    Polynomial,  ///< (γ xᵀx' + c)^p
    Precomputed, ///< the features of a row are its kernel values with all rows
};

/// A Mercer kernel K(x, x') + b², where b is the value of a constant feature that stands for a bias (0 for none).
struct KernelFunction {
    KernelKind kind = KernelKind::Linear;
    double gamma = 1;  ///< > 0; of Rbf and Polynomial
    int degree = 3;    ///< ≥ 1; of Polynomial
    double offset = 0; ///< c ≥ 0; of Polynomial
    double bias = 0;   ///< b ≥ 0
    double ridge = 0;  ///< ρ ≥ 0; of Precomputed: its diagonal counts as (1 + ρ) K(x, x)
};

/// What γ of a kernel is counted in.
enum class GammaUnit {
    PerFeature, ///< γ / number of features
    Absolute,
};

/// The kernel that the fields of a configuration describe, for data of so many features. `Config` has what
/// addKernelFields() of kernel_fields.h says.
template <class Config>
[[nodiscard]] KernelFunction kernelOf(const Config& config, std::int64_t features) {
    KernelFunction function;
    function.kind = config.kernel;
    function.gamma =
        config.gammaUnit == GammaUnit::PerFeature ? config.gamma / static_cast<double>(features) : config.gamma;
    function.degree = static_cast<int>(config.degree);
    function.offset = config.offset;
    return function;
}

/// (γ xᵀx' + c)^p, by repeated multiplication.
[[nodiscard]] inline double polynomialKernel(const KernelFunction& kernel, double product) {
    const double base = kernel.gamma * product + kernel.offset;
    double result = base;
    for (int i = 1; i < kernel.degree; ++i) {
        result *= base;
    }
    return result;
}

/// K(x, x) from ‖x‖².
[[nodiscard]] double kernelDiagonal(const KernelFunction& kernel, double squaredNorm);

/// Bound e on the rounding of applyKernel for inner products of `features` terms: |computed − exact| ≤ e (K(x,x)
/// K(x',x'))^½ for all x, x' with ‖x‖² ≤ `largestNorm`. (For Mercer kernels |K(x,x')| is at most that root.)
[[nodiscard]] double kernelError(const KernelFunction& kernel, std::int64_t features, double largestNorm);

} // namespace lambdascope
