// SPDX-License-Identifier: GPL-3.0-or-later
// Runs that were interrupted or killed, once or again and again, and go on by --continue, come to the tables of a whole
// run, times and memory aside. LAMBDASCOPE_KILLS in the environment sets how often a run of each family is killed.
#include "core/common/csv_text.h"
#include "core/store/run_folder.h"
#include "tests/core/store/scratch_folder.h"
#include "tests/integration/cli_process.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <random>
#include <thread>

namespace lambdascope {
namespace {

namespace fs = std::filesystem;
using testing_support::CliProcess;
using testing_support::CliResult;

struct Example {
    const char* name;
    const char* document;
};

void PrintTo(const Example& example, std::ostream* out) {
    *out << example.name;
}

const Example kExamples[] = {
    {"metric", R"({"family": "metric", "data": {"source": "wine"}, "problem": {"k": 8},
        "path": {"ratio": 0.9, "max_points": 30},
        "lanes": [{"name": "none", "solver": {"method": "auto"}}, {"name": "ranges", "bounds": ["RRPB"], "range": true},
                  {"name": "both", "bounds": ["RRPB", "PGB"], "solver": {"method": "auto"}},
                  {"name": "sorted", "bounds": ["PGB"], "solver": {"engine": "sorted", "method": "auto"}}]})"},
    {"svm", R"({"family": "svm", "data": {"source": "breast-cancer", "scale": "minmax"},
        "problem": {"kernel": "rbf"}, "path": {"kind": "grid", "ratio": 1.3, "max_points": 25},
        "lanes": [{"name": "none"}, {"name": "auto", "bounds": ["IT", "GAP"], "schedule": "auto"},
                  {"name": "DT", "bounds": ["DT"]}]})"},
    {"ordinal", R"({"family": "ordinal", "data": {"source": "digits", "subset": 0.2}, "path": {"epochs": 25},
        "problem": {"comparisons": "classes", "train": 5000},
        "lanes": [{"name": "SBB"}, {"name": "SGD", "solver": {"method": "sgd"}},
                  {"name": "polished", "solver": {"method": "svrg", "polish": 10}}]})"},
    {"pu", R"({"family": "pu", "data": {"source": "breast-cancer", "scale": "minmax"},
        "problem": {"kernel": "rbf"}, "path": {"kind": "lambda", "start": 0.1, "ratio": 0.8, "stop": 0.001},
        "lanes": [{"name": "none"}, {"name": "screened", "bounds": ["GAP"]}]})"},
};

/// The cells of a table but for what tells of time and memory.
std::vector<std::vector<std::string>> steadyCells(const fs::path& file) {
    std::vector<std::vector<std::string>> rows;
    std::vector<bool> isSteady;
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);) {
        std::vector<std::string> cells;
        std::stringstream text(line);
        for (std::string cell; std::getline(text, cell, ',');) {
            cells.push_back(cell);
        }
        if (rows.empty()) {
            for (const std::string& key : cells) {
                isSteady.push_back(!key.starts_with("cpu") && key != "wall" && key != "seconds" &&
                                   key != "peak_kernel_bytes");
            }
        }
        std::vector<std::string> kept;
        for (std::size_t c = 0; c < cells.size() && c < isSteady.size(); ++c) {
            if (isSteady[c]) {
                kept.push_back(cells[c]);
            }
        }
        rows.push_back(std::move(kept));
    }
    return rows;
}

class Continued : public testing_support::ScratchFolder {
  protected:
    [[nodiscard]] CliResult run(const std::vector<std::string>& arguments) const {
        return testing_support::runCli(scratch(""), arguments);
    }
    [[nodiscard]] static std::vector<std::string> fresh(const std::string& out) {
        return {"run",  "experiment.json", "--out", out,      "--library", "none", "--progress",
                "none", "--state-every",   "0",     "--force"};
    }
    [[nodiscard]] static std::vector<std::string> goOn(const std::string& out) {
        return {"run", "--continue", out, "--library", "none", "--progress", "none", "--state-every", "0"};
    }
    void expectSameTables(const std::string& whole, const std::string& parts) const {
        const auto summary = readRunSummary(scratch(parts));
        ASSERT_TRUE(summary) << summary.error().describe();
        EXPECT_EQ((*summary)["state"], "finished");
        std::size_t points = 0;
        for (const Json& lane : (*summary)["lanes"]) {
            const std::string name = lane["name"].get<std::string>();
            for (const char* table : {"path.csv", "dynamic.csv", "ranges.csv"}) {
                EXPECT_EQ(steadyCells(scratch(parts) / name / table), steadyCells(scratch(whole) / name / table))
                    << name << '/' << table;
            }
            const std::size_t rows = steadyCells(scratch(parts) / name / "path.csv").size();
            EXPECT_EQ(lane["points"].get<std::int64_t>() + 1, static_cast<std::int64_t>(rows)) << name;
            points += rows - 1;
            for (const auto& entry : fs::directory_iterator(scratch(parts) / name)) {
                EXPECT_FALSE(entry.path().filename().string().starts_with("state-")) << entry.path();
            }
        }
        EXPECT_GT(points, 10U);
    }
    /// A folder with a run that was interrupted after some points.
    void makeInterrupted(const std::string& out) const {
        CliProcess process(scratch(""), fresh(out));
        while (!fs::exists(scratch(out) / "none" / "state-3.bin") && !process.hasEnded()) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        process.signal(SIGKILL);
        ASSERT_EQ(process.wait(), -SIGKILL) << "it ended before it could be killed";
    }
    [[nodiscard]] std::vector<fs::path> statesOf(const std::string& lane) const {
        std::vector<fs::path> states;
        for (const auto& entry : fs::directory_iterator(scratch("out") / lane)) {
            if (entry.path().filename().string().starts_with("state-") && entry.path().extension() == ".bin") {
                states.push_back(entry.path());
            }
        }
        std::sort(states.begin(), states.end(), [](const fs::path& a, const fs::path& b) {
            return a.string().size() != b.string().size() ? a.string().size() < b.string().size() : a < b;
        });
        return states;
    }
};

class Killed : public Continued, public testing::WithParamInterface<Example> {};

TEST_P(Killed, AgainAndAgainGoesOnToTheSameTables) {
    write(scratch("experiment.json"), GetParam().document);
    const auto start = std::chrono::steady_clock::now();
    const CliResult whole = run(fresh("whole"));
    const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
    ASSERT_EQ(whole.status, 0) << whole.err;
    const char* wished = std::getenv("LAMBDASCOPE_KILLS");
    const int kills = wished != nullptr ? std::atoi(wished) : 30;
    std::mt19937 random(7);
    // Moments over all of a run, so that it comes to its end several times.
    std::uniform_real_distribution<double> moment(0, 0.7 * taken.count());
    int killed = 0;
    int finished = 0;
    bool isDone = true;
    while (killed < kills && !HasFailure()) {
        const bool begins = isDone || !readRunSummary(scratch("out"));
        CliProcess process(scratch(""), begins ? fresh("out") : goOn("out"));
        const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double, std::milli>(moment(random));
        while (std::chrono::steady_clock::now() < end && !process.hasEnded()) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        process.signal(SIGKILL);
        const int status = process.wait();
        isDone = status == 0;
        if (isDone) {
            ++finished;
            expectSameTables("whole", "out");
        } else {
            ASSERT_EQ(status, -SIGKILL) << process.err();
            ++killed;
        }
    }
    if (!isDone) {
        const CliResult last = run(readRunSummary(scratch("out")) ? goOn("out") : fresh("out"));
        ASSERT_EQ(last.status, 0) << last.err;
        expectSameTables("whole", "out");
    }
    std::printf("%s: killed %d times, came to its end %d times, whole run %.1f s\n", GetParam().name, killed,
                finished + (isDone ? 0 : 1), taken.count() / 1000);
}

INSTANTIATE_TEST_SUITE_P(Families, Killed, testing::ValuesIn(kExamples),
                         [](const auto& test) { return std::string(test.param.name); });

class ContinuedRun : public Continued {
  protected:
    void SetUp() override { write(scratch("experiment.json"), kExamples[0].document); }
};

TEST_F(ContinuedRun, MayBeInterruptedAgainAndAgain) {
    ASSERT_EQ(run(fresh("whole")).status, 0);
    int interrupted = 0;
    int status = 130;
    for (std::size_t points = 2; status == 130 && points < 30; points += 7) {
        CliProcess process(scratch(""), points == 2 ? fresh("out") : goOn("out"));
        while (steadyCells(scratch("out") / "none" / "path.csv").size() < points && !process.hasEnded()) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        process.signal(SIGINT);
        status = process.wait();
        if (status == 130) {
            ++interrupted;
            EXPECT_NE(process.err().find("run --continue out"), std::string::npos) << process.err();
        }
    }
    EXPECT_GE(interrupted, 2);
    if (status != 0) {
        const CliResult last = run(goOn("out"));
        ASSERT_EQ(last.status, 0) << last.err;
    }
    expectSameTables("whole", "out");
    const auto summary = readRunSummary(scratch("out"));
    EXPECT_GE((*summary)["continued"].size(), 1U);
    double cpu = 0; // totals are those of all parts
    for (const auto& row : {"none"}) {
        std::ifstream stream(scratch("out") / row / "path.csv");
        std::string header;
        std::getline(stream, header);
        const auto cells = [](const std::string& line) {
            std::vector<std::string> list;
            std::stringstream text(line);
            for (std::string cell; std::getline(text, cell, ',');) {
                list.push_back(cell);
            }
            return list;
        };
        const auto keys = cells(header);
        const auto place = std::find(keys.begin(), keys.end(), "cpu_solve") - keys.begin();
        for (std::string line; std::getline(stream, line);) {
            cpu += std::stod(cells(line)[static_cast<std::size_t>(place)]);
        }
    }
    EXPECT_NEAR((*summary)["lanes"][0]["cpu_solve"].get<double>(), cpu, 1e-9 * std::max(1.0, cpu));
}

TEST_F(ContinuedRun, FallsBackFromADamagedStateToTheOneBefore) {
    ASSERT_EQ(run(fresh("whole")).status, 0);
    makeInterrupted("out");
    const auto states = statesOf("none");
    ASSERT_GE(states.size(), 2U) << "the last two are kept";
    ASSERT_LE(states.size(), 3U) << "and one more, where it ended before the oldest was removed";
    std::string bytes = contents(states.back());
    bytes[bytes.size() / 2] ^= 1;
    write(states.back(), bytes);
    const CliResult result = run(goOn("out"));
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.err.find("none: begins"), std::string::npos) << result.err;
    EXPECT_NE(result.err.find("none: goes on after"), std::string::npos) << result.err;
    expectSameTables("whole", "out");
}

TEST_F(ContinuedRun, BeginsALaneAnewWhoseStatesAreGoneAndSaysSo) {
    ASSERT_EQ(run(fresh("whole")).status, 0);
    makeInterrupted("out");
    for (const fs::path& state : statesOf("none")) {
        fs::resize_file(state, 40);
    }
    const CliResult result = run(goOn("out"));
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_NE(result.err.find("none: begins anew, as no state of it was kept that can be read"), std::string::npos)
        << result.err;
    expectSameTables("whole", "out");
}

TEST_F(ContinuedRun, DropsATornLastRow) {
    ASSERT_EQ(run(fresh("whole")).status, 0);
    makeInterrupted("out");
    for (const char* table : {"path.csv", "dynamic.csv", "events.jsonl"}) {
        std::ofstream(scratch("out") / "none" / table, std::ios::app) << "7,0.12";
    }
    const CliResult result = run(goOn("out"));
    EXPECT_EQ(result.status, 0) << result.err;
    expectSameTables("whole", "out");
}

TEST_F(ContinuedRun, SaysThatAFinishedRunHasEnded) {
    ASSERT_EQ(run(fresh("out")).status, 0);
    const CliResult result = run(goOn("out"));
    EXPECT_EQ(result.status, 0);
    EXPECT_NE(result.out.find("all lanes have ended"), std::string::npos) << result.out;
}

TEST_F(ContinuedRun, EndsARunThatWasKilledJustBeforeItsEnd) {
    ASSERT_EQ(run(fresh("whole")).status, 0);
    ASSERT_EQ(run(fresh("out")).status, 0);
    std::string summary = contents(scratch("out") / "run.json");
    const std::string finished = "\"state\": \"finished\"";
    summary.replace(summary.find("\n  " + finished) + 3, finished.size(), "\"state\": \"running\"");
    write(scratch("out") / "run.json", summary);
    write(scratch("out") / "none" / "state-3.bin", "of a lane that has ended");
    const CliResult result = run(goOn("out"));
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_NE(result.err.find("none: has ended"), std::string::npos) << result.err;
    expectSameTables("whole", "out");
}

TEST_F(ContinuedRun, RefusesWhatIsNoRun) {
    const CliResult absent = run(goOn("nowhere"));
    EXPECT_EQ(absent.status, 2);
    EXPECT_NE(absent.err.find("is no run folder"), std::string::npos) << absent.err;
    const CliResult both = run({"run", "experiment.json", "--continue", "out"});
    EXPECT_EQ(both.status, 2);
    const CliResult none = run({"run"});
    EXPECT_EQ(none.status, 2);
}

TEST_F(ContinuedRun, RefusesAFolderThatAnotherProcessWrites) {
    CliProcess process(scratch(""), fresh("out"));
    while (!fs::exists(scratch("out") / "none" / "state-3.bin") && !process.hasEnded()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    const fs::path other = scratch("other");
    fs::create_directories(other); // output of a program goes to files in its working folder
    const CliResult result =
        testing_support::runCli(other, {"run", "--continue", scratch("out").string(), "--library", "none"});
    EXPECT_EQ(result.status, 2);
    EXPECT_NE(result.err.find("another process is writing"), std::string::npos) << result.err;
}

TEST_F(ContinuedRun, RefusesAnotherExperimentBuildOrData) {
    makeInterrupted("out");
    const std::string summary = contents(scratch("out") / "run.json");
    const auto with = [&](const std::string& before, const std::string& after) {
        std::string text = summary;
        const std::size_t at = text.find(before);
        EXPECT_NE(at, std::string::npos) << before;
        text.replace(at, before.size(), after);
        write(scratch("out") / "run.json", text);
        return run(goOn("out"));
    };
    const CliResult experiment = with("\"max_points\": 30", "\"max_points\": 31");
    EXPECT_EQ(experiment.status, 2);
    EXPECT_NE(experiment.err.find("another experiment"), std::string::npos) << experiment.err;
    EXPECT_NE(experiment.err.find("anew"), std::string::npos) << experiment.err;
    const CliResult build = with("\"asserts\": \"", "\"asserts\": \"other ");
    EXPECT_EQ(build.status, 2);
    EXPECT_NE(build.err.find("another build"), std::string::npos) << build.err;
    const CliResult data = with("\"data_sha256\": \"", "\"data_sha256\": \"0");
    EXPECT_EQ(data.status, 2);
    EXPECT_NE(data.err.find("data"), std::string::npos) << data.err;
    write(scratch("out") / "run.json", summary);
    EXPECT_EQ(run(goOn("out")).status, 0) << "and goes on once all is as it was";
}

} // namespace
} // namespace lambdascope
