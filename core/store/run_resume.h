// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/path_runner.h"
#include "core/store/folder_lock.h"
#include "core/store/lane_state.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lambdascope {

/// A lane of a run that was left.
struct LaneToResume {
    std::string name;
    /// Where its files end: all of them for a lane that has ended, those of its newest state for one that goes on.
    /// Nothing for one that begins anew.
    std::optional<KeptState> at;
    LaneHistory history;   ///< empty for a lane that begins anew
    std::int32_t lost = 0; ///< finished points that have to be computed again
    std::string why;       ///< it begins anew although it had points
    [[nodiscard]] bool hasEnded() const { return at.has_value() && history.state == nullptr; }
};

/// A run folder whose lanes have not all ended, held for this process.
struct RunToResume {
    std::filesystem::path folder;
    FolderLock lock;
    Json summary; ///< run.json
    std::vector<LaneToResume> lanes;
};

/// Nothing is left to compute.
[[nodiscard]] bool haveEnded(const std::vector<LaneToResume>& lanes);
/// Gives all events the run ids that the lanes have in this process.
void adoptIds(std::vector<LaneToResume>& lanes, const std::vector<RunId>& ids);
/// By lane, without those that begin anew.
[[nodiscard]] std::map<std::string, LaneHistory> historiesOf(const std::vector<LaneToResume>& lanes);

/// Where a lane goes on, from its events and from what was kept of it, newest first. Error: InvalidData when that is of
/// another build, experiment or data set than `own`.
Result<LaneToResume> laneToResume(const StateOwner& own, std::vector<RunEvent> events,
                                  const std::vector<OwnedState>& states,
                                  const std::array<std::uint64_t, 5>& sizes = {});

/// Finds for each lane of a run folder where it goes on: the newest state that is whole and whose tables are there. A
/// lane that failed is tried again. Changes nothing. Errors: those of reading; FileUnwritable when another process is
/// writing to the folder; InvalidData when the run, or what was kept of it, is of another build, experiment or data
/// set.
Result<RunToResume> readRunToResume(const std::filesystem::path& folder);

} // namespace lambdascope
