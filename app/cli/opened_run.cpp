// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/opened_run.h"

#include "app/cli/run_choices.h"
#include "core/common/resource_folder.h"
#include "core/families.h"
#include "core/store/run_folder.h"
#include "core/store/run_folder_layout.h"
#include "core/store/stored_path.h"

#include <algorithm>
#include <system_error>

namespace lambdascope::cli {

namespace fs = std::filesystem;

namespace {

Error cannotCheck(ErrorCode code, std::string message, std::string remedy) {
    return singleFault(code, {{}, std::move(message), std::move(remedy), {}});
}

std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) {
        text += (text.empty() ? "" : ", ") + name;
    }
    return text;
}

/// The lanes of the run, or those asked for.
std::vector<std::string> wishedLanes(const Experiment& experiment, const std::vector<std::string>& given) {
    if (!given.empty()) {
        return splitLanes(given, experiment);
    }
    return experiment.laneNames;
}

/// Takes lanes of the run without a path.csv out of `lanes` and returns them. Names that are no lane stay: whoever
/// looks them up has more to say about them.
std::vector<std::string> takePathless(const fs::path& folder, const Experiment& experiment,
                                      std::vector<std::string>& lanes) {
    std::vector<std::string> pathless;
    std::erase_if(lanes, [&](const std::string& name) {
        std::error_code ignored;
        const std::vector<std::string>& known = experiment.laneNames;
        const bool isLane = std::find(known.begin(), known.end(), name) != known.end();
        const bool isGone = isLane && !fs::exists(folder / name / layout::kPath, ignored);
        if (isGone) {
            pathless.push_back(name);
        }
        return isGone;
    });
    return pathless;
}

} // namespace

DataPlaces placesOf(const fs::path& folder, const std::string& dataFolder) {
    DataPlaces places;
    if (!dataFolder.empty()) {
        places.folders.emplace_back(dataFolder);
    }
    places.folders.push_back(folder);
    places.folders.push_back(fs::current_path());
    places.bundled = resourceFolder() / "datasets";
    return places;
}

Result<void> checkData(const Json& summary, const DatasetFacts& data) {
    const std::string stored = summary.value("data_sha256", std::string());
    if (stored.empty() || stored == data.sourceSha256 || stored == data.contentSha256) {
        return {};
    }
    return Failure{cannotCheck(ErrorCode::InvalidData,
                               "the data are not those of the run: SHA-256 " +
                                   (data.sourceSha256.empty() ? data.contentSha256 : data.sourceSha256) +
                                   ", the run had " + stored,
                               "Restore the data file, or run the experiment again.")};
}

Result<OpenedRun> openRun(const std::string& folderName, const std::vector<std::string>& lanes,
                          const std::string& dataFolder, ProgressSink& progress, const std::stop_token& stop,
                          const RunWishes& wishes) {
    const fs::path folder(folderName);
    auto summary = readRunSummary(folder);
    if (!summary) {
        return Failure{summary.error()};
    }
    auto experiment = validateExperiment(summary->value("experiment", Json()), builtInCatalog());
    if (!experiment) {
        return Failure{experiment.error()};
    }
    ExperimentOptions options;
    options.wishes = wishes;
    options.lanes = wishedLanes(**experiment, lanes);
    std::vector<std::string> pathless = takePathless(folder, **experiment, options.lanes);
    if (options.lanes.empty()) {
        const std::string which = lanes.empty() ? "no lane with a path.csv" : "no path.csv of " + joined(pathless);
        return Failure{cannotCheck(ErrorCode::InvalidData, folder.string() + " holds " + which,
                                   "Name the folder of a run that finished at least one point.")};
    }
    options.places = placesOf(folder, dataFolder);
    DataPlaces places = options.places;
    auto runner =
        std::make_unique<ExperimentRunner>(*experiment, *findFamily((*experiment)->family), std::move(options));
    const auto prepared = runner->prepare(progress.preparation(), stop);
    progress.clear();
    if (!prepared) {
        return Failure{prepared.error()};
    }
    if (auto checked = checkData(*summary, factsOf(runner->dataset())); !checked) {
        return Failure{checked.error()};
    }
    return OpenedRun{folder, std::move(*summary), std::move(runner), std::move(places), std::move(pathless)};
}

Result<std::int32_t> finishedPoint(const OpenedRun& run, const std::string& lane, std::int64_t asked) {
    const auto stored = readStoredPath(run.folder / lane / layout::kPath);
    if (!stored) {
        return Failure{stored.error()};
    }
    const auto count = static_cast<std::int64_t>(stored->rows.size());
    if (count == 0 || asked >= count) {
        return Failure{
            singleFault(ErrorCode::BadUsage, {"point",
                                              "lane " + lane + " has " + std::to_string(count) + " finished points",
                                              "Name one of them, counted from 0.",
                                              {}})};
    }
    return static_cast<std::int32_t>(asked < 0 ? count - 1 : asked);
}

} // namespace lambdascope::cli
