// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command_groups.h"

#include "core/common/typed_table.h"

#include <CLI/CLI.hpp>

namespace lambdascope::cli {

void addSweepCommand(CLI::App& app, SweepOptions& options, std::function<ExitStatus()>& chosen) {
    CLI::App& command = *app.add_subcommand("sweep", "Run an experiment for every combination of some values");
    command
        .add_option("study", options.study,
                    "Study file, one of list studies, - for standard input, or a study's folder, to go on with what is "
                    "missing there")
        ->type_name("FILE|NAME|DIR");
    command.add_option("--out", options.out, "Folder of the study: cells, cells.csv, study.csv")->type_name("DIR");
    addSettingsOption(command, options.settings);
    command.add_option("--jobs", options.jobs, "So many cells at a time; as many as there are cores if left out")
        ->type_name("N")
        ->check(CLI::Range(1, 1024));
    command
        .add_option("--memory", options.memory,
                    "Memory of all cells together, such as 8GB; 80 % of what is free if left out")
        ->type_name("SIZE")
        ->transform(CLI::AsSizeValue(/*kb_is_1000=*/true));
    command.add_flag("--retry", options.retry, "Compute failed cells again");
    command.add_flag("--keep-embeddings", options.keepEmbeddings,
                     "Keep pictures of the learned maps, which make run folders several times larger");
    command.add_flag("--save-solutions", options.saveSolutions, "Write the solution of each point of each cell");
    command
        .add_option("--progress", options.progress,
                    "auto (a bar on a terminal, else a line now and then), plain (a line per cell) or none")
        ->type_name("HOW")
        ->check(CLI::IsMember({"auto", "plain", "none"}));
    command.add_flag("--slurm", options.slurm, "Submit a job array to Slurm; DIR must be shared by all nodes");
    command.add_option("--partition", options.partition, "Slurm: the partition")->type_name("NAME");
    command.add_option("--cpus", options.cpus, "Slurm: cores of a task, which computes as many cells at a time")
        ->type_name("N")
        ->check(CLI::Range(1, 1024));
    command.add_option("--mem", options.nodeMemory, "Slurm: memory of a task, such as 4G")->type_name("SIZE");
    command.add_option("--time", options.time, "Slurm: time limit of a task")->type_name("TIME");
    command.add_option("--chunk", options.chunk, "Slurm: cells of a task; so many that there are at most 100 tasks")
        ->type_name("N")
        ->check(CLI::Range(1, 100000));
    command.add_option("--slurm-task", options.slurmTask)->group("");
    command.add_option("--cell", options.cell)->group(""); // for the processes that it starts
    command.add_option("--work", options.work)->group("");
    command.footer(
        "Each cell, one combination of values, is computed by a process of its own into DIR/cells/NAME, a run\n"
        "folder. Whatever ends the program, finished cells are kept, and the same command goes on. DIR/cells.csv\n"
        "has a row per cell and lane, DIR/study.csv one per combination without the seed and lane, with means,\n"
        "medians, quartiles and 95 % intervals over the seeds. --set axes[0].values=[1,2] changes an axis.\n"
        "Exit status: 0 all cells are finished, 1 some have failed, 2 the study has faults, 130 interrupted.");
    struct Action {
        const char* name;
        const char* help;
        ExitStatus (*run)(const SweepOptions& options);
        bool hasJson;
    };
    for (const Action& action :
         {Action{"status", "How far a study is, and the Slurm job that computes it", sweepStatusCommand, true},
          Action{"cancel", "End the Slurm job of a study; finished cells are kept", sweepCancelCommand, false},
          Action{"collect", "Write the tables of a study from what is finished", sweepCollectCommand, false}}) {
        CLI::App& part = *command.add_subcommand(action.name, action.help);
        part.add_option("folder", options.out, "Folder of the study")->type_name("DIR")->required();
        if (action.hasJson) {
            part.add_flag("--json", options.json, "As JSON");
        }
        part.final_callback([&, run = action.run] { chosen = [&, run] { return run(options); }; });
    }
    command.final_callback([&] {
        if (!command.get_subcommands().empty()) {
            return;
        }
        if (options.study.empty()) {
            throw CLI::RequiredError("study");
        }
        chosen = [&] { return sweepCommand(options); };
    });
}

namespace {

/// Which solution of a run folder.
void addSolutionOptions(CLI::App& command, std::string& lane, std::string& point, std::string& data) {
    command.add_option("--lane", lane, "Lane; the first one if left out")->type_name("NAME");
    command.add_option("--point", point, "Path point, counted from 0, or last")->type_name("N|last");
    command.add_option("--data", data, "Folder in which relative data paths are looked for first")->type_name("DIR");
}

void addExport(CLI::App& app, ExportOptions& options, std::function<ExitStatus()>& chosen) {
    CLI::App& command = *app.add_subcommand("export", "Write what a lane learned, for other programs");
    command.add_option("folder", options.folder, "Run folder, written by run --out")->type_name("DIR")->required();
    command.add_option("--out", options.output, "File to write")->type_name("FILE")->required();
    command
        .add_option("--format", options.format,
                    "npz (NumPy), csv, json or mat (MATLAB, Octave); that of FILE's name if left out")
        ->type_name("FORMAT")
        ->check(CLI::IsMember({"npz", "csv", "json", "mat"}));
    addSolutionOptions(command, options.lane, options.point, options.data);
    command.add_flag("--force", options.force, "Replace FILE if it exists");
    command.footer(
        "metric: M (or its diagonal m) and L with M = L'L; svm: w or alpha; pu: w, alpha, b and f; ordinal: X.\n"
        "With them the classes, the features and how they were scaled: (x - centre) / spread. A solution\n"
        "that the run kept (run --save-solutions) is taken from it; others are computed again.");
    command.final_callback([&] { chosen = [&] { return exportCommand(options); }; });
}

void addTransform(CLI::App& app, TransformOptions& options, std::function<ExitStatus()>& chosen) {
    CLI::App& command = *app.add_subcommand("transform", "Map rows by a learned metric, or measure distances with it");
    command.add_option("folder", options.folder, "Folder of a metric run")->type_name("DIR")->required();
    command
        .add_option("input", options.input, "Data file, bundled data set or toy:NAME; the rows of the run if left out")
        ->type_name("IN");
    command.add_option("--out", options.output, "File to write")->type_name("FILE")->required();
    command.add_option("--pairs", options.pairs, "Pairs of rows, two numbers from 0 a line: write their distances")
        ->type_name("FILE");
    addSolutionOptions(command, options.lane, options.point, options.data);
    addSettingsOption(command, options.settings);
    command.add_flag("--force", options.force, "Replace FILE if it exists");
    command.footer(
        "Rows are scaled as those of the run were, and written as Lx, M = L'L, so that |Lx - Ly|^2 is\n"
        "(x - y)'M(x - y): a column per eigenvalue of M above 0, the largest first. Distances are squared ones.");
    command.final_callback([&] { chosen = [&] { return transformCommand(options); }; });
}

void addPredict(CLI::App& app, PredictOptions& predict, std::function<ExitStatus()>& chosen) {
    CLI::App& predicting = *app.add_subcommand("predict", "Classify data by a run, or by a model in LIBSVM's format");
    predicting.add_option("model", predict.model, "Run folder of metric, svm or pu, or a model file of two classes")
        ->type_name("DIR|MODEL")
        ->required();
    predicting.add_option("input", predict.input, "Data file, bundled data set or toy:NAME")
        ->type_name("IN")
        ->required();
    predicting.add_option("--out", predict.output, "Write row, decision value and label of each row as CSV")
        ->type_name("FILE");
    predicting
        .add_option("--positive", predict.positive,
                    "Class that the model's first label stands for; the one of that name if left out")
        ->type_name("NAME");
    addSolutionOptions(predicting, predict.lane, predict.point, predict.data);
    addSettingsOption(predicting, predict.settings);
    predicting.add_flag("--force", predict.force, "Replace FILE if it exists");
    predicting.footer("By a run, rows are scaled as those of the run were. By a model file nothing is scaled unless\n"
                      "asked for, as in --set data.scale=minmax.");
    predicting.final_callback([&] { chosen = [&] { return predictCommand(predict); }; });
}

} // namespace

void addModelCommands(CLI::App& app, ModelOptions& options, std::function<ExitStatus()>& chosen) {
    ExportModelOptions& exportModel = options.exportModel;
    CLI::App& exporting =
        *app.add_subcommand("export-model", "Write the SVM of a finished run in LIBSVM's model format");
    exporting.add_option("folder", exportModel.folder, "Run folder, written by run --out")
        ->type_name("DIR")
        ->required();
    exporting.add_option("output", exportModel.output, "File to write")->type_name("OUT")->required();
    exporting.add_option("--lane", exportModel.lane, "Lane; the first one if left out")->type_name("NAME");
    exporting.add_option("--point", exportModel.point, "Path point, counted from 0; the last one if left out")
        ->type_name("N")
        ->check(CLI::NonNegativeNumber);
    exporting.add_option("--data", exportModel.data, "Folder in which relative data paths are looked for first")
        ->type_name("DIR");
    exporting.add_flag("--force", exportModel.force, "Replace OUT if it exists");
    exporting.footer("The lane is computed again up to that point. The model is of the features as the experiment\n"
                     "prepared them: convert IN OUT --set data.scale=... writes such data. Class names that are no\n"
                     "whole numbers become 1 and -1.");
    exporting.final_callback([&] { chosen = [&] { return exportModelCommand(exportModel); }; });

    addExport(app, options.exporting, chosen);
    addTransform(app, options.transform, chosen);
    addPredict(app, options.predict, chosen);
}

void addTableOptions(CLI::App& command, std::string& format, std::optional<int>& digits, bool hasJson) {
    std::vector<std::string> formats = {"text", "csv", "latex", "markdown"};
    if (hasJson) {
        formats.emplace_back("json");
    }
    command
        .add_option("--format", format,
                    std::string("text, csv, latex (package booktabs), markdown") + (hasJson ? " or json" : ""))
        ->capture_default_str()
        ->check(CLI::IsMember(formats));
    command.add_option("--digits", digits, "Significant digits of numbers; 17 read back exactly, as CSV does alone")
        ->check(CLI::Range(1, kAllDigits));
}

} // namespace lambdascope::cli
