// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/svm/cut_vector.h"
#include "core/svm/region.h"
#include "core/svm/solved_svm.h"

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace lambdascope::svm {

/// Where the regions that hold w*(C) come from. Every one is safe with any dual feasible reference, not only with the
/// exact optimum at C₀: with w̃ feasible (any vector is) and s ∈ [0, 1]ⁿ,
///   ‖w* − ½(w̃ + C z_s)‖² ≤ ‖½(w̃ + C z_s)‖² + C(ξ̃ − Σ sω),   z_s = Σ sᵢωᵢzᵢ, ξ̃ = Σ ωᵢ max(0, 1 − zᵢᵀw̃),
/// because condition NC3 of [S] holds for s between 0 and 1 too.
enum class BoundKind {
    BallOne,      ///< BT1 [S, theorem 6]: s = α₀/C₀; ¼‖w₀‖²(C/C₀ − 1)² + (C/C₀) gap₀ is r²
    BallTwo,      ///< BT2 [S, theorem 7]: s = ŝ of CutVector
    Intersection, ///< IT [S, theorem 8]: BT1 and BT2 at once
    Delta,        ///< DT [S, theorem 11]: with the solution at a larger C too
    Gap, ///< s = α/C, w̃ = w(α) at the current point: centre w, r² = gap (half of what strong convexity of the
         ///< primal alone gives); the only one that improves while solving
};

[[nodiscard]] std::string_view boundName(BoundKind kind);
[[nodiscard]] const std::vector<BoundKind>& allBounds();

/// What regions are made from; everything must outlive them.
struct ScreeningReference {
    double c = 0;
    const SolvedSvm* path = nullptr;        ///< solution at another C₀; null at dynamic checks
    const CutVector* cut = nullptr;         ///< ŝ for `path`
    const SolvedSvm* beyond = nullptr;      ///< solution at some C_b > C
    Direction current;                      ///< margins of the current point at C; GAP
    double gap = 0;                         ///< upper bound of its gap
    const Eigen::VectorXd* alpha = nullptr; ///< of the current point
    double squaredNorm = 0;                 ///< ‖w‖² of the current point
};

[[nodiscard]] bool needsCut(BoundKind kind);
/// False for those that only the path screening can use.
[[nodiscard]] bool isDynamic(BoundKind kind);

/// The ball of BT1, BT2 or GAP; nothing when the reference lacks what it needs.
[[nodiscard]] std::optional<Ball> makeBall(BoundKind kind, const ScreeningReference& reference);

/// The vectors that regions are made from, as those who are asked about see them.
struct RegionSights {
    Direction path;    ///< w of the solution at another C
    Direction cut;     ///< z_ŝ; empty when nothing needs it
    Direction current; ///< w of the current point
};

/// DT's part of a ball round 0: w₀ᵀw ≥ height.
struct Cap {
    double height = 0;        ///< lower bound
    double squaredRadius = 0; ///< upper bound
};
/// Nothing when the reference lacks what DT needs.
[[nodiscard]] std::optional<Cap> makeCap(const ScreeningReference& reference);

/// Null when the reference lacks what the bound needs. O(1).
[[nodiscard]] std::unique_ptr<Region> makeRegion(BoundKind kind, const SvmProblem& problem,
                                                 const ScreeningReference& reference);
/// The same region for others than the samples it comes from: `probes` holds them, `sights` their products.
[[nodiscard]] std::unique_ptr<Region> makeRegion(BoundKind kind, const SvmProblem& probes,
                                                 const ScreeningReference& reference, const RegionSights& sights);

} // namespace lambdascope::svm
