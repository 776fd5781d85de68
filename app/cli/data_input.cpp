// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/data_input.h"

#include "app/cli/experiment_input.h"
#include "app/cli/progress_sink.h"
#include "core/common/resource_folder.h"
#include "core/config/field_table.h"
#include "core/families.h"

#include <unistd.h>

#include <filesystem>
#include <system_error>

namespace lambdascope::cli {

Result<DataConfig> dataConfigOf(const std::string& command, const std::string& source,
                                const std::vector<std::string>& settings, Json section) {
    section["source"] = source;
    Json document = {{"data", std::move(section)}};
    if (auto applied = applySettings(document, settings, nullptr); !applied) {
        return Failure{applied.error()};
    }
    Error error = plainError(ErrorCode::InvalidConfiguration, "the data settings have faults");
    for (const auto& [key, value] : document.items()) {
        if (key != "data") {
            error.faults.push_back({key, command + " takes only settings of data", "Write --set data.KEY=VALUE.", {}});
        }
    }
    const Json resolved = dataFields().schema().resolve(document["data"], "data", error.faults);
    if (!error.faults.empty()) {
        return Failure{std::move(error)};
    }
    DataConfig config = dataFields().readResolved(resolved);
    if (config.source == kNoSource) {
        return Failure{singleFault(
            ErrorCode::BadUsage,
            {{}, "the source \"none\" has no rows to " + command, "Name a data file, a bundled set or toy:NAME.", {}})};
    }
    return config;
}

DataPlaces workingPlaces() {
    std::error_code error;
    DataPlaces places;
    places.folders.push_back(std::filesystem::current_path(error));
    places.bundled = resourceFolder() / "datasets";
    return places;
}

Result<std::shared_ptr<const Dataset>> readData(const std::string& command, const std::string& source,
                                                const std::vector<std::string>& settings, const std::stop_token& stop) {
    const auto config = dataConfigOf(command, source, settings);
    if (!config) {
        return Failure{config.error()};
    }
    ProgressSink progress(isatty(STDERR_FILENO) == 1 ? ProgressStyle::Bar : ProgressStyle::None);
    auto data = loadDataset(*config, workingPlaces(), progress.preparation(), stop);
    progress.clear();
    return data;
}

Result<void> checkOutput(const std::string& file, bool force) {
    std::error_code ignored;
    if (std::filesystem::exists(file, ignored) && !force) {
        return Failure{singleFault(ErrorCode::FileUnwritable,
                                   {{}, file + " exists", "Choose another name, or add --force to replace it.", {}})};
    }
    return {};
}

} // namespace lambdascope::cli
