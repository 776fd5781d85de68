// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/run_context.h"

#include <cstdint>
#include <vector>

namespace lambdascope {

/// Where the solution of one part of a path point ended.
struct PartEnd {
    double objective = 0;
    double gap = 0;
    std::int64_t items = 0;
};

/// The events of a point that consists of several parts, which are solved one after another: keeps those of each part,
/// and tells of the point as a whole once all are solved, as if they had been solved side by side. After iteration t
/// that is every part after its iteration t, after check j every part after its check j, or where it ended.
class PartEvents {
  public:
    explicit PartEvents(std::size_t parts) : m_parts(parts) {}

    /// Takes the events of one part.
    [[nodiscard]] EventSink& of(std::size_t part) { return m_parts[part]; }
    /// Publishes Iterated and Screened of the point. `ends`: of all parts.
    void publish(std::int32_t point, const std::vector<PartEnd>& ends, RunContext& context) const;

  private:
    struct Part final : EventSink {
        void publish(const RunEvent& event) noexcept override;
        std::vector<Iterated> iterations;
        std::vector<Screened> checks;
    };

    void publishIterations(std::int32_t point, const std::vector<PartEnd>& ends, RunContext& context) const;
    void publishChecks(std::int32_t point, const std::vector<PartEnd>& ends, RunContext& context) const;

    std::vector<Part> m_parts;
};

} // namespace lambdascope
