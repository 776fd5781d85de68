// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/numeric/error_bound.h"
#include "core/pu/problem/pu_problem.h"

#include <Eigen/Core>

#include <limits>
#include <span>
#include <vector>

namespace lambdascope::pu {

/// Some unlabeled samples at a feasible s, the others being fixed: what bias, gap and screening are made from. All
/// arrays are indexed by sample, numbers in the units of PuProblem.
struct PuView {
    std::span<const SampleIndex> members;
    const double* scores = nullptr; ///< a = z − b = ⟨ω, φ⟩, exact up to error · norms
    const double* s = nullptr;
    const double* norms = nullptr; ///< ‖φ‖
    double epsilon = 0;
    double error = 0;
    ExactSum mass; ///< Σs over the members
};

/// All minimizers of the piecewise linear −m b + Σ max(0, z+ε, 2z), z = a + b: its slope steps by one at each of the
/// 2n kinks −ε − a, ε − a. Infinite ends when the slope never changes sign.
struct BiasRange {
    double low = 0;
    double high = 0;
    [[nodiscard]] double middle() const; ///< some finite member of the range
    bool operator==(const BiasRange&) const = default;

    void transfer(auto& archive) {
        auto& [from, to] = *this;
        archive(from, to);
    }
};
/// `near`, if known, is where the ends of the range are likely to be: looking there first is several times faster and
/// changes nothing. O(n) on average.
[[nodiscard]] BiasRange optimalBias(const PuView& view, const BiasRange* near = nullptr);

/// The loss of sample with value z: max(0, z+ε, 2z).
[[nodiscard]] inline double lossAt(double z, double epsilon) {
    return std::max({0.0, z + epsilon, 2 * z});
}

/// Primal minus dual, summed sample by sample. The loss is two hinges, H(z+ε) + H(z−ε), and so is s = s₁ + s₂ with
/// s₁ = min(s, 1), s₂ = max(s−1, 0): each H(x) − sₖx is (1−sₖ)x or −sₖx, never negative, and not sensitive to x where
/// sₖ is the slope of the hinge. The value is an upper bound: rounding of scores is paid for. O(n).
[[nodiscard]] double gapUpperBound(const PuView& view, double bias);

/// What raising s gains besides the score a, and what lowering it costs, by the slope of ε Σ min(s, 2−s) on that side;
/// infinite, and never the best, where s cannot move.
[[nodiscard]] inline double slopeUp(double s, double epsilon) {
    return s >= 2 ? -std::numeric_limits<double>::infinity() : s >= 1 ? -epsilon : epsilon;
}
[[nodiscard]] inline double slopeDown(double s, double epsilon) {
    return s <= 0 ? std::numeric_limits<double>::infinity() : s > 1 ? -epsilon : epsilon;
}

/// Largest difference of slopes over pairs that could move, max (a ∓ ε) − min (a ∓ ε) [P, (13)]: not positive at the
/// optimum. O(n).
[[nodiscard]] double violationOf(const PuView& view);

/// What screening says about a sample: σ = 0, c₂/2 or c₂ at every dual optimum.
enum class Decision : std::int8_t { Keep = -1, Zero = 0, Half = 1, Full = 2 };

struct SampleCounts {
    std::int64_t zero = 0;
    std::int64_t half = 0;
    std::int64_t full = 0;
    [[nodiscard]] std::int64_t sum() const { return zero + half + full; }
    void count(Decision decision) {
        zero += decision == Decision::Zero ? 1 : 0;
        half += decision == Decision::Half ? 1 : 0;
        full += decision == Decision::Full ? 1 : 0;
    }
};
[[nodiscard]] SampleCounts countsOf(std::span<const Decision> decisions);

/// Ranges of b for some optimal bias, when all scores lie within `radius` ‖φ‖ of the optimal ones: of the smallest and
/// of the largest optimal bias. Any one optimal bias will do to fix σ, so either range may be used.
struct BiasBracket {
    BiasRange smallest;
    BiasRange largest;
};
/// `optimal`, if known, is that of the view itself: where all ‖φ‖ are alike, as with RBF kernels, all kinks move by the
/// same, and the bracket follows from it in O(1) for each sample.
[[nodiscard]] BiasBracket bracketBias(const PuView& view, double radius, const BiasRange* optimal = nullptr);

/// Decides one sample from a ± reach, knowing where one optimal bias lies.
[[nodiscard]] inline Decision judge(double score, double reach, double epsilon, const BiasRange& bias) {
    if (!(bias.low <= bias.high)) {
        return Decision::Keep;
    }
    const double low = score - reach + bias.low;
    const double high = score + reach + bias.high;
    if (high < -epsilon) {
        return Decision::Zero;
    }
    if (low > epsilon) {
        return Decision::Full;
    }
    return low > -epsilon && high < epsilon ? Decision::Half : Decision::Keep;
}
/// The same by whichever of two optimal biases tells.
[[nodiscard]] Decision judge(double score, double reach, double epsilon, const BiasBracket& bracket);

/// At least √gap: at a feasible s with any bias, ‖ω − ω*‖ is no more. For the primal is 1-strongly convex in ω, so that
/// its part of the gap is at least ½‖ω − ω*‖²; the dual value, as a function of the ω that s makes, is 1-strongly
/// concave, so that its part is too.
[[nodiscard]] double gapRadius(double gap);

/// The ball of the gap with the bracket of the bias: a* lies in a ± r‖φ‖ with r = gapRadius(gap), and b* falls when any
/// score rises. Sets the decision of each member, by position. Returns r. O(n).
double screen(const PuView& view, double gap, std::vector<Decision>& decisions, const BiasRange* optimal = nullptr);

} // namespace lambdascope::pu
