// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/stop_check.h"
#include "core/triplets/problem/kinds.h"
#include "core/triplets/problem/loss_totals.h"
#include "core/triplets/screening/primal_dual_pair.h"

#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace lambdascope::triplets {

/// An approximate solution of another λ of the path.
struct PathReference {
    const MetricPoint* point = nullptr; ///< M₀ ⪰ 0
    double lambda = 0;                  ///< λ₀
    double gap = 0; ///< upper bound of the duality gap of M₀ at λ₀, so ‖M₀ − M₀*‖² ≤ 2 gap/λ₀
    const LossTotals* totals = nullptr; ///< at M₀, over the whole problem; for the λ ranges of MGB
    const DualPull* dual = nullptr;     ///< of the dual variables that `gap` is measured with, where it is known
};

/// The primal point that dual variables α define, M_λ(α) = [Σ αH]₊/λ.
struct DualPoint {
    MetricPoint point;
    double error = 0; ///< bound on ‖point − M_λ(α)‖_F
    double gap = 0;   ///< upper bound of P_λ(point) − D_λ(α), the same α
};

/// What a bound may use: a feasible point M and dual variables α = α(M), with their sums over the whole (or the safely
/// reduced) problem, at the λ whose optimum is to be enclosed.
struct BoundReference {
    const MetricPoint* point = nullptr;
    const LossTotals* totals = nullptr; ///< at `point`
    double lambda = 0;
    double gamma = 0;   ///< of the problem's loss; 0 for the hinge
    double gap = 0;     ///< upper bound of P_λ(M) − D_λ of some feasible dual point
    PathReference path; ///< point is null during the optimization: RRPB then takes M itself, with λ₀ = λ
    const DualPoint* dual = nullptr;   ///< of the totals' α; only where a bound needsDualPoint()
    const DualPull* gapDual = nullptr; ///< of the dual point that `gap` is measured with, where it is known
    StopCheck* stopCheck = nullptr;    ///< asked in long decompositions; a bound that is stopped decides nothing
};

/// Makes a ball that holds M*(λ) from a reference. All radii are padded by the error bounds of what they are made of.
class Bound {
  public:
    virtual ~Bound() = default;
    [[nodiscard]] virtual std::string_view name() const = 0;
    [[nodiscard]] virtual Sphere sphere(const BoundReference& reference) const = 0;
    /// Whether `sphere` wants BoundReference::dual, which costs an evaluation of all triplets that are not screened.
    [[nodiscard]] virtual bool needsDualPoint() const { return false; }
    /// Eigen-decompositions that `sphere` takes for a full M, about.
    [[nodiscard]] virtual int decompositions() const { return 0; }
};

/// GB [T, Thm 1]: Q = M − ∇P/2λ, r² = ‖∇P/2λ‖² + (1/λ) Σ slack, where the Fenchel–Young slack is 0 for subgradients.
[[nodiscard]] Sphere gradientBound(const BoundReference& reference);
/// PGB [T, Thm 2]: Q = [Q_GB]₊, r² = r_GB² − ‖[Q_GB]₋‖².
[[nodiscard]] Sphere projectedGradientBound(const BoundReference& reference);
/// DGB [T, Thm 4]: Q = M, r² = 2 gap/λ.
[[nodiscard]] Sphere dualityGapBound(const BoundReference& reference);
/// CDGB [T, Thm 14]: Q = M_λ(α), r² = (P_λ(M_λ(α)) − D_λ(α))/λ. Without a dual point the radius is infinite.
[[nodiscard]] Sphere constrainedDualityGapBound(const BoundReference& reference);
/// What MGB is made of: of α(M) and the dual variables that the gaps, here and at λ₀, are measured with, those whose
/// ball is the smallest.
[[nodiscard]] PrimalDualPair midpointPair(const BoundReference& reference);
/// MGB, the midpoint gap bound (primal_dual_pair.h): Q = ½ (M + M_λ(α)), r² = gap/λ − ¼ ‖M − M_λ(α)‖² with the gap of M
/// and α themselves. Never larger than DGB of the same M and α; with M and α of another λ, than RRPB.
[[nodiscard]] Sphere midpointGapBound(const BoundReference& reference);
/// RPB [T, Thm 5]: Q = (λ₀+λ)/2λ M₀*, r = |λ₀−λ|/2λ ‖M₀*‖. UNSAFE here: M₀ is never the exact optimum M₀*. Without a
/// path reference the radius is infinite.
[[nodiscard]] Sphere pathBound(const BoundReference& reference);
/// RRPB [T, Thm 6]: Q = (λ₀+λ)/2λ M₀, r = |λ₀−λ|/2λ ‖M₀‖ + (|λ₀−λ|+λ₀+λ)/2λ ε, ε = (2 gap₀/λ₀)^½. With λ₀ = λ it is
/// DGB.
[[nodiscard]] Sphere relaxedPathBound(const BoundReference& reference);

/// The smallest ball round `centre` by a known solution M of the same λ: r = ‖Q − M‖ + (2 gap/λ)^½.
[[nodiscard]] Sphere ballOfDistance(Eigen::MatrixXd centre, const PathReference& known);

[[nodiscard]] std::unique_ptr<Bound> makeBound(BoundKind kind);
/// The safe ones.
[[nodiscard]] const std::vector<BoundKind>& allBounds();
/// The bounds of a lane, then the other safe ones, each once, without those that made one of `used`.
[[nodiscard]] std::vector<BoundKind> boundsBeside(std::span<const Region> used, const std::vector<BoundKind>& ofLane);

/// One region per bound. For the linear rule all get the same half-space ⟨P, M⟩ ≥ 0, P = −[Q_GB]₋ scaled to norm 1:
/// the negative part of the gradient step of length 1/2λ before its projection, which is Q_GB [T, §4.3]. P is empty
/// when Q_GB ⪰ 0.
[[nodiscard]] std::vector<Region> makeRegions(std::span<const std::unique_ptr<Bound>> bounds, RuleKind rule,
                                              const BoundReference& reference);

} // namespace lambdascope::triplets
