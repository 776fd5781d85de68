// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

namespace lambdascope {

/// Asks "should I stop?" after every so much work, so that inner loops need no clock.
class StopCheck {
  public:
    /// About 5 to 20 ms of arithmetic between two questions.
    static constexpr std::int64_t kOperationsPerQuestion = 20'000'000;

    StopCheck() = default;
    explicit StopCheck(std::function<bool()> shouldStop) : m_shouldStop(std::move(shouldStop)) {}

    /// Accounts for `operations` (floating-point operations, roughly); true when the work should be given up.
    bool spend(std::int64_t operations) {
        m_spent += operations;
        return m_spent >= kOperationsPerQuestion ? ask() : m_stopped;
    }
    /// Asks at once.
    bool ask() {
        m_spent = 0;
        m_stopped = m_stopped || (m_shouldStop && m_shouldStop());
        return m_stopped;
    }
    [[nodiscard]] bool isStopped() const { return m_stopped; }

  private:
    std::function<bool()> m_shouldStop;
    std::int64_t m_spent = 0;
    bool m_stopped = false;
};

} // namespace lambdascope
