// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_context.h"

#include "core/common/clocks.h"

namespace lambdascope {

void PauseGate::pause() {
    const std::lock_guard lock(m_mutex);
    m_paused = true;
}

void PauseGate::resume() {
    {
        const std::lock_guard lock(m_mutex);
        m_paused = false;
    }
    m_changed.notify_all();
}

bool PauseGate::isPaused() const {
    const std::lock_guard lock(m_mutex);
    return m_paused;
}

double PauseGate::waitWhilePaused(std::stop_token stop) {
    std::unique_lock lock(m_mutex);
    if (!m_paused) {
        return 0;
    }
    const double start = wallSeconds();
    m_changed.wait(lock, stop, [this] { return !m_paused; });
    return wallSeconds() - start;
}

RunContext::RunContext(RunId run, EventSink& sink, std::stop_token stop, PauseGate* pause, RunWishes wishes,
                       std::uint64_t seed)
    : m_run(run), m_sink(&sink), m_stop(std::move(stop)), m_pause(pause), m_wishes(wishes), m_seed(seed) {}

void RunContext::publish(RunEventBody body) {
    if (m_sink != nullptr) {
        m_sink->publish(RunEvent{m_run, m_sequence++, std::move(body)});
    }
}

RunContext RunContext::muted() const {
    RunContext context = *this;
    context.m_sink = nullptr;
    context.m_pausedSeconds = 0;
    context.m_wishes = {.threads = m_wishes.threads};
    return context;
}

bool RunContext::shouldStop() {
    if (m_pause != nullptr) {
        m_pausedSeconds += m_pause->waitWhilePaused(m_stop);
    }
    return m_stop.stop_requested() || (m_deadline > 0 && wallSeconds() - m_pausedSeconds > m_deadline);
}

Termination RunContext::stopReason() const {
    return m_stop.stop_requested() ? Termination::StoppedByUser : Termination::TimeLimit;
}

void RunContext::setTimeLimit(double seconds) {
    m_deadline = seconds > 0 ? wallSeconds() - m_pausedSeconds + seconds : 0;
}

} // namespace lambdascope
