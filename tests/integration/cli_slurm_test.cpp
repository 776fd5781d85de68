// SPDX-License-Identifier: GPL-3.0-or-later
// Studies by Slurm: with programs that behave like Slurm's, and with Slurm itself where it runs.
#include "tests/core/store/scratch_folder.h"
#include "tests/integration/cli_process.h"
#include "tests/integration/timeless_table.h"

#include <chrono>
#include <cstdlib>
#include <thread>

namespace lambdascope {
namespace {

namespace fs = std::filesystem;
using testing_support::CliResult;
using testing_support::timelessTable;

const char* const kSlurmStudy = R"({"name": "small", "experiment": {"family": "metric",
  "data": {"source": "iris", "subset": 0.5}, "problem": {"k": 3}, "path": {"max_points": 4},
  "lanes": [{"name": "naive", "bounds": []}, {"name": "PGB", "bounds": ["PGB"]}]},
  "axes": [{"field": "problem.k", "values": [2, 3]}, {"seeds": 4}]})";

class SlurmSweep : public testing_support::ScratchFolder {
  protected:
    SlurmSweep() : m_path(std::getenv("PATH")) { write(scratch("study.json"), kSlurmStudy); }
    ~SlurmSweep() override { ::setenv("PATH", m_path.c_str(), 1); }

    CliResult cli(const std::vector<std::string>& arguments) { return testing_support::runCli(scratch(""), arguments); }
    void program(const std::string& name, const std::string& text) {
        fs::create_directories(scratch("bin"));
        write(scratch("bin") / name, "#!/bin/bash\n" + text + "\n");
        fs::permissions(scratch("bin") / name, fs::perms::owner_all);
    }
    /// sbatch runs those tasks of an array at once whose numbers `which` matches.
    void fakeSlurm(const std::string& which) {
        program("sbatch", "last=$(sed -n 's/^#SBATCH --array=0-//p' \"$2\")\nfor k in $(seq 0 $last); do case $k in " +
                              which +
                              ") SLURM_ARRAY_TASK_ID=$k sh \"$2\" >>tasks.log 2>&1 ;; esac; done\necho '42;cluster'");
        program("squeue", "cat queue 2>/dev/null");
        program("scancel", "echo \"$@\" > cancelled");
        ::setenv("PATH", (scratch("bin").string() + ":" + m_path).c_str(), 1);
    }
    std::string whole() {
        EXPECT_EQ(cli({"sweep", "study.json", "--out", "whole"}).status, 0);
        return timelessTable(scratch("whole") / "cells.csv") + timelessTable(scratch("whole") / "study.csv");
    }
    [[nodiscard]] std::string tables() const {
        return timelessTable(scratch("s") / "cells.csv") + timelessTable(scratch("s") / "study.csv");
    }

    std::string m_path;
};

TEST_F(SlurmSweep, TasksComputeTheirCellsAndWhatIsMissingIsSubmittedAgain) {
    const std::string expected = whole();
    fakeSlurm("0|2"); // the second of three tasks never begins
    const CliResult first = cli({"sweep", "study.json", "--out", "s", "--slurm", "--chunk", "3", "--cpus", "2",
                                 "--partition", "short", "--mem", "1G", "--time", "5"});
    ASSERT_EQ(first.status, 0) << first.err;
    EXPECT_NE(first.out.find("job 42: 8 cells in 3 tasks"), std::string::npos) << first.out;
    const std::string script = contents(scratch("s") / "slurm" / "job.sh");
    for (const char* line : {"#SBATCH --array=0-2\n", "#SBATCH --cpus-per-task=2\n", "#SBATCH --partition=short\n",
                             "#SBATCH --mem=1G\n", "#SBATCH --time=5\n", "#SBATCH --requeue\n"}) {
        EXPECT_NE(script.find(line), std::string::npos) << line << script;
    }
    EXPECT_EQ(cli({"sweep", "status", "s"}).out, "8 cells: 5 finished, 0 failed, 3 missing\njob 42: over\n")
        << contents(scratch("tasks.log"));
    EXPECT_NE(cli({"sweep", "collect", "s"}).out.find("5 finished"), std::string::npos);
    fakeSlurm("*");
    const CliResult second = cli({"sweep", "s", "--slurm"});
    EXPECT_NE(second.out.find("3 cells in 3 tasks"), std::string::npos) << second.out << second.err;
    EXPECT_EQ(cli({"sweep", "collect", "s"}).status, 0);
    EXPECT_EQ(tables(), expected) << contents(scratch("tasks.log"));
    EXPECT_NE(cli({"sweep", "s", "--slurm"}).out.find("0 missing"), std::string::npos) << "nothing left to submit";
}

TEST_F(SlurmSweep, AStudyThatAJobComputesIsLeftToIt) {
    fakeSlurm("none");
    ASSERT_EQ(cli({"sweep", "study.json", "--out", "s", "--slurm"}).status, 0);
    write(scratch("queue"), "RUNNING\nPENDING\nPENDING\n");
    const CliResult here = cli({"sweep", "s"});
    EXPECT_EQ(here.status, 2);
    EXPECT_NE(here.err.find("the job 42 of Slurm is computing the study"), std::string::npos) << here.err;
    EXPECT_NE(cli({"sweep", "status", "s"}).out.find("job 42: 2 PENDING, 1 RUNNING tasks"), std::string::npos);
    EXPECT_EQ(cli({"sweep", "cancel", "s"}).status, 0);
    EXPECT_EQ(contents(scratch("cancelled")), "42\n");
    fs::remove(scratch("queue"));
    EXPECT_EQ(cli({"sweep", "s"}).status, 0);
}

TEST_F(SlurmSweep, WithoutSlurmNothingIsLost) {
    fs::create_directories(scratch("empty"));
    ::setenv("PATH", (scratch("empty").string()).c_str(), 1);
    const CliResult none = cli({"sweep", "study.json", "--out", "s", "--slurm"});
    EXPECT_EQ(none.status, 2);
    EXPECT_NE(none.err.find("sbatch"), std::string::npos) << none.err;
    EXPECT_EQ(cli({"sweep", "cancel", "s"}).status, 2);
    EXPECT_EQ(cli({"sweep", "status", "nothing"}).status, 2);
    EXPECT_EQ(cli({"sweep", "s"}).status, 0) << "it can be computed here";
    ::setenv("PATH", m_path.c_str(), 1);
    program("sbatch", "echo 'sbatch: error: invalid partition specified: x' >&2; exit 1");
    ::setenv("PATH", (scratch("bin").string() + ":" + m_path).c_str(), 1);
    const CliResult refused = cli({"sweep", "study.json", "--out", "t", "--slurm", "--partition", "x"});
    EXPECT_EQ(refused.status, 2);
    EXPECT_NE(refused.err.find("invalid partition specified: x"), std::string::npos) << refused.err;
}

/// Where Slurm runs (SLURM_CONF says so): the same numbers as here, after half of the job was cancelled.
TEST_F(SlurmSweep, TheSameNumbersBySlurmItself) {
    if (std::getenv("SLURM_CONF") == nullptr || std::system("sinfo >/dev/null 2>&1") != 0) {
        GTEST_SKIP() << "no Slurm runs here";
    }
    const std::string expected = whole();
    const auto finish = [&] {
        std::string status;
        do {
            std::this_thread::sleep_for(std::chrono::seconds(1));
            status = cli({"sweep", "status", "s"}).out;
        } while (status.find(": over") == std::string::npos);
        return status;
    };
    ASSERT_EQ(cli({"sweep", "study.json", "--out", "s", "--slurm", "--chunk", "1"}).status, 0);
    const std::string job = contents(scratch("s") / "slurm" / "job");
    std::system(("scancel " + job.substr(0, job.size() - 1) + "_[4-7]").c_str());
    finish();
    const CliResult rest = cli({"sweep", "s", "--slurm", "--cpus", "2"});
    ASSERT_EQ(rest.status, 0) << rest.err;
    EXPECT_NE(finish().find("8 finished"), std::string::npos);
    EXPECT_EQ(cli({"sweep", "collect", "s"}).status, 0);
    EXPECT_EQ(tables(), expected);
}

} // namespace
} // namespace lambdascope
