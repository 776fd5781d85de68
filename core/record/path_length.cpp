// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/path_length.h"

#include "core/record/run_record.h"

#include <algorithm>

namespace lambdascope {

LanePlace placeOf(const RunRecord& record) {
    return {static_cast<std::int32_t>(record.finishedPointCount()), record.plannedPointCount(),
            record.state() == RunRecord::State::Finished};
}

PathLength pathLength(const std::vector<LanePlace>& lanes) {
    std::int32_t most = 0;
    std::int32_t whole = 0;
    std::int32_t guess = 0;
    std::int32_t farthest = -1;
    for (const LanePlace& lane : lanes) {
        most = std::max(most, lane.finished);
        if (lane.isOver && lane.finished >= lane.planned) {
            whole = std::max(whole, lane.finished);
        } else if (!lane.isOver && lane.planned > 0 && lane.finished > farthest) {
            farthest = lane.finished;
            guess = lane.planned;
        }
    }
    if (whole > 0 && whole == most) {
        return {whole, true};
    }
    return {guess > 0 ? std::max(guess, most) : 0, false};
}

} // namespace lambdascope
