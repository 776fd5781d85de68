// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/runs/run_worker.h"

#include "core/store/library_sink.h"
#include "core/store/run_folder.h"
#include "core/store/run_folder_writer.h"
#include "core/store/run_library.h"

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
                                     Termination::IterationLimit}) {
        for (const LaneOutcome& lane : lanes) {
            if (!lane.error && lane.termination == strong) {
                return strong;
            }
        }
    }
    return Termination::PathEnded;
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

RunWorker::Ending RunWorker::compute(const std::stop_token& stop) {
    if (m_job.runFolder) {
        if (auto writable = checkRunFolder(*m_job.runFolder, ExistingRun::Refuse); !writable) {
            return {writable.error(), {}};
        }
    }
    ExperimentOptions options = m_job.options;
    options.wishes.ranges = m_job.runFolder.has_value();
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
    return runLanes(runner, stop);
}

RunWorker::Ending RunWorker::runLanes(ExperimentRunner& runner, const std::stop_token& stop) {
    std::vector<EventSink*> sinks;
    std::unique_ptr<LibrarySink> kept;
    if (m_job.library) {
        kept = std::make_unique<LibrarySink>(m_job.library);
        sinks.push_back(kept.get());
    }
    std::unique_ptr<RunFolderWriter> folder;
    if (m_job.runFolder) {
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
