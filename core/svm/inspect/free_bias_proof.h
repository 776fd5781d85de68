// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/svm/screening/bias_bracket.h"
#include "core/svm/solver/point_outcome.h"

#include <span>
#include <vector>

namespace lambdascope::svm {

/// ν of one class as a certificate states it, from which the checker has C = s/νΣω, without rounding: at most 1, and 1
/// where C is C_min but for rounding. 0 of other problems, whose C are stated.
[[nodiscard]] double statedNu(const SvmProblem& problem, double c);

/// aᵢ = αᵢ/Cωᵢ of all samples for the C of the checker, in [0, 1]; 1 exactly where αᵢ = Cωᵢ at hand. Of one class at ν
/// = 1 all are 1, which alone is feasible.
[[nodiscard]] std::vector<long double> sharesOf(const SvmProblem& problem, const PointOutcome& point);

/// What a certificate needs besides these where the bias is free (resources/certificate/svm.py, 4 and 5).
struct FreeBiasProof {
    /// Decimals that shares are to have: all that extended precision knows, as brackets are found for these numbers.
    static constexpr int kPlaces = 30;
    SampleIndex balance = 0; ///< the sample whose share may take what the decimals of all others leave of yᵀα = s
    double radius = 0;       ///< at least the r that the checker finds
    BiasBracket bracket; ///< finite; of β = b* + (w* − w)ᵀo for any radius up to this one (o: SvmProblem::origin())
};

/// Proves a bracket of b* for a ball of twice the radius of the point's, so that decimals with fewer or other last
/// digits will do too: no optimal bias is known better than that, but decisions with margins of a few r are proven.
///
/// With the scores sᵢ = wᵀΦ(xᵢ) at their upper ends, sᵢ + r‖Φ(xᵢ) − o‖, the largest b with a left slope of at most 0 is
/// b₁; with all at their lower ends, the smallest b with a right slope of at least 0 is b₂. Where b₂ < b₁, all b
/// between are optimal and the middle is the bracket. O(n log n).
[[nodiscard]] FreeBiasProof proveBias(const SvmProblem& problem, const PointOutcome& point,
                                      std::span<const long double> shares);

} // namespace lambdascope::svm
