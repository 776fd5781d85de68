// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/run_event.h"

#include <vector>

namespace lambdascope {

/// Takes the events of runs. Called on the worker thread, in order; must not throw and must not wait for the GUI.
class EventSink {
  public:
    virtual ~EventSink() = default;
    virtual void publish(const RunEvent& event) noexcept = 0;
};

/// For those whom only the result matters to.
class NullSink : public EventSink {
  public:
    void publish(const RunEvent&) noexcept override {}
};

/// Hands each event to several sinks, in their order.
class TeeSink : public EventSink {
  public:
    explicit TeeSink(std::vector<EventSink*> sinks) : m_sinks(std::move(sinks)) {}
    void publish(const RunEvent& event) noexcept override {
        for (EventSink* sink : m_sinks) {
            sink->publish(event);
        }
    }

  private:
    std::vector<EventSink*> m_sinks;
};

/// Keeps all events, for tests and for replay.
class RecordingSink : public EventSink {
  public:
    void publish(const RunEvent& event) noexcept override { m_events.push_back(event); }
    [[nodiscard]] const std::vector<RunEvent>& events() const { return m_events; }

  private:
    std::vector<RunEvent> m_events;
};

} // namespace lambdascope
