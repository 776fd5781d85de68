// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/experiment_runner.h"
#include "core/run/run_context.h"
#include "ui/session/runs/left_run.h"
#include "ui/session/runs/run_progress.h"

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <thread>

namespace lambdascope {

class RunLibrary;

/// One experiment on one thread: prepares, computes, keeps. Knows no Qt; the controller reaches it through stop, pause
/// and callbacks. The destructor asks to stop and joins.
class RunWorker {
  public:
    struct Job {
        Validated<Experiment> experiment;
        const Family* family;
        ExperimentOptions options;
        std::optional<std::filesystem::path> runFolder;
        std::shared_ptr<RunLibrary> library; ///< null for not kept
        std::string version;                 ///< of the program, for run.json
        std::optional<LeftRun> left = {};    ///< goes on with that instead of beginning
    };
    /// How it ended. `error` set: the experiment, or one of its lanes, failed.
    struct Ending {
        std::optional<Error> error;
        Termination termination = Termination::PathEnded;
    };
    /// Called on the worker thread; they must only post to another thread.
    struct Callbacks {
        std::function<void()> prepared;
        std::function<void(const Error&)> warned; ///< at once, when results cannot be kept where they should be
        std::function<void()> done;               ///< last thing the worker does; `ending` may be read after it
    };

    RunWorker(Job job, EventSink& sink, Callbacks callbacks);
    ~RunWorker();

    void requestStop() { m_thread.request_stop(); }
    PauseGate& gate() { return m_gate; }
    [[nodiscard]] RunProgress::Snapshot progress() const { return m_progress.snapshot(); }
    [[nodiscard]] std::shared_ptr<const Dataset> dataset() const { return m_dataset.load(); }
    /// Waits for the thread, which has called `done`.
    const Ending& join();

  private:
    void work(const std::stop_token& stop);
    Ending compute(const std::stop_token& stop);
    /// Where the lanes of m_job.left go on; empty for a run that begins.
    struct Earlier;
    Result<void> readEarlier(Earlier& earlier) const;
    Ending runLanes(ExperimentRunner& runner, Earlier& earlier, const std::stop_token& stop);

    Job m_job;
    EventSink& m_sink;
    Callbacks m_callbacks;
    PauseGate m_gate;
    RunProgress m_progress;
    std::atomic<std::shared_ptr<const Dataset>> m_dataset;
    Ending m_ending;
    std::jthread m_thread; ///< last member: everything above outlives it
};

} // namespace lambdascope
