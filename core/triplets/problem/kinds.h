// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace lambdascope::triplets {

enum class EngineKind {
    Pairs,    ///< counts work in pairs: O(d) a pair, O(1) a triplet
    Triplets, ///< as published: O(d²) a triplet; the baseline
    Sorted,   ///< whole product sets by sorting: nothing per triplet
};

enum class BoundKind { Gradient, ProjectedGradient, DualityGap, ConstrainedDualityGap, MidpointGap, Path, RelaxedPath };

/// False for a bound that is only right in theory: one that takes its reference for an exact optimum.
[[nodiscard]] constexpr bool isSafe(BoundKind kind) {
    return kind != BoundKind::Path;
}

enum class RuleKind {
    Sphere,       ///< over the whole ball [T, §4.1]
    Linear,       ///< over the part of the ball where ⟨P, M⟩ ≥ 0 [T, §4.3]; linear_rule.h
    Semidefinite, ///< over the part of the ball where M ⪰ 0 [T, §4.2]; semidefinite_rule.h, diagonal_rule.h
    Analytic,     ///< the same for diagonal M only, in closed form [T, §6.2]; diagonal_rule.h
};

/// Which M are allowed [T, §6.2]. It decides the shape of everything that lives in the space of M (M itself, Σ α H,
/// gradients, centres of balls), and nothing but the shape: inner products and norms are entrywise in both.
enum class Structure {
    Full,     ///< M ⪰ 0, symmetric d × d; H = aaᵀ − bbᵀ
    Diagonal, ///< M = diag(m), m ≥ 0, kept as the d × 1 column m; H is the column h = a∘a − b∘b
};

} // namespace lambdascope::triplets
