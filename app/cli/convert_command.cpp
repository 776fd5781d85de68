// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/data_input.h"
#include "app/cli/interrupt.h"
#include "core/common/number_text.h"
#include "core/store/dataset_writer.h"

#include <cstdio>

namespace lambdascope::cli {

namespace {

Result<WrittenFormat> outputFormat(const ConvertOptions& options) {
    const auto format = writtenFormatOf(options.output);
    Fault fault;
    if (!format) {
        fault.message = "cannot tell the format of " + options.output + " by its ending";
        fault.remedy = "Use .csv, .tsv, .arff, .libsvm or .svm.";
        return Failure{singleFault(ErrorCode::UnsupportedFormat, std::move(fault))};
    }
    if (auto checked = checkOutput(options.output, options.force); !checked) {
        return Failure{checked.error()};
    }
    return *format;
}

} // namespace

ExitStatus convertCommand(const ConvertOptions& options) {
    const auto format = outputFormat(options);
    if (!format) {
        return report(format.error());
    }
    InterruptWatch interrupt;
    const auto data = readData("convert", options.input, options.settings, interrupt.token());
    if (!data) {
        return report(data.error());
    }
    if (auto written = writeDataset(**data, options.output, *format, interrupt.token()); !written) {
        return report(written.error());
    }
    const DatasetFacts facts = factsOf(**data);
    std::printf("%s: %s samples, %s features\n", options.output.c_str(), groupedText(facts.rows).c_str(),
                groupedText(facts.features).c_str());
    return ExitStatus::Done;
}

} // namespace lambdascope::cli
