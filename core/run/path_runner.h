// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/path_task.h"
#include "core/run/timing_repeats.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lambdascope {

/// The next unused run id of this process. Thread-safe.
class RunIdSource {
  public:
    [[nodiscard]] static RunId next();
};

/// How one lane ended.
struct LaneOutcome {
    std::string lane;
    RunId run;
    Termination termination = Termination::PathEnded;
    std::int32_t finishedPoints = 0;
    double cpuSolve = 0;        ///< CPU seconds over finished points
    double cpuScreen = 0;       ///< CPU seconds over finished points
    double wall = 0;            ///< seconds in this lane's own points, without pauses and without other lanes' turns
    std::optional<Error> error; ///< set when the lane failed; `termination` then says nothing
};

/// A lane as another process has left it.
struct LaneHistory {
    /// As they were published, to its end or to the point that `state` belongs to.
    std::vector<RunEvent> events;
    std::shared_ptr<const std::string> state; ///< null for a lane that has ended
};

/// Drives one lane: schedule, warm start from point to point, pause, stop, time limit, stop rule. One point per call,
/// or one computation of it where it is computed several times for its times, so that lanes can take turns.
///
/// Events: RunStarted, then per point PointStarted, the task's Iterated and Screened, PointFinished; at the end exactly
/// one of RunFinished and RunFailed. A point that a stop or the time limit interrupts has no PointFinished. A path that
/// ran to its end finishes as PathEnded, or with the worst termination of its points when one of them did not
/// converge. Exceptions of libraries are caught here and become RunFailed (std::bad_alloc: OutOfMemory, others:
/// Internal).
class PathRunner {
  public:
    /// `timeLimitSeconds` counts the time inside advance() of this lane, without pauses; 0 for none. `mayBeBaseline`:
    /// false when an earlier lane is the baseline already. `timingRepeats`: how often each point is computed; what
    /// comes after the first time gives times only, and makes tasks of its own.
    PathRunner(TaskFactory makeTask, LaneIdentity lane, RunContext context, double timeLimitSeconds,
               bool mayBeBaseline = true, std::int64_t timingRepeats = 1);

    /// Makes the task and publishes RunStarted. Call once, first.
    void start();
    /// The same for a lane that goes on where its history ends, or has ended there: publishes nothing of what is in it.
    /// All that comes is what would have come without the interruption. The lane fails when its task is not the one
    /// that made the history.
    void resume(const LaneHistory& history);

    /// Solves the next point, or ends the lane. Returns false once the lane has ended; then it does nothing.
    bool advance();

    [[nodiscard]] bool hasEnded() const { return m_hasEnded; }
    /// Valid after start().
    [[nodiscard]] bool isBaseline() const { return m_isBaseline; }
    [[nodiscard]] const LaneOutcome& outcome() const { return m_outcome; }

  private:
    /// Runs `work`; what it throws ends the lane.
    void guarded(const std::function<void()>& work);
    void makeTaskAndAnnounce();
    LaneDescription makeTask();
    void takeHistory(const LaneHistory& history);
    void transfer(StateArchive& archive);
    [[nodiscard]] std::shared_ptr<const std::string> stateIfDue();
    [[nodiscard]] double ownSeconds() const;
    void solveNext();
    void repeatPoint();
    void finishPoint(const PathPoint& point, PointReport report);
    void takeReport(PointReport report);
    void end(Termination termination);
    void fail(Error error);
    [[nodiscard]] double secondsLeft() const { return m_timeLimit > 0 ? m_timeLimit - m_secondsUsed : 0; }
    [[nodiscard]] double pausedSeconds() const;
    [[nodiscard]] bool outOfTime() const { return m_timeLimit > 0 && m_secondsUsed >= m_timeLimit; }

    TaskFactory m_makeTask;
    LaneIdentity m_lane;
    RunContext m_context;
    double m_timeLimit;
    bool m_mayBeBaseline;
    std::int64_t m_timingRepeats;
    std::unique_ptr<PathTask> m_task;
    std::unique_ptr<TimingRepeats> m_repeats; ///< null when points are computed once
    std::size_t m_columnCount = 0;
    std::vector<double> m_schedule;
    std::vector<PointReport> m_finished; ///< without their warm starts
    std::shared_ptr<const WarmStart> m_warmStart;
    Termination m_worst = Termination::PathEnded;
    double m_secondsUsed = 0;  ///< against the time limit, in earlier calls
    double m_callStart = 0;    ///< of the call under way, without pauses
    double m_stateTime = 0;    ///< own seconds when the last state was kept
    double m_stateSpacing = 0; ///< seconds to pass before the next one, by what it cost
    LaneOutcome m_outcome;
    bool m_isBaseline = false;
    bool m_isAnnounced = false;
    bool m_hasEnded = false;
};

} // namespace lambdascope
