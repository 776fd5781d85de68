// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/json.h"
#include "core/store/folder_lock.h"
#include "core/store/run_folder.h"
#include "tests/core/store/scratch_folder.h"
#include "tests/integration/cli_process.h"
#include "tests/integration/timeless_table.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

namespace lambdascope {
namespace {

namespace fs = std::filesystem;
using testing_support::CliProcess;
using testing_support::CliResult;
using testing_support::timelessTable;

/// Twelve cells of two lanes and four points.
const char* const kStudy = R"({"name": "small", "experiment": {"family": "metric",
  "data": {"source": "iris", "subset": 0.5}, "problem": {"k": 3}, "path": {"max_points": 4},
  "lanes": [{"name": "naive", "bounds": []}, {"name": "PGB", "bounds": ["PGB"]}]},
  "axes": [{"field": "data.source", "values": ["iris", "wine"]}, {"field": "problem.k", "values": [2, 3]}, {"seeds": 3}]})";

class SweepProgram : public testing_support::ScratchFolder {
  protected:
    CliResult cli(const std::vector<std::string>& arguments) { return testing_support::runCli(scratch(""), arguments); }

    [[nodiscard]] std::string tablesOf(const std::string& folder) const {
        return timelessTable(scratch(folder) / "cells.csv") + timelessTable(scratch(folder) / "study.csv");
    }
    [[nodiscard]] std::size_t finishedCells(const std::string& folder) const {
        std::error_code ignored;
        const auto entries = fs::directory_iterator(scratch(folder) / "cells", ignored);
        return static_cast<std::size_t>(std::distance(fs::begin(entries), fs::end(entries)));
    }
};

TEST_F(SweepProgram, ComputesEveryCellOnceAndWritesBothTables) {
    write(scratch("study.json"), kStudy);
    const CliResult first = cli({"sweep", "study.json", "--out", "s", "--jobs", "2", "--progress", "none"});
    ASSERT_EQ(first.status, 0) << first.err;
    EXPECT_EQ(first.err, "");
    EXPECT_NE(first.out.find("12 cells: 12 finished, 12 of them now; 0 failed, 0 missing"), std::string::npos)
        << first.out;
    const std::string cells = contents(scratch("s") / "cells.csv");
    EXPECT_EQ(std::count(cells.begin(), cells.end(), '\n'), 1 + 12 * 2);
    const std::string rows = contents(scratch("s") / "study.csv");
    EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 1 + 4 * 2);
    EXPECT_TRUE(fs::is_empty(scratch("s") / "work"));
    for (const auto& cell : fs::directory_iterator(scratch("s") / "cells")) {
        EXPECT_TRUE(readRunFolder(cell.path())) << cell.path();
    }
    const CliResult again = cli({"sweep", "s", "--progress", "none"});
    EXPECT_EQ(again.status, 0) << again.err;
    EXPECT_NE(again.out.find("12 finished, 0 of them now"), std::string::npos) << again.out;
    EXPECT_EQ(contents(scratch("s") / "cells.csv"), cells) << "to the last bit";
    EXPECT_EQ(contents(scratch("s") / "study.csv"), rows);
    const CliResult longer = cli({"sweep", "study.json", "--out", "s", "--set", "axes[1].values=[2,3,4]"});
    EXPECT_EQ(longer.status, 0) << longer.err;
    EXPECT_NE(longer.out.find("18 finished, 6 of them now"), std::string::npos) << longer.out;
}

TEST_F(SweepProgram, IsResumedAfterBeingKilledAtAnyMoment) {
    write(scratch("study.json"), kStudy);
    ASSERT_EQ(cli({"sweep", "study.json", "--out", "whole", "--jobs", "2"}).status, 0);
    int killed = 0;
    for (int delay = 60; delay < 2000 && killed < 4; delay += 90) {
        CliProcess process(scratch(""), {"sweep", "study.json", "--out", "killed", "--jobs", "2"});
        std::this_thread::sleep_for(std::chrono::milliseconds(delay));
        killed += process.hasEnded() ? 0 : 1;
        process.signal(SIGKILL);
        (void)process.wait();
    }
    const CliResult rest = cli({"sweep", "study.json", "--out", "killed", "--jobs", "2"});
    ASSERT_EQ(rest.status, 0) << rest.err;
    EXPECT_EQ(tablesOf("killed"), tablesOf("whole"));
    EXPECT_TRUE(fs::is_empty(scratch("killed") / "work"));
}

TEST_F(SweepProgram, AnInterruptKeepsFinishedCellsAndSaysSo) {
    write(scratch("study.json"), kStudy);
    CliProcess process(scratch(""),
                       {"sweep", "study.json", "--out", "s", "--jobs", "1", "--set", "path.max_points=60"});
    while (finishedCells("s") < 2 && !process.hasEnded()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    process.signal(SIGINT);
    ASSERT_EQ(process.wait(), 130) << process.err();
    EXPECT_NE(process.err().find("finished cells are kept"), std::string::npos) << process.err();
    EXPECT_TRUE(fs::is_empty(scratch("s") / "work"));
    EXPECT_NE(contents(scratch("s") / "study.csv").find("iris"), std::string::npos);
    const CliResult rest = cli({"sweep", "s"});
    EXPECT_EQ(rest.status, 0) << rest.err;
}

TEST_F(SweepProgram, ASignalToItsWholeGroupFailsNoCell) {
    write(scratch("study.json"), kStudy);
    for (const int number : {SIGTERM, SIGINT, SIGTERM}) {
        CliProcess process(scratch(""),
                           {"sweep", "study.json", "--out", "s", "--jobs", "2", "--set", "path.max_points=60"},
                           {.hasGroup = true});
        const std::size_t before = finishedCells("s");
        while (finishedCells("s") < before + 2 && !process.hasEnded()) {
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
        process.signalGroup(number);
        ASSERT_EQ(process.wait(), 130) << process.err();
        EXPECT_NE(process.out().find("; 0 failed"), std::string::npos) << process.out() << process.err();
        EXPECT_TRUE(fs::is_empty(scratch("s") / "work"));
    }
    const CliResult rest = cli({"sweep", "s"});
    EXPECT_EQ(rest.status, 0) << rest.err;
    EXPECT_NE(rest.out.find("12 cells: 12 finished"), std::string::npos) << rest.out;
}

TEST_F(SweepProgram, TakesBundledStudiesByName) {
    const CliResult listed = cli({"list", "studies", "--json"});
    ASSERT_EQ(listed.status, 0) << listed.err;
    const Json rows = Json::parse(listed.out);
    ASSERT_GE(rows.size(), 11U);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        EXPECT_FALSE(rows[i]["data"].get<std::string>().empty()) << rows[i].dump();
        EXPECT_FALSE(rows[i]["what_it_shows"].get<std::string>().empty()) << rows[i].dump();
    }
    const CliResult swept =
        cli({"sweep", "yoshida-figure-12", "--out", "s", "--jobs", "2", "--progress", "none", "--set",
             "path.max_points=2", "--set", "data.source=iris", "--set", "axes[0].count=2", "--set", "axes[1].seeds=1"});
    ASSERT_EQ(swept.status, 0) << swept.err;
    EXPECT_NE(swept.out.find("2 cells: 2 finished"), std::string::npos) << swept.out;
    const CliResult near = cli({"sweep", "yoshida-figure-122", "--out", "t"});
    EXPECT_EQ(near.status, 2);
    EXPECT_NE(near.err.find("Did you mean yoshida-figure-12?"), std::string::npos) << near.err;
    EXPECT_FALSE(fs::exists(scratch("t")));
}

TEST_F(SweepProgram, SetsPublishedNumbersBesideOurs) {
    write(scratch("study.json"), R"({"name": "s", "experiment": {"family": "pu", "data": {"source": "breast-cancer"},
        "problem": {"positive": "malignant"}, "path": {"stop": 0.01}, "lanes": [{"name": "Pairs"}]},
        "axes": [{"field": "problem.labelled_share", "values": [0.2, 0.4]}, {"seeds": 2}],
        "published": [{"label": "F with a fifth", "value": 0.743, "measure": "f_measure", "lane": "Pairs",
                       "source": "[P, table III]", "note": "another set", "where": {"problem.labelled_share": 0.2}},
                      {"label": "not here", "value": 0.5, "measure": "f_measure", "lane": "Pairs",
                       "where": {"problem.labelled_share": 0.3}}]})");
    const CliResult swept = cli({"sweep", "study.json", "--out", "s", "--progress", "none"});
    ASSERT_EQ(swept.status, 0) << swept.err;
    const std::string table = contents(scratch("s") / "study.csv");
    EXPECT_NE(table.find(",f_measure_mean,"), std::string::npos) << table;
    for (const std::string& text : {swept.out, cli({"compare", "s"}).out}) {
        EXPECT_NE(text.find("\nPublished numbers beside ours\n"), std::string::npos) << text;
        EXPECT_NE(text.find("F with a fifth"), std::string::npos) << text;
        EXPECT_NE(text.find("0.743"), std::string::npos) << text;
        EXPECT_NE(text.find("another set"), std::string::npos) << text;
        EXPECT_EQ(text.find("not here"), std::string::npos) << "there is nothing of ours: " << text;
    }
}

TEST_F(SweepProgram, LeavesOutDataThatAreNotThereWhereAnAxisSaysSo) {
    write(scratch("study.json"), R"({"name": "s", "experiment": {"family": "metric", "path": {"max_points": 2},
        "data": {"source": "iris", "subset": 0.5}, "problem": {"k": 2}}, "axes": [{"field": "data.source",
        "optional": true, "values": ["iris", "gone.csv"]}]})");
    const CliResult swept = cli({"sweep", "study.json", "--out", "s", "--progress", "none"});
    ASSERT_EQ(swept.status, 0) << swept.err;
    EXPECT_NE(swept.err.find("left out, as it is not here: gone.csv"), std::string::npos) << swept.err;
    EXPECT_NE(swept.out.find("1 cells: 1 finished"), std::string::npos) << swept.out;
}

TEST_F(SweepProgram, TwoAtOnceDoNotMix) {
    write(scratch("study.json"), kStudy);
    fs::create_directories(scratch("s"));
    {
        const auto held = FolderLock::take(scratch("s")); // as the first one does
        ASSERT_TRUE(held);
        const CliResult second = cli({"sweep", "study.json", "--out", "s"});
        EXPECT_EQ(second.status, 2);
        EXPECT_NE(second.err.find("another process is computing the study"), std::string::npos) << second.err;
        EXPECT_TRUE(fs::is_empty(scratch("s")));
    }
    EXPECT_EQ(cli({"sweep", "study.json", "--out", "s"}).status, 0) << "once it has ended";
}

TEST_F(SweepProgram, FaultsAreAllNamedBeforeAnythingIsMade) {
    write(scratch("study.json"), R"({"experiment": "iris-six-lanes", "axes": [
      {"field": "problem.k", "values": [0, 3]}, {"field": "problem.gamma", "values": [-1, 0.05]}, {"seeds": 2}]})");
    const CliResult bad = cli({"sweep", "study.json", "--out", "s"});
    EXPECT_EQ(bad.status, 2);
    EXPECT_NE(bad.err.find("6 of 8 cells have faults"), std::string::npos) << bad.err;
    EXPECT_NE(bad.err.find("problem.k"), std::string::npos) << bad.err;
    EXPECT_NE(bad.err.find("problem.gamma"), std::string::npos) << bad.err;
    // What the data cannot do is known from the data alone.
    const CliResult data = cli({"sweep", "study.json", "--out", "s", "--set", "axes[0].values=[3,500]", "--set",
                                "axes[1].values=[0.05]", "--set", "data.source=nothing.csv"});
    EXPECT_EQ(data.status, 2);
    EXPECT_NE(data.err.find("nothing was run"), std::string::npos) << data.err;
    EXPECT_NE(data.err.find("nothing.csv"), std::string::npos) << data.err;
    const CliResult large =
        cli({"sweep", "study.json", "--out", "s", "--set", "axes[0].values=[3,500]", "--set", "axes[1].values=[0.05]"});
    EXPECT_EQ(large.status, 2);
    EXPECT_NE(large.err.find("in the cell k = 500, gamma = 0.05, seed = 1"), std::string::npos) << large.err;
    for (const std::vector<std::string>& arguments :
         std::vector<std::vector<std::string>>{{"sweep", "study.json"},
                                               {"sweep", "nothing.json", "--out", "s"},
                                               {"sweep", "xdg", "--out", "s"},
                                               {"sweep", "study.json", "--out", "study.json"},
                                               {"sweep", "study.json", "--out", "s", "--jobs", "0"},
                                               {"sweep", "study.json", "--out", "s", "--memory", "much"},
                                               {"sweep", "study.json", "--out", "s", "--set", "axes[7].values=[1]"}}) {
        fs::create_directories(scratch("xdg"));
        EXPECT_EQ(cli(arguments).status, 2) << arguments.back();
    }
    EXPECT_FALSE(fs::exists(scratch("s")));
}

TEST_F(SweepProgram, FailedCellsAreNamedAndComputedAgainOnRequest) {
    write(scratch("a.csv"), "x,y,label\n0,0,a\n0,1,a\n0,2,a\n5,5,b\n5,6,b\n5,7,b\n");
    // Its λ_max lies below the least λ allowed, which shows when the path begins.
    write(scratch("study.json"),
          R"({"experiment": {"family": "metric", "data": {"source": "a.csv"}, "problem": {"k": 1},
        "path": {"max_points": 3}, "lanes": [{"name": "naive", "bounds": []}]},
        "axes": [{"field": "path.min_lambda", "values": [1e-12, 1e9]}, {"seeds": 2}]})");
    const CliResult first = cli({"sweep", "study.json", "--out", "s", "--progress", "none"});
    EXPECT_EQ(first.status, 1);
    EXPECT_NE(first.out.find("4 cells: 2 finished, 2 of them now; 2 failed, 0 missing"), std::string::npos)
        << first.out;
    EXPECT_NE(first.err.find("failed: min_lambda = 1000000000.0, seed = 1: "), std::string::npos) << first.err;
    EXPECT_NE(first.err.find("lane naive"), std::string::npos) << first.err;
    const CliResult again = cli({"sweep", "s", "--progress", "none"});
    EXPECT_EQ(again.status, 1) << "they are named, but not computed again";
    EXPECT_NE(again.out.find("0 of them now"), std::string::npos) << again.out;
    const CliResult retried = cli({"sweep", "s", "--progress", "none", "--retry"});
    EXPECT_EQ(retried.status, 1);
    EXPECT_NE(retried.err.find("failed: min_lambda"), std::string::npos) << retried.err;
}

TEST_F(SweepProgram, AFullDiskEndsItAndKeepsWhatIsThere) {
    write(scratch("study.json"), kStudy);
    CliProcess process(scratch(""), {"sweep", "study.json", "--out", "s", "--jobs", "1"}, {.largestFile = 6000});
    EXPECT_EQ(process.wait(), 2) << process.err();
    EXPECT_NE(process.err().find("could not be written"), std::string::npos) << process.err();
    const CliResult rest = cli({"sweep", "s"});
    EXPECT_EQ(rest.status, 0) << rest.err;
    EXPECT_NE(rest.out.find("12 finished"), std::string::npos) << rest.out;
}

TEST_F(SweepProgram, CompareTakesStudies) {
    write(scratch("study.json"), kStudy);
    ASSERT_EQ(cli({"sweep", "study.json", "--out", "s"}).status, 0);
    const CliResult text = cli({"compare", "s"});
    ASSERT_EQ(text.status, 0) << text.err;
    EXPECT_EQ(text.out.find("small: means over the seeds"), 0U) << text.out;
    EXPECT_EQ(std::count(text.out.begin(), text.out.end(), '\n'), 2 + 4 * 2) << text.out;
    EXPECT_NE(text.out.find('['), std::string::npos) << text.out;
    const CliResult csv = cli({"compare", "s", "--csv"});
    EXPECT_EQ(csv.out, contents(scratch("s") / "study.csv"));
    const Json rows = Json::parse(cli({"compare", "s", "--json"}).out);
    ASSERT_EQ(rows.size(), 8U);
    EXPECT_EQ(rows[3]["lane"], "PGB");
    EXPECT_EQ(rows[3]["problem.k"].get<double>(), 3);
    EXPECT_EQ(rows[3]["cells"].get<int>(), 3);
    EXPECT_LE(rows[3]["objective"]["low"].get<double>(), rows[3]["objective"]["mean"].get<double>());
    const CliResult latex = cli({"compare", "s", "--latex"});
    EXPECT_NE(latex.out.find("\\begin{tabular}{llllr"), std::string::npos) << latex.out;
    fs::remove_all(scratch("s") / "cells");
    EXPECT_NE(cli({"compare", "s"}).out.find("0 of 3"), std::string::npos) << "a study that is not there yet";
    write(scratch("s") / "study.json", "{");
    EXPECT_EQ(cli({"compare", "s"}).status, 2);
}

TEST_F(SweepProgram, ListingsAreJsonOnRequest) {
    for (const char* what : {"presets", "data", "families", "bounds", "rules", "solvers"}) {
        const Json rows = Json::parse(cli({"list", what, "--json"}).out);
        ASSERT_TRUE(rows.isArray()) << what;
        EXPECT_FALSE(rows.empty()) << what;
        for (const Json& row : rows) {
            EXPECT_GE(row.size(), 3U) << row;
        }
    }
    EXPECT_EQ(Json::parse(cli({"runs", "--json"}).out).size(), 0U);
    ASSERT_EQ(cli({"run", "iris-six-lanes", "--lanes", "naive,PGB", "--out", "r", "--set", "path.max_points=3"}).status,
              0);
    const Json runs = Json::parse(cli({"runs", "--json"}).out);
    ASSERT_EQ(runs.size(), 1U);
    EXPECT_EQ(runs[0]["points"].get<int>(), 6);
    const Json lanes = Json::parse(cli({"compare", "r", "--json"}).out);
    ASSERT_EQ(lanes.size(), 2U);
    EXPECT_EQ(lanes[1]["lane"], "PGB");
    EXPECT_EQ(lanes[1]["points"].get<int>(), 3);
    EXPECT_EQ(cli({"compare", "r", "--json", "--csv"}).status, 2);
}

TEST_F(SweepProgram, BashCompletesCommandsOptionsAndPresets) {
    const auto complete = [&](const std::string& words, int number) {
        write(scratch("complete.sh"),
              "export LAMBDASCOPE_RESOURCES='" LAMBDASCOPE_TEST_SOURCE_DIR "/resources'\n"
              "source <('" LAMBDASCOPE_CLI "' completion)\ncd /\nCOMP_WORDS=('" LAMBDASCOPE_CLI "' " +
                  words + ")\nCOMP_CWORD=" + std::to_string(number) + "\n_lambdascope_cli\necho \"${COMPREPLY[@]}\"\n");
        const std::string command =
            "bash " + scratch("complete.sh").string() + " > " + scratch("completed").string() + " 2>&1";
        EXPECT_EQ(std::system(command.c_str()), 0);
        return contents(scratch("completed"));
    };
    EXPECT_EQ(complete("swe", 1), "sweep\n");
    EXPECT_EQ(complete("sweep --ret", 2), "--retry\n");
    EXPECT_EQ(complete("run iris-si", 2), "iris-six-lanes\n");
    EXPECT_EQ(complete("sweep --ce", 2), "\n") << "not what processes of its own take";
}

} // namespace
} // namespace lambdascope
