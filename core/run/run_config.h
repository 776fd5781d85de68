// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace lambdascope {

template <class Config>
class FieldTable;

enum class LaneOrder {
    Interleaved, ///< point by point: all lanes solve a point before any goes on, so that they can be compared live
    Sequential,  ///< lane after lane
};

/// The "run" section of an experiment: how its lanes are driven.
struct RunConfig {
    LaneOrder order = LaneOrder::Interleaved;
    std::uint64_t seed = 1;
    double timeLimit = 0;           ///< seconds per lane; 0 for none
    std::int64_t timingRepeats = 1; ///< how often each lane computes each point, for its times alone
    bool operator==(const RunConfig&) const = default;
};
const FieldTable<RunConfig>& runFields();

/// What a lane of any family may say besides its name, its solver and the fields of its family.
struct LaneRunConfig {
    bool enabled = true;
    std::string group; ///< lanes of one group are compared with the baseline of their group; may be empty
    std::string note;
    bool operator==(const LaneRunConfig&) const = default;
};
const FieldTable<LaneRunConfig>& laneRunFields();

} // namespace lambdascope
