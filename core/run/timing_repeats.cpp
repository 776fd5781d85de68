// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/timing_repeats.h"

#include "core/common/clocks.h"
#include "core/common/quantile.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace lambdascope {

namespace {

/// Times that keep their quartiles. Parts of them do not: there are many, and their sum has.
bool hasQuartiles(ColumnRole role) {
    return role == ColumnRole::CpuSolve || role == ColumnRole::CpuScreen || role == ColumnRole::Wall;
}

bool isTime(ColumnRole role) {
    return hasQuartiles(role) || role == ColumnRole::CpuPart;
}

template <class Passes, class Value>
double medianOver(const Passes& passes, Value value) {
    std::vector<double> values;
    std::transform(passes.begin(), passes.end(), std::back_inserter(values), value);
    return quantile(std::move(values), 0.5);
}

} // namespace

TimingRepeats::TimingRepeats(const TaskFactory& makeTask, std::int64_t repeats, const RunContext& context)
    : m_context(context.muted()) {
    for (std::int64_t i = 1; i < repeats; ++i) {
        m_tasks.push_back({makeTask(), nullptr});
    }
}

void TimingRepeats::addColumns(std::vector<ColumnDescription>& columns) {
    m_columns = columns;
    for (const ColumnDescription& column : m_columns) {
        if (hasQuartiles(column.role)) {
            columns.push_back(
                {column.key + "_q1", column.label + ", lower quartile", column.unit, ColumnRole::Other, false});
            columns.push_back(
                {column.key + "_q3", column.label + ", upper quartile", column.unit, ColumnRole::Other, false});
        }
    }
}

void TimingRepeats::begin(const PathPoint& point, PointReport report, double wall) {
    m_point = point;
    m_passes.clear();
    m_passes.push_back({std::move(report), wall});
}

Result<Termination> TimingRepeats::advance(double timeLimit) {
    Task& next = m_tasks.at(m_passes.size() - 1);
    m_context.setTimeLimit(timeLimit);
    const double start = wallSeconds() - m_context.pausedSeconds();
    auto report = next.task->solvePoint(m_point, next.warmStart, m_context);
    const double wall = wallSeconds() - m_context.pausedSeconds() - start;
    if (!report) {
        return Failure{std::move(report).error()};
    }
    const Termination termination = report->termination;
    if (isInterruption(termination)) {
        return termination; // its times are of no whole computation
    }
    if (!isSame(*report)) {
        return Failure{plainError(ErrorCode::Internal, "point " + std::to_string(m_point.index) +
                                                           " came out otherwise when it was computed again")};
    }
    next.warmStart = std::move(report->warmStart);
    m_passes.push_back({std::move(*report), wall});
    return termination;
}

/// Times and memory aside.
bool TimingRepeats::isSame(const PointReport& report) const {
    const PointReport& first = m_passes.front().report;
    bool isSame = report.termination == first.termination && report.decidableItems == first.decidableItems &&
                  report.values.size() == m_columns.size();
    for (std::size_t k = 0; isSame && k < m_columns.size(); ++k) {
        const double a = report.values[k];
        const double b = first.values[k];
        isSame = m_columns[k].unit == "s" || m_columns[k].unit == "B" || a == b || (std::isnan(a) && std::isnan(b));
    }
    return isSame;
}

double TimingRepeats::quantileOf(std::size_t column, double share) const {
    std::vector<double> values;
    for (const Pass& pass : m_passes) {
        values.push_back(pass.report.values[column]);
    }
    return quantile(std::move(values), share);
}

TimingRepeats::Timed TimingRepeats::take() {
    Timed timed{m_passes.front().report, medianOver(m_passes, [](const Pass& pass) { return pass.wall; })};
    PointReport& report = timed.report;
    report.cpuSolve = medianOver(m_passes, [](const Pass& pass) { return pass.report.cpuSolve; });
    report.cpuScreen = medianOver(m_passes, [](const Pass& pass) { return pass.report.cpuScreen; });
    double whole = 0;
    double parts = 0;
    std::vector<double> edges;
    for (std::size_t k = 0; k < m_columns.size(); ++k) {
        const ColumnRole role = m_columns[k].role;
        if (!isTime(role)) {
            continue;
        }
        report.values[k] = quantileOf(k, 0.5);
        if (hasQuartiles(role)) {
            edges.push_back(quantileOf(k, 0.25));
            edges.push_back(quantileOf(k, 0.75));
        }
        whole += role == ColumnRole::CpuSolve || role == ColumnRole::CpuScreen ? report.values[k] : 0;
        parts += role == ColumnRole::CpuPart ? report.values[k] : 0;
    }
    for (std::size_t k = 0; k < m_columns.size(); ++k) {
        if (m_columns[k].role == ColumnRole::CpuPart && parts > 0) {
            report.values[k] *= whole / parts;
        }
    }
    report.values.insert(report.values.end(), edges.begin(), edges.end());
    m_passes.clear();
    return timed;
}

void TimingRepeats::transfer(StateArchive& archive) {
    for (Task& one : m_tasks) {
        one.task->transfer(archive, one.warmStart, m_context);
    }
}

} // namespace lambdascope
