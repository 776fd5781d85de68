// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/numeric/double_double.h"
#include "core/numeric/feature_rows.h"
#include "core/numeric/kernel_function.h"

namespace lambdascope {

/// 113 bits, in software: what double-double results are compared with.
__extension__ typedef __float128 Quad;

[[nodiscard]] inline Quad quad(DoubleDouble x) {
    return static_cast<Quad>(x.high) + static_cast<Quad>(x.low);
}

[[nodiscard]] inline Quad absolute(Quad x) {
    return x < 0 ? -x : x;
}

/// eˣ for x ≤ 0: one over the series of e⁻ˣ, which has no cancellation, of a part of x.
[[nodiscard]] inline Quad quadExponential(Quad x) {
    Quad part = -x;
    int halvings = 0;
    for (; part > 16; part /= 2) {
        ++halvings;
    }
    Quad term = 1;
    Quad sum = 1;
    for (int n = 1; n < 160; ++n) {
        term *= part / n;
        sum += term;
    }
    Quad result = 1 / sum;
    for (; halvings > 0; --halvings) {
        result *= result;
    }
    return result;
}

[[nodiscard]] inline Quad quadKernel(const KernelFunction& kernel, const FeatureRows::Dense& x, Eigen::Index i,
                                     Eigen::Index j) {
    Quad product = 0;
    Quad square = 0;
    for (Eigen::Index f = 0; f < x.cols(); ++f) {
        const Quad a = x(i, f);
        const Quad b = x(j, f);
        product += a * b;
        square += (a - b) * (a - b);
    }
    const Quad bias = static_cast<Quad>(kernel.bias) * static_cast<Quad>(kernel.bias);
    if (kernel.kind == KernelKind::Rbf) {
        return quadExponential(-static_cast<Quad>(kernel.gamma) * square) + bias;
    }
    if (kernel.kind == KernelKind::Polynomial) {
        const Quad base = static_cast<Quad>(kernel.gamma) * product + static_cast<Quad>(kernel.offset);
        Quad power = 1;
        for (int k = 0; k < kernel.degree; ++k) {
            power *= base;
        }
        return power + bias;
    }
    return kernel.kind == KernelKind::Precomputed ? static_cast<Quad>(x(i, j)) + bias : product;
}

} // namespace lambdascope
