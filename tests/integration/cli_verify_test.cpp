// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/number_text.h"
#include "core/store/audit_file.h"
#include "core/store/run_folder.h"
#include "tests/core/store/scratch_folder.h"
#include "tests/integration/cli_process.h"

#include <algorithm>
#include <csignal>
#include <functional>
#include <thread>

namespace lambdascope {
namespace {

namespace fs = std::filesystem;
using testing_support::CliResult;

/// Columns of the path of a metric lane.
enum Column : std::size_t { kLambda = 1, kIterations = 2, kPrimal = 3, kDual = 4, kPathR = 11 };

/// A path.csv whose cell in one column of one point has been changed.
std::string withCell(const std::string& csv, std::size_t point, std::size_t column,
                     const std::function<double(double)>& change) {
    std::size_t begin = 0;
    for (std::size_t line = 0; line < point + 1; ++line) {
        begin = csv.find('\n', begin) + 1;
    }
    for (std::size_t cell = 0; cell < column; ++cell) {
        begin = csv.find(',', begin) + 1;
    }
    const std::size_t end = csv.find(',', begin);
    return csv.substr(0, begin) + exactText(change(*parseNumber(csv.substr(begin, end - begin)))) + csv.substr(end);
}

class VerifyCommand : public testing_support::ScratchFolder {
  protected:
    CliResult cli(const std::vector<std::string>& arguments) { return testing_support::runCli(scratch(""), arguments); }
    /// A finished run of three lanes and a few points in `out`.
    void makeRun(const std::vector<std::string>& more = {}) {
        std::vector<std::string> arguments = {"run",       "iris-six-lanes",
                                              "--set",     "path.max_points=12",
                                              "--set",     "data.subset=0.5",
                                              "--set",     "problem.k=3",
                                              "--lanes",   "naive,GB,RRPB+PGB",
                                              "--out",     "out",
                                              "--library", "none"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const CliResult run = cli(arguments);
        ASSERT_EQ(run.status, 0) << run.err;
    }
    /// Replaces the first `from` after `start` of a file.
    void tamper(const fs::path& file, const std::string& start, const std::string& from, const std::string& to) {
        std::string text = contents(file);
        const std::size_t at = text.find(from, text.find(start));
        ASSERT_NE(at, std::string::npos);
        write(file, text.replace(at, from.size(), to));
    }
};

TEST_F(VerifyCommand, AGoodRunHasNoWrongDecision) {
    makeRun();
    const CliResult result = cli({"verify", "out"});
    EXPECT_EQ(result.status, 0) << result.out << result.err;
    EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), 4) << result.out;
    for (const char* lane : {"naive", "GB", "RRPB+PGB"}) {
        const auto audit = readAudit(scratch("out"), lane);
        ASSERT_TRUE(audit) << lane;
        EXPECT_EQ(judgementOf(*audit).verdict, Verdict::Proven) << judgementText(*audit);
        EXPECT_EQ(audit->path.points, 12);
        EXPECT_EQ(audit->report.decisions > 0, std::string(lane) != "naive") << lane;
        EXPECT_NE(result.out.find(lane), std::string::npos);
    }
    EXPECT_NE(result.out.find("  proven"), std::string::npos) << result.out;
}

TEST_F(VerifyCommand, AGoodSvmRunHasNoWrongDecision) {
    const CliResult run = cli({"run", "ogawa-figure-5", "--set", "path.max_c=1", "--set", "data.subset=0.2", "--lanes",
                               "Shrink,Shrink+BT1,Shrink+IT+GAP", "--out", "out", "--library", "none"});
    ASSERT_EQ(run.status, 0) << run.err;
    const CliResult result = cli({"verify", "out"});
    EXPECT_EQ(result.status, 0) << result.out << result.err;
    for (const char* lane : {"Shrink", "Shrink+BT1", "Shrink+IT+GAP"}) {
        const auto audit = readAudit(scratch("out"), lane);
        ASSERT_TRUE(audit) << lane;
        EXPECT_EQ(judgementOf(*audit).verdict, Verdict::Proven) << judgementText(*audit);
        EXPECT_GT(audit->path.points, 20);
        EXPECT_EQ(audit->report.decisions > 1000, std::string(lane) != "Shrink") << lane;
    }
}

TEST_F(VerifyCommand, ARunOnComparisonsIsCheckedAgainstTheSameComparisons) {
    write(scratch("d.csv"), "a,b,class\n1,2,x\n2,1,x\n1,1,x\n8,9,y\n9,8,y\n8,8,y\n");
    const std::string comparisons = "base 0\ntriplet 0 1 3\ntriplet 2 1 4 2\ntriplet 3 5 0\nquadruplet 4 5 1 3\n"
                                    "similar 0 2 0.5\ndissimilar 1 5 2\ntarget 0 1\n";
    write(scratch("c.txt"), comparisons);
    write(scratch("e.json"),
          R"({"family": "metric", "data": {"source": "d.csv"}, "path": {"max_points": 25, "stop": 0},
              "problem": {"constraints": "file", "file": "c.txt", "linear_term": 0.01},
              "lanes": [{"name": "naive"}, {"name": "cone", "bounds": ["GB"], "rule": "semidefinite", "schedule": "every"},
                        {"name": "ranges", "bounds": ["RRPB"], "range": true, "schedule": "every"}]})");
    const CliResult run = cli({"run", "e.json", "--out", "out", "--library", "none"});
    ASSERT_EQ(run.status, 0) << run.err;
    const CliResult result = cli({"verify", "out"});
    EXPECT_EQ(result.status, 0) << result.out << result.err;
    for (const char* lane : {"naive", "cone", "ranges"}) {
        const auto audit = readAudit(scratch("out"), lane);
        ASSERT_TRUE(audit) << lane;
        EXPECT_EQ(judgementOf(*audit).verdict, Verdict::Proven) << judgementText(*audit);
        EXPECT_EQ(audit->path.points, 25);
        EXPECT_EQ(audit->report.decisions > 0, std::string(lane) != "naive") << lane;
    }
    write(scratch("c.txt"), comparisons + "triplet 1 0 5\n");
    const CliResult other = cli({"verify", "out", "--lanes", "cone"});
    EXPECT_EQ(other.status, 2) << other.out;
    EXPECT_NE(other.err.find("comparisons are not those of the run"), std::string::npos) << other.err;
}

TEST_F(VerifyCommand, ChecksTheLanesAskedFor) {
    makeRun();
    const CliResult result = cli({"verify", "out", "--lanes", "GB"});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_TRUE(fs::exists(scratch("out") / "GB" / "audit.json"));
    EXPECT_FALSE(fs::exists(scratch("out") / "naive" / "audit.json"));
    EXPECT_EQ(cli({"verify", "out", "--lanes", "nothing"}).status, 2);
}

TEST_F(VerifyCommand, ATamperedPathIsNoticed) {
    makeRun();
    const fs::path path = scratch("out") / "GB" / "path.csv";
    const std::string whole = contents(path);
    const auto verifyWith = [&](std::size_t column, const std::function<double(double)>& change) {
        write(path, withCell(whole, 11, column, change));
        return cli({"verify", "out", "--lanes", "GB"});
    };
    const CliResult below = verifyWith(kPrimal, [](double value) { return 0.9 * value; });
    EXPECT_EQ(below.status, 1) << below.out << below.err;
    EXPECT_NE(below.out.find("  wrong"), std::string::npos) << below.out;
    EXPECT_NE(below.out.find("1 stored value cannot be true"), std::string::npos) << below.out;
    EXPECT_NE(below.out.find("primal at point 11"), std::string::npos) << below.out;
    EXPECT_EQ(verifyWith(kDual, [](double value) { return 1.1 * value; }).status, 1);
    const CliResult many = verifyWith(kPathR, [](double) { return 1e5; });
    EXPECT_EQ(many.status, 1);
    EXPECT_NE(many.out.find("path_R at point 11: stored 100,000, but at most"), std::string::npos) << many.out;
    const CliResult axis = verifyWith(kLambda, [](double value) { return 1e3 * value; });
    EXPECT_EQ(axis.status, 1);
    EXPECT_NE(axis.out.find("lambda at point 11"), std::string::npos) << axis.out;
    write(path, whole.substr(0, whole.rfind('\n', whole.size() - 2) + 1));
    const CliResult missing = cli({"verify", "out", "--lanes", "GB"});
    EXPECT_EQ(missing.status, 1) << "a missing row";
    EXPECT_NE(missing.out.find("path.csv has 11 points, run.json says 12"), std::string::npos) << missing.out;
    write(path, whole);
    EXPECT_EQ(cli({"verify", "out", "--lanes", "GB"}).status, 0);
}

TEST_F(VerifyCommand, LastBitsAreAQuestionOfTheirOwn) {
    makeRun();
    const CliResult same = cli({"verify", "out", "--lanes", "GB", "--bits"});
    EXPECT_EQ(same.status, 0) << same.out << same.err;
    EXPECT_NE(same.out.find("the same to the last bit"), std::string::npos) << same.out;
    // As another build could have computed it: a step more, a primal value a little nearer to the optimum.
    const fs::path path = scratch("out") / "GB" / "path.csv";
    write(path, withCell(contents(path), 11, kIterations, [](double value) { return value + 1; }));
    Json summary = *readRunSummary(scratch("out"));
    summary["build"]["compiler"] = "another one";
    write(scratch("out") / "run.json", summary.dump());
    const CliResult values = cli({"verify", "out", "--lanes", "GB"});
    EXPECT_EQ(values.status, 0) << values.out << values.err;
    const CliResult bits = cli({"verify", "out", "--lanes", "GB", "--bits"});
    EXPECT_EQ(bits.status, 1);
    EXPECT_NE(bits.out.find("1 value differs in the last bits"), std::string::npos) << bits.out;
    EXPECT_NE(bits.out.find("iterations at point 11"), std::string::npos) << bits.out;
    EXPECT_NE(bits.out.find("build: compiler: another one in the run"), std::string::npos) << bits.out;
    summary.erase("build");
    write(scratch("out") / "run.json", summary.dump());
    EXPECT_NE(cli({"verify", "out", "--bits"}).out.find("does not say which build"), std::string::npos);
}

TEST_F(VerifyCommand, ChangedDataCannotBeChecked) {
    ASSERT_EQ(cli({"convert", "iris", "my.csv"}).status, 0);
    makeRun({"--set", "data.source=my.csv"});
    EXPECT_EQ(cli({"verify", "out", "--lanes", "naive"}).status, 0);
    tamper(scratch("my.csv"), "5.1", "5.1", "5.2");
    const CliResult other = cli({"verify", "out", "--lanes", "naive"});
    EXPECT_EQ(other.status, 2);
    EXPECT_NE(other.err.find("SHA-256"), std::string::npos) << other.err;
    fs::create_directory(scratch("elsewhere"));
    fs::rename(scratch("my.csv"), scratch("elsewhere") / "my.csv");
    EXPECT_EQ(cli({"verify", "out", "--lanes", "naive"}).status, 2) << "no data at all";
    tamper(scratch("elsewhere") / "my.csv", "5.2", "5.2", "5.1");
    EXPECT_EQ(cli({"verify", "out", "--lanes", "naive", "--data", "elsewhere"}).status, 0);
}

TEST_F(VerifyCommand, WhatIsNoRunCannotBeChecked) {
    EXPECT_EQ(cli({"verify", "nowhere"}).status, 2);
    fs::create_directory(scratch("empty"));
    const CliResult result = cli({"verify", "empty"});
    EXPECT_EQ(result.status, 2);
    EXPECT_NE(result.err.find("run.json"), std::string::npos) << result.err;
    EXPECT_EQ(cli({"verify"}).status, 2);
    makeRun();
    fs::remove(scratch("out") / "run.json");
    EXPECT_EQ(cli({"verify", "out"}).status, 2);
}

TEST_F(VerifyCommand, AStoppedRunIsCheckedAsFarAsItGot) {
    makeRun();
    // As a kill between two points leaves it.
    const fs::path path = scratch("out") / "GB" / "path.csv";
    const std::string whole = contents(path);
    std::size_t end = 0;
    for (int line = 0; line < 5; ++line) {
        end = whole.find('\n', end) + 1;
    }
    write(path, whole.substr(0, end) + "4,12");
    Json summary = *readRunSummary(scratch("out"));
    for (Json& lane : summary["lanes"]) {
        lane["state"] = "stopped";
    }
    write(scratch("out") / "run.json", summary.dump());
    const CliResult result = cli({"verify", "out", "--lanes", "GB"});
    EXPECT_EQ(result.status, 0) << result.out << result.err;
    EXPECT_EQ(readAudit(scratch("out"), "GB")->path.points, 4);
}

TEST_F(VerifyCommand, ALaneOfTheRunThatIsNotThereIsNoSuccess) {
    makeRun();
    fs::remove(scratch("out") / "GB" / "path.csv");
    const CliResult file = cli({"verify", "out"});
    EXPECT_EQ(file.status, 1) << file.out << file.err;
    EXPECT_NE(file.out.find("NOT CHECKED"), std::string::npos) << file.out;
    EXPECT_NE(file.err.find("lane GB was not checked"), std::string::npos) << file.err;
    EXPECT_TRUE(fs::exists(scratch("out") / "RRPB+PGB" / "audit.json")) << "the other lanes are checked";
    fs::remove_all(scratch("out") / "RRPB+PGB");
    const CliResult folder = cli({"verify", "out", "--lanes", "naive,RRPB+PGB"});
    EXPECT_EQ(folder.status, 1) << folder.out << folder.err;
    EXPECT_NE(folder.err.find("lane RRPB+PGB was not checked"), std::string::npos) << folder.err;
    EXPECT_EQ(folder.err.find("GB was not checked: there is no out/GB"), std::string::npos) << "nobody asked for it";
    EXPECT_EQ(cli({"verify", "out", "--lanes", "naive"}).status, 0);
    EXPECT_EQ(cli({"verify", "out", "--lanes", "GB"}).status, 2) << "nothing is left to check";
}

TEST_F(VerifyCommand, AnInterruptEndsItWithItsOwnStatus) {
    makeRun({"--set", "problem.k=all", "--set", "path.max_points=60"});
    testing_support::CliProcess process(scratch(""), {"verify", "out"});
    // The first lane's audit is there, the others take their time.
    while (!fs::exists(scratch("out") / "naive" / "audit.json") && !process.hasEnded()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    process.signal(SIGINT);
    const int status = process.wait();
    EXPECT_EQ(status, 130) << process.out() << process.err();
}

} // namespace
} // namespace lambdascope
