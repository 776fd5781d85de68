// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/cell_run.h"

#include "core/common/clocks.h"
#include "core/run/experiment_runner.h"
#include "core/store/run_folder_writer.h"
#include "core/study/cell_processes.h"

#include <algorithm>
#include <optional>
#include <stop_token>

namespace lambdascope {

namespace fs = std::filesystem;

namespace {

/// The lanes without a result that could be used; empty when all is well.
std::string troublesOf(const std::vector<RunRecord>& lanes) {
    std::string failures;
    std::string troubles;
    std::size_t troubled = 0;
    for (const RunRecord& lane : lanes) {
        const std::string name = "lane " + lane.start().laneName + ": ";
        if (lane.state() == RunRecord::State::Failed) {
            failures += (failures.empty() ? "" : "; ") + name + lane.failure();
        } else if (const auto trouble = troubleOf(lane)) {
            ++troubled;
            troubles += (troubles.empty() ? "" : "; ") + name + *trouble;
        }
    }
    return !failures.empty() ? failures : troubled == lanes.size() ? troubles : std::string();
}

} // namespace

RunFolderFacts runFolderFacts(const ExperimentRunner& runner, const std::string& version, int threads, bool solutions) {
    RunFolderFacts facts;
    facts.experiment = runner.resolvedDocument();
    facts.version = version;
    const DatasetFacts data = factsOf(runner.dataset());
    facts.dataSha256 = data.sourceSha256.empty() ? data.contentSha256 : data.sourceSha256;
    facts.threads = threads;
    facts.lanes = runner.laneNames();
    facts.solutions = solutions;
    return facts;
}

DataPlaces dataPlacesOf(const Study& study, const fs::path& bundled) {
    DataPlaces places;
    places.folders = study.folders;
    places.bundled = bundled;
    return places;
}

Result<void> runCell(const fs::path& folder, const fs::path& work, const Study& study, std::size_t number,
                     const SchemaCatalog& catalog, const std::vector<Family>& families, const CellWishes& wishes,
                     const fs::path& bundled, const std::string& version) {
    const double start = wallSeconds();
    auto experiment = cellExperiment(study, choicesOf(study, number), catalog);
    if (!experiment) {
        return Failure{experiment.error()};
    }
    const StudyCell cell = cellOf(study, number, **experiment);
    const auto family = std::find_if(families.begin(), families.end(),
                                     [&](const Family& f) { return f.schema.id == (*experiment)->family; });
    ExperimentOptions options;
    options.places = dataPlacesOf(study, bundled);
    options.wishes.embeddings = wishes.embeddings;
    options.wishes.solutions = wishes.solutions;
    options.wishes.measures = true;
    options.wishes.ranges = true;
    ExperimentRunner runner(std::move(*experiment), *family, std::move(options));
    if (auto prepared = runner.prepare(); !prepared) {
        return prepared;
    }
    std::optional<Error> loss; // of the folder: what could not be kept there need not be computed
    std::stop_source stop;
    const auto noteLoss = [&](const Error& error) {
        loss = loss ? loss : error;
        stop.request_stop();
    };
    auto writer = RunFolderWriter::create(work, runFolderFacts(runner, version, 1, wishes.solutions),
                                          ExistingRun::Refuse, noteLoss);
    if (!writer) {
        return Failure{writer.error()};
    }
    RecordKeeper keeper;
    TeeSink sink({&keeper, writer->get()});
    if (const auto outcome = runner.run(sink, stop.get_token()); !outcome) {
        return Failure{outcome.error()};
    }
    if (auto finished = (*writer)->finish(); !finished) {
        return finished;
    }
    if (loss) {
        return Failure{*loss};
    }
    if (std::string troubles = troublesOf(keeper.records()); !troubles.empty()) {
        return Failure{plainError(ErrorCode::Internal, std::move(troubles))};
    }
    CellResult result;
    result.lanes = laneResults(keeper.records());
    result.seconds = wallSeconds() - start;
    const ProcessUsage usage = ownUsage();
    result.cpu = usage.cpu;
    result.bytes = usage.bytes;
    writer->reset();
    return finishCell(folder, work, study, cell, result);
}

} // namespace lambdascope
