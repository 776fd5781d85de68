// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/metric/sphere_rule.h"

namespace lambdascope::metric {

/// An open interval of λ; empty when high ≤ low.
struct LambdaInterval {
    double low = 0;
    double high = 0;

    [[nodiscard]] bool isEmpty() const { return !(high > low); }
    [[nodiscard]] bool contains(double lambda) const { return low < lambda && lambda < high; }
};

/// What RRPB's interval of a triplet depends on.
struct IntervalReference {
    double lambda = 0;  ///< λ₀
    double norm = 0;    ///< ‖M₀‖_F or more
    double epsilon = 0; ///< ‖M₀ − M₀*‖ ≤ ε
    double gamma = 0;   ///< of the loss
};

/// The λ round λ₀ for which RRPB's sphere rule from the reference keeps deciding a triplet [T, Thm 10, and the same
/// derivation for L]: with t = ⟨H,M₀⟩, m = ‖M₀‖, h = ‖H‖, c = 1 − γ,
///   R: ( λ₀ (m h − t + 2εh)/(t − 2 + h m),  λ₀ (m h + t)/(m h − t + 2 + 2εh) ),
///   L: ( λ₀ (t + m h + 2εh)/(2c − t + m h),  λ₀ (m h − t)/(t + m h + 2εh − 2c), without end if that is negative ).
/// Empty when the rule does not decide it at λ₀. `side` is Zero or Linear; pass t lowered (Zero) or raised (Linear) by
/// its error bound and h, m rounded up, then the interval is safe in floating point but for the last bits.
[[nodiscard]] LambdaInterval relaxedPathInterval(Verdict side, double margin, double norm,
                                                 const IntervalReference& reference);

} // namespace lambdascope::metric
