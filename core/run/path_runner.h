// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/path_task.h"

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

/// Makes the task of a lane; called once, in PathRunner::start().
using TaskFactory = std::function<std::unique_ptr<PathTask>()>;

/// Drives one lane: schedule, warm start from point to point, pause, stop, time limit, stop rule. One point per call,
/// so that lanes can take turns.
///
/// Events: RunStarted, then per point PointStarted, the task's Iterated and Screened, PointFinished; at the end exactly
/// one of RunFinished and RunFailed. A point that a stop or the time limit interrupts has no PointFinished. A path that
/// ran to its end finishes as PathEnded, or with the worst termination of its points when one of them did not
/// converge. Exceptions of libraries are caught here and become RunFailed (std::bad_alloc: OutOfMemory, others:
/// Internal).
class PathRunner {
  public:
    /// `timeLimitSeconds` counts the time inside advance() of this lane, without pauses; 0 for none. `mayBeBaseline`:
    /// false when an earlier lane is the baseline already.
    PathRunner(TaskFactory makeTask, LaneIdentity lane, RunContext context, double timeLimitSeconds,
               bool mayBeBaseline = true);

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
    void finishPoint(const PathPoint& point, PointReport report);
    void takeReport(PointReport report);
    void end(Termination termination);
    void fail(Error error);
    [[nodiscard]] bool outOfTime() const { return m_timeLimit > 0 && m_secondsUsed >= m_timeLimit; }

    TaskFactory m_makeTask;
    LaneIdentity m_lane;
    RunContext m_context;
    double m_timeLimit;
    bool m_mayBeBaseline;
    std::unique_ptr<PathTask> m_task;
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
