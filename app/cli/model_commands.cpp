// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/data_input.h"
#include "app/cli/interrupt.h"
#include "app/cli/learned_solution.h"
#include "app/cli/run_choices.h"
#include "core/common/csv_text.h"
#include "core/common/number_text.h"
#include "core/common/text_file.h"
#include "core/inspect/model_exporter.h"
#include "core/inspect/predictor.h"
#include "core/numeric/ranking_measures.h"
#include "core/store/append_file.h"
#include "core/store/stored_path.h"
#include "core/svm/inspect/libsvm_model.h"
#include "core/svm/path/answer_measures.h"
#include "core/svm/path/data_checks.h"

#include <algorithm>
#include <cstdio>
#include <span>
#include <system_error>

namespace lambdascope::cli {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kModelBytes = std::size_t{1} << 30U;

Error badUsage(std::string key, std::string message, std::string remedy) {
    return singleFault(ErrorCode::BadUsage, {std::move(key), std::move(message), std::move(remedy), {}});
}

/// The first lane of the run, computed again up to a point.
Result<std::unique_ptr<RunLens>> openLens(const OpenedRun& run, std::int32_t point, ProgressSink& progress,
                                          const std::stop_token& stop) {
    auto lens = run.runner->makeLens(0);
    if (lens == nullptr) {
        return Failure{badUsage({}, run.runner->lensObstacle(), "Choose another run.")};
    }
    const DataProgress draw = progress.preparation();
    const auto share = [&](double done) {
        if (draw) {
            draw(done, "computing lane " + run.runner->laneNames().front() + " again");
        }
    };
    const auto opened = lens->open(point + 1, share, stop);
    progress.clear();
    return opened ? Result<std::unique_ptr<RunLens>>(std::move(lens)) : Failure{opened.error()};
}

/// The model's file, and in words what it is of.
Result<std::string> modelText(const OpenedRun& run, std::int64_t asked, ProgressSink& progress,
                              const std::stop_token& stop, std::string& what) {
    const std::string& lane = run.runner->laneNames().front();
    const auto point = finishedPoint(run, lane, asked);
    if (!point) {
        return Failure{point.error()};
    }
    const auto lens = openLens(run, *point, progress, stop);
    if (!lens) {
        return Failure{lens.error()};
    }
    what = "lane " + lane + " at " + (*lens)->lane().axisLabel + " = " +
           shortText((*lens)->path()[static_cast<std::size_t>(*point)].axisValue);
    return askLens(**lens, &ModelExporter::exportModel, *point, stop);
}

Result<svm::LibsvmModel> readModel(const std::string& file) {
    const auto text = readTextFile(file, kModelBytes, "a model");
    if (!text) {
        return Failure{text.error()};
    }
    return svm::readLibsvmModel(*text, file);
}

/// ±1 for each row: + for the class that f > 0 stands for. Empty when the data say nothing about it.
Result<Eigen::VectorXd> truthOf(const Dataset& data, const svm::LibsvmModel& model, const std::string& positive) {
    const bool isOneClass = model.task == svm::TaskKind::Novelty; // knows nothing of labels but for one that is named
    if (!data.isLabelled() || (isOneClass && positive.empty())) {
        return Eigen::VectorXd();
    }
    const std::string name = positive.empty() ? std::to_string(model.labels[0]) : positive;
    const std::vector<std::string>& names = data.classNames();
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end() && !positive.empty()) {
        return Failure{badUsage("positive", "the data have no class " + positive, "Name a class of the data.")};
    }
    if (found == names.end()) {
        return Eigen::VectorXd();
    }
    Eigen::VectorXd y(data.rows());
    for (Eigen::Index i = 0; i < y.size(); ++i) {
        y(i) = data.labels()[static_cast<std::size_t>(i)] == found - names.begin() ? 1 : -1;
    }
    return y;
}

/// Data of other features than the model was made of give numbers, but seldom the ones that were meant.
void warnOfOtherFeatures(const Dataset& data, const svm::LibsvmModel& model) {
    const Eigen::Index known = model.supports.cols();
    const Eigen::Index given = data.features();
    // Sparse rows may end early; a table has all its columns.
    const bool isShort = data.isSparse() ? 2 * given < known : given < known;
    if (given > known) {
        std::fprintf(stderr,
                     "warning: the data have %s features, the support vectors of the model only %s: the others count "
                     "as 0 there\n",
                     groupedText(given).c_str(), groupedText(known).c_str());
    } else if (isShort) {
        std::fprintf(stderr,
                     "warning: the data have only %s features, the support vectors of the model %s: what is missing "
                     "counts as 0\n",
                     groupedText(given).c_str(), groupedText(known).c_str());
    }
}

/// Numbers alone.
std::string numberTable(std::span<const double> f) {
    std::string text = "row,value\n";
    for (std::size_t i = 0; i < f.size(); ++i) {
        text += std::to_string(i) + "," + exactText(f[i]) + "\n";
    }
    return text;
}

std::string predictionTable(const svm::LibsvmModel& model, const Eigen::VectorXd& f) {
    if (model.task == svm::TaskKind::Regression) {
        return numberTable({f.data(), static_cast<std::size_t>(f.size())});
    }
    std::string text = "row,value,label\n";
    for (Eigen::Index i = 0; i < f.size(); ++i) {
        text += std::to_string(i) + "," + exactText(f(i)) + "," + std::to_string(model.labels[f(i) > 0 ? 0 : 1]) +
                "\n"; // 1 and −1 of one class
    }
    return text;
}

/// How far numbers are from the targets of their rows, where these are known.
void printNumbers(const Eigen::VectorXd& f, const Dataset& rows) {
    std::printf("%s rows: f from %s to %s\n", groupedText(f.size()).c_str(), shortText(f.minCoeff()).c_str(),
                shortText(f.maxCoeff()).c_str());
    if (const auto targets = svm::targetsOf(rows)) {
        const auto measures = svm::measureAnswers(svm::TaskKind::Regression, f, *targets);
        std::printf("mean squared error %s, mean absolute error %s, R² %s\n", shortText(measures[0]).c_str(),
                    shortText(measures[1]).c_str(), shortText(measures[2]).c_str());
    }
}

void printQuality(const Eigen::VectorXd& f, const Eigen::VectorXd& y) {
    const auto wrong = (f.array() * y.array() <= 0).count();
    std::printf(
        "%s of %s rows classified wrongly, error %s, AUC %s\n", groupedText(wrong).c_str(),
        groupedText(f.size()).c_str(),
        shortText(static_cast<double>(wrong) / static_cast<double>(std::max<Eigen::Index>(1, f.size()))).c_str(),
        shortText(areaUnderCurve(f, y)).c_str());
}

std::string predictionTable(const Predictions& predictions) {
    if (predictions.names.empty()) {
        return numberTable(predictions.values);
    }
    std::string text = predictions.values.empty() ? "row,label\n" : "row,value,label\n";
    for (std::size_t i = 0; i < predictions.classes.size(); ++i) {
        text += std::to_string(i) + (predictions.values.empty() ? "" : "," + exactText(predictions.values[i])) + "," +
                csvCell(predictions.names[static_cast<std::size_t>(predictions.classes[i])]) + "\n";
    }
    return text;
}

void printQuality(const Predictions& predictions, const Dataset& rows) {
    if (predictions.names.empty()) {
        printNumbers(Eigen::Map<const Eigen::VectorXd>(predictions.values.data(), std::ssize(predictions.values)),
                     rows);
        return;
    }
    std::vector<std::int64_t> counts(predictions.names.size());
    std::int64_t wrong = 0;
    bool isKnown = rows.isLabelled();
    for (const std::string& name : rows.classNames()) {
        isKnown =
            isKnown && std::find(predictions.names.begin(), predictions.names.end(), name) != predictions.names.end();
    }
    for (std::size_t i = 0; i < predictions.classes.size(); ++i) {
        const auto label = static_cast<std::size_t>(predictions.classes[i]);
        ++counts[label];
        wrong += isKnown && rows.classNames()[static_cast<std::size_t>(rows.labels()[i])] != predictions.names[label];
    }
    std::string text;
    for (std::size_t k = 0; k < counts.size(); ++k) {
        text += (k > 0 ? ", " : "") + groupedText(counts[k]) + " as " + predictions.names[k];
    }
    std::printf("%s rows, by %s: %s\n", groupedText(rows.rows()).c_str(), predictions.what.c_str(), text.c_str());
    if (isKnown) {
        std::printf("%s of %s rows classified wrongly, error %s\n", groupedText(wrong).c_str(),
                    groupedText(rows.rows()).c_str(),
                    shortText(static_cast<double>(wrong) / static_cast<double>(std::max<Eigen::Index>(1, rows.rows())))
                        .c_str());
    }
}

/// By a lane of a run folder.
ExitStatus predictByRun(const PredictOptions& options) {
    const auto asked = pointNumber(options.point);
    if (!asked) {
        return report(asked.error());
    }
    InterruptWatch interrupt;
    ProgressSink progress(progressStyle("auto"));
    const auto lanes = options.lane.empty() ? std::vector<std::string>() : std::vector{options.lane};
    const auto run = openRun(options.model, lanes, options.data, progress, interrupt.token());
    if (!run) {
        return report(run.error());
    }
    const auto point = finishedPoint(*run, run->runner->laneNames().front(), *asked);
    if (!point) {
        return report(point.error());
    }
    const auto rows = rowsFor(*run, "predict", options.input, options.settings, interrupt.token());
    if (!rows) {
        return report(rows.error());
    }
    const auto lens = openLens(*run, *point, progress, interrupt.token());
    if (!lens) {
        return report(lens.error());
    }
    const auto predictions = askLens(**lens, &Predictor::predict, *point, **rows, interrupt.token());
    if (!predictions) {
        return report(predictions.error());
    }
    if (!options.output.empty()) {
        if (auto written = writeFileAtomically(options.output, predictionTable(*predictions)); !written) {
            return report(written.error());
        }
    }
    printQuality(*predictions, **rows);
    return ExitStatus::Done;
}

} // namespace

ExitStatus exportModelCommand(const ExportModelOptions& options) {
    if (auto checked = checkOutput(options.output, options.force); !checked) {
        return report(checked.error());
    }
    InterruptWatch interrupt;
    ProgressSink progress(progressStyle("auto"));
    const std::vector<std::string> lanes =
        options.lane.empty() ? std::vector<std::string>() : std::vector{options.lane};
    const auto run = openRun(options.folder, lanes, options.data, progress, interrupt.token());
    if (!run) {
        return report(run.error());
    }
    std::string what;
    const auto text = modelText(*run, options.point, progress, interrupt.token(), what);
    if (!text) {
        return report(text.error());
    }
    if (auto written = writeFileAtomically(options.output, *text); !written) {
        return report(written.error());
    }
    std::printf("%s: %s\n", options.output.c_str(), what.c_str());
    return ExitStatus::Done;
}

ExitStatus predictCommand(const PredictOptions& options) {
    if (!options.output.empty()) {
        if (auto checked = checkOutput(options.output, options.force); !checked) {
            return report(checked.error());
        }
    }
    std::error_code error;
    if (fs::is_directory(options.model, error)) {
        return predictByRun(options);
    }
    const auto model = readModel(options.model);
    if (!model) {
        return report(model.error());
    }
    InterruptWatch interrupt;
    const auto data = readData("predict", options.input, options.settings, interrupt.token());
    if (!data) {
        return report(data.error());
    }
    const bool hasClasses = model->task != svm::TaskKind::Regression;
    const auto y = hasClasses ? truthOf(**data, *model, options.positive) : Result<Eigen::VectorXd>(Eigen::VectorXd());
    if (!y) {
        return report(y.error());
    }
    warnOfOtherFeatures(**data, *model);
    StopCheck stopCheck([token = interrupt.token()] { return token.stop_requested(); });
    const Eigen::VectorXd f = model->values(**data, stopCheck);
    if (stopCheck.isStopped()) {
        return report(plainError(ErrorCode::Stopped, "stopped while predicting"));
    }
    if (!options.output.empty()) {
        if (auto written = writeFileAtomically(options.output, predictionTable(*model, f)); !written) {
            return report(written.error());
        }
    }
    if (!hasClasses) {
        printNumbers(f, **data);
        return ExitStatus::Done;
    }
    const auto first = (f.array() > 0).count();
    std::printf("%s rows: %s as %d, %s as %d\n", groupedText(f.size()).c_str(), groupedText(first).c_str(),
                model->labels[0], groupedText(f.size() - first).c_str(), model->labels[1]);
    if (y->size() > 0) {
        printQuality(f, *y);
    }
    return ExitStatus::Done;
}

} // namespace lambdascope::cli
