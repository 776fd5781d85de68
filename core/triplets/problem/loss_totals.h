// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triplets/problem/metric_point.h"
#include "core/triplets/problem/triplet_set.h"

#include <algorithm>
#include <optional>

namespace lambdascope::triplets {

/// The loss of one triplet at margin t with smoothing s > 0 [T, eq. 2.3]:
/// ℓ_s(t) = 0 for t > 1; (1 − t)²/2s for 1 − s ≤ t ≤ 1; 1 − t − s/2 for t < 1 − s.
/// With α(t) = −ℓ_s'(t) = clip((1 − t)/s, 0, 1) it is ℓ_s = α (1 − t) − s α²/2, and ℓ_0 = ℓ_s + s (α − α²/2).
[[nodiscard]] inline double lossSlope(double margin, double smoothing) {
    return std::clamp((1 - margin) / smoothing, 0.0, 1.0);
}
[[nodiscard]] inline double smoothedLoss(double margin, double smoothing) {
    const double alpha = lossSlope(margin, smoothing);
    return alpha * (1 - margin) - 0.5 * smoothing * alpha * alpha;
}

/// Sums over a set of triplets at a point M, with α = α(⟨M, H⟩): all that objective, dual, gradient and bounds need.
///
/// In the general form [T, §6.3] an item has a weight w and a threshold τ (both 1 for triplets) and the problem a
/// linear term ⟨M, S⟩ (0 for RTLM):
///     P = Σ w ℓ(t − τ + 1) + ⟨M, S⟩ + (λ/2)‖M‖²,    w ℓ(t − τ + 1) = max over α ∈ [0, w] of α (τ − t) − γ α²/2w,
///     D = Σ α τ − (γ/2) Σ α²/w − ‖[Σ α H − S]₊‖²/2λ,    0 ≤ α ≤ w,    M*(λ) = [Σ α* H − S]₊/λ.
/// S only joins the loss, a convex function of M that does not depend on λ, and Σ α H, whose negative is its
/// subgradient; that is all the theorems about balls use, so they hold as they stand (RRPB too: its proof adds the
/// optimality conditions at λ₀ and λ and drops ⟨∇(M₀*) − ∇(M*), M₀* − M*⟩ ≥ 0, whatever the convex function).
struct LossTotals {
    double smoothing = 0;         ///< s of the loss
    TripletIndex triplets = 0;    ///< how many were summed
    Bounded loss;                 ///< Σ w ℓ_s + ⟨M, S⟩
    Bounded alphaSum;             ///< Σ α
    Bounded alphaSquares;         ///< Σ α²/w
    Bounded thresholdShift;       ///< Σ α (τ − 1)
    Eigen::MatrixXd pull;         ///< Σ α H − S = −∇ loss, d × d, symmetric
    double pullError = 0;         ///< ‖pull − exact Σ α H‖_F for the α as computed
    double marginError = 0;       ///< bound on the error of any single margin t
    std::optional<double> weight; ///< Σ w; nothing when every w is 1

    [[nodiscard]] double totalWeight() const { return weight.value_or(static_cast<double>(triplets)); }

    void transfer(auto& archive) {
        auto& [s, count, sum, alphas, squares, shift, matrix, matrixError, error, w] = *this;
        archive(s, count, sum, alphas, squares, shift, matrix, matrixError, error, w);
    }
};

/// Σ over screened linear items when not all have w = τ = 1.
struct LinearWeights {
    Bounded weight; ///< Σ w
    Bounded shift;  ///< Σ w (τ − 1)

    void transfer(auto& archive) {
        auto& [sum, shifts] = *this;
        archive(sum, shifts);
    }
};

/// Triplets that screening decided, which are in no sum any more.
struct ScreenedPart {
    TripletIndex zero = 0;                ///< |R̂|
    TripletIndex linear = 0;              ///< |L̂|
    Eigen::MatrixXd linearSum;            ///< Σ w H over L̂; may be empty where that is
    double linearError = 0;               ///< of linearSum, Frobenius norm
    std::optional<LinearWeights> weights; ///< over L̂; nothing when w = τ = 1

    [[nodiscard]] TripletIndex decided() const { return zero + linear; }
    /// Adds Σ w H over newly linear items, known up to `error`, to linearSum.
    void addLinearSum(const Eigen::MatrixXd& sum, double error);
    /// Adds other items, whose w and τ are 1.
    void add(const ScreenedPart& other) {
        zero += other.zero;
        linear += other.linear;
        if (other.linear > 0) {
            addLinearSum(other.linearSum, other.linearError);
        }
    }
    /// Σ w over L̂.
    [[nodiscard]] Bounded linearWeight() const {
        return weights ? weights->weight : exactly(static_cast<double>(linear));
    }

    void transfer(auto& archive) {
        auto& [r, l, sum, error, ofLinear] = *this;
        archive(r, l, sum, error, ofLinear);
    }
};

/// Totals of the reduced problem: `active` plus what the screened triplets that are not in it contribute as constants
/// [T, eq. 2.9, 2.10]: α = 0 on R̂; α = w and loss w (τ − s/2 − ⟨M, H⟩) on L̂.
[[nodiscard]] LossTotals withScreened(LossTotals active, const ScreenedPart& screened, const MetricPoint& point);

/// P_λ(M) with the loss of smoothing `gamma`, which is totals.smoothing, or 0 for the hinge.
[[nodiscard]] Bounded primalValue(const LossTotals& totals, const MetricPoint& point, double lambda, double gamma);
/// The loss term of primalValue.
[[nodiscard]] Bounded lossValue(const LossTotals& totals, double gamma);
/// D_λ(α) = −(γ/2) Σ α²/w + Σ α τ − ‖[pull]₊‖²/2λ, from ‖[pull]₊‖² as `pullSquares` (without the error of pull).
[[nodiscard]] Bounded dualValue(const LossTotals& totals, Bounded pullSquares, double lambda, double gamma);
/// Σ of the Fenchel–Young slacks ℓ_γ(t) + ℓ_γ*(−α) + α t ≥ 0: how far −α is from being a subgradient at M. Zero up to
/// rounding for the smoothed hinge, s Σ α (1 − α/w) for the hinge.
[[nodiscard]] Bounded subgradientSlack(const LossTotals& totals, double gamma);

} // namespace lambdascope::triplets
