// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>
#include <thread>

namespace lambdascope::cli {

/// While one exists, the first SIGINT or SIGTERM asks for a stop and the second ends the process at once with status
/// 130. At most one may exist at a time.
class InterruptWatch {
  public:
    InterruptWatch();
    ~InterruptWatch();
    InterruptWatch(const InterruptWatch&) = delete;
    InterruptWatch& operator=(const InterruptWatch&) = delete;

    [[nodiscard]] std::stop_token token() const { return m_stop.get_token(); }
    /// For other reasons to stop than a signal.
    [[nodiscard]] std::stop_source source() const { return m_stop; }

  private:
    std::stop_source m_stop;
    std::thread m_waiter; ///< a signal handler itself may not request the stop
};

} // namespace lambdascope::cli
