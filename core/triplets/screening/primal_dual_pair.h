// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/stop_check.h"
#include "core/triplets/problem/loss_totals.h"
#include "core/triplets/screening/region.h"

namespace lambdascope::triplets {

/// A feasible M and dual variables α, and what their duality gap is made of at every λ. With K = Σ α H − S (see
/// LossTotals), N ⪰ 0 so that K + N = [K]₊, and the Fenchel–Young slacks of subgradientSlack(),
///
///     gap_λ(M, α) = (λ/2) ‖M − M_λ(α)‖² + σ,    M_λ(α) = (K + N)/λ,    σ = Σ slack + ⟨N, M⟩,
///
/// three terms that no rounding makes negative: stationarity, the subgradient, complementary slackness. Neither K nor σ
/// depends on λ.
///
/// Midpoint gap bound: for any N ⪰ 0, as it comes out of a rounded decomposition too, M*(λ) lies in the ball with
///
///     Q = ½ (M + M_λ(α)),    r² = gap_λ/λ − ¼ ‖M − M_λ(α)‖² = ¼ ‖M − M_λ(α)‖² + σ/λ.
///
/// For the optimality conditions at X = M*(λ), −K being a subgradient of the loss at M up to the slacks, give
/// ⟨λX − K, X − M⟩ ≤ Σ slack; with ⟨N, X⟩ ≥ 0 taken off, ⟨X − M_λ(α), X − M⟩ ≤ σ/λ, and the left side is
/// ‖X − Q‖² − ¼ ‖M − M_λ(α)‖².
struct PrimalDualPair {
    const MetricPoint* point = nullptr; ///< M
    Eigen::MatrixXd pull;               ///< K + N
    double pullError = 0;               ///< bound on ‖pull − (K + N)‖_F for an N that is exactly ⪰ 0
    double sigma = 0;                   ///< upper bound of σ

    /// The ball at λ; its radius is infinite when the pair is not finite.
    [[nodiscard]] Sphere midpointBall(double lambda) const;
};

/// Dual variables α by their Σ α H − S.
struct DualPull {
    Eigen::MatrixXd pull;
    double error = 0; ///< bound on its error, Frobenius norm

    void transfer(auto& archive) {
        auto& [matrix, bound] = *this;
        archive(matrix, bound);
    }
};

/// Of α = α(M): `totals` are sums at `point`, over the whole problem or the safely reduced one. Costs one
/// eigen-decomposition. Not finite (σ infinite) when `totals` are not, or when `stopCheck` asked to stop.
[[nodiscard]] PrimalDualPair primalDualPair(const MetricPoint& point, const LossTotals& totals, double gamma,
                                            StopCheck* stopCheck = nullptr);

/// Of any α, whose gap with M at `lambda` is at most `gap`; σ is what that leaves over (λ/2) ‖M − M_λ(α)‖². M may be
/// taken for a safely reduced problem and α for the whole one, whose optima are the same; the ball then holds it at
/// `lambda` alone.
[[nodiscard]] PrimalDualPair primalDualPair(const MetricPoint& point, const DualPull& dual, double gap, double lambda,
                                            StopCheck* stopCheck = nullptr);

} // namespace lambdascope::triplets
