// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/record/run_record.h"
#include "core/store/audit_file.h"
#include "core/store/lane_state.h"

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace lambdascope {

class LibraryFile;

/// Number of an experiment or a run in the library file; not a RunId, which lives only as long as a process.
using LibraryExperimentId = StrongIndex<struct LibraryExperimentTag>;
using LibraryRunId = StrongIndex<struct LibraryRunTag>;

/// A run as lists show it.
struct LibraryRun {
    LibraryRunId id;
    std::string lane; ///< as renamed by the user, else the lane's name
    std::int32_t laneIndex = 0;
    bool isBaseline = false;
    RunRecord::State state = RunRecord::State::Running;
    std::optional<Termination> termination; ///< when it ended without failure
    std::string failure;
    std::int32_t finishedPoints = 0;
    std::int32_t plannedPoints = 0; ///< of a run that ended before its path did, as it was guessed last; 0 when unknown
    double cpuSolve = 0;
    double cpuScreen = 0;
    double wall = 0;
};

struct LibraryExperiment {
    LibraryExperimentId id;
    std::string name; ///< as renamed by the user, else the experiment's name
    std::string family;
    std::string createdAt;           ///< UTC, "2031-04-05T06:07:08Z"
    std::vector<LibraryRun> runs;    ///< in lane order
    std::string source;              ///< of its data: "iris"
    std::vector<std::string> bounds; ///< of all lanes, each once
    std::vector<std::string> tags;   ///< by the user: words, in alphabetical order
    std::string notes;               ///< by the user
    bool isStarred = false;
};

/// All runs of this user, in one SQLite file (WAL, one transaction per path point). Several programs may use the file
/// at once; a killed program loses at most the point in work. Thread-safe: one mutex inside; calls take milliseconds.
///
/// Every function fails with FileUnreadable / FileUnwritable and SQLite's message, or BadUsage for an unknown id.
class RunLibrary {
  public:
    /// $XDG_DATA_HOME/lambdascope/library.sqlite, else ~/.local/share/lambdascope/library.sqlite.
    [[nodiscard]] static std::filesystem::path defaultPath();

    /// Opens the library, making file and folders when absent. Fails for a file that is no library or is of a newer
    /// version, without changing it.
    static Result<std::shared_ptr<RunLibrary>> open(const std::filesystem::path& path = defaultPath());
    ~RunLibrary();
    RunLibrary(const RunLibrary&) = delete;
    RunLibrary& operator=(const RunLibrary&) = delete;

    /// Where the library is now.
    [[nodiscard]] std::filesystem::path path() const;

    /// Is told at once when the file was removed or renamed, or a run could not be written to it, and where the library
    /// is kept now. Called on the thread that found it, which must not use the library in the call.
    void setNotice(std::function<void(const Error&)> notice);

    /// All experiments, newest first. Runs of a process that is gone show as Interrupted.
    Result<std::vector<LibraryExperiment>> experiments() const;
    Result<LibraryExperiment> experiment(LibraryExperimentId id) const;
    /// The resolved experiment document, to run it again.
    Result<Json> experimentDocument(LibraryExperimentId id) const;

    /// The events of a run as they were published, with `as` for run id; Iterated are thinned.
    Result<std::vector<RunEvent>> loadEvents(LibraryRunId run, RunId as) const;
    /// The record of a run under a new run id of this process.
    Result<RunRecord> loadRecord(LibraryRunId run) const;

    Result<void> renameExperiment(LibraryExperimentId id, const std::string& name);
    Result<void> renameRun(LibraryRunId id, const std::string& name);
    /// Words that the user finds it by. Those to be added must be without blanks and commas, else BadUsage.
    Result<void> changeTags(LibraryExperimentId id, const std::vector<std::string>& added,
                            const std::vector<std::string>& removed);
    Result<void> setNotes(LibraryExperimentId id, const std::string& notes);
    Result<void> setStarred(LibraryExperimentId id, bool isStarred);

    /// Takes experiments out of all lists, all of them or, where one is not known, none. They can be brought back for
    /// kDaysOfDiscarded days; then the next program that opens the library removes them.
    Result<void> discard(const std::vector<LibraryExperimentId>& ids);
    /// Brings discarded ones back; others are left as they are.
    Result<void> restore(const std::vector<LibraryExperimentId>& ids);
    /// Brings back what the last discard(), by any program, has taken: which ones. None when nothing is discarded.
    Result<std::vector<LibraryExperimentId>> restoreLast();
    /// What can be brought back, newest experiment first.
    Result<std::vector<LibraryExperiment>> discarded() const;
    static constexpr int kDaysOfDiscarded = 30;

    Result<void> removeExperiment(LibraryExperimentId id);
    /// Removes a run, and its experiment with the last of its runs.
    Result<void> removeRun(LibraryRunId id);
    /// Takes a run out of all lists until restoreRun(); it is removed for good when this object goes, or, should the
    /// program be killed, the next time that a program opens the library.
    Result<void> hideRun(LibraryRunId id);
    Result<void> restoreRun(LibraryRunId id);

    /// Keeps what an audit of a run found, in place of an earlier one.
    Result<void> setAudit(LibraryRunId id, const LaneAudit& audit);
    /// Nothing when the run was never audited.
    Result<std::optional<LaneAudit>> audit(LibraryRunId id) const;

    /// The newest state that is kept of a lane that has not ended; nothing when there is none that can be read.
    Result<std::optional<OwnedState>> state(LibraryRunId id) const;

    /// The newest guess of a run at the number of points of its whole path; 0 when there is none.
    Result<std::int32_t> plannedPoints(LibraryRunId id) const;
    /// The record is not one of the library any more: what is done with it is not carried over.
    void forget(RunId run);

    /// Where the record of a run of this process is kept: one that a LibrarySink writes, or that loadRecord() gave.
    [[nodiscard]] std::optional<LibraryRunId> keptRun(RunId run) const;

  private:
    friend class LibrarySink;
    explicit RunLibrary(std::unique_ptr<LibraryFile> file);

    mutable std::mutex m_mutex;
    std::unique_ptr<LibraryFile> m_file;
    mutable std::map<RunId, LibraryRunId> m_kept;
    std::set<LibraryRunId> m_hidden; ///< by this object
};

} // namespace lambdascope
