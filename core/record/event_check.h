// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/run/run_event.h"

#include <cstddef>
#include <cstdint>

namespace lambdascope {

/// Looks whether the events of one run, taken in their order, fit together, so that whoever reads a record made from
/// them may rely on it: the run starts first, points follow one another, and have as many values as the run has
/// columns, their parts too.
class EventCheck {
  public:
    /// Error: InvalidData.
    Result<void> take(const RunEvent& event);

  private:
    bool m_hasStarted = false;
    std::size_t m_columns = 0;
    std::size_t m_partValues = 0;
    std::int32_t m_lastPoint = -1;
};

} // namespace lambdascope
