// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernel/kernel_function.h"
#include "core/numeric/feature_rows.h"
#include "tests/support/quad_precision.h"

#include <cmath>
#include <type_traits>

namespace lambdascope {

/// K(xᵢ, xⱼ) + b² straight from its definition, in double, long double or Quad.
template <class Number>
[[nodiscard]] Number kernelByDefinition(const KernelFunction& kernel, const FeatureRows::Dense& x, Eigen::Index i,
                                        Eigen::Index j) {
    Number product = 0;
    Number square = 0;
    for (Eigen::Index f = 0; f < x.cols(); ++f) {
        const Number a = x(i, f);
        const Number b = x(j, f);
        product += a * b;
        square += (a - b) * (a - b);
    }
    const Number bias = static_cast<Number>(kernel.bias) * static_cast<Number>(kernel.bias);
    switch (kernel.kind) {
    case KernelKind::Linear: break;
    case KernelKind::Rbf: {
        const Number exponent = -static_cast<Number>(kernel.gamma) * square;
        if constexpr (std::is_same_v<Number, Quad>) {
            return quadExponential(exponent) + bias;
        } else {
            return std::exp(exponent) + bias;
        }
    }
    case KernelKind::Polynomial: {
        const Number base = static_cast<Number>(kernel.gamma) * product + static_cast<Number>(kernel.offset);
        Number power = 1;
        for (int k = 0; k < kernel.degree; ++k) {
            power *= base;
        }
        return power + bias;
    }
    case KernelKind::Precomputed: return static_cast<Number>(x(i, j)) + bias;
    }
    return product + bias;
}

} // namespace lambdascope
