// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/lane_audit.h"
#include "tests/core/record/lane_records.h"

#include <cstdint>

namespace lambdascope {

/// Lanes and audits that sentences are told of.

inline LaneAudit proven(std::int64_t decisions) {
    LaneAudit audit;
    audit.report.decisions = decisions;
    return audit;
}

inline LaneAudit undecided(std::int64_t count, std::int64_t decisions) {
    LaneAudit audit = proven(decisions);
    audit.report.undecided = count;
    return audit;
}

inline LaneAudit wrong(std::int64_t count, std::int64_t decisions) {
    LaneAudit audit = proven(decisions);
    audit.report.wrong = count;
    return audit;
}

inline LaneAudit unsafe(LaneAudit audit) {
    audit.unsafeReason = "its reference is approximate";
    return audit;
}

inline const LaneSpec naive{.name = "naive", .isBaseline = true, .cpu = 1.0, .screen = 0, .arrival = 0, .solved = 0};
inline const LaneSpec pgb{.name = "PGB", .cpu = 0.29, .arrival = 0.855, .solved = 0.993};
inline const LaneSpec rrpb{.name = "RRPB", .cpu = 0.30, .arrival = 0.9, .solved = 0.95};
inline const LaneSpec gb{.name = "GB", .cpu = 0.9, .arrival = 0.1, .solved = 0.2};

inline LaneSpec with(LaneSpec lane, void (*change)(LaneSpec&)) {
    change(lane);
    return lane;
}

inline LaneSpec brief(LaneSpec lane) {
    lane.cpu /= 1000;
    return lane;
}

inline LaneSpec often(LaneSpec lane, double spread) {
    lane.repeats = 5;
    lane.spread = spread;
    return lane;
}

inline LaneSpec stopped(LaneSpec lane) {
    lane.points = 27;
    lane.end = LaneSpec::End::Stopped;
    return lane;
}

inline LaneSpec running(LaneSpec lane) {
    lane.points = 12;
    lane.end = LaneSpec::End::Running;
    return lane;
}

} // namespace lambdascope
