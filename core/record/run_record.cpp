// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/run_record.h"

#include <algorithm>
#include <utility>

namespace lambdascope {

namespace {

/// Iterations of all points of a lane together, so that a run of days has room for its points, which nothing thins.
constexpr std::size_t kKeptInAll = 4096;
constexpr std::size_t kLeastKept = 8;      // of a point: enough to see how it came down
constexpr std::size_t kPointsPerLook = 16; // finished points between two looks at the sum; as many stay whole

/// Leaves out every second iteration of points, the oldest first, until there are at most kKeptInAll: the first and the
/// last of each point stay.
void thinIterations(std::vector<PointRecord>& points) {
    std::size_t sum = 0;
    for (const PointRecord& point : points) {
        sum += point.iterations.size();
    }
    const std::size_t older = points.size() - std::min(points.size(), kPointsPerLook);
    bool isThinned = true;
    while (isThinned && sum > kKeptInAll) {
        isThinned = false;
        for (std::size_t k = 0; k < older; ++k) {
            std::vector<Iterated>& all = points[k].iterations;
            if (all.size() > kLeastKept) {
                std::vector<Iterated> kept;
                kept.reserve(all.size() / 2 + 1);
                for (std::size_t i = 0; i + 1 < all.size(); i += 2) {
                    kept.push_back(all[i]);
                }
                kept.push_back(all.back());
                sum -= all.size() - kept.size();
                all = std::move(kept);
                isThinned = true;
            }
        }
    }
}

} // namespace

double PointRecord::cpuScreen() const {
    double sum = 0;
    for (const Screened& screening : screenings) {
        sum += screening.cpu;
    }
    return sum;
}

void RunRecord::apply(const RunEvent& event) {
    if (!m_id.isValid()) {
        m_id = event.run;
    }
    if (event.run != m_id) {
        return;
    }
    std::visit([this](const auto& body) { take(body); }, event.body);
}

void RunRecord::markInterrupted() {
    if (m_state == State::Running) {
        m_state = State::Interrupted;
        m_estimatedPointCount = static_cast<std::int32_t>(m_finishedPoints);
    }
}

void RunRecord::take(const RunStarted& event) {
    m_start = event;
}

void RunRecord::take(const PointStarted& event) {
    PointRecord& point = *openPoint(event.index);
    point.axisValue = event.axisValue;
    if (event.estimatedPointCount > 0) {
        m_estimatedPointCount = event.estimatedPointCount;
        m_plannedPointCount = event.estimatedPointCount;
    }
}

void RunRecord::take(const Iterated& event) {
    appendThinned(openPoint(event.pointIndex)->iterations, event, m_thinning, kKeptIterations);
}

void RunRecord::take(const Screened& event) {
    openPoint(event.pointIndex)->screenings.push_back(event);
}

void RunRecord::take(const PartsSolved& event) {
    openPoint(event.pointIndex)->partValues = event.values;
}

void RunRecord::take(const PointFinished& event) {
    PointRecord& point = *openPoint(event.index);
    point.axisValue = event.axisValue;
    point.isFinished = true;
    point.termination = event.termination;
    point.values = event.values;
    point.values.resize(m_start.columns.size());
    point.decidableItems = event.decidableItems;
    point.embedding = event.embedding;
    point.solution = event.solution;
    for (Screened& screening : point.screenings) {
        const auto fixed = static_cast<double>(screening.fixedLow + screening.fixedHigh);
        screening.rate = event.decidableItems > 0 ? fixed / static_cast<double>(event.decidableItems) : 0;
    }
    point.iterations.shrink_to_fit(); // half of what a growing list holds is spare
    point.screenings.shrink_to_fit();
    ++m_finishedPoints;
    if (m_finishedPoints % kPointsPerLook == 0) {
        thinIterations(m_points);
    }
    m_cpuSolve += sumOfRole(point, ColumnRole::CpuSolve);
    m_cpuScreen += sumOfRole(point, ColumnRole::CpuScreen);
    m_wall += sumOfRole(point, ColumnRole::Wall);
}

void RunRecord::take(const RunFinished& event) {
    const bool isStop = event.termination == Termination::StoppedByUser || event.termination == Termination::TimeLimit;
    m_state = isStop ? State::Stopped : State::Finished;
    m_termination = event.termination;
    m_cpuSolve = event.cpuSolve;
    m_cpuScreen = event.cpuScreen;
    m_wall = event.wall;
    m_estimatedPointCount = static_cast<std::int32_t>(m_finishedPoints);
}

void RunRecord::take(const RunFailed& event) {
    m_state = State::Failed;
    m_failure = event.message;
    m_estimatedPointCount = static_cast<std::int32_t>(m_finishedPoints);
}

PointRecord* RunRecord::openPoint(std::int32_t index) {
    if (m_points.empty() || m_points.back().isFinished || m_points.back().index != index) {
        if (!m_points.empty() && !m_points.back().isFinished) {
            m_points.pop_back(); // it was given up; the list holds finished points before the one in work
        }
        PointRecord point;
        point.index = index;
        m_points.push_back(std::move(point));
        m_thinning = {};
    }
    return &m_points.back();
}

const PointRecord* RunRecord::finishedPoint(std::int32_t index) const {
    // Indices rise along the path, whether or not they are without gaps.
    const auto found = std::lower_bound(m_points.begin(), m_points.end(), index,
                                        [](const PointRecord& point, std::int32_t i) { return point.index < i; });
    return found != m_points.end() && found->index == index && found->isFinished ? &*found : nullptr;
}

const PointRecord* RunRecord::currentPoint() const {
    return !hasEnded() && !m_points.empty() && !m_points.back().isFinished ? &m_points.back() : nullptr;
}

std::optional<Iterated> RunRecord::lastIteration() const {
    if (m_points.empty() || m_points.back().iterations.empty()) {
        return std::nullopt;
    }
    return m_points.back().iterations.back();
}

double RunRecord::progress() const {
    if (m_estimatedPointCount <= 0) {
        return hasEnded() ? 1 : 0;
    }
    return std::min(1.0, static_cast<double>(m_finishedPoints) / m_estimatedPointCount);
}

std::optional<std::size_t> RunRecord::columnWithRole(ColumnRole role) const {
    for (std::size_t i = 0; i < m_start.columns.size(); ++i) {
        if (m_start.columns[i].role == role) {
            return i;
        }
    }
    return std::nullopt;
}

std::optional<std::size_t> RunRecord::columnWithKey(std::string_view key) const {
    const std::size_t place = placeOfColumn(m_start.columns, key);
    return place < m_start.columns.size() ? std::optional(place) : std::nullopt;
}

double RunRecord::sumOfRole(const PointRecord& point, ColumnRole role) const {
    double sum = 0;
    for (std::size_t i = 0; i < m_start.columns.size(); ++i) {
        if (m_start.columns[i].role == role) {
            sum += point.values[i];
        }
    }
    return sum;
}

std::string_view recordStateName(RunRecord::State state) {
    switch (state) {
    case RunRecord::State::Running: return "running";
    case RunRecord::State::Finished: return "finished";
    case RunRecord::State::Stopped: return "stopped";
    case RunRecord::State::Failed: return "failed";
    case RunRecord::State::Interrupted: return "interrupted";
    }
    return "unknown";
}

} // namespace lambdascope
