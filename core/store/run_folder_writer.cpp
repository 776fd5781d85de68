// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/run_folder_writer.h"

#include "core/common/clocks.h"
#include "core/run/library_exceptions.h"
#include "core/store/folder_lock.h"
#include "core/store/folder_watch.h"
#include "core/store/run_folder_lane.h"
#include "core/store/run_folder_layout.h"
#include "core/store/run_resume.h"
#include "core/store/run_summary.h"

#include <map>
#include <mutex>
#include <system_error>

namespace lambdascope {

namespace fs = std::filesystem;

namespace {

/// Removes what an earlier run left: the files a run folder has, nothing else. run.json goes last, so that a folder in
/// which this is interrupted is still one of a run.
void removeEarlierRun(const fs::path& folder) {
    const auto summary = readRunSummary(folder);
    if (!summary) {
        return;
    }
    std::error_code ignored;
    for (const Json& lane : summary->value("lanes", Json::array())) {
        const std::string name = lane.value("name", std::string());
        if (name.empty() || name.find('/') != std::string::npos || name == "." || name == "..") {
            continue; // not a name that a run of ours can have
        }
        RunFolderLane::remove(folder / name);
    }
    fs::remove(folder / layout::kSummary, ignored);
}

} // namespace

struct RunFolderWriter::State {
    fs::path folder;
    FolderLock hold;
    FolderWatch watch;
    RunFolderNotice notice;
    RunSummary summary;
    std::map<RunId, RunFolderLane> lanes;
    double lastLook = 0;
    mutable std::mutex errorMutex;
    std::optional<Error> firstError;

    void take(const RunEvent& event);
    void begin(RunId run, const RunStarted& start);
    FolderWatch::Whereabouts follow();
    void secure(bool now);
    void writeAgainHere();
    Result<void> moveOver(const std::string& why);
    Result<void> writeAllTo(const fs::path& place);
    template <class Work>
    void keep(Work&& work);
    void tell(std::string message, std::string remedy);
    void giveUp(Error error);
    [[nodiscard]] bool hasFailed() const {
        const std::lock_guard lock(errorMutex);
        return firstError.has_value();
    }
    Result<void> writeSummary() const { return writeSummaryTo(folder); }
    Result<void> writeSummaryTo(const fs::path& place) const {
        return writeFileAtomically(place / layout::kSummary, summary.json().dump(2, Json::BadUtf8::Replace) + '\n');
    }
};

void RunFolderWriter::State::tell(std::string message, std::string remedy) {
    if (notice) {
        notice(singleFault(ErrorCode::FileUnwritable, {"", std::move(message), std::move(remedy), {}}));
    }
}

void RunFolderWriter::State::giveUp(Error error) {
    if (hasFailed()) {
        return;
    }
    if (notice) {
        notice(error);
    }
    const std::lock_guard lock(errorMutex);
    firstError = std::move(error);
}

/// Makes the folder `place` with all that is known so far. When that fails, nothing is left there.
Result<void> RunFolderWriter::State::writeAllTo(const fs::path& place) {
    std::error_code error;
    fs::create_directories(place, error);
    if (error) {
        return Failure{unwritable(place, error.value())};
    }
    Result<void> done = writeSummaryTo(place);
    for (auto& [id, lane] : lanes) {
        if (done) {
            done = lane.writeAgainIn(place);
        }
        if (done) {
            done = lane.store();
        }
    }
    if (!done) {
        fs::remove_all(place, error); // it was made here
    }
    return done;
}

/// Writes everything to the first place that takes it, and goes on there. `why` is what happened to the folder.
Result<void> RunFolderWriter::State::moveOver(const std::string& why) {
    Result<void> done =
        Failure{plainError(ErrorCode::FileUnwritable, why + ", and there is no other place for the run")};
    for (const fs::path& place : fallbackPlaces(watch.path())) {
        if (auto written = writeAllTo(place); !written) {
            continue;
        }
        folder = place;
        watch = FolderWatch(place);
        std::size_t lost = 0;
        for (const auto& [id, lane] : lanes) {
            lost += lane.lostSolutions();
        }
        const std::string without = lost > 0 ? ", but for " + std::to_string(lost) + " solutions that were there" : "";
        tell(why + "; all results are written to " + place.string() + without, "Find the run there.");
        return {};
    }
    return done;
}

/// Makes the files again that are missing in a folder that is still there.
void RunFolderWriter::State::writeAgainHere() {
    std::error_code error;
    bool isComplete = fs::exists(folder / layout::kSummary, error);
    Result<void> done = isComplete ? Result<void>() : writeSummary();
    std::size_t lost = 0;
    for (auto& [id, lane] : lanes) {
        if (!lane.isInPlace()) {
            isComplete = false;
            done = done ? lane.writeAgainIn(folder) : done;
            lost += lane.lostSolutions();
        }
    }
    const std::string what =
        "files in " + folder.string() + " were removed, renamed or replaced while the run computes";
    if (!done) {
        if (auto moved = moveOver(what); !moved) {
            giveUp(moved.error());
        }
    } else if (!isComplete) {
        tell(what + (lost > 0 ? "; " + std::to_string(lost) + " solutions are lost, all else is written again"
                              : "; they are written again"),
             "Leave the folder as it is until the run has ended.");
    }
}

/// Goes on where the folder was renamed to, or writes a removed one again; says what has happened to it.
FolderWatch::Whereabouts RunFolderWriter::State::follow() {
    const fs::path before = watch.path();
    const FolderWatch::Whereabouts found = watch.look();
    switch (found) {
    case FolderWatch::Whereabouts::InPlace: break;
    case FolderWatch::Whereabouts::Moved:
        folder = watch.path();
        for (auto& [id, lane] : lanes) {
            lane.setRunFolder(folder);
        }
        tell(before.string() + " was renamed or moved to " + folder.string() +
                 " while the run computes; all results are written there",
             "Find the run there.");
        break;
    case FolderWatch::Whereabouts::Removed:
        if (auto moved = moveOver(before.string() + " was removed while the run computes"); !moved) {
            giveUp(moved.error());
        }
        break;
    }
    return found;
}

/// Looks whether the folder and its files are where they were, and mends what can be mended. Between points every half
/// second is enough.
void RunFolderWriter::State::secure(bool now) {
    const double time = wallSeconds();
    if (hasFailed() || (!now && time - lastLook < 0.5)) {
        return;
    }
    lastLook = time;
    if (follow() != FolderWatch::Whereabouts::Removed) {
        writeAgainHere();
    }
}

/// Does `work`, and does it again when it fails: where the folder is now, if it went away meanwhile; here, with the
/// files made anew that went away; else elsewhere.
template <class Work>
void RunFolderWriter::State::keep(Work&& work) {
    Result<void> done = work();
    if (!done && follow() == FolderWatch::Whereabouts::InPlace && !hasFailed()) {
        writeAgainHere();
    }
    if (!done && !hasFailed()) {
        done = work();
    }
    if (!done && !hasFailed() && moveOver(done.error().message)) {
        done = work();
    }
    if (!done) {
        giveUp(done.error());
    }
}

void RunFolderWriter::State::begin(RunId run, const RunStarted& start) {
    keep([&]() -> Result<void> {
        auto lane = RunFolderLane::create(folder, start, summary.facts());
        if (!lane) {
            return Failure{std::move(lane).error()};
        }
        lanes.insert_or_assign(run, std::move(*lane));
        return {};
    });
}

void RunFolderWriter::State::take(const RunEvent& event) {
    secure(!std::holds_alternative<Iterated>(event.body) && !std::holds_alternative<Screened>(event.body));
    summary.note(event);
    if (const auto* start = std::get_if<RunStarted>(&event.body)) {
        begin(event.run, *start);
    }
    const auto found = lanes.find(event.run);
    if (found == lanes.end() || !found->second.add(event)) {
        return;
    }
    keep([&] { return found->second.store(); });
}

Result<std::unique_ptr<RunFolderWriter>> RunFolderWriter::create(const fs::path& folder, RunFolderFacts facts,
                                                                 ExistingRun existing, RunFolderNotice notice) {
    if (auto checked = checkRunFolder(folder, existing); !checked) {
        return Failure{checked.error()};
    }
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) {
        return Failure{unwritable(folder, error.value())};
    }
    auto lock = FolderLock::take(folder);
    if (!lock) {
        return Failure{std::move(lock).error()};
    }
    removeEarlierRun(folder);
    auto state = std::make_unique<State>();
    state->hold = std::move(*lock);
    state->folder = folder;
    state->watch = FolderWatch(folder);
    state->notice = std::move(notice);
    state->summary = RunSummary(std::move(facts));
    if (auto written = state->writeSummary(); !written) {
        return Failure{written.error()};
    }
    return std::unique_ptr<RunFolderWriter>(new RunFolderWriter(std::move(state)));
}

Result<std::unique_ptr<RunFolderWriter>> RunFolderWriter::resume(RunToResume& run, RunFolderFacts facts,
                                                                 RunFolderNotice notice) {
    auto state = std::make_unique<State>();
    state->folder = run.folder;
    state->watch = FolderWatch(run.folder);
    state->notice = std::move(notice);
    state->summary = RunSummary(std::move(facts), run.summary);
    for (const LaneToResume& lane : run.lanes) {
        const fs::path laneFolder = run.folder / lane.name;
        std::error_code ignored;
        if (!lane.at) {
            RunFolderLane::remove(laneFolder);
            continue;
        }
        auto files = RunFolderLane::resume(run.folder, std::get<RunStarted>(lane.history.events.front().body), *lane.at,
                                           state->summary.facts());
        if (!files) {
            return Failure{std::move(files).error()};
        }
        for (const RunEvent& event : lane.history.events) {
            state->summary.note(event);
        }
        if (lane.history.state) {
            fs::remove(laneFolder / layout::kAudit, ignored); // of what was there before
        }
        state->lanes.insert_or_assign(lane.history.events.front().run, std::move(*files));
    }
    if (auto written = state->writeSummary(); !written) {
        return Failure{written.error()};
    }
    state->hold = std::move(run.lock);
    return std::unique_ptr<RunFolderWriter>(new RunFolderWriter(std::move(state)));
}

RunFolderWriter::RunFolderWriter(std::unique_ptr<State> state) : m_state(std::move(state)) {}

RunFolderWriter::~RunFolderWriter() = default;

void RunFolderWriter::publish(const RunEvent& event) noexcept {
    if (m_state->hasFailed()) {
        return;
    }
    try {
        m_state->take(event);
    } catch (...) {
        m_state->giveUp(errorOfCurrentException("writing " + m_state->folder.string()));
    }
}

Result<void> RunFolderWriter::finish() {
    m_state->secure(true);
    if (m_state->hasFailed()) {
        (void)m_state->writeSummary(); // the points before the failure may still be there
    } else {
        m_state->keep([this] { return m_state->writeSummary(); });
    }
    if (auto failure = error()) {
        return Failure{std::move(*failure)};
    }
    return {};
}

std::optional<Error> RunFolderWriter::error() const {
    const std::lock_guard lock(m_state->errorMutex);
    return m_state->firstError;
}

const fs::path& RunFolderWriter::folder() const {
    return m_state->folder;
}

} // namespace lambdascope
