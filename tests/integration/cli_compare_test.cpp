// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/json.h"
#include "tests/core/store/scratch_folder.h"
#include "tests/integration/cli_process.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace lambdascope {
namespace {

namespace fs = std::filesystem;
using testing_support::CliResult;

class CompareCommand : public testing_support::ScratchFolder {
  protected:
    CliResult cli(const std::vector<std::string>& arguments) { return testing_support::runCli(scratch(""), arguments); }
    /// Two lanes on iris, one of which screens.
    void makeMetricRun(const std::string& folder, const std::string& name) {
        const CliResult run = cli({"run", "iris-six-lanes", "--set", "name=" + name, "--set", "path.max_points=6",
                                   "--set", "data.subset=0.5", "--set", "problem.k=3", "--lanes", "naive,RRPB+PGB",
                                   "--out", folder, "--library", "none"});
        ASSERT_EQ(run.status, 0) << run.err;
    }
    void makeOrdinalRun(const std::string& folder) {
        write(
            scratch("cities.json"),
            R"({"family": "ordinal", "name": "cities & roads_50% by ε", "data": {"source": "eurodist", "scale": "none"},
                  "problem": {"comparisons": "distances", "train": 500, "dimensions": 2, "model": "STE"},
                  "path": {"epochs": 3}, "lanes": [{"name": "STE"}]})");
        const CliResult run = cli({"run", "cities.json", "--out", folder, "--library", "none"});
        ASSERT_EQ(run.status, 0) << run.err;
    }
    static std::vector<std::vector<std::string>> cellsOf(const std::string& csv) {
        std::vector<std::vector<std::string>> rows;
        std::istringstream lines(csv);
        for (std::string line; std::getline(lines, line);) {
            rows.emplace_back();
            std::istringstream cells(line + ",.");
            for (std::string cell; std::getline(cells, cell, ',');) {
                rows.back().push_back(cell);
            }
            rows.back().pop_back();
        }
        return rows;
    }
};

TEST_F(CompareCommand, OneTableHasTheLanesOfAllRuns) {
    makeMetricRun("a", "first");
    makeMetricRun("b", "second");
    const CliResult text = cli({"compare", "a", "b"});
    ASSERT_EQ(text.status, 0) << text.err;
    EXPECT_EQ(std::count(text.out.begin(), text.out.end(), '\n'), 8) << "headlines, titles, four lanes: " << text.out;
    for (const char* part : {"first", "second", "iris", "naive", "RRPB+PGB", "baseline", "final rate", "objective",
                             "path ended", "knn error"}) {
        EXPECT_NE(text.out.find(part), std::string::npos) << part << " in\n" << text.out;
    }
    EXPECT_EQ(text.out.find("family"), std::string::npos) << "all are of one";
}

TEST_F(CompareCommand, CsvHoldsTheNumbersOfTheRunFolder) {
    makeMetricRun("a", "first");
    const CliResult csv = cli({"compare", "a", "--format", "csv"});
    ASSERT_EQ(csv.status, 0) << csv.err;
    const auto rows = cellsOf(csv.out);
    ASSERT_EQ(rows.size(), 3U) << csv.out;
    const auto path = cellsOf(contents(scratch("a") / "RRPB+PGB" / "path.csv"));
    const auto at = [](const std::vector<std::vector<std::string>>& table, std::size_t row, const std::string& key) {
        const auto found = std::find(table[0].begin(), table[0].end(), key);
        EXPECT_NE(found, table[0].end()) << key;
        return table[row].at(static_cast<std::size_t>(found - table[0].begin()));
    };
    EXPECT_EQ(at(rows, 2, "lane"), "RRPB+PGB");
    EXPECT_EQ(at(rows, 2, "points"), "6");
    EXPECT_EQ(at(rows, 2, "objective"), at(path, 6, "primal"));
    EXPECT_EQ(at(rows, 2, "knn_error"), at(path, 6, "knn_error"));
    double rate = 0;
    for (std::size_t row = 1; row <= 6; ++row) {
        rate += std::stod(at(path, row, "final_rate")) / 6;
    }
    EXPECT_NEAR(std::stod(at(rows, 2, "final_rate")), rate, 1e-12);
    EXPECT_EQ(at(rows, 1, "cpu_ratio"), "1");
    const double own = std::stod(at(rows, 2, "cpu"));
    const double baseline = std::stod(at(rows, 1, "cpu"));
    constexpr double kShortestTold = 0.1; // s
    if (std::min(own, baseline) >= kShortestTold) {
        EXPECT_NEAR(std::stod(at(rows, 2, "cpu_ratio")), own / baseline, 1e-9);
    } else {
        EXPECT_EQ(at(rows, 2, "cpu_ratio"), "") << "noise is no number";
    }
}

TEST_F(CompareCommand, KeepsWhatIsJudgedAfterwardsApartAndReadsRunsWithoutIt) {
    write(scratch("pays.json"),
          R"({"family": "pu", "name": "pays", "data": {"source": "toy:svm-figure1?n=200", "scale": "none"},
                  "problem": {"kernel": "rbf", "gamma": 0.3}, "path": {"values": [0.1, 0.03, 0.01]},
                  "lanes": [{"name": "GAP", "bounds": ["GAP"], "schedule": "every"},
                            {"name": "pays", "bounds": ["GAP"], "thrifty": true}]})"); // as earlier versions called it
    const CliResult run = cli({"run", "pays.json", "--out", "new", "--library", "none"});
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_NE(run.out.find("after rate"), std::string::npos) << run.out;
    const auto rows = cellsOf(cli({"compare", "new", "--format", "csv"}).out);
    const auto at = [&rows](std::size_t row, const std::string& key) {
        const auto found = std::find(rows[0].begin(), rows[0].end(), key);
        return found == rows[0].end() ? "no column" : rows[row].at(static_cast<std::size_t>(found - rows[0].begin()));
    };
    EXPECT_GT(std::stod(at(1, "final_rate")), 0);
    EXPECT_EQ(at(1, "after_rate"), "");
    EXPECT_EQ(at(2, "final_rate"), "0");
    EXPECT_GT(std::stod(at(2, "after_rate")), 0.5);
    // The events of a run by a version that had no such columns.
    const fs::path events = scratch("new") / "pays" / "events.jsonl";
    std::istringstream lines(contents(events));
    std::string old;
    std::size_t first = 0;
    const auto eraseFour = [&first](Json& list) {
        for (int i = 0; i < 4; ++i) {
            list.erase(first);
        }
    };
    for (std::string line; std::getline(lines, line);) {
        Json event = Json::parse(line);
        if (event.contains("columns")) {
            Json& columns = event["columns"];
            while (!columns.at(first).at("key").get<std::string>().starts_with("after_")) {
                ++first;
            }
            eraseFour(columns);
        }
        if (event.contains("values")) {
            eraseFour(event["values"]);
        }
        old += event.dump() + "\n";
    }
    ASSERT_GT(first, 0U);
    write(events, old);
    const CliResult compared = cli({"compare", "new", "--format", "csv"});
    ASSERT_EQ(compared.status, 0) << compared.err;
    const auto without = cellsOf(compared.out);
    EXPECT_EQ(std::count(without[0].begin(), without[0].end(), "after_rate"), 0);
    ASSERT_EQ(without.size(), rows.size());
    EXPECT_EQ(without[2][2], rows[2][2]);
}

TEST_F(CompareCommand, RunsOfDifferentFamiliesLeaveBlankWhatTheyDoNotHave) {
    makeMetricRun("a", "first");
    makeOrdinalRun("o");
    const auto rows = cellsOf(cli({"compare", "a", "o", "--format", "csv"}).out);
    ASSERT_EQ(rows.size(), 4U);
    EXPECT_EQ(rows[0][1], "family");
    EXPECT_EQ(rows[3][1], "ordinal");
    EXPECT_EQ(rows[3][0], "cities & roads_50% by ε");
    for (std::size_t k = 0; k < rows[0].size(); ++k) {
        if (rows[0][k].ends_with("_rate") || rows[0][k] == "knn_error") {
            EXPECT_EQ(rows[3][k], "") << rows[0][k];
            EXPECT_NE(rows[1][k], "") << rows[0][k];
        } else if (rows[0][k] == "test_error") {
            EXPECT_NE(rows[3][k], "");
            EXPECT_EQ(rows[1][k], "");
        }
    }
    const CliResult alone = cli({"compare", "o"});
    EXPECT_EQ(alone.out.find("rate"), std::string::npos) << "nothing is screened there: " << alone.out;
}

TEST_F(CompareCommand, LatexIsATabularWithEscapedText) {
    makeOrdinalRun("o");
    const CliResult latex = cli({"compare", "o", "--format", "latex"});
    ASSERT_EQ(latex.status, 0) << latex.err;
    for (const char* part : {"\\begin{tabular}{", "\\toprule", "\\midrule", "\\bottomrule", "\\end{tabular}",
                             "cities \\& roads\\_50\\% by $\\varepsilon$", "CPU (s)", " \\\\\n"}) {
        EXPECT_NE(latex.out.find(part), std::string::npos) << part << " in\n" << latex.out;
    }
    EXPECT_EQ(cli({"compare", "o", "--latex", "--csv"}).status, 2);
    EXPECT_EQ(cli({"compare", "o", "--latex"}).out, latex.out) << "as earlier versions called it";
}

TEST_F(CompareCommand, EveryFormTakesDigitsAndNoneTellsARatioOfTimesThatAreTooShort) {
    write(scratch("short.json"),
          R"({"family": "svm", "name": "short", "data": {"source": "toy:svm-figure1?n=40"}, "path": {"kind": "list",
              "values": [1, 2]}, "lanes": [{"name": "none", "bounds": []}, {"name": "GAP", "bounds": ["GAP"]}]})");
    ASSERT_EQ(cli({"run", "short.json", "--out", "s", "--library", "none"}).status, 0);
    const CliResult csv = cli({"compare", "s", "--format", "csv", "--digits", "2"});
    ASSERT_EQ(csv.status, 0) << csv.err;
    const auto rows = cellsOf(csv.out);
    const auto column =
        static_cast<std::size_t>(std::find(rows[0].begin(), rows[0].end(), "cpu_ratio") - rows[0].begin());
    ASSERT_LT(column, rows[0].size()) << csv.out;
    EXPECT_EQ(rows[1].at(column), "1");
    EXPECT_EQ(rows[2].at(column), "");
    for (const char* format : {"text", "latex", "markdown"}) {
        const CliResult table = cli({"compare", "s", "--format", format, "--digits", "2"});
        EXPECT_EQ(table.status, 0) << table.err;
        EXPECT_NE(table.out.find("too short"), std::string::npos) << table.out;
    }
    EXPECT_TRUE(cli({"compare", "s", "--format", "markdown"}).out.starts_with("| run")) << csv.out;
    EXPECT_EQ(cli({"compare", "s", "--format", "html"}).status, 2);
    EXPECT_EQ(cli({"compare", "s", "--digits", "0"}).status, 2);
}

TEST_F(CompareCommand, RunsOfOneNameAreToldApartAndLostLanesAreListed) {
    makeMetricRun("a", "same");
    makeMetricRun("b", "same");
    fs::remove_all(scratch("b") / "naive");
    const CliResult text = cli({"compare", "a", "b"});
    EXPECT_EQ(text.status, 0) << text.err;
    EXPECT_NE(text.out.find("same (a)"), std::string::npos) << text.out;
    EXPECT_NE(text.out.find("missing"), std::string::npos) << text.out;
}

TEST_F(CompareCommand, WhatIsNoRunIsNamed) {
    makeMetricRun("a", "first");
    fs::create_directory(scratch("empty"));
    const CliResult result = cli({"compare", "a", "empty", "nowhere"});
    EXPECT_EQ(result.status, 2);
    EXPECT_NE(result.err.find("empty is no run folder"), std::string::npos) << result.err;
    EXPECT_NE(result.err.find("nowhere is no run folder"), std::string::npos) << result.err;
    EXPECT_TRUE(result.out.empty()) << result.out;
    EXPECT_EQ(cli({"compare"}).status, 2);
}

} // namespace
} // namespace lambdascope
