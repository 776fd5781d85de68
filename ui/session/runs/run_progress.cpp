// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/runs/run_progress.h"

#include "core/common/number_text.h"

#include <algorithm>

namespace lambdascope {

void RunProgress::publish(const RunEvent& event) noexcept {
    if (std::holds_alternative<Iterated>(event.body) || std::holds_alternative<Screened>(event.body)) {
        return;
    }
    const std::lock_guard lock(m_mutex);
    take(event);
}

void RunProgress::setActivity(double share, std::string text) {
    const std::lock_guard lock(m_mutex);
    m_snapshot = {share, std::move(text)};
}

RunProgress::Snapshot RunProgress::snapshot() const {
    const std::lock_guard lock(m_mutex);
    return m_snapshot;
}

void RunProgress::take(const RunEvent& event) {
    LaneProgress& lane = m_lanes[event.run];
    if (const auto* start = std::get_if<RunStarted>(&event.body)) {
        if (m_lanes.size() == 1) {
            m_snapshot = {}; // the share of the preparation says nothing about the lanes
        }
        lane.name = start->laneName;
        lane.axisLabel = start->axisLabel;
        m_laneCount = std::max(1, start->laneCount);
    } else if (const auto* point = std::get_if<PointStarted>(&event.body)) {
        if (point->estimatedPointCount > 0) {
            lane.place.planned = point->estimatedPointCount;
        }
        lane.isInPoint = true;
        recompute(lane, point->axisValue);
    } else if (const auto* finished = std::get_if<PointFinished>(&event.body)) {
        ++lane.place.finished;
        lane.isInPoint = false;
        recompute(lane, finished->axisValue);
    } else if (const auto* end = std::get_if<RunFinished>(&event.body)) {
        lane.place.isOver =
            end->termination != Termination::StoppedByUser && end->termination != Termination::TimeLimit;
        lane.hasEnded = true;
    } else if (std::holds_alternative<RunFailed>(event.body)) {
        lane.hasEnded = true;
    }
}

void RunProgress::recompute(const LaneProgress& current, double axisValue) {
    std::vector<LanePlace> places;
    for (const auto& [run, lane] : m_lanes) {
        places.push_back(lane.place);
    }
    const PathLength length = pathLength(places);
    double sum = 0;
    for (const auto& [run, lane] : m_lanes) {
        sum += lane.hasEnded ? 1 : length.points > 0 ? static_cast<double>(lane.place.finished) / length.points : 0;
    }
    if (length.points > 0) {
        m_snapshot.share = std::min(1.0, sum / m_laneCount);
    }
    const std::int32_t point = current.place.finished + (current.isInPoint ? 1 : 0);
    std::string text =
        current.name + ": " + current.axisLabel + " = " + shortText(axisValue) + ", point " + std::to_string(point);
    if (length.points > 0) {
        text += (length.isKnown ? " of " : " of about ") + std::to_string(std::max(length.points, point));
    }
    m_snapshot.text = std::move(text);
}

} // namespace lambdascope
