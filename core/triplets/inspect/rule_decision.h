// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/stop_check.h"
#include "core/inspect/item_explanation.h"
#include "core/triplets/inspect/item_geometry.h"
#include "core/triplets/screening/sphere_bounds.h"

#include <string_view>

namespace lambdascope::triplets {

/// What a region's rule says about an item, in numbers that anybody can check; computed by itself, not by the
/// engines' code. Of the two inequalities (for R and for L) the one that holds, or else is closer to. With q = ⟨H,Q⟩, h
/// = ‖H‖, the item's threshold τ (1 for triplets) and error bounds δ:
///   sphere: q − r h − δ > τ, or q + r h + δ < τ − γ;
///   linear: the same over the part of the ball where ⟨P,M⟩ ≥ 0: q − βp − r‖H − βP‖, p = ⟨P,Q⟩, at the best β ≥ 0;
///   semidefinite: a z with D(z) = 2z(q − C) − z²h² + ‖[Q − zH]₋‖² > r², C = τ; for L with −H and C = γ − τ.
/// O(d²), and some fifty eigen-decompositions for the semidefinite rule, in which `stopCheck` is asked where there is
/// one: what it leaves out decides nothing.
[[nodiscard]] BoundDecision regionDecision(const ItemGeometry& probe, const Region& region, std::string_view bound,
                                           double gamma, StopCheck* stopCheck = nullptr);

/// What the rule says by a bound's region, with the numbers from which the ball's radius can be recomputed, but for
/// rounding; the formula stands in the meaning of the last one.
[[nodiscard]] BoundDecision boundDecision(const ItemGeometry& probe, BoundKind kind, const Region& region,
                                          const BoundReference& reference);

} // namespace lambdascope::triplets
