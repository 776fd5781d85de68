// SPDX-License-Identifier: GPL-3.0-or-later
// Whole lanes of LIBSVM beside ours: the same problem, judged alike.
#include "core/svm/rivals/libsvm_program.h"
#include "tests/core/svm/rivals/libsvm_lanes.h"
#include "tests/support/child_processes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

namespace lambdascope::svm {
namespace {

namespace fs = std::filesystem;

/// Data and problem, and values of C up to which the library comes to its end in no time.
struct Scenario {
    const char* name;
    const char* data;    ///< of the section
    const char* problem; ///< likewise
    std::vector<double> values;
    const char* unit = "absolute";
    friend void PrintTo(const Scenario& one, std::ostream* out) { *out << one.name; }
};

/// Rows of whole numbers, many of them equal, some of both classes, one constant feature.
void writeTies(const fs::path& file) {
    std::ofstream out(file);
    for (int i = 0; i < 60; ++i) {
        out << i % 4 << "," << (i / 4) % 3 << ",7," << (i % 4 + (i / 4) % 3 + i % 5 > 4 ? "a" : "b") << "\n";
    }
}

class LibsvmLanes : public ::testing::TestWithParam<Scenario> {
  protected:
    void SetUp() override {
        if (!hasLibsvm()) {
            GTEST_SKIP() << "LIBSVM is not in this build";
        }
        m_folder = fs::temp_directory_path() / ("lambdascope-libsvm-" + std::to_string(::getpid()));
        fs::create_directories(m_folder);
        writeTies(m_folder / "ties.csv");
        std::ofstream(m_folder / "two.csv") << "1,2,a\n1.5,-1,b\n";
        std::ofstream(m_folder / "sparse.libsvm")
            << "1 2:1 5:0.5\n-1 1:2\n1 3:1 5:1\n-1 1:1 2:0.5\n1\n-1 4:3\n1 2:2 4:0.1\n-1 1:0.3 5:0.2\n";
    }
    void TearDown() override {
        EXPECT_TRUE(test::childProcesses().empty()) << "a process was left";
        fs::remove_all(m_folder);
    }
    [[nodiscard]] Json document(const Json& lanes) const {
        const Scenario& one = GetParam();
        Json document = documentWith({{"data", Json::parse(one.data)},
                                      {"problem", Json::parse(one.problem)},
                                      {"path", {{"kind", "list"}, {"values", one.values}, {"unit", one.unit}}}});
        const auto source = document["data"]["source"].get<std::string>();
        if (!source.starts_with("toy:")) {
            document["data"]["source"] = (m_folder / source).string();
        }
        document["lanes"] = lanes;
        return document;
    }

    fs::path m_folder;
};

/// Our lane comes first, then those of the library; tolerances by lane.
void expectWithinBothGaps(const std::vector<LaneRun>& runs, const std::vector<double>& tolerances, std::size_t points) {
    ASSERT_EQ(runs.size(), tolerances.size());
    const LaneRun& ours = runs.front();
    ASSERT_EQ(ours.points.size(), points);
    for (std::size_t lane = 1; lane < runs.size(); ++lane) {
        const LaneRun& theirs = runs[lane];
        ASSERT_EQ(theirs.points.size(), ours.points.size())
            << (theirs.outcome.error ? theirs.outcome.error->describe() : "");
        for (std::size_t p = 0; p < ours.points.size(); ++p) {
            SCOPED_TRACE(theirs.outcome.lane + " at point " + std::to_string(p));
            const double primal = theirs.at(p, "primal");
            const double dual = theirs.at(p, "dual");
            const double gap = theirs.at(p, "gap");
            const double size = std::max(std::abs(ours.at(p, "primal")), 0.5 * ours.at(p, "norm2"));
            const double rounding = 1e-11 * size;
            EXPECT_GE(primal, ours.at(p, "dual") - rounding);
            EXPECT_LE(dual, ours.at(p, "primal") + rounding);
            EXPECT_GE(gap, 0);
            EXPECT_GE(gap, primal - dual - rounding);
            EXPECT_LE(ours.at(p, "primal"), primal + gap + ours.at(p, "gap") + rounding);
            EXPECT_LE(primal, ours.at(p, "primal") + gap + ours.at(p, "gap") + rounding);
            // No sample violates optimality by more than the tolerance (of one class C times that), or else by what
            // single precision leaves of kernel values up to some hundreds, of which a margin is a sum.
            const bool isNovelty = placeOfColumn(theirs.columns, "nu") < theirs.columns.size();
            const double c = theirs.at(p, "C");
            const double upper = 3 * c * ours.at(p, "n_items"); // Σ α, with the largest weight of the scenarios
            const bool isClose = theirs.points[p].termination == Termination::Converged;
            EXPECT_TRUE(isClose || theirs.points[p].termination == Termination::ConvergedLoosely);
            EXPECT_TRUE(isClose || tolerances[lane] < 1e-3 || c > 100) << "gap " << gap;
            const double precision = isClose ? 1e-13 : 4e-5;
            EXPECT_LE(gap, upper * ((isNovelty ? c : 1) * tolerances[lane] + precision * (isNovelty ? 1 : 1 + upper)));
            EXPECT_EQ(theirs.at(p, "path_rate"), 0);
            EXPECT_GT(theirs.at(p, "process_bytes"), 1e5);
            EXPECT_GE(theirs.at(p, "cpu_solve"), 0);
            EXPECT_EQ(theirs.at(p, "cpu_screen"), 0);
            EXPECT_TRUE(std::isnan(theirs.at(p, "work")));
            EXPECT_EQ(theirs.at(p, "updates"), 2 * theirs.at(p, "iterations"));
            EXPECT_EQ(theirs.at(p, "n_R") + theirs.at(p, "n_L") + theirs.at(p, "n_E"), theirs.at(p, "n_items"));
            if (lane == 2 && c <= 1) {
                EXPECT_NEAR(primal, ours.at(p, "primal"), 1e-3 * size);
            }
        }
    }
}

TEST_P(LibsvmLanes, SolveOurProblemWithinBothGaps) {
    const Json lanes = Json::array({{{"name", "ours"}, {"bounds", {"GAP"}}, {"solver", {{"tolerance", 1e-9}}}},
                                    libsvmLane("usual", 1e-3),
                                    libsvmLane("close", 1e-7),
                                    libsvmLane("full", 1e-5, false)});
    Json document = this->document(lanes);
    const bool isDrawn = document["data"]["source"].get<std::string>().starts_with("toy:");
    for (int seed = 1; seed <= (isDrawn ? 4 : 1); ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        document["data"]["seed"] = seed;
        expectWithinBothGaps(lanesOf(document), {0, 1e-3, 1e-7, 1e-5}, GetParam().values.size());
    }
}

TEST_P(LibsvmLanes, ComeOutTheSameAgain) {
    Json document = this->document(Json::array({libsvmLane("usual", 1e-3)}));
    document["run"] = {{"timing_repeats", 3}};
    const LaneRun repeated = lanesOf(document).front(); // fails where a repetition comes out otherwise
    EXPECT_FALSE(repeated.outcome.error) << repeated.outcome.error->describe();
    document["run"] = {{"timing_repeats", 1}};
    const LaneRun once = lanesOf(document).front();
    ASSERT_EQ(once.points.size(), repeated.points.size());
    for (std::size_t p = 0; p < once.points.size(); ++p) {
        for (const char* key : {"primal", "dual", "gap", "bias", "iterations"}) {
            EXPECT_EQ(once.at(p, key), repeated.at(p, key)) << key;
        }
    }
}

const std::vector<double> kWide = {1e-6, 1e-2, 1, 100};
const std::vector<double> kHuge = {1e-9, 0.3, 1e3, 1e8};
const std::vector<double> kShares = {1, 0.9, 0.5, 0.1, 0.02};

INSTANTIATE_TEST_SUITE_P(
    Problems, LibsvmLanes,
    ::testing::Values(
        Scenario{"ClassesLinear", R"({"source": "toy:svm-figure1?n=120"})",
                 R"({"kernel": "linear", "intercept": "free"})", kWide},
        Scenario{"ClassesRbf", R"({"source": "toy:two-moons?n=120", "seed": 2})",
                 R"({"kernel": "rbf", "gamma": 4, "intercept": "free"})", kHuge},
        Scenario{"ClassesPolynomial", R"({"source": "toy:two-moons?n=100", "seed": 3})",
                 R"({"kernel": "polynomial", "degree": 3, "offset": 1, "intercept": "free"})", kWide},
        Scenario{"WeightedClasses", R"({"source": "toy:svm-figure1?n=120", "seed": 4})",
                 R"({"kernel": "rbf", "intercept": "free", "positive_weight": 3, "negative_weight": 0.5})", kWide},
        Scenario{"OtherClassPositive", R"({"source": "toy:two-moons?n=90", "seed": 5})",
                 R"({"kernel": "rbf", "positive": "1", "intercept": "free", "negative_weight": 2})", kWide},
        Scenario{"Ties", R"({"source": "ties.csv", "labels": "last", "subset": 1})",
                 R"({"kernel": "rbf", "gamma": 0.5, "gamma_unit": "absolute", "intercept": "free"})", kHuge},
        Scenario{"TiesLinear", R"({"source": "ties.csv", "labels": "last", "subset": 1})",
                 R"({"kernel": "linear", "intercept": "free"})", kWide},
        Scenario{"TwoRows", R"({"source": "two.csv", "labels": "last", "subset": 1})",
                 R"({"kernel": "linear", "intercept": "free"})", kHuge},
        Scenario{"SparseRows", R"({"source": "sparse.libsvm", "subset": 1})",
                 R"({"kernel": "linear", "intercept": "free"})", kWide},
        Scenario{"TubeLinear", R"({"source": "toy:sine?n=100&noise=0.1"})",
                 R"({"task": "regression", "epsilon": 0.1, "kernel": "linear", "intercept": "free"})", kWide},
        Scenario{"TubeRbf", R"({"source": "toy:sine?n=120&noise=0.1", "seed": 2})",
                 R"({"task": "regression", "epsilon": 0.05, "gamma": 8, "intercept": "free"})", kWide},
        Scenario{"TubeOfNoWidth", R"({"source": "toy:sine?n=60&noise=0.1", "seed": 3})",
                 R"({"task": "regression", "epsilon": 0, "gamma": 8, "intercept": "free"})", kWide},
        Scenario{"NoveltyRbf", R"({"source": "toy:two-moons?n=120"})",
                 R"({"task": "novelty", "gamma": 8, "intercept": "none"})", kShares, "nu"},
        Scenario{"NoveltyLinear", R"({"source": "ties.csv", "labels": "last", "subset": 1})",
                 R"({"task": "novelty", "kernel": "linear"})", kShares, "nu"},
        Scenario{"NoveltyPolynomial", R"({"source": "toy:svm-figure1?n=100", "seed": 2})",
                 R"({"task": "novelty", "kernel": "polynomial", "degree": 2, "offset": 1})", kShares, "nu"},
        Scenario{"NoveltyOfTies", R"({"source": "ties.csv", "labels": "last", "subset": 1})",
                 R"({"task": "novelty", "gamma": 1})", kShares, "nu"}),
    [](const auto& one) { return std::string(one.param.name); });

std::string faultsOf(const Json& problem, const Json& lane, const Json& more = Json::object()) {
    Json document = documentWith({{"problem", problem}});
    document.mergePatch(more);
    document["lanes"] = Json::array({{{"name", "known"}, {"bounds", {"GAP"}}}, lane});
    const auto read = validateExperiment(document, catalog());
    return read ? std::string() : read.error().describe();
}

TEST(LibsvmRefusals, NameTheFieldAndWhatToDo) {
    const Json lane = libsvmLane("LIBSVM", 1e-3);
    const auto with = [&lane](const char* key, const Json& value) {
        Json own = lane;
        own[key] = value;
        return own;
    };
    for (const char* kernel : {"linear", "rbf", "polynomial"}) {
        EXPECT_EQ(faultsOf({{"kernel", kernel}, {"intercept", "free"}}, lane), "");
    }
    for (const char* intercept : {"none", "feature"}) {
        const std::string faults = faultsOf({{"intercept", intercept}}, lane);
        EXPECT_NE(faults.find("lanes[1].solver.method"), std::string::npos) << faults;
        EXPECT_NE(faults.find(std::string("problem.intercept is ") + intercept), std::string::npos) << faults;
        EXPECT_NE(faults.find("Set problem.intercept to \"free\""), std::string::npos) << faults;
        EXPECT_EQ(faultsOf({{"task", "novelty"}, {"intercept", intercept}}, lane), "") << "one class has a free bias";
    }
    EXPECT_NE(faultsOf({{"kernel", "precomputed"}, {"intercept", "free"}}, lane,
                       {{"data", {{"scale", "none"}, {"subset", 1}}}})
                  .find("not a kernel matrix"),
              std::string::npos);
    EXPECT_NE(faultsOf({{"weights", "w.txt"}, {"intercept", "free"}}, lane, {{"data", {{"subset", 1}}}})
                  .find("no weights of single samples"),
              std::string::npos);
    for (const auto& [key, value] :
         {std::pair<const char*, Json>{"bounds", Json::array({"GAP"})}, {"oracle", Json("known")}}) {
        const std::string faults = faultsOf({{"intercept", "free"}}, with(key, value));
        EXPECT_NE(faults.find(std::string("lanes[1].") + key + ": the library LIBSVM screens nothing"),
                  std::string::npos)
            << faults;
    }
    EXPECT_NE(faultsOf({{"intercept", "free"}}, {{"name", "limit"}, {"oracle", "LIBSVM"}}).find("no lane is called"),
              std::string::npos);
}

TEST(LibsvmFields, HideWhatTheLibraryHasNot) {
    const SectionSchema& solver = catalog().families.front().solver;
    for (const auto& [method, isRelevantThere] :
         {std::pair<const char*, bool>{"descent", true}, {"liblinear", false}, {"libsvm", false}}) {
        EXPECT_EQ(isRelevant(solver, *solver.find("max_iterations"), {{"method", method}}), isRelevantThere) << method;
        EXPECT_TRUE(isRelevant(solver, *solver.find("tolerance"), {{"method", method}}));
    }
}

} // namespace
} // namespace lambdascope::svm
