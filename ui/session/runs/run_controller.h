// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/data_source.h"
#include "core/run/experiment.h"
#include "core/run/family.h"
#include "core/run/run_context.h"
#include "core/run/termination.h"
#include "ui/session/runs/left_run.h"

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>

#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

namespace lambdascope {

class RunEventBridge;
class RunLibrary; // core/store/run_library.h
class RunWorker;

enum class RunState {
    Idle,
    Preparing, ///< reading data, preparing the problem
    Running,
    Paused,
    Stopping, ///< stop asked for, worker not yet back
};

/// Everything a start needs besides the engine.
struct RunRequest {
    Validated<Experiment> experiment;
    DataPlaces places;
    std::vector<std::string> lanes;                 ///< names of the lanes to run; empty for all
    std::optional<std::filesystem::path> runFolder; ///< also write a run folder there
    std::optional<LeftRun> left = {};               ///< go on with that instead of beginning
};

/// Starts, holds and ends experiments. One std::jthread at a time reads the data, prepares the problem and computes the
/// lanes; the GUI never waits for it except in the destructor, which asks to stop and joins (core answers within
/// 200 ms, also while paused).
///
/// Each finished path point is kept in the run library at once, so that a crash loses at most the point in work.
class RunController : public QObject {
    Q_OBJECT

  public:
    struct Options {
        /// Where runs are autosaved; null for nowhere.
        std::shared_ptr<RunLibrary> library;
        /// How an experiment's family is found; builtInFamilies() unless a test says otherwise.
        std::function<const Family*(std::string_view id)> findFamily;
        /// Matrices up to 64 × 64 are kept, 32 kB per point; larger ones would swell the library.
        RunWishes wishes{.embeddings = true,
                         .solutions = true,
                         .solutionLimit = std::int64_t{64} * 64,
                         .measures = true,
                         .threads = 1};
    };

    /// `bridge` gets all events and must outlive the controller. It is drained before `failed` and `finished`.
    RunController(RunEventBridge& bridge, Options options, QObject* parent = nullptr);
    ~RunController() override;

    [[nodiscard]] RunState state() const { return m_state; }
    [[nodiscard]] bool isBusy() const { return m_state != RunState::Idle; }
    [[nodiscard]] QString currentName() const; ///< experiment in work; empty when idle

    /// Starts at once when idle; otherwise the same as enqueue().
    void start(RunRequest request);
    void pause();  ///< no effect unless Running
    void resume(); ///< no effect unless Paused
    /// Ends what computes (finished points are kept) and holds the queue: nothing starts by itself afterwards.
    void stop();

    /// Runs after what is in work and before what is asked for later.
    void enqueue(RunRequest request);
    [[nodiscard]] std::size_t queueSize() const { return m_queue.size(); }
    [[nodiscard]] const RunRequest& queued(std::size_t index) const { return m_queue[index]; }
    void removeQueued(std::size_t index);
    void moveQueued(std::size_t from, std::size_t to);
    /// True after stop() while experiments wait.
    [[nodiscard]] bool isQueueHeld() const { return m_isQueueHeld; }
    /// Goes on with the queue after stop() held it.
    void releaseQueue();

    /// The run library; null when runs are not kept.
    [[nodiscard]] const std::shared_ptr<RunLibrary>& library() const { return m_options.library; }
    /// The data set of the experiment in work or of the last one; null before its data are read.
    [[nodiscard]] std::shared_ptr<const Dataset> dataset() const;

  Q_SIGNALS:
    void stateChanged(lambdascope::RunState state);
    /// A new experiment begins; RunCollection::beginBatch belongs here. Comes before any of its events.
    void started(const QString& experimentName);
    /// Share of the whole experiment in [0, 1], or negative while unknown; what is going on; seconds left, or negative
    /// while unknown. At most 30 times a second.
    void progressChanged(double share, const QString& text, double etaSeconds);
    /// The experiment could not be run; show it in place, not in a dialog.
    void failed(const lambdascope::Error& error);
    /// Something went wrong beside the computation, such as autosaving; the run goes on or went on.
    void warned(const lambdascope::Error& error);
    /// The experiment ended without error; all its events were delivered before. After each `started` comes exactly one
    /// of `failed` and `finished`.
    void finished(lambdascope::Termination termination);
    void queueChanged();

  private:
    void warnLater(const Error& error); ///< from any thread
    void launch(RunRequest request);
    Q_INVOKABLE void onPrepared();
    Q_INVOKABLE void onWorkerDone();
    void setState(RunState state);
    void pollProgress();
    void startNext();

    RunEventBridge& m_bridge;
    Options m_options;
    RunState m_state = RunState::Idle;
    bool m_isQueueHeld = false;
    QString m_currentName;
    QTimer m_progressTimer;
    QElapsedTimer m_activeClock; ///< runs while the worker computes; stands while paused
    double m_activeBefore = 0;   ///< seconds computed before the last resume
    std::shared_ptr<const Dataset> m_dataset;
    std::deque<RunRequest> m_queue;
    std::unique_ptr<RunWorker> m_worker;
};

} // namespace lambdascope
