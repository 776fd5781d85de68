// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triplets/screening/region.h"
#include "core/triplets/screening/sphere_bounds.h"

#include <cstdint>
#include <span>

namespace lambdascope::triplets {

/// One evaluation of the rules, as it was made.
struct ScreeningCheck {
    std::int32_t check = 0; ///< 0 is the path screening
    std::int64_t iteration = 0;
    const BoundReference& reference; ///< what the balls were made from
    std::span<const Region> regions; ///< those that decided: of each bound of the lane, or of the best alone
};

/// Looks on while a point is solved. Costs a virtual call per check and changes nothing.
class ScreeningObserver {
  public:
    virtual ~ScreeningObserver() = default;
    /// Called after the decisions of a check were made (and written down, see Engine::record), before the solver moves
    /// on; what `check` refers to is gone afterwards.
    virtual void checked(const ScreeningCheck& check) = 0;
};

} // namespace lambdascope::triplets
