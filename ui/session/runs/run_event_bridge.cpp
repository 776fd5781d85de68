// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/runs/run_event_bridge.h"

#include "core/common/clocks.h"

#include <utility>

namespace lambdascope {

RunEventBridge::RunEventBridge(QObject* parent) : QObject(parent) {
    m_timer.setSingleShot(true);
    m_timer.setInterval(kDrainInterval);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &RunEventBridge::drainNow);
}

RunEventBridge::~RunEventBridge() = default;

bool RunEventBridge::mergesInto(const RunEvent& event) const {
    return m_iterationsInRow >= kIterationsKept && std::holds_alternative<Iterated>(event.body) &&
           m_mailbox.back().run == event.run;
}

void RunEventBridge::publish(const RunEvent& event) noexcept {
    bool mustPost = false;
    {
        const std::lock_guard lock(m_mutex);
        ++m_cost.published;
        if (mergesInto(event)) {
            m_mailbox.back() = event;
            ++m_cost.merged;
        } else {
            const bool isIterated = std::holds_alternative<Iterated>(event.body);
            const bool continuesRow = isIterated && m_iterationsInRow > 0 && m_mailbox.back().run == event.run;
            m_iterationsInRow = continuesRow ? m_iterationsInRow + 1 : (isIterated ? 1 : 0);
            m_mailbox.push_back(event);
        }
        mustPost = !std::exchange(m_isDrainPosted, true);
    }
    // One queued call per drain, not per event: the GUI's own event queue cannot grow.
    if (mustPost) {
        QMetaObject::invokeMethod(this, "scheduleDrain", Qt::QueuedConnection);
    }
}

void RunEventBridge::scheduleDrain() {
    if (m_cpuStart < 0) {
        m_cpuStart = threadCpuSeconds();
        m_wallStart = wallSeconds();
    }
    if (!m_timer.isActive()) {
        m_timer.start();
    }
}

void RunEventBridge::drainNow() {
    m_timer.stop();
    std::vector<RunEvent> events;
    {
        const std::lock_guard lock(m_mutex);
        events.swap(m_mailbox);
        m_iterationsInRow = 0;
        m_isDrainPosted = false;
        if (events.empty()) {
            return;
        }
        ++m_cost.drains;
        m_cost.delivered += static_cast<std::int64_t>(events.size());
    }
    Q_EMIT eventsArrived(events);
    if (m_cpuStart >= 0) {
        const std::lock_guard lock(m_mutex);
        m_cost.guiCpu = threadCpuSeconds() - m_cpuStart;
        m_cost.wall = wallSeconds() - m_wallStart;
    }
}

RunEventBridge::Cost RunEventBridge::cost() const {
    const std::lock_guard lock(m_mutex);
    return m_cost;
}

void RunEventBridge::resetCost() {
    const std::lock_guard lock(m_mutex);
    m_cost = {};
    m_cpuStart = -1;
}

} // namespace lambdascope
