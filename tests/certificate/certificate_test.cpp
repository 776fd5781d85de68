// SPDX-License-Identifier: GPL-3.0-or-later
// Certificates of whole runs, checked by a program that shares no code with this one.
#include "core/common/number_text.h"
#include "tests/core/store/scratch_folder.h"
#include "tests/integration/cli_process.h"

#include <sys/wait.h>

#include <cstdlib>

namespace lambdascope {
namespace {

namespace fs = std::filesystem;
using testing_support::CliResult;

const std::string kResources = LAMBDASCOPE_TEST_SOURCE_DIR "/resources/";

class Certificates : public testing_support::ScratchFolder {
  protected:
    CliResult cli(const std::vector<std::string>& arguments) { return testing_support::runCli(scratch(""), arguments); }

    /// Runs an experiment and certifies all of it.
    void certify(std::vector<std::string> run) {
        run.insert(run.begin(), "run");
        run.insert(run.end(), {"--out", "out", "--library", "none", "--progress", "none"});
        const CliResult ran = cli(run);
        ASSERT_EQ(ran.status, 0) << ran.err;
        const CliResult certified = cli({"certify", "out", "--out", "certificate", "--progress", "none"});
        ASSERT_EQ(certified.status, 0) << certified.out << certified.err;
    }
    /// A Python program with the scratch folder as its own; what it printed.
    CliResult python(const std::string& program, const std::string& arguments) {
        const std::string printed = scratch("printed").string();
        const std::string command = "cd '" + scratch("").string() + "' && '" LAMBDASCOPE_PYTHON "' '" + program + "' " +
                                    arguments + " >'" + printed + "' 2>&1";
        const int status = std::system(command.c_str());
        return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, contents(printed), {}};
    }
    CliResult check(const std::string& data, const std::string& other = {}) {
        return python(kResources + "certificate/check.py", "certificate '" + data + "' " + other);
    }
    /// `count` changes that must be refused, and some that must not; see changes_test.py.
    void expectChangesRefused(const std::string& data, int count, const std::string& other = {}) {
        const CliResult result =
            python(LAMBDASCOPE_TEST_SOURCE_DIR "/tests/certificate/changes_test.py",
                   "'" + kResources + "certificate' certificate '" + data + "' " + std::to_string(count) + " " + other);
        EXPECT_EQ(result.status, 0) << result.out;
        std::fputs(result.out.c_str(), stdout);
    }
    /// A certificate of all that is decided is proven, and so many changes of it are refused.
    void expectProven(const std::string& data, int changes, const std::string& other = {}) {
        const CliResult checked = check(data, other);
        EXPECT_EQ(checked.status, 0) << checked.out;
        EXPECT_NE(checked.out.find("proven: 100 %"), std::string::npos) << checked.out;
        expectChangesRefused(data, changes, other);
    }
};

TEST_F(Certificates, OfMetricLearningAreProvenAndChangesRefused) {
    certify({"iris-six-lanes", "--set", "data.subset=0.4", "--set", "problem.k=3", "--set", "path.max_points=15",
             "--lanes", "GB,PGB,DGB,RRPB"});
    const std::string data = kResources + "datasets/iris.csv";
    const CliResult checked = check(data);
    EXPECT_EQ(checked.status, 0) << checked.out;
    EXPECT_NE(checked.out.find("proven: 100 %"), std::string::npos) << checked.out;
    expectChangesRefused(data, 40);
}

TEST_F(Certificates, OfKernelSvmsAreProvenAndChangesRefused) {
    certify({"ogawa-table-4", "--set", "data.source=breast-cancer", "--set", "data.subset=0.2", "--set",
             "path.max_c=10", "--lanes", "BT1,IT"});
    const std::string data = kResources + "datasets/breast_cancer.csv";
    const CliResult checked = check(data);
    EXPECT_EQ(checked.status, 0) << checked.out;
    expectChangesRefused(data, 30);
}

TEST_F(Certificates, OfPuLearningAreProvenAndChangesRefused) {
    certify({"pu-screening", "--set", "data.subset=0.1", "--set", "path.ratio=0.3", "--lanes", "Full+GAP,Pairs+GAP"});
    const std::string data = kResources + "datasets/digits.csv.gz";
    const CliResult checked = check(data);
    EXPECT_EQ(checked.status, 0) << checked.out;
    expectChangesRefused(data, 30);
}

/// One sample lies 1e8 away: the last of the 20 places of its share moves its score by more than the solver's rounding,
/// and brackets of the bias end where scores of other samples reach a kink.
TEST_F(Certificates, OfPuLearningWithAnOutlierAreProven) {
    const std::string data = LAMBDASCOPE_TEST_SOURCE_DIR "/tests/fixtures/pu_outlier.csv";
    write(scratch("experiment.json"),
          R"({"family": "pu", "data": {"source": ")" + data + R"(", "labels": "first", "scale": "none"},
              "problem": {"labels": "marked", "labelled_share": 0.6, "prior": "elkan-noto", "kernel": "linear",
                          "gamma": 0.1, "degree": 1, "offset": 0.28294581013163866, "kernel_memory": 1},
              "solver": {"method": "pairs", "tolerance": 1e-6, "max_iterations": 20000, "baseline_memory": 1},
              "path": {"kind": "prior", "values": [0.13265020015454404, 0.18148809393474225, 0.4007289026700182,
                       0.7719853552512442], "lambda": 0.001},
              "lanes": [{"name": "GAP", "bounds": ["GAP"], "shrink": false, "every": 0.2}]})");
    certify({"experiment.json"});
    const CliResult checked = check(data);
    EXPECT_EQ(checked.status, 0) << checked.out;
    EXPECT_NE(checked.out.find("proven: 100 %"), std::string::npos) << checked.out;
}

TEST_F(Certificates, OfTheHingeAreProven) {
    certify({"iris-six-lanes", "--set", "data.subset=0.3", "--set", "problem.k=2", "--set", "problem.loss=hinge",
             "--set", "path.max_points=9", "--lanes", "PGB,RRPB"});
    expectProven(kResources + "datasets/iris.csv", 12);
}

TEST_F(Certificates, OfDiagonalMatricesAreProven) {
    certify({"wine-six-lanes", "--set", "data.subset=0.3", "--set", "problem.k=3", "--set",
             "problem.structure=diagonal", "--set", "path.max_points=20", "--lanes", "GB,RRPB"});
    expectProven(kResources + "datasets/wine.csv", 21);
}

TEST_F(Certificates, OfLinearTermsAreProven) {
    certify({"iris-six-lanes", "--set", "data.subset=0.3", "--set", "problem.k=3", "--set", "problem.linear_term=0.1",
             "--set", "path.max_points=15", "--lanes", "PGB,RRPB"});
    expectProven(kResources + "datasets/iris.csv", 12);
}

TEST_F(Certificates, OfComparisonsFromAFileAreProven) {
    std::string rows;
    std::string comparisons = "base 1\nform triplet\n";
    std::uint64_t state = 7;
    const auto draw = [&state](std::uint64_t below) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        return (state >> 33U) % below;
    };
    const auto row = [&](std::uint64_t at) { return std::to_string(at % 40 + 1); };
    for (int i = 0; i < 40; ++i) {
        rows += std::to_string(static_cast<double>(draw(2000)) / 1000 - 1) + "," +
                std::to_string(static_cast<double>(draw(2000)) / 1000 - 1) + "," +
                std::to_string(static_cast<double>(draw(2000)) / 1000 - 1) + "\n";
    }
    for (int c = 0; c < 300; ++c) {
        const std::uint64_t i = draw(40);
        const std::string j = row(i + 1 + draw(12));
        const std::string weight = " " + std::to_string(0.25 + static_cast<double>(draw(8)) / 4);
        comparisons += row(i) + " " + j + " " + row(i + 13 + draw(12)) + weight + "\n";
        if (c % 4 == 0) {
            comparisons += "similar " + row(i) + " " + j + " 0.5" + weight + "\n";
            comparisons += "dissimilar " + row(i) + " " + row(i + 25) + " 2\n";
            comparisons += "target " + row(i) + " " + j + weight + "\n";
            comparisons += "quadruplet " + row(i) + " " + j + " " + row(i + 26) + " " + row(i + 30) + "\n";
        }
    }
    write(scratch("rows.csv"), rows);
    write(scratch("comparisons.txt"), comparisons);
    for (const char* structure : {"full", "diagonal"}) {
        for (const char* loss : {"smoothed-hinge", "hinge"}) {
            SCOPED_TRACE(std::string(structure) + " " + loss);
            write(scratch("e.json"), std::string(R"({"family": "metric", "name": "own", "data": {"source": "rows.csv",
                "labels": "none"}, "problem": {"constraints": "file", "file": "comparisons.txt", "linear_term": 0.05,
                "structure": ")") + structure +
                                         R"(", "loss": ")" + loss + R"("}, "path": {"max_points": 8, "ratio": 0.4},
                "lanes": [{"name": "PGB", "bounds": ["PGB"], "schedule": "every"}]})");
            fs::remove_all(scratch("out"));
            fs::remove_all(scratch("certificate"));
            certify({"e.json"});
            expectProven("rows.csv", 14, "comparisons.txt");
        }
    }
    const CliResult without = check("rows.csv");
    EXPECT_EQ(without.status, 2) << without.out;
    EXPECT_NE(without.out.find("comparisons.txt is needed"), std::string::npos) << without.out;
}

TEST_F(Certificates, OfWeightedSamplesAreProven) {
    std::string rows;
    std::string weights = "# one per row\n";
    for (int i = 0; i < 100; ++i) {
        rows += std::to_string(i % 13 - 0.07 * i) + "," + std::to_string(i % 7 + 0.031 * i) + "," +
                (i % 13 - i % 7 + i % 3 > 3 ? "+\n" : "-\n");
        weights += i % 9 == 0 ? "0\n" : std::to_string(0.25 * (1 + i % 7)) + "\n";
    }
    write(scratch("rows.csv"), rows);
    write(scratch("weights.txt"), weights);
    certify({"ogawa-table-4", "--set", "data.source=rows.csv", "--set", "problem.weights=weights.txt", "--set",
             "problem.positive_weight=2", "--set", "path.max_c=10", "--lanes", "BT1,IT"});
    expectProven("rows.csv", 28, "weights.txt");
}

TEST_F(Certificates, OfPrecomputedKernelsAreProven) {
    // Of rank two, so that the program has to add to its diagonal.
    std::string rows;
    for (int i = 0; i < 60; ++i) {
        for (int j = 0; j < 60; ++j) {
            rows += std::to_string((i % 7 - 3) * (j % 7 - 3) + (i % 5 - 1) * (j % 5 - 1)) + ",";
        }
        rows += (i % 7 + i % 5 > 4 + i % 2 ? "+\n" : "-\n");
    }
    write(scratch("kernel.csv"), rows);
    certify({"ogawa-table-4", "--set", "data.source=kernel.csv", "--set", "data.scale=none", "--set",
             "problem.kernel=precomputed", "--set", "problem.bias=0.5", "--set", "path.max_c=10", "--lanes", "BT1,IT"});
    expectProven("kernel.csv", 24);
}

TEST_F(Certificates, OfAFreeBiasAreProvenAndChangesRefused) {
    for (const char* kernel : {"rbf", "linear"}) {
        SCOPED_TRACE(kernel);
        fs::remove_all(scratch("out"));
        fs::remove_all(scratch("certificate"));
        certify({"breast-cancer-bias", "--set", "data.subset=0.25", "--set", std::string("problem.kernel=") + kernel,
                 "--set", "path.max_c=30", "--lanes", "BT1+GAP,Shrink+BT1"});
        expectProven(kResources + "datasets/breast_cancer.csv", 32);
    }
}

/// Weights of samples that no sum of doubles holds exactly, and a class at its bounds that the other one has to
/// balance.
TEST_F(Certificates, OfAFreeBiasWithWeightsAreProven) {
    std::string rows;
    std::string weights;
    for (int i = 0; i < 90; ++i) {
        rows += std::to_string(i % 13 - 0.07 * i) + "," + std::to_string(i % 7 + 0.031 * i) + "," +
                (i % 13 - i % 7 + i % 3 > 3 ? "+\n" : "-\n");
        weights += i % 9 == 0 ? "0\n" : std::to_string(0.1 * (1 + i % 7)) + "\n";
    }
    write(scratch("rows.csv"), rows);
    write(scratch("weights.txt"), weights);
    write(scratch("weighted.json"), R"({"family": "svm", "data": {"source": "rows.csv", "scale": "minmax"},
        "problem": {"kernel": "rbf", "intercept": "free", "weights": "weights.txt", "positive_weight": 3.3},
        "path": {"kind": "grid", "ratio": 1.5, "max_c": 10},
        "lanes": [{"name": "BT1+GAP", "bounds": ["BT1", "GAP"], "shrink": false, "schedule": "every", "every": 1}]})");
    certify({"weighted.json"});
    expectProven("rows.csv", 32, "weights.txt");
}

/// Both sides of each tube; data with rules and data that carry their values.
TEST_F(Certificates, OfRegressionAreProvenAndChangesRefused) {
    for (const bool isStandardized : {true, false}) {
        for (const char* intercept : {"free", "none"}) {
            SCOPED_TRACE(std::string(isStandardized ? "standardized " : "raw ") + intercept);
            fs::remove_all(scratch("out"));
            fs::remove_all(scratch("certificate"));
            certify({"diabetes-tube", "--set", "data.subset=0.15", "--set",
                     std::string("data.scale=") + (isStandardized ? "standardize" : "minmax"), "--set",
                     std::string("problem.intercept=") + intercept, "--set",
                     std::string("problem.kernel=") + (isStandardized ? "rbf" : "linear"), "--set", "path.ratio=3",
                     "--set", "path.max_c=300", "--set", "lanes[4].schedule=every", "--lanes", "BT1,Shrink+BT1+GAP"});
            EXPECT_EQ(fs::exists(scratch("certificate") / "data.csv"), isStandardized);
            expectProven(isStandardized ? "certificate/data.csv" : kResources + "datasets/diabetes.csv", 27);
        }
    }
}

TEST_F(Certificates, OfNoveltyAreProvenAndChangesRefused) {
    for (const char* kernel : {"rbf", "linear"}) {
        SCOPED_TRACE(kernel);
        fs::remove_all(scratch("out"));
        fs::remove_all(scratch("certificate"));
        certify({"moons-novelty", "--set", "data.source=toy:two-moons?n=120", "--set",
                 std::string("problem.kernel=") + kernel, "--set", "path.ratio=1.7", "--lanes", "GAP,Shrink+GAP"});
        expectProven("certificate/data.csv", 27);
    }
}

/// Weights that no sum of doubles holds exactly, and some that leave rows out; labels that are numbers are targets.
TEST_F(Certificates, OfOtherTasksWithWeightsAreProven) {
    std::string rows;
    std::string weights;
    for (int i = 0; i < 80; ++i) {
        rows += std::to_string(i % 13 - 0.07 * i) + "," + std::to_string(i % 7 + 0.031 * i) + "," +
                std::to_string(i % 11 + 0.3 * (i % 7)) + "\n";
        weights += i % 9 == 0 ? "0\n" : std::to_string(0.1 * (1 + i % 7)) + "\n";
    }
    write(scratch("rows.csv"), rows);
    write(scratch("weights.txt"), weights);
    for (const char* preset : {"diabetes-tube", "moons-novelty"}) {
        SCOPED_TRACE(preset);
        const bool isTube = std::string_view(preset) == "diabetes-tube";
        fs::remove_all(scratch("out"));
        fs::remove_all(scratch("certificate"));
        certify({preset, "--set", "data.source=rows.csv", "--set", "data.labels=last", "--set", "data.scale=minmax",
                 "--set", "data.subset=1", "--set", "problem.weights=weights.txt", "--set",
                 isTube ? "problem.epsilon=1.5" : "problem.gamma=1", "--set", "path.ratio=2", "--set",
                 isTube ? "lanes[4].schedule=every" : "lanes[3].schedule=every", "--lanes",
                 isTube ? "Shrink+BT1+GAP" : "Shrink+GAP"});
        expectProven("rows.csv", 32, "weights.txt");
    }
}

TEST_F(Certificates, OfGeneratedDataCarryTheirValues) {
    certify({"ogawa-figure-1", "--set", "data.source=toy:svm-figure1?n=200"});
    const CliResult checked = python(kResources + "certificate/check.py", "certificate");
    EXPECT_EQ(checked.status, 0) << checked.out;
    EXPECT_NE(checked.out.find("IT: 1 points"), std::string::npos) << checked.out;
}

/// Samples on a line, where the ball of BT1 is as tight as a ball can be: with all α = C at C₀ the optimum at C = 1.5
/// C₀ lies on its sphere, but for what the last sample changes. That sample's margin is just above 1, and above what
/// 0.98 of the radius would leave it: the program leaves it undecided, a program with that radius would put it in L.
/// Of a tube with target − ε = 1 the sides above are these samples, but for a row at 0, where all is well.
TEST_F(Certificates, OfABallThatIsTooSmallAreFalse) {
    constexpr double kLast = 0.008;
    constexpr double kMargin = 1.003; // of the last sample at C, with all α = C
    constexpr double kRatio = 1.5;    // C/C₀
    constexpr int kBefore = 800;      // samples before the last
    for (const bool isTube : {false, true}) {
        SCOPED_TRACE(isTube);
        std::string rows = "x,label\n";
        double sum = kLast;
        for (int i = 0; i < kBefore; ++i) {
            const double x = 0.001 * (1 + i % 7);
            sum += x;
            const bool isNegative = !isTube && i % 2 == 1;
            rows += (isNegative ? "-" : "") + std::to_string(x) + (isTube ? ",1.25\n" : isNegative ? ",-\n" : ",+\n");
        }
        rows += std::to_string(kLast) + (isTube ? ",1.25\n0,0\n" : ",+\n");
        write(scratch("line.csv"), rows);
        const double c = kMargin / (kLast * sum * kRatio); // C₀, where w = C₀ sum
        const auto upper = [&](double factor) {
            return kLast * c * sum * (0.5 * (kRatio + 1) + factor * 0.5 * (kRatio - 1));
        };
        ASSERT_GT(upper(1), 1);
        ASSERT_LT(upper(0.98), 1);
        fs::remove_all(scratch("out"));
        fs::remove_all(scratch("certificate"));
        std::vector<std::string> run{"ogawa-figure-1",
                                     "--set",
                                     "data.source=line.csv",
                                     "--set",
                                     "path.kind=list",
                                     "--set",
                                     "path.values=[" + exactText(c) + "," + exactText(kRatio * c) + "]",
                                     "--lanes",
                                     "BT1"};
        if (isTube) {
            run.insert(run.end(), {"--set", "data.target=last", "--set", "problem.task=regression", "--set",
                                   "problem.epsilon=0.25"});
        }
        certify(run);
        const CliResult honest = check("line.csv");
        EXPECT_EQ(honest.status, 0) << honest.out;

        const fs::path file = scratch("certificate") / "lane-0.bits";
        std::string bits = contents(file);
        const std::size_t at = bits.size() / 2 + kBefore / 4; // four to a byte, at the second of two points
        ASSERT_EQ(bits.size(), 2U * (isTube ? (2 * (kBefore + 2)) / 4 : kBefore / 4 + 1));
        ASSERT_EQ(bits.at(at) & 3, 0) << "the sample was decided";
        bits[at] = static_cast<char>(bits[at] | 2); // L
        write(file, bits);
        const CliResult broken = check("line.csv");
        EXPECT_EQ(broken.status, 1) << broken.out;
        const std::string name = isTube ? "row 800 above the tube" : "sample 800";
        EXPECT_NE(broken.out.find(name + " in L at point 1 is false"), std::string::npos) << broken.out;
    }
}

TEST_F(Certificates, BadRequestsAreToldInWords) {
    certify({"ogawa-figure-1", "--set", "data.source=toy:svm-figure1?n=60", "--lanes", "IT"});
    CliResult result = cli({"certify", "out", "--out", "certificate"});
    EXPECT_EQ(result.status, 2);
    EXPECT_NE(result.err.find("holds a certificate"), std::string::npos) << result.err;
    EXPECT_EQ(cli({"certify", "out", "--out", "certificate", "--force", "--progress", "none"}).status, 0);
    result = cli({"certify", "out", "--out", "out"});
    EXPECT_EQ(result.status, 2);
    EXPECT_NE(result.err.find("is no certificate"), std::string::npos) << result.err;
    for (const char* points : {"x", "3-1", "-1", "1-x", "99999999999"}) {
        result = cli({"certify", "out", "--out", "other", "--points", points});
        EXPECT_EQ(result.status, 2) << points;
        EXPECT_FALSE(fs::exists(scratch("other"))) << points;
    }
    ASSERT_EQ(cli({"run", "eurodist-dimensions", "--set", "path.max_dimensions=1", "--set", "path.folds=2", "--set",
                   "problem.train=50", "--lanes", "STE", "--out", "ordinal", "--library", "none"})
                  .status,
              0);
    result = cli({"certify", "ordinal", "--out", "other", "--progress", "none"});
    EXPECT_EQ(result.status, 2);
    EXPECT_NE(result.err.find("screen nothing"), std::string::npos) << result.err;
    EXPECT_FALSE(fs::exists(scratch("other")));
}

} // namespace
} // namespace lambdascope
