// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/numeric/double_double.h"

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

} // namespace lambdascope
