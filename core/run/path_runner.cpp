// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/path_runner.h"

#include "core/common/clocks.h"
#include "core/common/state_archive.h"
#include "core/run/library_exceptions.h"

#include <algorithm>
#include <atomic>

namespace lambdascope {

RunId RunIdSource::next() {
    static std::atomic<std::int64_t> counter{1};
    return RunId{counter.fetch_add(1, std::memory_order_relaxed)};
}

PathRunner::PathRunner(TaskFactory makeTask, LaneIdentity lane, RunContext context, double timeLimitSeconds,
                       bool mayBeBaseline, std::int64_t timingRepeats)
    : m_makeTask(std::move(makeTask)), m_lane(std::move(lane)), m_context(std::move(context)),
      m_timeLimit(timeLimitSeconds), m_mayBeBaseline(mayBeBaseline), m_timingRepeats(timingRepeats) {
    m_outcome.lane = m_lane.laneName;
    m_outcome.run = m_context.run();
}

double PathRunner::pausedSeconds() const {
    return m_context.pausedSeconds() + (m_repeats != nullptr ? m_repeats->pausedSeconds() : 0);
}

void PathRunner::guarded(const std::function<void()>& work) {
    m_callStart = wallSeconds() - pausedSeconds();
    try {
        work();
    } catch (...) {
        fail(errorOfCurrentException("computing lane \"" + m_lane.laneName + "\""));
    }
    m_secondsUsed = ownSeconds();
    if (m_hasEnded) {
        // What a lane holds can be large, and its siblings may still have a long way to go.
        m_task.reset();
        m_repeats.reset();
        m_warmStart.reset();
    }
}

double PathRunner::ownSeconds() const {
    return m_secondsUsed + wallSeconds() - pausedSeconds() - m_callStart;
}

void PathRunner::start() {
    guarded([this] { makeTaskAndAnnounce(); });
}

LaneDescription PathRunner::makeTask() {
    m_task = m_makeTask();
    LaneDescription description = m_task->describe();
    description.isBaseline = description.isBaseline && m_mayBeBaseline;
    m_isBaseline = description.isBaseline;
    m_columnCount = description.columns.size();
    if (m_timingRepeats > 1) {
        m_repeats = std::make_unique<TimingRepeats>(m_makeTask, m_timingRepeats, m_context);
        m_repeats->addColumns(description.columns);
    }
    m_schedule = m_task->schedule();
    return description;
}

void PathRunner::makeTaskAndAnnounce() {
    LaneDescription description = makeTask();
    m_isAnnounced = true;
    m_context.publish(RunStarted{m_lane, std::move(description)});
    if (m_schedule.empty()) {
        fail(m_task->emptyPathError());
    }
}

void PathRunner::resume(const LaneHistory& history) {
    guarded([&] { takeHistory(history); });
}

void PathRunner::takeHistory(const LaneHistory& history) {
    m_isAnnounced = true;
    for (const RunEvent& event : history.events) {
        if (const auto* started = std::get_if<RunStarted>(&event.body)) {
            m_isBaseline = started->isBaseline;
        } else if (const auto* point = std::get_if<PointFinished>(&event.body)) {
            PointReport report;
            report.termination = point->termination;
            report.values = point->values;
            report.decidableItems = point->decidableItems;
            takeReport(std::move(report));
        } else if (const auto* end = std::get_if<RunFinished>(&event.body)) {
            m_outcome.termination = end->termination;
            m_outcome.cpuSolve = end->cpuSolve;
            m_outcome.cpuScreen = end->cpuScreen;
            m_outcome.wall = end->wall;
        } else if (const auto* failed = std::get_if<RunFailed>(&event.body)) {
            m_outcome.error = plainError(ErrorCode::Internal, failed->message);
        }
        m_context.goOnFrom(event.sequence + 1);
    }
    m_hasEnded = history.state == nullptr;
    if (m_hasEnded) {
        return;
    }
    const bool wasBaseline = m_isBaseline;
    const LaneDescription description = makeTask();
    const auto* started = history.events.empty() ? nullptr : std::get_if<RunStarted>(&history.events.front().body);
    const bool isSame = started != nullptr && wasBaseline == m_isBaseline && started->columns == description.columns &&
                        m_finished.size() < m_schedule.size();
    StateArchive archive(*history.state);
    if (isSame) {
        transfer(archive);
    }
    if (!isSame || !archive.isWhole()) {
        fail(plainError(ErrorCode::Internal, "what was kept of this lane is not of its problem"));
    }
}

/// All that later points of the lane depend on, but for the reports of those finished.
void PathRunner::transfer(StateArchive& archive) {
    double seconds = ownSeconds();
    archive(m_outcome.cpuSolve, m_outcome.cpuScreen, m_outcome.wall, seconds);
    if (archive.isReading()) {
        m_secondsUsed = m_stateTime = seconds;
    }
    m_task->transfer(archive, m_warmStart, m_context);
    if (m_repeats != nullptr) {
        m_repeats->transfer(archive);
    }
}

std::shared_ptr<const std::string> PathRunner::stateIfDue() {
    const double interval = m_context.wishes().stateInterval;
    const double spacing = interval > 0 ? std::max(interval, m_stateSpacing) : interval;
    if (spacing < 0 || ownSeconds() - m_stateTime < spacing) {
        return nullptr;
    }
    constexpr double kKeeping = 4; // times as long as making a state, to write it where it is kept
    const double cpu = threadCpuSeconds();
    StateArchive archive;
    transfer(archive);
    const double expected = RunWishes::kStateSpacing * (1 + kKeeping) * (threadCpuSeconds() - cpu);
    if (interval > 0 && ownSeconds() - m_stateTime < expected) {
        m_stateSpacing = expected; // it is large
        return nullptr;
    }
    return std::make_shared<const std::string>(archive.take());
}

bool PathRunner::advance() {
    if (!m_hasEnded) {
        guarded([this] { solveNext(); });
    }
    return !m_hasEnded;
}

/// The point is solved; a stop only leaves it with times of fewer computations.
void PathRunner::repeatPoint() {
    m_context.setTimeLimit(secondsLeft());
    if (!m_context.shouldStop() && !outOfTime()) {
        const auto termination = m_repeats->advance(secondsLeft());
        if (!termination && termination.error().code != ErrorCode::Stopped) {
            fail(termination.error());
            return;
        }
        if (termination && !isInterruption(*termination) && m_repeats->isUnderWay()) {
            return;
        }
    }
    TimingRepeats::Timed timed = m_repeats->take();
    m_outcome.wall += timed.wall;
    finishPoint(m_repeats->point(), std::move(timed.report));
}

void PathRunner::solveNext() {
    if (m_repeats != nullptr && m_repeats->isUnderWay()) {
        repeatPoint();
        return;
    }
    if (m_finished.size() == m_schedule.size()) {
        end(m_worst);
        return;
    }
    // The limit counts this lane's own time only, so it is set anew at each turn.
    m_context.setTimeLimit(secondsLeft());
    if (outOfTime()) {
        end(Termination::TimeLimit);
        return;
    }
    if (m_context.shouldStop()) {
        end(m_context.stopReason());
        return;
    }
    const auto index = static_cast<std::int32_t>(m_finished.size());
    const PathPoint point{index, m_schedule[m_finished.size()]};
    m_context.publish(PointStarted{point.index, point.value, m_task->estimatedPointCount(m_finished)});

    const double start = wallSeconds();
    const double paused = m_context.pausedSeconds();
    auto report = m_task->solvePoint(point, m_warmStart, m_context);
    const double seconds = wallSeconds() - start - (m_context.pausedSeconds() - paused);
    if (!report) {
        if (report.error().code == ErrorCode::Stopped) {
            end(m_context.stopReason());
        } else {
            fail(std::move(report).error());
        }
        return;
    }
    if (isInterruption(report->termination)) {
        end(report->termination);
        return;
    }
    if (report->values.size() != m_columnCount) {
        fail(plainError(ErrorCode::Internal, "the task filled " + std::to_string(report->values.size()) + " of " +
                                                 std::to_string(m_columnCount) + " columns"));
    } else if (m_repeats != nullptr) {
        m_repeats->begin(point, std::move(*report), seconds);
    } else {
        m_outcome.wall += seconds;
        finishPoint(point, std::move(*report));
    }
}

void PathRunner::finishPoint(const PathPoint& point, PointReport report) {
    PointEvaluation evaluation;
    const RunWishes& wishes = m_context.wishes();
    if (wishes.embeddings || wishes.solutions || wishes.ranges || wishes.measures) {
        evaluation = m_task->evaluate(point, report, m_context);
    }
    for (const MeasuredValue& measure : evaluation.measures) {
        report.values.at(measure.column) = measure.value;
    }
    m_warmStart = std::move(report.warmStart);
    m_outcome.cpuSolve += report.cpuSolve;
    m_outcome.cpuScreen += report.cpuScreen;
    PointFinished event;
    event.index = point.index;
    event.axisValue = point.value;
    event.termination = report.termination;
    event.values = report.values;
    event.decidableItems = report.decidableItems;
    event.embedding = std::move(evaluation.embedding);
    event.solution = std::move(evaluation.solution);
    event.ranges = std::move(evaluation.ranges);
    takeReport(std::move(report));
    const bool isLast = m_finished.size() == m_schedule.size() || m_task->endsPath(m_finished);
    const double wall = wallSeconds();
    const double cpu = threadCpuSeconds();
    event.state = isLast ? nullptr : stateIfDue();
    const bool hasState = event.state != nullptr;
    m_context.publish(std::move(event));
    if (hasState) {
        m_stateSpacing = std::max(RunWishes::kStateSpacing * (threadCpuSeconds() - cpu),
                                  RunWishes::kStateWallSpacing * (wallSeconds() - wall));
        m_stateTime = ownSeconds();
    }
    if (isLast) {
        end(m_worst);
    }
}

void PathRunner::takeReport(PointReport report) {
    m_worst = worse(m_worst, report.termination);
    m_finished.push_back(std::move(report));
    m_outcome.finishedPoints = static_cast<std::int32_t>(m_finished.size());
}

void PathRunner::end(Termination termination) {
    m_hasEnded = true;
    m_outcome.termination = termination;
    m_context.publish(
        RunFinished{termination, m_outcome.finishedPoints, m_outcome.cpuSolve, m_outcome.cpuScreen, m_outcome.wall});
}

void PathRunner::fail(Error error) {
    m_hasEnded = true;
    if (!m_isAnnounced) {
        // Readers may rely on RunStarted being first, even when there is little to tell.
        m_isAnnounced = true;
        m_context.publish(RunStarted{m_lane, {}});
    }
    m_context.publish(RunFailed{error.describe()});
    m_outcome.error = std::move(error);
}

} // namespace lambdascope
