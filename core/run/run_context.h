// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/event_sink.h"

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <stop_token>
#include <utility>

namespace lambdascope {

/// Lets another thread hold a run between two iterations. A stop request wakes a held run.
class PauseGate {
  public:
    void pause();
    void resume();
    [[nodiscard]] bool isPaused() const;
    /// Returns at once unless paused; then when resumed or stopped. Returns the seconds spent waiting.
    double waitWhilePaused(std::stop_token stop);

  private:
    mutable std::mutex m_mutex;
    std::condition_variable_any m_changed;
    bool m_paused = false;
};

/// What whoever started the run wants besides the numbers.
struct RunWishes {
    bool embeddings = false;        ///< fill PointFinished::embedding
    bool solutions = false;         ///< fill PointFinished::solution
    std::int64_t solutionLimit = 0; ///< numbers in a solution, larger ones are not handed out; 0 for no limit
    bool ranges = false;            ///< fill PointFinished::ranges
    bool measures = false;          ///< fill columns that need work outside of solving, such as HeldOutError
    int threads = 1;                ///< upper limit of threads for data-parallel loops
    /// Seconds of a lane's own time between two of its states (PointFinished::state), at least, and at least so many
    /// times the CPU and wall time that making and keeping the last one took; 0: after each point; negative: never.
    double stateInterval = -1;
    static constexpr double kStateSpacing = 200;
    static constexpr double kStateWallSpacing = 50; ///< waiting for a disk is cheaper than computing
    static constexpr double kUsualStateInterval = 0.5;

    /// A solution of so many numbers is to be handed out.
    [[nodiscard]] bool wantsSolution(std::int64_t size) const {
        return solutions && (solutionLimit <= 0 || size <= solutionLimit);
    }
};

/// The only thing handed down into a family: events, stop, pause, wishes. No globals.
///
/// A solver calls `shouldStop()` at least every 50 ms of work, and publishes through `publish`, which numbers the
/// events.
class RunContext {
  public:
    RunContext(RunId run, EventSink& sink, std::stop_token stop = {}, PauseGate* pause = nullptr, RunWishes wishes = {},
               std::uint64_t seed = 1);

    void publish(RunEventBody body);
    /// The same stop, pause and seed, without wishes and with nobody who hears of events.
    [[nodiscard]] RunContext muted() const;

    /// True once the user asked to stop or the deadline passed. Waits here while the run is paused.
    [[nodiscard]] bool shouldStop();
    /// Whether shouldStop() would wait now, for whoever has to hold something before.
    [[nodiscard]] bool isPaused() const { return m_pause != nullptr && m_pause->isPaused(); }
    /// StoppedByUser or TimeLimit; call after shouldStop() said true.
    [[nodiscard]] Termination stopReason() const;

    /// Wall-clock limit in seconds from now; 0 for none. Pauses do not count.
    void setTimeLimit(double seconds);

    /// The next event gets this number: those before it were published by another process.
    void goOnFrom(std::int64_t sequence) { m_sequence = sequence; }
    [[nodiscard]] RunId run() const { return m_run; }
    [[nodiscard]] const RunWishes& wishes() const { return m_wishes; }
    [[nodiscard]] std::uint64_t seed() const { return m_seed; }
    [[nodiscard]] std::stop_token stopToken() const { return m_stop; }
    [[nodiscard]] double pausedSeconds() const { return m_pausedSeconds; } ///< to take out of wall times

    /// While it lives, events of the context go to `sink`, and none of its numbers are used up; wishes are those given.
    class Diverted {
      public:
        Diverted(RunContext& context, EventSink& sink) : Diverted(context, sink, context.m_wishes) {}
        Diverted(RunContext& context, EventSink& sink, const RunWishes& wishes)
            : m_context(context), m_sink(std::exchange(context.m_sink, &sink)), m_sequence(context.m_sequence),
              m_wishes(std::exchange(context.m_wishes, wishes)) {}
        Diverted(const Diverted&) = delete;
        Diverted& operator=(const Diverted&) = delete;
        ~Diverted() {
            m_context.m_sink = m_sink;
            m_context.m_sequence = m_sequence;
            m_context.m_wishes = m_wishes;
        }

      private:
        RunContext& m_context;
        EventSink* m_sink;
        std::int64_t m_sequence;
        RunWishes m_wishes;
    };

  private:
    RunId m_run;
    EventSink* m_sink; ///< null: nobody hears
    std::stop_token m_stop;
    PauseGate* m_pause;
    RunWishes m_wishes;
    std::uint64_t m_seed;
    std::int64_t m_sequence = 0;
    double m_deadline = 0;
    double m_pausedSeconds = 0;
};

} // namespace lambdascope
