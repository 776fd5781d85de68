// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/known_lane.h"

#include "core/config/field.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace lambdascope {

namespace {

/// What is wrong with lane `i` as an oracle, and what to do; two empty texts when nothing is.
std::pair<std::string, std::string> complaintAbout(const std::vector<OracleLane>& lanes, std::size_t i) {
    const std::string& name = lanes[i].oracle;
    const auto found =
        std::find_if(lanes.begin(), lanes.end(), [&](const OracleLane& lane) { return lane.name == name; });
    const std::string quoted = "\"" + name + "\"";
    if (found == lanes.end()) {
        std::vector<std::string> names;
        std::transform(lanes.begin(), lanes.end(), std::back_inserter(names),
                       [](const OracleLane& lane) { return lane.name; });
        const auto guess = closestWord(name, names);
        return {"no lane is called " + quoted,
                guess ? "Did you mean \"" + *guess + "\"?" : "Name a lane of the experiment that screens."};
    }
    if (!found->oracle.empty()) {
        return {"names " + quoted + ", which is an oracle itself",
                "Name the lane that finds the sets, " + ("\"" + found->oracle + "\"") + "."};
    }
    if (!found->screens) {
        return {"names " + quoted + ", which screens nothing", "Name a lane with bounds."};
    }
    if (static_cast<std::size_t>(found - lanes.begin()) > i) {
        return {"names " + quoted + ", which comes after it", "Move the lane behind " + quoted + "."};
    }
    return {};
}

} // namespace

void checkOracles(const std::vector<OracleLane>& lanes, std::vector<Fault>& faults) {
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        if (lanes[i].oracle.empty()) {
            continue;
        }
        const std::string key = "lanes[" + std::to_string(i) + "]";
        if (auto [message, remedy] = complaintAbout(lanes, i); !message.empty()) {
            faults.push_back({key + ".oracle", std::move(message), std::move(remedy), {}});
        }
        if (lanes[i].hasBounds) {
            faults.push_back({key + ".bounds",
                              "are not asked in a lane that knows the sets of another",
                              "Leave bounds empty, or remove oracle.",
                              {}});
        }
    }
}

void FinishedPoints::keep(const std::string& lane, const PathPoint& point, std::shared_ptr<const WarmStart> solution) {
    if (solution == nullptr) {
        return;
    }
    const std::lock_guard lock(m_mutex);
    std::erase_if(m_entries, [&](const Entry& entry) {
        const bool isReplaced = entry.lane == lane && entry.point.index == point.index;
        m_bytes -= isReplaced ? entry.solution->bytes() : 0;
        return isReplaced;
    });
    m_bytes += solution->bytes();
    m_entries.push_back({lane, point, std::move(solution)});
    while (m_bytes > m_budget && m_entries.size() > 1) {
        m_bytes -= m_entries.front().solution->bytes();
        m_entries.pop_front();
    }
}

std::shared_ptr<const WarmStart> FinishedPoints::find(const std::string& lane, const PathPoint& point) const {
    const std::lock_guard lock(m_mutex);
    const auto found = std::find_if(m_entries.begin(), m_entries.end(), [&](const Entry& entry) {
        return entry.lane == lane && entry.point.index == point.index && entry.point.value == point.value;
    });
    return found == m_entries.end() ? nullptr : found->solution;
}

double KnownLane::valueAt(std::size_t index, const std::vector<double>& schedule) const {
    const bool isAsked = index < m_values.size() && !std::isnan(m_values[index]);
    return isAsked ? m_values[index] : schedule.at(index);
}

Result<std::shared_ptr<const WarmStart>> KnownLane::at(const PathPoint& point, RunContext& context) {
    const auto index = static_cast<std::size_t>(point.index);
    if (index >= m_values.size()) {
        m_values.resize(index + 1, std::numeric_limits<double>::quiet_NaN());
    }
    m_values[index] = point.value;
    if (auto known = m_finished->find(m_lane, point)) {
        return known;
    }
    if (m_task == nullptr || m_next > point.index) {
        m_task = m_makeTask();
        m_next = 0;
        m_last.reset();
    }
    const std::vector<double> schedule = m_task->schedule();
    NullSink sink;
    const RunContext::Diverted unheard(context, sink, {.threads = context.wishes().threads});
    for (; m_next <= point.index; ++m_next) {
        if (context.shouldStop()) {
            return std::shared_ptr<const WarmStart>();
        }
        auto report =
            m_task->solvePoint({m_next, valueAt(static_cast<std::size_t>(m_next), schedule)}, m_last, context);
        if (!report) {
            return Failure{report.error()};
        }
        if (isInterruption(report->termination)) {
            return std::shared_ptr<const WarmStart>();
        }
        m_last = std::move(report->warmStart);
    }
    return m_last;
}

} // namespace lambdascope
