// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/throttling_sink.h"

#include "core/common/clocks.h"

namespace lambdascope {

ThrottlingSink::ThrottlingSink(EventSink& next, double interval, std::function<double()> clock)
    : m_next(next), m_interval(interval), m_clock(clock ? std::move(clock) : std::function<double()>(wallSeconds)) {}

void ThrottlingSink::publish(const RunEvent& event) noexcept {
    Held& held = m_held[event.run];
    if (!std::holds_alternative<Iterated>(event.body)) {
        if (held.newest) {
            m_next.publish(*held.newest);
            held.newest.reset();
        }
        m_next.publish(event);
        return;
    }
    const double now = m_clock();
    if (held.hasPassed && now - held.lastPassed < m_interval) {
        held.newest = event;
        return;
    }
    held.newest.reset();
    held.lastPassed = now;
    held.hasPassed = true;
    m_next.publish(event);
}

} // namespace lambdascope
