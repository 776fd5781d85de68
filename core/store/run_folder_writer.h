// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/event_sink.h"
#include "core/store/run_folder.h"
#include "core/store/run_summary.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lambdascope {

struct RunToResume;

/// Is told at once, on the thread that publishes, what happened to the folder and where the results are kept now.
using RunFolderNotice = std::function<void(const Error&)>;

/// Writes the run folder of one experiment:
///
///     run.json                     resolved experiment, version, seed, SHA-256, machine, totals; replaced atomically
///     <lane>/path.csv              one row per finished point
///     <lane>/dynamic.csv           one row per screening, with final rates
///     <lane>/events.jsonl          all events, one per line
///     <lane>/ranges.csv            when there are any: reference λ, target λ, share of all items decided there
///     <lane>/solution-<index>.csv  when wished for: per matrix a line "# name rows columns", then its rows
///     <lane>/state-<points>.bin    from which the lane can go on (lane_state.h); the last two, until it ends
///
/// UTF-8, C locale, numbers that read back exactly. Files are flushed per finished point, so a killed process loses at
/// most the point in work. Make one writer per experiment.
///
/// Notices, at every point and every half second of events, when the folder or a file in it is renamed or removed or
/// cannot be written: goes on in a renamed folder, writes a removed one again, and else moves over to the first of
/// fallbackPlaces() that works. Each is told at once.
class RunFolderWriter : public EventSink {
  public:
    /// Makes the folder and writes run.json (state "running"). Call when experiment and data are known to be good.
    static Result<std::unique_ptr<RunFolderWriter>> create(const std::filesystem::path& folder, RunFolderFacts facts,
                                                           ExistingRun existing = ExistingRun::Refuse,
                                                           RunFolderNotice notice = {});
    /// Goes on with a run that was left: cuts its tables back to where its lanes go on, and notes in run.json that it
    /// was continued. Events of the histories of `run` must have the ids that the lanes have in this process.
    static Result<std::unique_ptr<RunFolderWriter>> resume(RunToResume& run, RunFolderFacts facts,
                                                           RunFolderNotice notice = {});
    ~RunFolderWriter() override;

    void publish(const RunEvent& event) noexcept override;

    /// Writes the final run.json. Error: as error(). Call after the last event.
    Result<void> finish();
    /// The failure that ended the writing because no place could be found for the results, if any. Thread-safe.
    [[nodiscard]] std::optional<Error> error() const;
    /// Where the results are now.
    [[nodiscard]] const std::filesystem::path& folder() const;

  private:
    struct State;
    explicit RunFolderWriter(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

} // namespace lambdascope
