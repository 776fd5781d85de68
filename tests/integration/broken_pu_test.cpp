// SPDX-License-Identifier: GPL-3.0-or-later
// Positive-unlabeled problems that cannot be, through the program: key, message and remedy, and nothing left behind.
#include "core/store/run_folder.h"
#include "tests/core/store/scratch_folder.h"
#include "tests/integration/broken_input.h"
#include "tests/integration/cli_process.h"

#include <gtest/gtest.h>

namespace lambdascope {
namespace {

using testing_support::BrokenInput;

constexpr const char* kSevenRows = "a,b,class\n1,2,x\n2,1,x\n1,1,x\n8,9,y\n9,8,y\n8,8,y\n9,9,y\n";
constexpr const char* kOnePositiveClass = "a,b,class\n1,2,x\n2,1,x\n1,1,x\n8,9,x\n";

/// An experiment on d.csv.
BrokenInput onRows(const std::string& name, const std::string& problem, std::vector<std::string> fragments,
                   const std::string& rows = kSevenRows, const std::string& path = "") {
    const std::string experiment = "{\"family\": \"pu\",\n \"data\": {\"source\": \"d.csv\", \"labels\": \"class\"},\n"
                                   " \"problem\": {" +
                                   problem + "},\n \"path\": {" + path + "}}";
    return {name, {{"e.json", experiment}, {"d.csv", rows}}, {"run", "e.json", "--out", "out"}, std::move(fragments)};
}

std::vector<BrokenInput> brokenProblems() {
    return {
        onRows("NoSuchPositives", "\"positive\": \"z\"", {"problem.positive", "no class \"z\"", "x, y"}),
        onRows("NoUnlabeled", "\"positive\": \"x\", \"labelled_share\": 1",
               {"problem.labelled_share", "no unlabeled ones"}, kOnePositiveClass),
        onRows("TooManyLabelled", "\"positive\": \"x\", \"labelled_count\": 4",
               {"problem.labelled_count", "only 3 positives"}),
        onRows("TooManyUnlabeled", "\"positive\": \"x\", \"unlabeled\": 100",
               {"problem.unlabeled", "there are only 6 unlabeled rows"}),
        onRows("PriorZero", "\"prior\": \"given\", \"prior_value\": 0", {"problem.prior_value", "above 0"}),
        onRows("PriorOne", "\"prior\": \"given\", \"prior_value\": 1", {"problem.prior_value", "below 1"}),
        onRows("PriorBeyondOne", "\"prior\": \"given\", \"prior_value\": 1.5", {"problem.prior_value"}),
        onRows("AllPositiveIsInfeasible", "\"positive\": \"x,y\"", {"problem.prior", "c₁p ≤ c₂n", "below 1"}),
        onRows("MarksTellNoPrior", "\"labels\": \"marked\", \"positive\": \"x\", \"prior\": \"training\"",
               {"problem.prior", "needs true classes", "\"given\""}),
        onRows("MissingValues", "", {"d.csv:3", "missing"}, "a,b,class\n1,2,x\n?,1,x\n1,1,y\n"),
        onRows("PriorsOfAPathBeyondOne", "\"positive\": \"x\"", {"path.values", "between 0 and 1"}, kSevenRows,
               "\"kind\": \"prior\", \"values\": [0.5, 1.2]"),
        onRows("MoreSamplesThanThereAre", "\"positive\": \"x\"", {"path.values", "up to 50 unlabeled samples"},
               kSevenRows, "\"kind\": \"unlabeled\", \"values\": [2, 50]"),
        onRows("CountsAreWhole", "\"positive\": \"x\"", {"path.values", "whole numbers"}, kSevenRows,
               "\"kind\": \"unlabeled\", \"values\": [2.5]"),
    };
}

class BrokenPuProblems : public testing_support::ScratchFolder, public testing::WithParamInterface<BrokenInput> {};

TEST_P(BrokenPuProblems, AreExplainedAndLeaveNothingBehind) {
    expectExplanation(GetParam(), scratch("work"));
}

INSTANTIATE_TEST_SUITE_P(CommandLine, BrokenPuProblems, testing::ValuesIn(brokenProblems()),
                         [](const auto& given) { return given.param.name; });

class PuRuns : public testing_support::ScratchFolder {
  protected:
    testing_support::CliResult cli(const std::vector<std::string>& arguments) {
        return testing_support::runCli(scratch(""), arguments);
    }
};

TEST_F(PuRuns, DuplicateRowsAndConstantFeaturesAreNoTrouble) {
    std::string rows = "a,b,c,class\n";
    for (int i = 0; i < 30; ++i) {
        rows += (i % 3 == 0 ? "1,2,7,x\n1,2,7,x\n" : "8,9,7,y\n8,9,7,y\n");
    }
    write(scratch("d.csv"), rows);
    for (const char* kernel : {"linear", "rbf"}) {
        write(scratch("e.json"), std::string("{\"family\": \"pu\", \"data\": {\"source\": \"d.csv\"}, \"problem\": "
                                             "{\"positive\": \"x\", \"kernel\": \"") +
                                     kernel + "\"}}");
        const auto run = cli({"run", "e.json", "--out", kernel, "--library", "none"});
        EXPECT_EQ(run.status, 0) << run.err;
    }
}

TEST_F(PuRuns, VerifyFindsNoWrongDecision) {
    const auto run = cli({"run", "usmo-table-4", "--lanes", "Pairs,Pairs+GAP", "--out", "out", "--library", "none"});
    ASSERT_EQ(run.status, 0) << run.err;
    const auto verified = cli({"verify", "out"});
    EXPECT_EQ(verified.status, 0) << verified.out << verified.err;
    EXPECT_NE(verified.out.find("proven"), std::string::npos) << verified.out;
}

} // namespace
} // namespace lambdascope
