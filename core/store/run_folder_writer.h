// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/event_sink.h"
#include "core/store/run_folder.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lambdascope {

/// What stands in run.json besides what the events tell.
struct RunFolderFacts {
    Json experiment; ///< resolved document
    std::string version;
    std::string dataSha256;
    int threads = 1;
    std::vector<std::string> lanes; ///< of the lanes that will run
    bool solutions = false;         ///< write solution-<index>.csv
};

/// Writes the run folder of one experiment:
///
///     run.json                     resolved experiment, version, seed, SHA-256, machine, totals; replaced atomically
///     <lane>/path.csv              one row per finished point
///     <lane>/dynamic.csv           one row per screening, with final rates
///     <lane>/events.jsonl          all events, one per line
///     <lane>/ranges.csv            when there are any: reference λ, target λ, share of all items decided there
///     <lane>/solution-<index>.csv  when wished for: per matrix a line "# name rows columns", then its rows
///
/// UTF-8, C locale, numbers that read back exactly. Files are flushed per finished point, so a killed process loses at
/// most the point in work. Make one writer per experiment.
class RunFolderWriter : public EventSink {
  public:
    /// Makes the folder and writes run.json (state "running"). Call when experiment and data are known to be good.
    static Result<std::unique_ptr<RunFolderWriter>> create(const std::filesystem::path& folder, RunFolderFacts facts,
                                                           ExistingRun existing = ExistingRun::Refuse);
    ~RunFolderWriter() override;

    void publish(const RunEvent& event) noexcept override;

    /// Writes the final run.json. Error: the first failure of any write. Call after the last event.
    Result<void> finish();
    /// The first failure, if any. Thread-safe.
    [[nodiscard]] std::optional<Error> error() const;
    [[nodiscard]] const std::filesystem::path& folder() const;

  private:
    struct State;
    explicit RunFolderWriter(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

} // namespace lambdascope
