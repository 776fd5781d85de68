// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/data_input.h"
#include "app/cli/interrupt.h"
#include "app/cli/learned_solution.h"
#include "app/cli/run_choices.h"
#include "core/common/number_text.h"
#include "core/data/alike_rows.h"
#include "core/store/append_file.h"
#include "core/store/model_file.h"
#include "core/store/run_folder_layout.h"
#include "core/store/stored_path.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

namespace lambdascope::cli {

namespace {

Result<ModelFormat> formatOf(const ExportOptions& options) {
    const std::string ending = std::filesystem::path(options.output).extension().string();
    const auto format = modelFormat(!options.format.empty() ? options.format : ending.empty() ? "" : ending.substr(1));
    if (!format) {
        return Failure{singleFault(ErrorCode::BadUsage, {"--format",
                                                         "the name of " + options.output + " does not say which",
                                                         "Add --format npz, csv, json or mat.",
                                                         {}})};
    }
    return *format;
}

MatrixValues columnOf(const std::vector<double>& values) {
    MatrixValues column(static_cast<std::int64_t>(values.size()), 1);
    std::copy(values.begin(), values.end(), column.data());
    return column;
}

void addFacts(const LearnedSolution& learned, LearnedModel& model) {
    const Experiment& experiment = learned.run.runner->experiment();
    model.texts = {{"family", experiment.family},
                   {"experiment", experiment.name},
                   {"lane", learned.lane},
                   {"scale", experiment.document["data"].value("scale", std::string("none"))}};
    model.numbers.emplace_back("point", learned.point);
    const auto path = readStoredPath(learned.run.folder / learned.lane / layout::kPath);
    if (path && path->columns.size() > 1 && static_cast<std::size_t>(learned.point) < path->rows.size()) {
        model.numbers.emplace_back(path->columns[1], path->rows[static_cast<std::size_t>(learned.point)][1]);
    }
    const DatasetFacts data = factsOf(learned.run.runner->dataset());
    if (!data.classNames.empty()) {
        model.lists.emplace_back("classes", data.classNames);
    }
}

/// The matrices of the solution, with what belongs to them.
Result<void> addArrays(const LearnedSolution& learned, LearnedModel& model) {
    for (const NamedMatrix& matrix : *learned.solution) {
        if (matrix.name == "b") {
            model.numbers.emplace_back(matrix.name, matrix.values(0, 0));
            continue;
        }
        model.arrays.push_back(matrix);
        if (matrix.name == "M" || matrix.name == "m") {
            auto factor = factorOf(matrix);
            if (!factor) {
                return Failure{factor.error()};
            }
            model.arrays.push_back({"L", std::move(*factor)});
        }
    }
    return {};
}

} // namespace

ExitStatus exportCommand(const ExportOptions& options) {
    const auto format = formatOf(options);
    if (!format) {
        return report(format.error());
    }
    if (auto checked = checkOutput(options.output, options.force); !checked) {
        return report(checked.error());
    }
    InterruptWatch interrupt;
    ProgressSink progress(progressStyle("auto"));
    const auto learned =
        readLearnedSolution(options.folder, options.lane, options.point, options.data, progress, interrupt.token());
    if (!learned) {
        return report(learned.error());
    }
    LearnedModel model;
    addFacts(*learned, model);
    if (auto added = addArrays(*learned, model); !added) {
        return report(added.error());
    }
    const auto alike = loadAlike(learned->run.runner->experiment().data, nullptr, learned->run.places,
                                 progress.preparation(), interrupt.token());
    progress.clear();
    if (!alike) {
        return report(alike.error());
    }
    // Two files of pu are scaled together, after the first one alone.
    const Json problem = learned->run.runner->experiment().document["problem"];
    const bool isScaledAgain =
        problem.value("labels", std::string()) == "files" && problem.value("scale", std::string("none")) != "none";
    if (!alike->scaling.centre.empty() && !isScaledAgain) {
        model.arrays.push_back({"centre", columnOf(alike->scaling.centre)});
        model.arrays.push_back({"spread", columnOf(alike->scaling.spread)});
    }
    const auto bytes = modelFile(model, *format);
    if (!bytes) {
        return report(bytes.error());
    }
    if (auto written = writeFileAtomically(options.output, *bytes); !written) {
        return report(written.error());
    }
    std::string what;
    for (const NamedMatrix& array : model.arrays) {
        what += (what.empty() ? "" : ", ") + array.name + " " + std::to_string(array.values.rows()) + " × " +
                std::to_string(array.values.cols());
    }
    std::printf("%s: lane %s, point %d: %s\n", options.output.c_str(), learned->lane.c_str(), learned->point,
                what.c_str());
    return ExitStatus::Done;
}

} // namespace lambdascope::cli
