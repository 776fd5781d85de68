// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/record/path_length.h"
#include "core/run/event_sink.h"

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace lambdascope {

/// Share of an experiment done and what it is doing, drawn from its events. Written by the worker, read by any thread.
///
/// share = the mean over lanes of finished points / estimated points, as the rows of the lanes show it; it falls when a
/// path turns out to be longer. Unknown (negative) while no lane can tell its number of points.
class RunProgress : public EventSink {
  public:
    struct Snapshot {
        double share = -1;
        std::string text;
    };

    void publish(const RunEvent& event) noexcept override;
    /// For reading and preparing, before there are events.
    void setActivity(double share, std::string text);
    [[nodiscard]] Snapshot snapshot() const;

  private:
    struct LaneProgress {
        std::string name;
        std::string axisLabel;
        LanePlace place;
        bool isInPoint = false;
        bool hasEnded = false;
    };
    void take(const RunEvent& event);
    void recompute(const LaneProgress& current, double axisValue);

    mutable std::mutex m_mutex;
    std::map<RunId, LaneProgress> m_lanes;
    std::int32_t m_laneCount = 1;
    Snapshot m_snapshot;
};

} // namespace lambdascope
