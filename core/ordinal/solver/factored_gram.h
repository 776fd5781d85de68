// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/stop_check.h"
#include "core/numeric/error_bound.h"
#include "core/ordinal/problem/paired_comparisons.h"
#include "core/ordinal/problem/points.h"

#include <cstdint>
#include <vector>

namespace lambdascope::ordinal {

/// The convex problem of ordinal embedding (GramProblem) where no n × n matrix is held: G = L Lᵀ by its factor L, n ×
/// p, and the dual problem by the pairs that comparisons speak of. With δ_p = e_a − e_b of pair p = {a, b},
///
///     P(L) = Σ_c w_c ℓ(z_f − z_n) + (λ/2) ‖LᵀL‖_F²,    z_p = δ_pᵀ G δ_p = ‖l_a − l_b‖²,
///     ∇P(L) = 2 (λ L LᵀL − K L),    K = Σ_c α_c (δ_f δ_fᵀ − δ_n δ_nᵀ) = Σ_p k_p δ_p δ_pᵀ,    α_c = −w_c ℓ'.
///
/// P(L) is the convex problem's own objective at a feasible G, so never below its optimum; but it is not convex in L,
/// and the optimum has about n/2 positive eigenvalues: a minimum over L is not proven to be near it.
///
/// Lower bound. For all α_c in [0, w_c] the optimum is at least τ Σ α − (γ/2) Σ α²/w − ‖[K]₊‖²/2λ, τ the margin. The
/// distance of K from the matrices ⪯ 0 is ‖[K]₊‖_F = min over N ⪰ 0 of ‖K + N‖_F, so that any N = Y Yᵀ will do:
///
///     D(α, Y) = τ Σ α − (γ/2) Σ α²/w − ‖K + Y Yᵀ‖²/2λ ≤ optimum,
///     ‖K + Y Yᵀ‖² = Σ_a (Σ_{p ∋ a} k_p)² + 2 Σ_p k_p² + 2 Σ_p k_p ‖y_a − y_b‖² + ‖YᵀY‖²,
///
/// K being the Laplacian of a graph with weights k_p. No eigenvalue is needed, and none has to be accurate. D is
/// concave in α, with ∂D/∂α_c = τ − γ α_c/w_c − (v_f − v_n)/λ and v_p = δ_pᵀ (K + Y Yᵀ) δ_p; the best Y has the
/// negative part of K. With p columns it holds p of its about n/2 negative eigenvalues: that is what the gap
/// P(L) − D(α, Y) is loose by, besides what L misses; at p = n it is the duality gap.
///
/// Costs: O(items + pairs · p + n p²) for P, ∇P and all that Y enters; O(items + pairs) for D at a fixed Y.
class FactoredGram {
  public:
    /// `items` must outlive it. `gamma` is the width of the loss, 0 for the hinge; `margin` is τ.
    FactoredGram(const PairedComparisons& items, double gamma, double margin)
        : m_items(items), m_gamma(gamma), m_margin(margin) {}

    [[nodiscard]] const PairedComparisons& set() const { return m_items; }
    [[nodiscard]] double gamma() const { return m_gamma; }
    [[nodiscard]] double margin() const { return m_margin; }

    /// values[p] = ‖l_a − l_b‖². False when stopped.
    bool distances(Eigen::Ref<const Points> l, std::vector<double>& values, StopCheck& stopCheck) const;
    /// k_p of α.
    void pairWeights(const std::vector<double>& alphas, std::vector<double>& weights) const;
    /// The α of which the smoothed loss of width `smoothing` > 0 at pair values z is the maximum; returns that loss.
    double slopes(const std::vector<double>& z, double smoothing, std::vector<double>& alphas) const;

    /// P(L) with a loss of width `smoothing` > 0 in place of γ; `gradient` gets ∇P(L). Infinite when stopped.
    double primal(Eigen::Ref<const Points> l, double lambda, double smoothing, Eigen::Ref<Points> gradient,
                  StopCheck& stopCheck) const;
    /// ½ ‖sign · K + Y Yᵀ‖² − ½ ‖K‖², of which the least Y has the positive part of −sign · K; `gradient` is by Y.
    /// Infinite when stopped.
    double distanceToCone(Eigen::Ref<const Points> y, const std::vector<double>& weights, double sign,
                          Eigen::Ref<Points> gradient, StopCheck& stopCheck) const;

    /// P(L) itself and how far rounding may have it from the exact value, L as it stands.
    struct Value {
        Bounded primal;
        double loss = 0;
    };
    [[nodiscard]] Value value(const Points& l, double lambda, StopCheck& stopCheck) const;

    /// What D needs of Y.
    struct Polar {
        std::vector<double> values; ///< ‖y_a − y_b‖² per pair
        double squares = 0;         ///< ‖YᵀY‖²
        double trace = 0;           ///< ‖Y‖²
        double columns = 0;
    };
    /// False when stopped.
    bool setPolar(const Points& y, Polar& polar, StopCheck& stopCheck) const;

    /// D(α, Y), for climbing; `gradient` may be null.
    double dual(const std::vector<double>& alphas, const Polar& polar, double lambda,
                std::vector<double>* gradient) const;
    /// The same with a bound on its rounding error: its lower() is at most the optimum.
    [[nodiscard]] Bounded boundedDual(const std::vector<double>& alphas, const Polar& polar, double lambda) const;

  private:
    const PairedComparisons& m_items;
    double m_gamma;
    double m_margin;
};

} // namespace lambdascope::ordinal
