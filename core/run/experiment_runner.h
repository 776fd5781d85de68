// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/family.h"
#include "core/run/path_runner.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lambdascope {

/// What whoever starts an experiment decides besides the experiment itself.
struct ExperimentOptions {
    RunWishes wishes;
    std::vector<std::string> lanes; ///< names of the lanes to run, in any order; empty for all
    DataPlaces places;
    std::map<std::string, LaneHistory> histories = {}; ///< of lanes that go on, or have ended, by name
};

/// How all lanes ended, in the order of the experiment.
struct ExperimentOutcome {
    std::vector<LaneOutcome> lanes;
};

/// Drives all lanes of one experiment in the calling thread: data → problem → lanes, interleaved point by point or one
/// after the other (RunConfig::order).
///
///     ExperimentRunner runner(std::move(experiment), family, options);
///     if (auto ready = runner.prepare(progress, stop); !ready) { … }   // nothing has been written so far
///     auto outcome = runner.run(sink, stop, &gate);
///
/// Not thread-safe; use one worker thread per experiment and reach it through stop token and PauseGate.
class ExperimentRunner {
  public:
    ExperimentRunner(Validated<Experiment> experiment, const Family& family, ExperimentOptions options);

    /// Loads the data and prepares the problem; touches no file but to read it. Errors: BadUsage for an unknown lane
    /// name, whatever loadDataset and Family::prepare report, InvalidData when a lane that goes on has another problem
    /// than in its history, Stopped.
    Result<void> prepare(const ProgressFunction& progress = {}, std::stop_token stop = {});

    /// Valid after prepare().
    [[nodiscard]] const Dataset& dataset() const;
    /// What looks into the lane at `position` of laneNames(); valid after prepare(), the runner must outlive it. Null
    /// when the family has none.
    [[nodiscard]] std::unique_ptr<RunLens> makeLens(std::size_t position) const;
    /// PreparedProblem::placeObjects() for the lane at `position` of laneNames(); valid after prepare().
    Result<PlacedObjects> placeObjects(std::size_t position, std::int32_t point, const std::filesystem::path& answers,
                                       const ProgressFunction& progress, std::stop_token stop) const;
    [[nodiscard]] std::string lensObstacle() const; ///< why there is none; empty when there is one
    [[nodiscard]] std::shared_ptr<const Dataset> sharedDataset() const { return m_dataset; }
    /// One per lane that will run, known from construction on; ids are never used twice in a process.
    [[nodiscard]] const std::vector<RunId>& runIds() const { return m_runIds; }
    /// The names of the lanes that will run, aligned with runIds(). Unknown names in the options are left out here
    /// and reported by prepare().
    [[nodiscard]] const std::vector<std::string>& laneNames() const { return m_laneNames; }
    [[nodiscard]] const Experiment& experiment() const { return *m_experiment; }
    /// The resolved document with the lanes that run: RunStarted::experiment of every lane.
    [[nodiscard]] Json resolvedDocument() const;

    /// Runs all lanes to their ends. Events of all lanes go to `sink` in one thread, in order. A stop, a time limit or
    /// a failed lane is no error of the call: it is told in the outcome and in RunFinished / RunFailed events; a
    /// failed lane does not keep the others from going on. Error: Internal when prepare() did not succeed before.
    Result<ExperimentOutcome> run(EventSink& sink, std::stop_token stop = {}, PauseGate* pause = nullptr);

  private:
    [[nodiscard]] const std::string& groupOf(std::size_t position) const;
    PathRunner makeLane(std::size_t position, bool mayBeBaseline, RunContext context) const;
    [[nodiscard]] Result<void> checkLaneNames() const;
    [[nodiscard]] Result<void> checkHistories() const;

    Validated<Experiment> m_experiment;
    Family m_family;
    ExperimentOptions m_options;
    std::vector<std::size_t> m_laneNumbers; ///< indices into Experiment::laneNames
    std::vector<std::string> m_laneNames;
    std::vector<RunId> m_runIds;
    std::shared_ptr<const Dataset> m_dataset;
    std::shared_ptr<const PreparedProblem> m_problem;
};

} // namespace lambdascope
