// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/record/thinning.h"
#include "core/run/event_sink.h"

#include <filesystem>
#include <string>
#include <vector>

namespace lambdascope {

/// One event as a line of an event log, with the newline.
[[nodiscard]] std::string eventLine(const RunEvent& event);

/// Reads an event log (one JSON object per line). A last line without newline is what a killed process leaves behind:
/// it is ignored unless it is whole. Any other unreadable line fails with InvalidData, file and line.
Result<std::vector<RunEvent>> readEventLog(const std::filesystem::path& file);

/// Publishes the events again, in order.
void replay(const std::vector<RunEvent>& events, EventSink& sink);

/// Keeps the events of the point in work with its Iterated thinned to a bounded number (first and last always kept),
/// until they are taken to be written. Memory and disk stay bounded however many iterations a point needs, and while
/// a point is solved nothing is formatted or written.
class PointBuffer {
  public:
    static constexpr std::size_t kKeptIterations = 512;

    void add(const RunEvent& event);
    /// The events so far in order of their sequence numbers; the buffer is empty then.
    [[nodiscard]] std::vector<RunEvent> take();

  private:
    std::vector<RunEvent> m_others;
    std::vector<RunEvent> m_iterations;
    ThinningState m_thinning;
};

} // namespace lambdascope
