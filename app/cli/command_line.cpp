// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command_line.h"

#include "app/cli/command_groups.h"
#include "app/cli/commands.h"
#include "core/config/field.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <functional>
#include <optional>

namespace lambdascope::cli {

ExitStatus report(const Error& error) {
    if (error.code == ErrorCode::Stopped) {
        std::fputs("interrupted\n", stderr); // by whoever reads this; what was in work then does not matter
    } else {
        std::fprintf(stderr, "lambdascope-cli: %s\n", error.describe().c_str());
    }
    return statusOf(error);
}

void addSettingsOption(CLI::App& command, std::vector<std::string>& settings) {
    command.add_option("--set", settings, "Change a field of the experiment: key=value; may be repeated")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
}

namespace {

constexpr int kMostThreads = 1024;
constexpr const char* kLibraryHelp = "The run library: a file";

/// All commands with the options they fill; `chosen` is what the arguments asked for.
struct Commands {
    CLI::App app{"Solves regularization paths with and without safe screening, and compares them."};
    RunOptions run;
    ListOptions list;
    ShowOptions show;
    ConvertOptions convert;
    DescribeOptions describe;
    RunsOptions runs;
    VerifyOptions verify;
    CertifyOptions certify;
    CompareOptions compare;
    ModelOptions models;
    SweepOptions sweep;
    PlaceOptions place;
    std::string helpTopic;
    std::string helpFamily;
    std::function<ExitStatus()> chosen;

    Commands();
    void addRun();
    void addLists();
    void addConvert();
    void addDescribe();
    void addRuns();
    void addVerify();
    void addCertify();
    void addCompare();
    void addPlace();
    void addHelp();
    ExitStatus help();
};

Commands::Commands() {
    app.name("lambdascope-cli");
    app.set_version_flag("--version", std::string("lambdascope ") + LAMBDASCOPE_VERSION);
    app.require_subcommand(1);
    app.footer("Exit status: 0 done, 1 failed, 2 bad usage, configuration or data, 3 not proven (verify, certify),\n"
               "130 interrupted (finished points are kept).\nEach command explains itself: lambdascope-cli run --help");
    addRun();
    addSweepCommand(app, sweep, chosen);
    addVerify();
    addCertify();
    addCompare();
    addLists();
    addConvert();
    addDescribe();
    addModelCommands(app, models, chosen);
    addPlace();
    addRuns();
    addCompletionCommand(app, chosen);
    addHelp();
}

void Commands::addRun() {
    CLI::App& command = *app.add_subcommand("run", "Run an experiment file or a preset");
    command
        .add_option("experiment", run.experiment,
                    "Experiment file, preset, run.json of a run folder, or - for standard input")
        ->type_name("FILE|PRESET");
    addSettingsOption(command, run.settings);
    command.add_option("--out", run.out, "Write a run folder: run.json, path.csv, dynamic.csv, events.jsonl")
        ->type_name("DIR");
    command.add_flag("--force", run.force, "Replace the earlier run that --out holds");
    command.add_option("--lanes", run.lanes, "Run only these lanes, separated by commas")
        ->type_name("A,B")
        ->allow_extra_args(false);
    CLI::Option* continued =
        command
            .add_option("--continue", run.continued,
                        "Go on with the interrupted run in this folder, to the same result as without the interruption")
            ->type_name("DIR");
    command.add_option("--data", run.data, "With --continue: folder in which relative data paths are looked for first")
        ->type_name("DIR")
        ->needs(continued);
    command
        .add_option("--state-every", run.stateEvery,
                    "Seconds of a lane between two states of it, from which --continue can go on; 0: after each point")
        ->type_name("SECONDS")
        ->check(CLI::Range(0.0, 1e6));
    command
        .add_option("--progress", run.progress,
                    "auto (a bar on a terminal, else a line now and then), plain (a line per point) or none")
        ->type_name("HOW")
        ->check(CLI::IsMember({"auto", "plain", "none"}));
    command.add_option("--threads", run.threads, "At most this many threads; results do not depend on it")
        ->type_name("N")
        ->check(CLI::Range(1, kMostThreads));
    command.add_flag("--save-solutions", run.saveSolutions, "Write the solution of each point");
    command.add_option("--library", run.library, std::string(kLibraryHelp) + ", or none to keep this run out of it")
        ->type_name("FILE|none");
    for (const char* own : {"experiment", "--set", "--out", "--force", "--lanes", "--save-solutions"}) {
        if (CLI::Option* option = command.get_option_no_throw(own); option != nullptr) {
            continued->excludes(option);
        }
    }
    command.footer(settableKeys());
    command.final_callback([this, continued] {
        if (run.experiment.empty() && continued->empty()) {
            throw CLI::RequiredError("run: FILE, PRESET or --continue DIR");
        }
        chosen = [this] { return run.continued.empty() ? runCommand(run) : continueCommand(run); };
    });
}

void Commands::addVerify() {
    CLI::App& command = *app.add_subcommand("verify", "Check a finished run: compute it again, audit every decision");
    command.add_option("folder", verify.folder, "Run folder, written by run --out")->type_name("DIR")->required();
    command.add_option("--lanes", verify.lanes, "Check only these lanes, separated by commas")
        ->type_name("A,B")
        ->allow_extra_args(false);
    command.add_option("--data", verify.data, "Folder in which relative data paths are looked for first")
        ->type_name("DIR");
    command.add_option("--progress", verify.progress, "auto (a bar on a terminal), plain (a line per lane) or none")
        ->type_name("HOW")
        ->check(CLI::IsMember({"auto", "plain", "none"}));
    command.add_flag("--bits", verify.bits,
                     "Compare the paths to the last bit, too, and name what differs in the build");
    command.footer(
        "Each lane is computed again at the stored points of its path. Every point is then solved to a far\n"
        "smaller gap; every item that screening took out is compared with that solution, and what path.csv\n"
        "says with what it proves: primal and dual value must enclose the optimum, no set may have more\n"
        "items than it can. Runs of another build are checked like that as well; with --bits everything but\n"
        "times must be the same to the last bit. Findings are written to DIR/LANE/audit.json.\n"
        "Exit status: 0 all lanes are proven right, 3 none is wrong but some are not proven (the reasons are\n"
        "printed), 1 a decision or a value is wrong, a lane of the run is not there, or with --bits a bit\n"
        "differs, 2 the run cannot be checked (no run folder, other data), 130 interrupted.");
    command.final_callback([this] { chosen = [this] { return verifyCommand(verify); }; });
}

void Commands::addCertify() {
    CLI::App& command =
        *app.add_subcommand("certify", "Write a certificate of a finished run, to be checked by others");
    command.add_option("folder", certify.folder, "Run folder, written by run --out")->type_name("DIR")->required();
    command.add_option("--out", certify.out, "Folder to write the certificate to")->type_name("FOLDER")->required();
    command.add_option("--lane,--lanes", certify.lanes, "Certify only these lanes, separated by commas")
        ->type_name("A,B")
        ->allow_extra_args(false);
    command.add_option("--points", certify.points, "Only these path points, counted from 0")->type_name("A-B");
    command.add_option("--data", certify.data, "Folder in which relative data paths are looked for first")
        ->type_name("DIR");
    command.add_option("--progress", certify.progress, "auto (a bar on a terminal), plain or none")
        ->type_name("HOW")
        ->check(CLI::IsMember({"auto", "plain", "none"}));
    command.add_flag("--force", certify.force, "Replace the certificate that --out holds");
    command.footer(
        "Each lane is computed again at the stored points of its path. FOLDER gets its decisions, and per\n"
        "point decimals of a primal and a dual solution, from which resources/certificate/check.py proves\n"
        "every decision in exact arithmetic: python3 check.py FOLDER DATA, DATA being the raw data file.\n"
        "Exit status: 0 done, 3 some decisions may be too near their threshold to be proven, 2 the run cannot\n"
        "be certified, 130 interrupted.");
    command.final_callback([this] { chosen = [this] { return certifyCommand(certify); }; });
}

void Commands::addCompare() {
    CLI::App& command = *app.add_subcommand("compare", "Print one table over the lanes of finished runs");
    command.add_option("folders", compare.folders, "Run folders, written by run --out, and studies, by sweep --out")
        ->type_name("DIR")
        ->required()
        ->expected(-1);
    addTableOptions(command, compare.format, compare.digits, true);
    // As earlier versions called them.
    command.add_flag_callback("--latex", [this] { compare.format = "latex"; })->group("")->excludes("--format");
    command.add_flag_callback("--csv", [this] { compare.format = "csv"; })->group("")->excludes("--format", "--latex");
    command
        .add_flag_callback(
            "--json", [this] { compare.format = "json"; }, "As --format json")
        ->excludes("--format", "--latex", "--csv");
    command.footer(
        "A row per lane: how it ended, points, CPU time of all points and its ratio to the baseline lane of\n"
        "the same run, screening rates (means over the points: on arrival; before the point was solved, in\n"
        "time to save something; and what judging with the finished solution adds, where a lane does that),\n"
        "objective and errors at the last point. Runs may be of different families; what a lane does not\n"
        "have is left empty, and columns that no lane fills are left out.\n"
        "Of a study, a row per combination of values and lane: means over the seeds, with 95 % intervals.");
    command.final_callback([this] { chosen = [this] { return compareCommand(compare); }; });
}

void Commands::addLists() {
    CLI::App& listing = *app.add_subcommand("list", "List what there is");
    listing
        .add_option("what", list.what,
                    "presets, studies, data, families, bounds, rules or solvers; what each is if left out")
        ->type_name("WHAT")
        ->check(CLI::IsMember({"presets", "studies", "data", "families", "bounds", "rules", "solvers"}));
    listing.add_flag("--json", list.json, "As JSON: an object per row");
    listing.final_callback([this] { chosen = [this] { return listCommand(list); }; });

    CLI::App& showing = *app.add_subcommand("show", "Print the experiment file of a preset");
    showing.add_option("preset", show.preset, "Preset, or an experiment file")->type_name("PRESET|FILE")->required();
    showing.add_flag("--resolved", show.resolved, "Print all fields, with their defaults");
    showing.final_callback([this] { chosen = [this] { return showCommand(show); }; });
}

void Commands::addDescribe() {
    CLI::App& command = *app.add_subcommand("describe", "Tell what a data set holds, before anything is computed");
    command.add_option("input", describe.input, "Data file, bundled data set or toy:NAME")->type_name("IN")->required();
    addSettingsOption(command, describe.settings);
    addTableOptions(command, describe.format, describe.digits, false);
    command.footer("Its first rows, classes with their rows, range and missing values of each feature, and what each\n"
                   "family would still need to take it. All that is wrong is listed with line, column and remedy, and\n"
                   "the exit status is 2 then. Other formats than text: only the table of features.\n"
                   "What the data fields take: lambdascope-cli help fields");
    command.final_callback([this] { chosen = [this] { return describeCommand(describe); }; });
}

void Commands::addConvert() {
    CLI::App& command = *app.add_subcommand("convert", "Read a data set and write it in another format");
    command.add_option("input", convert.input, "Data file, bundled data set or toy:NAME")->type_name("IN")->required();
    command.add_option("output", convert.output, "File to write: .csv, .tsv, .arff, .libsvm or .svm")
        ->type_name("OUT")
        ->required();
    addSettingsOption(command, convert.settings);
    command.add_flag("--force", convert.force, "Replace OUT if it exists");
    command.footer("Nothing is scaled unless asked for, as in --set data.scale=minmax.\n"
                   "What the data fields take: lambdascope-cli help fields");
    command.final_callback([this] { chosen = [this] { return convertCommand(convert); }; });
}

void Commands::addPlace() {
    CLI::App& command = *app.add_subcommand("place", "Place new objects in a finished embedding by their own answers");
    command.add_option("folder", place.folder, "Folder of an ordinal run, written by run --out")
        ->type_name("DIR")
        ->required();
    command.add_option("answers", place.answers, "File of answers about the new objects")
        ->type_name("ANSWERS")
        ->required();
    command.add_option("--out", place.output, "Write the table to this file")->type_name("FILE");
    command.add_option("--lane", place.lane, "Lane; the first one if left out")->type_name("NAME");
    command.add_option("--point", place.point, "Epoch, counted from 0; the last one if left out")
        ->type_name("N")
        ->check(CLI::NonNegativeNumber);
    command.add_option("--data", place.data, "Folder in which relative data paths are looked for first")
        ->type_name("DIR");
    command.add_flag("--force", place.force, "Replace FILE if it exists");
    command.footer(
        "The lane is computed again up to that epoch, and its objects stay where they are. ANSWERS has the\n"
        "columns of the run's own comparisons, i j k or i j l k, and counts objects as the run does (from 1\n"
        "where the run drew its comparisons itself); higher ids are new objects, and every answer speaks of\n"
        "exactly one of these. The table has a row per new object: coordinates, number of answers, their\n"
        "mean loss, and the share of them that is violated.");
    command.final_callback([this] { chosen = [this] { return placeCommand(place); }; });
}

void Commands::addRuns() {
    CLI::App& command =
        *app.add_subcommand("runs", "Search, show, label, delete, import or export the runs in the library");
    command
        .add_option(
            "action", runs.action,
            "list (if left out), show, rename, star, unstar, tag, untag, note, delete, undo, restore, import or "
            "export")
        ->type_name("ACTION")
        ->check(CLI::IsMember(runsActions()));
    command.add_option("words", runs.words, "What it is done with, see below")->type_name("WORDS");
    command.add_option("--library", runs.library, kLibraryHelp)->type_name("FILE");
    command.add_flag("--json", runs.json, "list: as JSON, an object per experiment");
    command.add_flag("--deleted", runs.isOfDiscarded, "list: what was deleted and can be restored");
    command.add_option("--limit", runs.limit, "list: so many of the newest")
        ->type_name("N")
        ->check(CLI::PositiveNumber);
    command.footer(runsHelp());
    command.final_callback([this] { chosen = [this] { return runsCommand(runs); }; });
}

void Commands::addHelp() {
    CLI::App& command = *app.add_subcommand("help", "Explain a command, or all fields of an experiment");
    command.add_option("topic", helpTopic, "A command, or fields")->type_name("COMMAND|fields");
    command.add_option("family", helpFamily, "Only the fields of this family")->type_name("FAMILY");
    command.final_callback([this] { chosen = [this] { return help(); }; });
}

ExitStatus Commands::help() {
    if (helpTopic == "fields") {
        return helpFieldsCommand(helpFamily);
    }
    if (helpTopic.empty()) {
        std::fputs(app.help().c_str(), stdout);
        return ExitStatus::Done;
    }
    std::vector<std::string> topics = {"fields"};
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
        if (command->get_name() == helpTopic) {
            std::fputs(command->help("lambdascope-cli").c_str(), stdout);
            return ExitStatus::Done;
        }
        topics.push_back(command->get_name());
    }
    Fault fault;
    fault.message = "there is no help about \"" + helpTopic + "\"";
    const auto guess = closestWord(helpTopic, topics);
    fault.remedy = guess ? "Did you mean " + *guess + "?" : "Try: lambdascope-cli help.";
    return report(singleFault(ErrorCode::BadUsage, std::move(fault)));
}

/// CLI11 does not name the word it took for no command.
std::optional<Error> unknownCommand(const CLI::App& app, const char* word) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
        names.push_back(command->get_name());
    }
    if (*word == '-' || std::find(names.begin(), names.end(), word) != names.end()) {
        return std::nullopt;
    }
    std::string all;
    for (const std::string& name : names) {
        all += (all.empty() ? "" : ", ") + name;
    }
    Fault fault;
    fault.message = "there is no command \"" + std::string(word) + "\"";
    const auto guess = closestWord(word, names);
    fault.remedy = guess ? "Did you mean " + *guess + "?" : "The commands are: " + all + ".";
    return singleFault(ErrorCode::BadUsage, std::move(fault));
}

} // namespace

ExitStatus runCommandLine(int argumentCount, const char* const* arguments) {
    Commands commands;
    if (argumentCount > 1) {
        if (auto error = unknownCommand(commands.app, arguments[1])) {
            return report(*error);
        }
    }
    try {
        commands.app.parse(argumentCount, arguments);
    } catch (const CLI::ParseError& problem) {
        if (problem.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) { // --help, --version
            commands.app.exit(problem);
            return ExitStatus::Done;
        }
        Fault fault;
        fault.message = problem.what();
        const auto parsed = commands.app.get_subcommands();
        fault.remedy = "See: lambdascope-cli " + (parsed.empty() ? "" : parsed.front()->get_name() + " ") + "--help";
        return report(singleFault(ErrorCode::BadUsage, std::move(fault)));
    }
    return commands.chosen();
}

} // namespace lambdascope::cli
