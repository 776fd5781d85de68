// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/numeric/kernel_function.h"

#include "core/numeric/error_bound.h"

namespace lambdascope {

namespace {

/// Eigen's vectorized exponential is good to two units in the last place; some room is left for its argument.
constexpr double kExpError = 8 * kUnitRoundoff;

double power(double base, int exponent) {
    double result = base;
    for (int i = 1; i < exponent; ++i) {
        result *= base;
    }
    return result;
}

} // namespace

void applyKernel(const KernelFunction& kernel, const Eigen::Ref<const Eigen::VectorXd>& rowNorms,
                 const Eigen::Ref<const Eigen::RowVectorXd>& columnNorms,
                 Eigen::Ref<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> products) {
    for (Eigen::Index i = 0; i < products.rows(); ++i) {
        auto row = products.row(i).array();
        if (kernel.kind == KernelKind::Rbf) {
            row = (-kernel.gamma * (columnNorms.array() + rowNorms(i) - 2 * row).max(0.0)).exp();
        } else if (kernel.kind == KernelKind::Polynomial) {
            row = row.unaryExpr(
                [&](double product) { return power(kernel.gamma * product + kernel.offset, kernel.degree); });
        }
        if (kernel.bias != 0) {
            row += kernel.bias * kernel.bias;
        }
    }
}

double kernelDiagonal(const KernelFunction& kernel, double squaredNorm) {
    const double bias = kernel.bias * kernel.bias;
    switch (kernel.kind) {
    case KernelKind::Rbf: return 1 + bias;
    case KernelKind::Polynomial: return power(kernel.gamma * squaredNorm + kernel.offset, kernel.degree) + bias;
    default: return squaredNorm + bias;
    }
}

double kernelError(const KernelFunction& kernel, Eigen::Index features, double largestNorm) {
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
