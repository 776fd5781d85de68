// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/inspect/capability.h"
#include "core/inspect/decision_plane.h"

namespace lambdascope {

/// A lens that shows what solutions make of the plane of two features.
class PlaneSampler {
  public:
    static constexpr const char* kMissing = "runs of this family have no decision plane";

    virtual ~PlaneSampler() = default;

    /// At a path point. Errors: BadUsage when the data have no such plane, and for axes that are not two different
    /// features.
    virtual Result<DecisionPlane> plane(std::int32_t point, const PlaneAxes& axes, std::stop_token stop) = 0;
};

} // namespace lambdascope
