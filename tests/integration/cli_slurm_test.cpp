// SPDX-License-Identifier: GPL-3.0-or-later
// Studies by Slurm, with programs that behave like Slurm's; slurm_itself_test.cpp has Slurm.
#include "core/config/json.h"
#include "tests/core/store/scratch_folder.h"
#include "tests/integration/cli_process.h"
#include "tests/integration/timeless_table.h"

#include <cstdlib>

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
        program("sbatch", "script=${@: -1}\nlast=$(sed -n 's/^#SBATCH --array=0-//p' \"$script\")\n"
                          "for k in $(seq 0 $last); do case $k in " +
                              which +
                              ") SLURM_ARRAY_TASK_ID=$k sh \"$script\" >>tasks.log 2>&1 ;; esac; done\n"
                              "echo '42;cluster'");
        program("squeue", "cat queue 2>/dev/null || true");
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
    write(scratch("queue"), "RUNNING|None\nPENDING|None\nPENDING|None\n");
    const CliResult here = cli({"sweep", "s"});
    EXPECT_EQ(here.status, 2);
    EXPECT_NE(here.err.find("the job 42 of Slurm is computing the study"), std::string::npos) << here.err;
    EXPECT_NE(cli({"sweep", "status", "s"}).out.find("job 42: 2 PENDING, 1 RUNNING\n"), std::string::npos);
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

TEST_F(SlurmSweep, ACellThatNeedsMoreThanItsTaskHasIsNamed) {
    // Long enough to be looked at.
    write(scratch("study.json"), R"({"name": "long", "experiment": "wine-six-lanes",
        "axes": [{"field": "problem.k", "values": [5, 6]}]})");
    const std::string expected = whole();
    fakeSlurm("*");
    ::setenv("SLURM_MEM_PER_NODE", "4", 1); // megabytes, less than the program by itself
    EXPECT_EQ(cli({"sweep", "study.json", "--out", "s", "--slurm", "--chunk", "8"}).status, 0);
    ::unsetenv("SLURM_MEM_PER_NODE");
    EXPECT_NE(cli({"sweep", "status", "s"}).out.find("2 cells: 0 finished, 2 failed, 0 missing"), std::string::npos)
        << contents(scratch("tasks.log"));
    const CliResult collected = cli({"sweep", "collect", "s"});
    EXPECT_EQ(collected.status, 1);
    EXPECT_NE(collected.err.find("failed: k = 5: needs more memory than"), std::string::npos) << collected.err;
    EXPECT_NE(collected.err.find("--mem where Slurm computes"), std::string::npos) << collected.err;
    ::setenv("SLURM_MEM_PER_CPU", "4000", 1);
    EXPECT_EQ(cli({"sweep", "s", "--slurm", "--retry"}).status, 0);
    ::unsetenv("SLURM_MEM_PER_CPU");
    EXPECT_EQ(cli({"sweep", "collect", "s"}).status, 0) << contents(scratch("tasks.log"));
    EXPECT_EQ(tables(), expected);
}

TEST_F(SlurmSweep, WhatSlurmCannotTellStopsNothingAndBeginsNothing) {
    fakeSlurm("none");
    ASSERT_EQ(cli({"sweep", "study.json", "--out", "s", "--slurm"}).status, 0);
    program("squeue", "echo 'slurm_load_jobs error: Unable to contact slurm controller' >&2; exit 1");
    const CliResult here = cli({"sweep", "s"});
    EXPECT_EQ(here.status, 2);
    EXPECT_NE(here.err.find("cannot be told whether the job 42"), std::string::npos) << here.err;
    EXPECT_NE(here.err.find("Unable to contact slurm controller"), std::string::npos) << here.err;
    EXPECT_NE(cli({"sweep", "status", "s"}).out.find("job 42: not known: "), std::string::npos);
    program("squeue", "echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1");
    EXPECT_EQ(cli({"sweep", "status", "s"}).out, "8 cells: 0 finished, 0 failed, 8 missing\njob 42: over\n");
    program("squeue", "printf 'PENDING|Resources\\nPENDING|Resources\\nRUNNING|None\\nOUT_OF_MEMORY|OutOfMemory\\n'");
    EXPECT_NE(cli({"sweep", "status", "s"}).out.find("job 42: 2 PENDING (Resources), 1 RUNNING; 1 OUT_OF_MEMORY\n"),
              std::string::npos);
    const Json status = Json::parse(cli({"sweep", "status", "s", "--json"}).out);
    EXPECT_EQ(status["missing"].get<int>(), 8);
    EXPECT_EQ(status["tasks"]["RUNNING"].get<int>(), 1);
    EXPECT_EQ(status["over"], Json(false));
}

} // namespace
} // namespace lambdascope
