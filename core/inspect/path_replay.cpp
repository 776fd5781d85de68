// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/inspect/path_replay.h"

#include "core/common/number_text.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace lambdascope {

namespace {

Failure stopped() {
    return Failure{plainError(ErrorCode::Stopped, "stopped while computing the lane again")};
}

Failure notVisited(const LaneDescription& lane, std::size_t point, double value, const std::string& why) {
    return Failure{singleFault(ErrorCode::InvalidData, {lane.axisKey,
                                                        lane.axisKey + " at point " + std::to_string(point) +
                                                            ": stored " + exactText(value) + ", but " + why,
                                                        "The file was changed after the run; run the experiment again.",
                                                        {}})};
}

/// Values that depend on data, such as the largest λ, come out a little differently in another build; a point that is
/// not far away is as good as one of the schedule, since everything is computed and proven there.
Result<void> checkAxisValues(const LaneDescription& lane, const std::vector<double>& schedule,
                             const std::vector<double>& values) {
    constexpr double kNear = 1e-3; // relative
    const auto axis = std::find_if(lane.columns.begin(), lane.columns.end(),
                                   [](const ColumnDescription& column) { return column.role == ColumnRole::Axis; });
    const bool isWhole = axis != lane.columns.end() && axis->isInteger;
    const auto [low, high] = std::minmax_element(schedule.begin(), schedule.end());
    const bool rises = schedule.size() > 1 && std::is_sorted(schedule.begin(), schedule.end());
    const bool falls = schedule.size() > 1 && std::is_sorted(schedule.rbegin(), schedule.rend());
    for (std::size_t p = 0; p < values.size(); ++p) {
        const double value = values[p];
        if (schedule.empty()) {
            return notVisited(lane, p, value, "the path has no points");
        }
        const bool isPoint = isWhole
                                 ? std::find(schedule.begin(), schedule.end(), value) != schedule.end()
                                 : value >= *low - kNear * std::abs(*low) && value <= *high + kNear * std::abs(*high);
        if (!isPoint) {
            return notVisited(lane, p, value,
                              "the path has points from " + exactText(schedule.front()) + " to " +
                                  exactText(schedule.back()));
        }
        const double step = p == 0 ? 0 : value - values[p - 1];
        if (p > 0 && ((rises && !(step > 0)) || (falls && !(step < 0)))) {
            return notVisited(lane, p, value, std::string("the path ") + (rises ? "rises" : "falls"));
        }
    }
    return {};
}

} // namespace

PathReplay::PathReplay(MakeTask makeTask, std::uint64_t seed, bool hasMemory, double memoryBudget)
    : m_makeTask(std::move(makeTask)), m_seed(seed), m_hasMemory(hasMemory), m_task(m_makeTask()),
      m_description(m_task->describe()), m_schedule(m_task->schedule()), m_points(m_schedule),
      m_memoryBudget(memoryBudget) {}

Result<void> PathReplay::computeAt(std::vector<double> axisValues) {
    if (auto checked = checkAxisValues(m_description, m_schedule, axisValues); !checked) {
        return checked;
    }
    if (m_isWalked && !m_hasStopRule && m_points == axisValues) {
        return {};
    }
    m_points = std::move(axisValues);
    m_hasStopRule = false;
    m_path.clear();
    m_kept.clear();
    m_isWalked = false;
    return {};
}

Result<PointReport> PathReplay::solve(std::int32_t point, const Kept& from, const Listen& listen,
                                      const std::stop_token& stop) {
    if (listen) {
        listen(*m_task, true);
    }
    NullSink sink;
    RunContext context(RunId{0}, sink, stop, nullptr, {}, m_seed);
    auto report = m_task->solvePoint({point, m_points[static_cast<std::size_t>(point)]}, from, context);
    if (listen) {
        listen(*m_task, false);
    }
    if (report && report->termination == Termination::StoppedByUser) {
        return stopped();
    }
    return report;
}

void PathReplay::measure(const PathPoint& point, PointReport& report, const std::stop_token& stop) {
    NullSink sink;
    RunContext context(RunId{0}, sink, stop, nullptr, {.measures = true}, m_seed);
    for (const MeasuredValue& measured : m_task->evaluate(point, report, context).measures) {
        report.values.at(measured.column) = measured.value;
    }
}

void PathReplay::keep(std::int32_t point, const Kept& solution) {
    if (point % m_stride != 0) {
        return;
    }
    m_kept[point] = solution;
    while (m_kept.size() > 1 && static_cast<double>(m_kept.size()) * solution->bytes() > m_memoryBudget) {
        m_stride *= 2;
        std::erase_if(m_kept, [this](const auto& entry) { return entry.first % m_stride != 0; });
    }
}

Result<void> PathReplay::walk(std::int32_t mostPoints, const Listen& listen, const Visitor& visitor,
                              const RunLens::Progress& progress, const std::stop_token& stop) {
    m_path.clear();
    m_kept.clear();
    m_stride = 1;
    m_isWalked = false;
    m_task = m_makeTask();
    std::vector<PointReport> reports;
    Kept last;
    const auto end = mostPoints > 0 ? std::min(static_cast<std::size_t>(mostPoints), m_points.size()) : m_points.size();
    while (reports.size() < end) {
        const auto index = static_cast<std::int32_t>(reports.size());
        auto report = solve(index, last, listen, stop);
        if (!report) {
            return Failure{report.error()};
        }
        last = report->warmStart;
        keep(index, last);
        measure({index, m_points[reports.size()]}, *report, stop);
        m_path.push_back({m_points[reports.size()], report->termination, report->values, report->bounds,
                          !m_hasStopRule && reports.size() < m_schedule.size()
                              ? std::optional(m_schedule[reports.size()])
                              : std::nullopt});
        if (visitor) {
            if (auto seen = visitor({index, m_path.back().axisValue}, *report); !seen) {
                return seen;
            }
        }
        report->warmStart.reset();
        reports.push_back(std::move(*report));
        if (m_hasStopRule && m_task->endsPath(reports)) {
            break;
        }
        if (progress && reports.size() < end) {
            const auto about = std::min<double>(static_cast<double>(end), m_task->estimatedPointCount(reports));
            progress(static_cast<double>(reports.size()) / std::max(about, static_cast<double>(reports.size() + 1)));
        }
    }
    m_isWalked = true;
    return {};
}

Result<void> PathReplay::visit(std::int32_t mostPoints, const Listen& listen, const Visitor& visitor,
                               const RunLens::Progress& progress, const std::stop_token& stop) {
    if (!m_isWalked) {
        return walk(mostPoints, listen, visitor, progress, stop);
    }
    m_task = m_makeTask();
    const auto count = static_cast<std::int32_t>(m_path.size());
    Kept last;
    for (std::int32_t point = 0; point < count; ++point) {
        const auto report = solve(point, last, listen, stop);
        if (!report) {
            return Failure{report.error()};
        }
        if (auto seen = visitor({point, m_path[static_cast<std::size_t>(point)].axisValue}, *report); !seen) {
            return seen;
        }
        last = report->warmStart;
        if (progress) {
            progress(static_cast<double>(point + 1) / count);
        }
    }
    return {};
}

Result<PointReport> PathReplay::replay(std::int32_t point, const Listen& listen, const Listen& earlier,
                                       const std::stop_token& stop) {
    assert(m_isWalked && point >= 0 && static_cast<std::size_t>(point) < m_path.size());
    Kept from;
    if (m_hasMemory) {
        m_task = m_makeTask();
        for (std::int32_t before = 0; before < point; ++before) {
            auto report = solve(before, from, earlier, stop);
            if (!report) {
                return report;
            }
            from = report->warmStart;
        }
    } else if (point > 0) {
        auto before = solution(point - 1, stop);
        if (!before) {
            return Failure{before.error()};
        }
        from = std::move(*before);
    }
    return solve(point, from, listen, stop);
}

Result<std::shared_ptr<const WarmStart>> PathReplay::solution(std::int32_t point, const std::stop_token& stop) {
    assert(m_isWalked && point >= 0 && static_cast<std::size_t>(point) < m_path.size());
    const auto after = m_kept.upper_bound(point);
    std::int32_t at = -1;
    Kept last;
    if (after != m_kept.begin()) {
        at = std::prev(after)->first;
        last = std::prev(after)->second;
    }
    if (m_hasMemory && at < point) {
        auto report = replay(point, {}, {}, stop);
        if (!report) {
            return Failure{report.error()};
        }
        return report->warmStart;
    }
    while (at < point) {
        auto report = solve(at + 1, last, {}, stop);
        if (!report) {
            return Failure{report.error()};
        }
        last = report->warmStart;
        ++at;
    }
    return last;
}

Result<void> PathReplay::checkPoint(std::int32_t point) const {
    const auto count = static_cast<std::int32_t>(m_path.size());
    if (!m_isWalked || point < 0 || point >= count) {
        return Failure{plainError(ErrorCode::BadUsage, "this lane has no point " + std::to_string(point) + "; it has " +
                                                           std::to_string(count))};
    }
    return {};
}

} // namespace lambdascope
