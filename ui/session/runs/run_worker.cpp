// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/runs/run_worker.h"

#include "core/store/library_resume.h"
#include "core/store/library_sink.h"
#include "core/store/run_folder.h"
#include "core/store/run_folder_writer.h"
#include "core/store/run_library.h"
#include "core/store/run_resume.h"

#include <exception>
#include <new>

namespace lambdascope {

namespace {

Error laneError(const LaneOutcome& lane) {
    Error error = *lane.error;
    error.message = "Lane " + lane.lane + ": " + error.message;
    return error;
}

/// One word for all lanes: a stop or a limit of any lane wins over its siblings' regular ends.
Termination overallTermination(const std::vector<LaneOutcome>& lanes) {
    for (const Termination strong : {Termination::StoppedByUser, Termination::TimeLimit, Termination::NumericalTrouble,
                                     Termination::IterationLimit, Termination::NotProven}) {
        for (const LaneOutcome& lane : lanes) {
            if (!lane.error && lane.termination == strong) {
                return strong;
            }
        }
    }
    return Termination::PathEnded;
}

/// As run.json has it, which states name as it stands.
RunFolderFacts factsFor(const RunToResume& run, const ExperimentRunner& runner, const RunWorker::Job& job) {
    return {.experiment = run.summary.value("experiment", runner.resolvedDocument()),
            .version = job.version,
            .dataSha256 = run.summary.value("data_sha256", factsOf(runner.dataset()).sourceSha256),
            .threads = job.options.wishes.threads,
            .lanes = runner.laneNames(),
            .solutions = run.summary.value("solutions", job.options.wishes.solutions)};
}

} // namespace

RunWorker::RunWorker(Job job, EventSink& sink, Callbacks callbacks)
    : m_job(std::move(job)), m_sink(sink), m_callbacks(std::move(callbacks)),
      m_thread([this](const std::stop_token& stop) { work(stop); }) {}

RunWorker::~RunWorker() = default;

const RunWorker::Ending& RunWorker::join() {
    if (m_thread.joinable()) {
        m_thread.join();
    }
    return m_ending;
}

void RunWorker::work(const std::stop_token& stop) {
    try {
        m_ending = compute(stop);
    } catch (const std::bad_alloc&) {
        m_ending.error = plainError(ErrorCode::OutOfMemory, "there is not enough memory for this experiment");
    } catch (const std::exception& exception) {
        m_ending.error = plainError(ErrorCode::Internal, exception.what());
    }
    if (m_ending.error && m_ending.error->code == ErrorCode::Stopped) {
        m_ending.error.reset();
        m_ending.termination = Termination::StoppedByUser;
    }
    m_callbacks.done();
}

struct RunWorker::Earlier {
    std::optional<LibraryRunToResume> inLibrary;
    std::optional<RunToResume> inFolder;
    /// Null for a run that begins.
    [[nodiscard]] std::vector<LaneToResume>* lanes() {
        return inLibrary ? &inLibrary->lanes : inFolder ? &inFolder->lanes : nullptr;
    }
};

Result<void> RunWorker::readEarlier(Earlier& earlier) const {
    if (!m_job.left) {
        return {};
    }
    if (!m_job.left->folder.empty()) {
        auto read = readRunToResume(m_job.left->folder);
        if (!read) {
            return Failure{std::move(read).error()};
        }
        earlier.inFolder = std::move(*read);
        return {};
    }
    auto read = readRunToResume(*m_job.library, LibraryExperimentId{m_job.left->experiment});
    if (!read) {
        return Failure{std::move(read).error()};
    }
    earlier.inLibrary = std::move(*read);
    return {};
}

RunWorker::Ending RunWorker::compute(const std::stop_token& stop) {
    if (m_job.runFolder) {
        if (auto writable = checkRunFolder(*m_job.runFolder, ExistingRun::Refuse); !writable) {
            return {writable.error(), {}};
        }
    }
    Earlier earlier;
    if (auto read = readEarlier(earlier); !read) {
        return {read.error(), {}};
    }
    ExperimentOptions options = m_job.options;
    options.wishes.ranges = m_job.runFolder.has_value() || earlier.inFolder.has_value();
    const bool isKept = m_job.library != nullptr || options.wishes.ranges;
    options.wishes.stateInterval = isKept ? RunWishes::kUsualStateInterval : -1;
    if (const std::vector<LaneToResume>* lanes = earlier.lanes(); lanes != nullptr) {
        options.histories = historiesOf(*lanes);
    }
    ExperimentRunner runner(m_job.experiment, *m_job.family, options);
    const auto progress = [this](double share, std::string_view activity) {
        m_progress.setActivity(share, std::string(activity));
    };
    if (auto ready = runner.prepare(progress, stop); !ready) {
        return {ready.error(), {}};
    }
    m_dataset.store(runner.sharedDataset());
    m_progress.setActivity(-1, "");
    m_callbacks.prepared();
    return runLanes(runner, earlier, stop);
}

RunWorker::Ending RunWorker::runLanes(ExperimentRunner& runner, Earlier& earlier, const std::stop_token& stop) {
    std::vector<EventSink*> sinks;
    std::vector<LaneToResume>* const lanes = earlier.lanes();
    if (lanes != nullptr) {
        adoptIds(*lanes, runner.runIds());
    }
    std::unique_ptr<LibrarySink> kept;
    if (m_job.library && !earlier.inFolder) {
        kept = std::make_unique<LibrarySink>(m_job.library);
        if (auto resumed = earlier.inLibrary ? kept->resume(*earlier.inLibrary) : Result<void>(); !resumed) {
            return {resumed.error(), {}};
        }
        sinks.push_back(kept.get());
    }
    std::unique_ptr<RunFolderWriter> folder;
    if (earlier.inFolder) {
        auto resumed =
            RunFolderWriter::resume(*earlier.inFolder, factsFor(*earlier.inFolder, runner, m_job), m_callbacks.warned);
        if (!resumed) {
            return {resumed.error(), {}};
        }
        folder = std::move(*resumed);
        sinks.push_back(folder.get());
    } else if (m_job.runFolder) {
        auto created = RunFolderWriter::create(*m_job.runFolder,
                                               {.experiment = runner.resolvedDocument(),
                                                .version = m_job.version,
                                                .dataSha256 = factsOf(runner.dataset()).sourceSha256,
                                                .threads = m_job.options.wishes.threads,
                                                .lanes = runner.laneNames(),
                                                .solutions = m_job.options.wishes.solutions},
                                               ExistingRun::Refuse, m_callbacks.warned);
        if (!created) {
            return {created.error(), {}};
        }
        folder = std::move(created).value();
        sinks.push_back(folder.get());
    }
    sinks.push_back(&m_progress);
    sinks.push_back(&m_sink); // last: what the window shows is on disk already
    for (const LaneToResume& lane : lanes != nullptr ? *lanes : std::vector<LaneToResume>()) {
        for (const RunEvent& event : lane.history.events) {
            m_progress.publish(event);
            m_sink.publish(event);
        }
    }
    TeeSink tee(std::move(sinks));

    Ending ending;
    const auto outcome = runner.run(tee, stop, &m_gate);
    if (folder) {
        (void)folder->finish(); // what went wrong was told when it did
    }
    if (!outcome) {
        ending.error = outcome.error();
        return ending;
    }
    for (const LaneOutcome& lane : outcome->lanes) {
        if (lane.error && !ending.error) {
            ending.error = laneError(lane);
        }
    }
    ending.termination = overallTermination(outcome->lanes);
    return ending;
}

} // namespace lambdascope
