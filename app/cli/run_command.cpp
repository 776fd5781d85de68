// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/experiment_input.h"
#include "app/cli/interrupt.h"
#include "app/cli/opened_run.h"
#include "app/cli/progress_sink.h"
#include "app/cli/run_choices.h"
#include "app/cli/summary.h"
#include "core/common/number_text.h"
#include "core/families.h"
#include "core/run/experiment_runner.h"
#include "core/store/library_sink.h"
#include "core/store/run_folder.h"
#include "core/store/run_folder_writer.h"
#include "core/store/run_headline.h"
#include "core/store/run_library.h"
#include "core/store/run_resume.h"
#include "core/study/cell_run.h"

#include <cstdio>

namespace lambdascope::cli {

namespace {

constexpr const char* kNothingDone = "interrupted before the first point\n";

std::size_t finishedPoints(const std::vector<RunRecord>& lanes) {
    std::size_t points = 0;
    for (const RunRecord& lane : lanes) {
        points += lane.finishedPointCount();
    }
    return points;
}

/// The library to save to; null for none. A library that was named has to work; the user's own is a convenience, and a
/// run goes on without it.
Result<std::shared_ptr<RunLibrary>> libraryFor(const std::string& word) {
    if (word == "none") {
        return std::shared_ptr<RunLibrary>();
    }
    auto library = RunLibrary::open(word.empty() ? RunLibrary::defaultPath() : std::filesystem::path(word));
    if (!library && word.empty()) {
        std::fprintf(stderr, "warning: this run is not kept in the library: %s\n", library.error().describe().c_str());
        return std::shared_ptr<RunLibrary>();
    }
    return library;
}

RunFolderFacts folderFacts(const ExperimentRunner& runner, const RunOptions& options, bool solutions) {
    return runFolderFacts(runner, LAMBDASCOPE_VERSION, options.threads, solutions);
}

ExitStatus statusOf(const ExperimentOutcome& outcome) {
    ExitStatus status = ExitStatus::Done;
    for (const LaneOutcome& lane : outcome.lanes) {
        if (lane.error) {
            return ExitStatus::Failed;
        }
        if (lane.termination == Termination::StoppedByUser) {
            status = ExitStatus::Interrupted;
        }
    }
    return status;
}

/// Names the lanes whose numbers are of no use. A run all of whose lanes are such has failed.
ExitStatus withTroublesTold(const std::vector<RunRecord>& lanes, ExitStatus status) {
    std::size_t troubled = 0;
    for (const RunRecord& lane : lanes) {
        if (const auto trouble = troubleOf(lane)) {
            ++troubled;
            std::fprintf(stderr, "lambdascope-cli: lane %s: %s\n", lane.start().laneName.c_str(), trouble->c_str());
        }
    }
    return status == ExitStatus::Done && troubled > 0 && troubled == lanes.size() ? ExitStatus::Failed : status;
}

/// Tells at once what happens to the places that results are kept in.
class LossReport {
  public:
    explicit LossReport(ProgressSink& progress) : m_progress(progress) {}
    void operator()(const Error& error) {
        m_progress.clear();
        report(error);
        m_hasAny = true;
    }
    [[nodiscard]] bool hasAny() const { return m_hasAny; }

  private:
    ProgressSink& m_progress;
    bool m_hasAny = false;
};

/// Stops a run that no folder can be written for: a full disk should not cost hours of computing for nothing.
class FolderGuard : public EventSink {
  public:
    FolderGuard(const RunFolderWriter& folder, std::stop_source stop) : m_folder(folder), m_stop(std::move(stop)) {}
    void publish(const RunEvent& event) noexcept override {
        if (std::holds_alternative<PointFinished>(event.body) && m_folder.error()) {
            m_stop.request_stop();
        }
    }

  private:
    const RunFolderWriter& m_folder;
    std::stop_source m_stop;
};

/// What figures and tables are made from is wished for where a run folder is written.
RunWishes wishesFor(const RunOptions& options, bool hasFolder, bool solutions) {
    RunWishes wishes;
    wishes.threads = options.threads;
    wishes.embeddings = wishes.measures = wishes.ranges = hasFolder;
    wishes.solutions = solutions;
    wishes.stateInterval = hasFolder ? options.stateEvery : -1;
    return wishes;
}

/// Runs a prepared experiment into its sinks and prints the table. `earlier`: what another process has done of it.
ExitStatus compute(ExperimentRunner& runner, RunFolderWriter* folder, const std::shared_ptr<RunLibrary>& library,
                   ProgressSink& progress, const LossReport& losses, const std::stop_source& stop,
                   const RunToResume* earlier = nullptr) {
    RecordKeeper keeper;
    std::vector<EventSink*> sinks = {&keeper, &progress};
    std::optional<LibrarySink> librarySink;
    if (library) {
        sinks.push_back(&librarySink.emplace(library));
    }
    std::optional<FolderGuard> guard;
    if (folder != nullptr) {
        sinks.push_back(folder);
        sinks.push_back(&guard.emplace(*folder, stop));
    }
    for (const LaneToResume& lane : earlier != nullptr ? earlier->lanes : std::vector<LaneToResume>()) {
        for (const RunEvent& event : lane.history.events) {
            keeper.publish(event);
            progress.takeEarlier(event);
            if (librarySink) {
                librarySink->publish(event);
            }
        }
    }
    TeeSink sink(std::move(sinks));
    const auto outcome = runner.run(sink, stop.get_token(), nullptr);
    progress.clear();
    if (!outcome) {
        return report(outcome.error());
    }
    ExitStatus status = statusOf(*outcome);
    if (folder != nullptr) {
        (void)folder->finish(); // what went wrong was told when it did
    }
    if (losses.hasAny()) {
        status = ExitStatus::Failed;
    }
    std::fputs(summaryTable(keeper.records()).c_str(), stdout);
    if (const std::string published = publishedTable(keeper.records()); !published.empty()) {
        std::fputs(("\n" + published).c_str(), stdout);
    }
    if (const std::string headline = headlineOf(headlineLanes(keeper.records())); !headline.empty()) {
        std::fputs(("\n" + headline + "\n").c_str(), stdout);
    }
    if (folder != nullptr && !folder->error()) {
        std::printf("run folder: %s\n", folder->folder().c_str());
    }
    status = withTroublesTold(keeper.records(), status);
    if (status == ExitStatus::Interrupted) {
        const std::string howToGoOn =
            folder == nullptr ? "" : "; to go on: lambdascope-cli run --continue " + folder->folder().string();
        std::fputs(finishedPoints(keeper.records()) > 0
                       ? ("interrupted; finished points are kept" + howToGoOn + "\n").c_str()
                       : kNothingDone,
                   stderr);
    }
    return status;
}

/// Tells why there is nothing to run; `whenStopped` is what to say when somebody stopped the preparation.
ExitStatus notPrepared(const Error& error, const char* whenStopped) {
    if (error.code != ErrorCode::Stopped) {
        return report(error);
    }
    std::fputs(whenStopped, stderr);
    return ExitStatus::Interrupted;
}

} // namespace

ExitStatus runCommand(const RunOptions& options) {
    auto input = readExperimentInput(options.experiment, options.settings);
    if (!input) {
        return report(input.error());
    }
    const ExistingRun existing = options.force ? ExistingRun::Replace : ExistingRun::Refuse;
    if (!options.out.empty()) {
        if (auto checked = checkRunFolder(options.out, existing); !checked) {
            return report(checked.error());
        }
    }
    const Family* family = findFamily(input->experiment->family);
    ExperimentOptions experimentOptions;
    experimentOptions.wishes = wishesFor(options, !options.out.empty(), options.saveSolutions);
    experimentOptions.lanes = splitLanes(options.lanes, *input->experiment);
    experimentOptions.places = input->places;
    ExperimentRunner runner(input->experiment, *family, std::move(experimentOptions));

    InterruptWatch interrupt;
    ProgressSink progress(progressStyle(options.progress));
    const auto prepared = runner.prepare(progress.preparation(), interrupt.token());
    progress.clear();
    if (!prepared) {
        return notPrepared(prepared.error(), kNothingDone);
    }
    auto library = libraryFor(options.library);
    if (!library) {
        return report(library.error());
    }
    LossReport losses(progress);
    const auto tellLoss = [&losses](const Error& error) { losses(error); };
    if (*library) {
        (*library)->setNotice(tellLoss);
    }
    std::unique_ptr<RunFolderWriter> folder;
    if (!options.out.empty()) {
        auto made = RunFolderWriter::create(options.out, folderFacts(runner, options, options.saveSolutions), existing,
                                            tellLoss);
        if (!made) {
            return report(made.error());
        }
        folder = std::move(*made);
    }
    const ExitStatus status = compute(runner, folder.get(), *library, progress, losses, interrupt.source());
    if (*library) {
        (*library)->setNotice({});
    }
    return status;
}

namespace {

void tellWhereLanesGoOn(const RunToResume& run) {
    for (const LaneToResume& lane : run.lanes) {
        const std::string again =
            lane.lost > 0 ? "; " + std::to_string(lane.lost) + " points are computed again" : std::string();
        const std::string what = lane.hasEnded() ? "has ended"
                                 : lane.at ? "goes on after " + std::to_string(lane.at->points) + " points" + again
                                 : lane.why.empty() ? "begins"
                                                    : "begins anew, as " + lane.why;
        std::fprintf(stderr, "%s: %s\n", lane.name.c_str(), what.c_str());
    }
}

} // namespace

ExitStatus continueCommand(const RunOptions& options) {
    auto run = readRunToResume(options.continued);
    if (!run) {
        return report(run.error());
    }
    // Killed between the end of its last lane and its own, a run has only its summary left to write.
    const bool isOver = run->summary.value("state", std::string()) != recordStateName(RunRecord::State::Running);
    if (haveEnded(run->lanes) && isOver) {
        std::printf("%s: all lanes have ended; there is nothing to go on with\n", options.continued.c_str());
        return ExitStatus::Done;
    }
    auto experiment = validateExperiment(run->summary.value("experiment", Json()), builtInCatalog());
    if (!experiment) {
        return report(experiment.error());
    }
    const bool solutions = run->summary.value("solutions", false);
    ExperimentOptions experimentOptions;
    experimentOptions.wishes = wishesFor(options, true, solutions);
    experimentOptions.places = placesOf(run->folder, options.data);
    experimentOptions.histories = historiesOf(run->lanes);
    ExperimentRunner runner(*experiment, *findFamily((*experiment)->family), std::move(experimentOptions));
    adoptIds(run->lanes, runner.runIds());
    InterruptWatch interrupt;
    ProgressSink progress(progressStyle(options.progress));
    auto ready = runner.prepare(progress.preparation(), interrupt.token());
    progress.clear();
    if (ready) {
        ready = checkData(run->summary, factsOf(runner.dataset()));
    }
    if (!ready) {
        return notPrepared(ready.error(), "interrupted before anything was computed; the run is as it was\n");
    }
    auto library = libraryFor(options.library);
    if (!library) {
        return report(library.error());
    }
    LossReport losses(progress);
    const auto tellLoss = [&losses](const Error& error) { losses(error); };
    if (*library) {
        (*library)->setNotice(tellLoss);
    }
    RunFolderFacts facts = folderFacts(runner, options, solutions);
    facts.experiment = run->summary.value("experiment", facts.experiment); // states name it as it stands
    facts.dataSha256 = run->summary.value("data_sha256", facts.dataSha256);
    auto folder = RunFolderWriter::resume(*run, std::move(facts), tellLoss);
    if (!folder) {
        return report(folder.error());
    }
    tellWhereLanesGoOn(*run);
    const ExitStatus status = compute(runner, folder->get(), *library, progress, losses, interrupt.source(), &*run);
    if (*library) {
        (*library)->setNotice({});
    }
    return status;
}

} // namespace lambdascope::cli
