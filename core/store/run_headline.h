// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/record/run_record.h"
#include "core/store/lane_audit.h"

#include <string>
#include <vector>

namespace lambdascope {

/// A lane as the headline of its experiment tells of it.
struct HeadlineLane {
    const RunRecord* record = nullptr;
    std::string name;                 ///< as its readers know it
    const LaneAudit* audit = nullptr; ///< null: never verified
};

/// What the lanes of one experiment have shown, in one sentence, from their records alone: how far they are, which one
/// is how much faster or slower than the lane without screening, what it screened on arrival and before solved, whether
/// all points converged, and whether the decisions are verified. Nothing is said that noise could turn. Empty for no
/// lanes.
[[nodiscard]] std::string headlineOf(const std::vector<HeadlineLane>& lanes);

/// The lanes of a run that was never verified, under their own names.
[[nodiscard]] std::vector<HeadlineLane> headlineLanes(const std::vector<RunRecord>& records);

} // namespace lambdascope
