// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/numeric/blas_library.h"
#include "core/store/run_folder.h"
#include "core/store/run_library.h"
#include "tests/core/store/scratch_folder.h"
#include "tests/integration/cli_process.h"

#include <algorithm>
#include <cstdlib>

namespace lambdascope {
namespace {

namespace fs = std::filesystem;
using testing_support::CliResult;

class CommandLineProgram : public testing_support::ScratchFolder {
  protected:
    CliResult cli(const std::vector<std::string>& arguments) { return testing_support::runCli(scratch(""), arguments); }
    static std::size_t lineCount(const std::string& text) {
        return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    }
    /// A run of a few points that takes a moment.
    static std::vector<std::string> shortRun(std::vector<std::string> more = {}) {
        std::vector<std::string> arguments = {"run",   "iris-six-lanes",  "--set", "path.max_points=6",
                                              "--set", "data.subset=0.5", "--set", "problem.k=3"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return arguments;
    }
};

TEST_F(CommandLineProgram, RunWritesTheRunFolder) {
    const CliResult result = cli(shortRun({"--out", "out", "--lanes", "naive,RRPB+PGB", "--save-solutions"}));
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_NE(result.out.find("baseline"), std::string::npos) << result.out;
    EXPECT_EQ(lineCount(result.out), 6U) << "titles, two lanes, the headline, the folder: " << result.out;
    for (const char* lane : {"naive", "RRPB+PGB"}) {
        const std::string rows = contents(scratch("out") / lane / "path.csv");
        EXPECT_EQ(rows.substr(0, rows.find('\n')),
                  "index,lambda,iterations,primal,dual,gap,loss,n_items,n_R,n_L,n_C,path_R,path_L,path_rate,final_R,"
                  "final_L,final_rate,cpu_solve,cpu_screen,wall,knn_error,cpu_rule,cpu_evaluate,cpu_eigen,cpu_other,"
                  "pairs_visited,evaluations,eigen_decompositions,counted_work,evaluation_work");
        EXPECT_EQ(lineCount(rows), 7U);
        EXPECT_TRUE(fs::exists(scratch("out") / lane / "solution-5.csv"));
    }
    EXPECT_FALSE(fs::exists(scratch("out") / "GB"));
    const auto summary = readRunSummary(scratch("out"));
    ASSERT_TRUE(summary);
    EXPECT_EQ((*summary)["state"], "finished");
    EXPECT_EQ((*summary)["experiment"]["problem"]["k"], 3);
    EXPECT_EQ((*summary)["experiment"]["lanes"].size(), 2U);
    EXPECT_EQ((*summary)["data_sha256"].get<std::string>().size(), 64U);
    const auto records = readRunFolder(scratch("out"));
    ASSERT_TRUE(records);
    ASSERT_EQ(records->size(), 2U);
    EXPECT_EQ(records->at(0).start().laneName, "naive");
    EXPECT_TRUE(records->at(0).start().isBaseline);
    EXPECT_FALSE(records->at(1).start().isBaseline);
    EXPECT_NE(records->at(1).points().at(3).embedding, nullptr) << "figures are drawn from run folders";
}

/// Sets a variable of the environment as long as it lives.
class Variable {
  public:
    Variable(const char* name, const char* value) : m_name(name) { ::setenv(name, value, 1); }
    ~Variable() { ::unsetenv(m_name); }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;

  private:
    const char* m_name;
};

TEST_F(CommandLineProgram, RunsTheBlasKernelsOfTheProcessorOrThoseThatAreAskedFor) {
    const auto build = [this](const std::string& folder) {
        const CliResult result = cli(shortRun({"--out", folder, "--lanes", "naive", "--library", "none"}));
        EXPECT_EQ(result.status, 0) << result.err;
        return (*readRunSummary(scratch(folder)))["build"];
    };
    const Json facts = build("own");
    const auto kernels = facts["blas"].get<std::string>();
    if (facts["processor"] != "x86-64" && kernels != "other") {
        const std::string name = kernels.substr(kernels.find(' ') + 1);
        EXPECT_EQ(betterBlasKernels(name, true), "") << kernels;
    }
    const Variable asked("OPENBLAS_CORETYPE", "Nehalem");
    if (kernels != "other") {
        EXPECT_EQ(build("asked")["blas"], "OpenBLAS Nehalem");
    }
}

TEST_F(CommandLineProgram, TheResolvedExperimentOfARunGivesTheSameNumbersAgain) {
    ASSERT_EQ(cli(shortRun({"--out", "first", "--library", "none"})).status, 0);
    write(scratch("again.json"), (*readRunSummary(scratch("first")))["experiment"].dump(2));
    const CliResult again = cli({"run", "again.json", "--out", "second", "--library", "none"});
    ASSERT_EQ(again.status, 0) << again.err;
    const auto first = readRunFolder(scratch("first"));
    const auto second = readRunFolder(scratch("second"));
    ASSERT_TRUE(first);
    ASSERT_TRUE(second);
    ASSERT_EQ(first->size(), second->size());
    for (std::size_t i = 0; i < first->size(); ++i) {
        for (const ColumnRole role : {ColumnRole::Axis, ColumnRole::Objective, ColumnRole::Optimality,
                                      ColumnRole::Iterations, ColumnRole::PathRate, ColumnRole::FinalRate}) {
            EXPECT_EQ(columnByRole(first->at(i), role), columnByRole(second->at(i), role)) << columnRoleName(role);
        }
    }
}

TEST_F(CommandLineProgram, RefusesAnEarlierRunAndReplacesItByForce) {
    ASSERT_EQ(cli(shortRun({"--out", "out", "--lanes", "naive"})).status, 0);
    const CliResult refused = cli(shortRun({"--out", "out", "--lanes", "GB"}));
    EXPECT_EQ(refused.status, 2);
    EXPECT_NE(refused.err.find("--force"), std::string::npos);
    EXPECT_TRUE(fs::exists(scratch("out") / "naive"));
    EXPECT_EQ(cli(shortRun({"--out", "out", "--lanes", "GB", "--force"})).status, 0);
    EXPECT_FALSE(fs::exists(scratch("out") / "naive"));
    EXPECT_TRUE(fs::exists(scratch("out") / "GB" / "path.csv"));
}

TEST_F(CommandLineProgram, ProgressIsQuietWhenToldAndOneLinePerPointWhenPlain) {
    EXPECT_TRUE(cli(shortRun({"--progress", "none"})).err.empty());
    const CliResult plain = cli(shortRun({"--progress", "plain", "--lanes", "naive"}));
    EXPECT_EQ(lineCount(plain.err), 7U) << plain.err;
    EXPECT_NE(plain.err.find("naive: path ended after 6 points"), std::string::npos) << plain.err;
    EXPECT_EQ(plain.err.find('\x1b'), std::string::npos) << "no terminal, no control characters";
}

TEST_F(CommandLineProgram, ATimeLimitKeepsWhatIsFinished) {
    const CliResult result = cli({"run", "iris-six-lanes", "--lanes", "naive", "--set", "run.time_limit=1e-9"});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_NE(result.out.find("time limit"), std::string::npos) << result.out;
}

TEST_F(CommandLineProgram, ARunThatIsAllNumericalTroubleHasFailed) {
    write(scratch("far.json"),
          R"({"family": "ordinal", "data": {"source": "eurodist", "scale": "none"}, "path": {"epochs": 3},
              "problem": {"comparisons": "distances", "train": 500, "dimensions": 2, "model": "STE"},
              "lanes": [{"name": "far", "solver": {"method": "sgd", "step": 1e6}},
                        {"name": "near", "solver": {"method": "lbfgs"}}]})");
    const CliResult all = cli({"run", "far.json", "--lanes", "far", "--progress", "none", "--library", "none"});
    EXPECT_EQ(all.status, 1) << all.out;
    EXPECT_NE(all.err.find("lane far: ended by numerical trouble after 2 points"), std::string::npos) << all.err;
    EXPECT_NE(all.out.find("numerical trouble"), std::string::npos) << all.out;
    const CliResult some = cli({"run", "far.json", "--progress", "none", "--library", "none"});
    EXPECT_EQ(some.status, 0) << some.err;
    EXPECT_NE(some.err.find("lane far: ended by numerical trouble"), std::string::npos) << some.err;
    EXPECT_EQ(some.err.find("lane near"), std::string::npos) << some.err;
}

TEST_F(CommandLineProgram, AnEmptyPathFailsAndSaysWhy) {
    struct Case {
        std::vector<std::string> arguments;
        int status;
        std::vector<std::string> said;
    };
    write(scratch("whole.json"),
          R"({"family": "pu", "data": {"source": "toy:svm-figure1?n=2000", "scale": "none"},
              "problem": {"kernel": "rbf", "gamma": 0.3}, "path": {"values": [0.1]},
              "lanes": [{"name": "whole", "solver": {"method": "interior-point", "baseline_memory": 1}}]})");
    const std::vector<Case> cases = {
        // Only the data tell that λ_max is below.
        {{"iris-six-lanes", "--lanes", "naive", "--set", "path.min_lambda=1e9"},
         1,
         {"path.min_lambda", "λ_max", "Lower"}},
        {{"whole.json"}, 1, {"solver.baseline_memory", "Raise"}},
        // The experiment alone tells.
        {{"iris-six-lanes", "--set", "path.start=1", "--set", "path.min_lambda=2"}, 2, {"path.start", "no point"}},
        {{"ogawa-table-4", "--set", "path.start=2", "--set", "path.max_c=1"}, 2, {"path.start", "no point"}},
        {{"ogawa-table-4", "--set", "path.kind=list", "--set", "path.values=[]"}, 2, {"path.values", "at least one"}},
        {{"pu-screening", "--set", "path.start=1e-5"}, 2, {"path.start", "no point"}},
        {{"pu-prior", "--set", "path.values=[]"}, 2, {"path.values", "at least one"}},
        {{"digits-embedding", "--set", "path.epochs=0"}, 2, {"path.epochs"}},
    };
    for (const Case& each : cases) {
        std::vector<std::string> arguments = {"run"};
        arguments.insert(arguments.end(), each.arguments.begin(), each.arguments.end());
        arguments.insert(arguments.end(), {"--library", "none", "--progress", "none"});
        const CliResult run = cli(arguments);
        EXPECT_EQ(run.status, each.status) << each.arguments.front() << "\n" << run.out << run.err;
        for (const std::string& part : each.said) {
            EXPECT_NE(run.err.find(part), std::string::npos) << part << " in\n" << run.err;
        }
    }
}

TEST_F(CommandLineProgram, RunsOfTheLibraryAreListedShownRenamedAndDeleted) {
    EXPECT_NE(cli({"runs"}).out.find("no runs yet"), std::string::npos);
    ASSERT_EQ(cli(shortRun({"--lanes", "naive,PGB"})).status, 0);
    const CliResult listed = cli({"runs"});
    EXPECT_EQ(lineCount(listed.out), 2U) << listed.out;
    EXPECT_NE(listed.out.find("finished"), std::string::npos);
    const CliResult shown = cli({"runs", "show", "1"});
    EXPECT_EQ(shown.status, 0);
    EXPECT_NE(shown.out.find("PGB"), std::string::npos);
    EXPECT_NE(shown.out.find("\"family\": \"metric\""), std::string::npos);
    EXPECT_EQ(cli({"runs", "rename", "1", "my best run"}).status, 0);
    EXPECT_NE(cli({"runs", "list"}).out.find("my best run"), std::string::npos);
    EXPECT_EQ(cli({"runs", "delete", "1"}).status, 0);
    EXPECT_NE(cli({"runs"}).out.find("no runs yet"), std::string::npos);
    EXPECT_EQ(cli({"runs", "show", "7"}).status, 2);
    EXPECT_EQ(cli({"runs", "show"}).status, 2);
    EXPECT_EQ(cli({"runs", "rename", "1"}).status, 2);
    ASSERT_EQ(cli(shortRun({"--lanes", "naive", "--library", "none"})).status, 0);
    EXPECT_NE(cli({"runs"}).out.find("no runs yet"), std::string::npos);
}

TEST_F(CommandLineProgram, RunsAreSearchedLabelledDeletedAndBroughtBack) {
    ASSERT_EQ(cli(shortRun({"--lanes", "naive"})).status, 0);
    ASSERT_EQ(cli(shortRun({"--lanes", "naive,PGB"})).status, 0);
    for (const std::vector<std::string>& arguments : {std::vector<std::string>{"runs", "star", "1", "2"},
                                                      {"runs", "unstar", "1"},
                                                      {"runs", "tag", "2", "paper", "figure-9"},
                                                      {"runs", "untag", "2", "paper"},
                                                      {"runs", "note", "1", "too slow"}}) {
        const CliResult result = cli(arguments);
        EXPECT_EQ(result.status, 0) << arguments.at(1) << result.err;
    }
    const auto found = [&](std::vector<std::string> words) {
        words.insert(words.begin(), {"runs", "list", "--json"});
        std::string ids;
        const Json rows = Json::parse(cli(words).out);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            ids += std::to_string(rows[i]["id"].get<std::int64_t>()) + " ";
        }
        return ids;
    };
    EXPECT_EQ(found({}), "2 1 ");
    EXPECT_EQ(found({"--limit", "1"}), "2 ");
    EXPECT_EQ(found({"family:metric", "state:done", "since:week"}), "2 1 ");
    EXPECT_EQ(found({"is:starred", "tag:figure"}), "2 ");
    EXPECT_EQ(found({"too slow"}), "1 ");
    EXPECT_EQ(found({"note:slow"}), "1 ");
    EXPECT_EQ(found({"before:week"}), "");
    EXPECT_NE(cli({"runs", "list", "zebra"}).out.find("no run in"), std::string::npos);
    EXPECT_EQ(cli({"runs", "undo"}).status, 2) << "nothing was deleted yet";
    EXPECT_EQ(cli({"runs", "delete", "1", "9"}).status, 2);
    EXPECT_EQ(found({}), "2 1 ") << "all or none";
    ASSERT_EQ(cli({"runs", "delete", "1", "2"}).status, 0);
    EXPECT_EQ(found({}), "");
    EXPECT_EQ(found({"--deleted", "is:starred"}), "2 ");
    ASSERT_EQ(cli({"runs", "undo"}).status, 0);
    EXPECT_EQ(found({"is:starred", "tag:figure-9"}), "2 ");
    ASSERT_EQ(cli({"runs", "delete", "1"}).status, 0);
    ASSERT_EQ(cli({"runs", "restore", "1"}).status, 0);
    EXPECT_EQ(found({}), "2 1 ");
}

TEST_F(CommandLineProgram, WordsThatMeanNothingAreFaults) {
    for (const std::vector<std::string>& arguments : {std::vector<std::string>{"runs", "list", "famly:metric"},
                                                      {"runs", "show", "2", "extra"},
                                                      {"runs", "rename", "2", "name", "extra"},
                                                      {"runs", "star", "1", "extra"},
                                                      {"runs", "undo", "extra"},
                                                      {"runs", "delete", "2", "extra"}}) {
        const CliResult result = cli(arguments);
        EXPECT_EQ(result.status, 2);
        EXPECT_NE(result.err.find(arguments.back()), std::string::npos) << result.err;
    }
    const CliResult nothing = cli({"convert", "none", "y.csv"});
    EXPECT_EQ(nothing.status, 2);
    EXPECT_NE(nothing.err.find("\"none\""), std::string::npos) << nothing.err;
    EXPECT_FALSE(fs::exists(scratch("y.csv")));
}

TEST_F(CommandLineProgram, ARunJsonStandsForItsExperiment) {
    ASSERT_EQ(cli(shortRun({"--out", "first", "--library", "none", "--lanes", "naive"})).status, 0);
    const CliResult again = cli({"run", "first/run.json", "--out", "second", "--library", "none"});
    ASSERT_EQ(again.status, 0) << again.err;
    EXPECT_EQ((*readRunSummary(scratch("first")))["experiment"], (*readRunSummary(scratch("second")))["experiment"]);
    const CliResult folder = cli({"run", "first"});
    EXPECT_EQ(folder.status, 2);
    EXPECT_NE(folder.err.find("run.json"), std::string::npos) << folder.err;
    // A fault is told with its place in run.json.
    Json damaged = *readRunSummary(scratch("first"));
    damaged["experiment"]["problem"]["k"] = -1;
    write(scratch("damaged.json"), damaged.dump(2));
    const CliResult fault = cli({"run", "damaged.json"});
    EXPECT_EQ(fault.status, 2);
    EXPECT_NE(fault.err.find("problem.k"), std::string::npos) << fault.err;
    EXPECT_NE(fault.err.find("damaged.json:"), std::string::npos) << fault.err;
    EXPECT_EQ(fault.err.find("unknown key"), std::string::npos) << fault.err;
}

TEST_F(CommandLineProgram, ListsWhatThereIs) {
    const CliResult all = cli({"list"});
    EXPECT_EQ(all.status, 0) << all.err;
    const std::vector<std::pair<std::string, std::string>> expected = {
        {"presets", "wine-six-lanes"}, {"data", "toy:two-moons"}, {"families", "metric"}, {"bounds", "RRPB"},
        {"rules", "sphere"},           {"solvers", "pairs"}};
    for (const auto& [what, word] : expected) {
        const CliResult result = cli({"list", what});
        EXPECT_EQ(result.status, 0) << what;
        EXPECT_NE(result.out.find(word), std::string::npos) << result.out;
        EXPECT_NE(all.out.find(what), std::string::npos) << "list alone says what it can list: " << all.out;
    }
    EXPECT_NE(cli({"list", "--json"}).out.find("\"what\": \"presets\""), std::string::npos);
    EXPECT_EQ(cli({"list", "dreams"}).status, 2);
}

TEST_F(CommandLineProgram, LostOutputIsAFailure) {
    // No file may grow over 200 bytes, as on a full disk: neither standard output nor standard error.
    constexpr std::size_t kLargestFile = 200;
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"list", "presets"},
          {"show", "iris-six-lanes", "--resolved"},
          {"--help"},
          shortRun({"--lanes", "naive,GB,PGB", "--library", "none", "--progress", "none"})}) {
        testing_support::CliProcess process(scratch(""), arguments, {.largestFile = kLargestFile});
        EXPECT_EQ(process.wait(), 1) << arguments.front();
        EXPECT_NE(process.err().find("standard output"), std::string::npos) << process.err();
    }
}

TEST_F(CommandLineProgram, AReaderThatGoesAwayIsNoFailure) {
    const std::string command =
        "bash -c 'set -o pipefail; LAMBDASCOPE_RESOURCES=" + std::string(LAMBDASCOPE_TEST_SOURCE_DIR) +
        "/resources " LAMBDASCOPE_CLI " list presets 2>" + scratch("err").string() + " | true'";
    for (int i = 0; i < 5; ++i) {
        EXPECT_EQ(std::system(command.c_str()), 0) << contents(scratch("err"));
        EXPECT_EQ(contents(scratch("err")), "");
    }
}

TEST_F(CommandLineProgram, ShowsAPresetThatRunsAsAFile) {
    const CliResult shown = cli({"show", "iris-six-lanes"});
    ASSERT_EQ(shown.status, 0);
    write(scratch("mine.json"), shown.out);
    EXPECT_EQ(cli({"run", "mine.json", "--lanes", "naive", "--set", "path.max_points=2"}).status, 0);
    const CliResult resolved = cli({"show", "iris-six-lanes", "--resolved"});
    EXPECT_NE(resolved.out.find("\"time_limit\""), std::string::npos);
    EXPECT_GT(resolved.out.size(), shown.out.size());
    EXPECT_EQ(cli({"show", "nothing"}).status, 2);
}

TEST_F(CommandLineProgram, EveryCommandExplainsItself) {
    for (const char* command :
         {"run", "verify", "compare", "list", "show", "describe", "convert", "runs", "place", "help"}) {
        const CliResult option = cli({command, "--help"});
        EXPECT_EQ(option.status, 0) << command;
        EXPECT_NE(option.out.find("Usage:"), std::string::npos) << option.out;
        EXPECT_EQ(cli({"help", command}).out, option.out);
    }
    const CliResult fields = cli({"help", "fields", "metric"});
    for (const char* key :
         {"data.source", "run.seed", "problem.k", "solver.tolerance", "path.ratio", "lanes[N].bounds"}) {
        EXPECT_NE(fields.out.find(key), std::string::npos) << key;
    }
    EXPECT_NE(cli({"run", "--help"}).out.find("problem.k"), std::string::npos);
    EXPECT_EQ(cli({"help", "fields", "metrix"}).status, 2);
    EXPECT_EQ(cli({"--help"}).status, 0);
    EXPECT_NE(cli({"--version"}).out.find("lambdascope "), std::string::npos);
    EXPECT_EQ(cli({}).status, 2);
}

TEST_F(CommandLineProgram, ConvertsToEveryFormatAndBackWithoutLosingABit) {
    ASSERT_EQ(cli({"convert", "wine", "wine.csv", "--set", "data.scale=standardize"}).status, 0);
    for (const char* name : {"wine.libsvm", "wine.tsv", "wine.arff"}) {
        SCOPED_TRACE(name);
        const CliResult there = cli({"convert", "wine.csv", name});
        ASSERT_EQ(there.status, 0) << there.err;
        const CliResult back = cli({"convert", name, "back.csv", "--force"});
        ASSERT_EQ(back.status, 0) << back.err;
        const std::string first = contents(scratch("wine.csv"));
        const std::string second = contents(scratch("back.csv"));
        // LIBSVM keeps neither feature nor class names.
        if (std::string(name) != "wine.libsvm") {
            EXPECT_EQ(first.substr(0, first.find('\n')), second.substr(0, second.find('\n')));
            EXPECT_EQ(first, second);
            continue;
        }
        ASSERT_EQ(lineCount(first), lineCount(second));
        const std::size_t row = first.find('\n') + 1;
        const std::size_t other = second.find('\n') + 1;
        EXPECT_EQ(first.substr(row, first.find('\n', row) - row - 8),
                  second.substr(other, first.find('\n', row) - row - 8));
    }
    EXPECT_EQ(cli({"convert", "wine", "wine.csv"}).status, 2) << "an existing file is kept";
    EXPECT_EQ(cli({"convert", "wine", "wine.xlsx"}).status, 2);
    EXPECT_EQ(cli({"convert", "wine", "w.csv", "--set", "problem.k=3"}).status, 2);
    EXPECT_EQ(cli({"convert", "wine", "w.csv", "--set", "data.scal=none"}).status, 2);
    EXPECT_FALSE(fs::exists(scratch("w.csv")));
}

} // namespace
} // namespace lambdascope
