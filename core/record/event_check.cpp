// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/event_check.h"

namespace lambdascope {

namespace {

Failure misfit(std::string message) {
    return Failure{singleFault(ErrorCode::InvalidData,
                               {"", std::move(message), "Restore the run from a copy, or compute it again.", {}})};
}

/// Two coordinates for each point, and as many again where their known places follow.
bool hasPlaces(const Embedding& embedding) {
    const std::size_t once = 2 * embedding.classes.size();
    return embedding.coordinates.size() == once || embedding.coordinates.size() == 2 * once;
}

} // namespace

Result<void> EventCheck::take(const RunEvent& event) {
    if (const auto* start = std::get_if<RunStarted>(&event.body)) {
        if (m_hasStarted) {
            return misfit("the run starts twice");
        }
        m_hasStarted = true;
        m_columns = start->columns.size();
        m_partValues = start->parts.names.size() * start->parts.columns.size();
        return {};
    }
    if (!m_hasStarted) {
        return misfit("an event stands before the start of the run");
    }
    if (const auto* parts = std::get_if<PartsSolved>(&event.body);
        parts != nullptr && parts->values.size() != m_partValues) {
        return misfit("the parts of point " + std::to_string(parts->pointIndex) + " have " +
                      std::to_string(parts->values.size()) + " values in place of " + std::to_string(m_partValues));
    }
    const auto* point = std::get_if<PointFinished>(&event.body);
    if (point == nullptr) {
        return {};
    }
    if (point->values.size() != m_columns) {
        return misfit("point " + std::to_string(point->index) + " has " + std::to_string(point->values.size()) +
                      " values for " + std::to_string(m_columns) + " columns");
    }
    if (point->index <= m_lastPoint) {
        return misfit("point " + std::to_string(point->index) + " stands behind point " + std::to_string(m_lastPoint));
    }
    m_lastPoint = point->index;
    if (point->embedding && !hasPlaces(*point->embedding)) {
        return misfit("the picture of point " + std::to_string(point->index) + " has " +
                      std::to_string(point->embedding->coordinates.size()) + " coordinates for " +
                      std::to_string(point->embedding->classes.size()) + " places");
    }
    return {};
}

} // namespace lambdascope
