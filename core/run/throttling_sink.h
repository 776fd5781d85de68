// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/event_sink.h"

#include <functional>
#include <map>
#include <optional>

namespace lambdascope {

/// Passes on at most one Iterated per run and `interval` seconds, always the newest; everything else at once and in
/// order. The Iterated held back goes out before the next event of its run, so the last one of a point is never lost.
class ThrottlingSink : public EventSink {
  public:
    /// `clock` gives monotonic seconds; wallSeconds when empty.
    ThrottlingSink(EventSink& next, double interval, std::function<double()> clock = {});

    void publish(const RunEvent& event) noexcept override;

  private:
    struct Held {
        std::optional<RunEvent> newest;
        double lastPassed = 0;
        bool hasPassed = false;
    };

    EventSink& m_next;
    double m_interval;
    std::function<double()> m_clock;
    std::map<RunId, Held> m_held;
};

} // namespace lambdascope
