// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/experiment_input.h"
#include "app/cli/interrupt.h"
#include "app/cli/progress_sink.h"
#include "core/common/number_text.h"
#include "core/common/resource_folder.h"
#include "core/families.h"
#include "core/store/dataset_writer.h"

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <system_error>

namespace lambdascope::cli {

namespace {

/// The data section for a conversion: nothing is changed but for what --set asks for.
Result<DataConfig> dataConfigOf(const ConvertOptions& options) {
    Json document = {{"data", {{"source", options.input}, {"scale", "none"}}}};
    if (auto applied = applySettings(document, options.settings, nullptr); !applied) {
        return Failure{applied.error()};
    }
    Error error = plainError(ErrorCode::InvalidConfiguration, "the data settings have faults");
    for (const auto& [key, value] : document.items()) {
        if (key != "data") {
            error.faults.push_back({key, "convert takes only settings of data", "Write --set data.KEY=VALUE.", {}});
        }
    }
    const Json resolved = dataFields().schema().resolve(document["data"], "data", error.faults);
    if (!error.faults.empty()) {
        return Failure{std::move(error)};
    }
    return dataFields().readResolved(resolved);
}

Result<WrittenFormat> outputFormat(const ConvertOptions& options) {
    const std::filesystem::path output = options.output;
    const auto format = writtenFormatOf(output);
    Fault fault;
    std::error_code ignored;
    if (!format) {
        fault.message = "cannot tell the format of " + options.output + " by its ending";
        fault.remedy = "Use .csv, .tsv, .arff, .libsvm or .svm.";
        return Failure{singleFault(ErrorCode::UnsupportedFormat, std::move(fault))};
    }
    if (std::filesystem::exists(output, ignored) && !options.force) {
        fault.message = options.output + " exists";
        fault.remedy = "Choose another name, or add --force to replace it.";
        return Failure{singleFault(ErrorCode::FileUnwritable, std::move(fault))};
    }
    return *format;
}

} // namespace

ExitStatus convertCommand(const ConvertOptions& options) {
    const auto config = dataConfigOf(options);
    if (!config) {
        return report(config.error());
    }
    const auto format = outputFormat(options);
    if (!format) {
        return report(format.error());
    }
    std::error_code error;
    DataPlaces places;
    places.folders.push_back(std::filesystem::current_path(error));
    places.bundled = resourceFolder() / "datasets";
    InterruptWatch interrupt;
    ProgressSink progress(isatty(STDERR_FILENO) == 1 ? ProgressStyle::Bar : ProgressStyle::None);
    const auto data = loadDataset(*config, places, progress.preparation(), interrupt.token());
    progress.clear();
    if (!data) {
        return report(data.error());
    }
    if (auto written = writeDataset(**data, options.output, *format); !written) {
        return report(written.error());
    }
    std::printf("%s: %s samples, %s features\n", options.output.c_str(), groupedText((*data)->rows()).c_str(),
                groupedText((*data)->features()).c_str());
    return ExitStatus::Done;
}

} // namespace lambdascope::cli
