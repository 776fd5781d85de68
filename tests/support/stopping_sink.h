// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/event_sink.h"
#include "core/run/run_event.h"

#include <functional>
#include <stop_token>
#include <utility>
#include <variant>

namespace lambdascope::test {

/// Keeps all events, and asks to stop at those that `isTime` says yes to, as a user does who sees them.
class StoppingSink final : public EventSink {
  public:
    explicit StoppingSink(std::function<bool(const RunEvent&)> isTime) : m_isTime(std::move(isTime)) {}
    void publish(const RunEvent& event) noexcept override {
        m_kept.publish(event);
        if (m_isTime(event)) {
            m_stop.request_stop();
        }
    }
    [[nodiscard]] std::stop_token token() const { return m_stop.get_token(); }
    [[nodiscard]] const std::vector<RunEvent>& events() const { return m_kept.events(); }

    /// All events of one kind, in their order.
    template <class Event>
    [[nodiscard]] std::vector<Event> all() const {
        std::vector<Event> found;
        for (const RunEvent& event : events()) {
            if (const auto* body = std::get_if<Event>(&event.body)) {
                found.push_back(*body);
            }
        }
        return found;
    }

  private:
    std::function<bool(const RunEvent&)> m_isTime;
    RecordingSink m_kept;
    std::stop_source m_stop;
};

/// In the middle of a point: at its first iteration.
[[nodiscard]] inline std::function<bool(const RunEvent&)> within(int point) {
    return [point](const RunEvent& event) {
        const auto* step = std::get_if<Iterated>(&event.body);
        return step != nullptr && step->pointIndex == point;
    };
}

} // namespace lambdascope::test
