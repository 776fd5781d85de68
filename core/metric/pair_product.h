// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/metric/structure.h"

#include <Eigen/Core>

namespace lambdascope::metric {

/// ⟨aaᵀ, bbᵀ⟩ = (aᵀb)², or ⟨a∘a, b∘b⟩ = Σ a_k² b_k² for the diagonal, with a = x − other and b as it stands; rows of
/// `stride` numbers, a multiple of four.
[[nodiscard]] inline double pairProduct(const double* x, const double* other, const double* b, Eigen::Index stride,
                                        Structure structure) {
    using Four = Eigen::Array4d;
    using FourMap = Eigen::Map<const Four>;
    Four sum = Four::Zero();
    if (structure == Structure::Diagonal) {
        for (Eigen::Index c = 0; c < stride; c += 4) {
            const Four product = (FourMap(x + c) - FourMap(other + c)) * FourMap(b + c);
            sum += product * product;
        }
        return sum.sum();
    }
    for (Eigen::Index c = 0; c < stride; c += 4) {
        sum += (FourMap(x + c) - FourMap(other + c)) * FourMap(b + c);
    }
    return sum.sum() * sum.sum();
}

} // namespace lambdascope::metric
