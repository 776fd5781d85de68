// SPDX-License-Identifier: GPL-3.0-or-later
// What is taken out of a run agrees with the run, and with the formulas.
#include "core/config/json.h"
#include "core/store/run_folder.h"
#include "tests/core/store/scratch_folder.h"
#include "tests/integration/cli_process.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace lambdascope {
namespace {

namespace fs = std::filesystem;
using testing_support::CliResult;
using Rows = std::vector<std::vector<double>>;

/// Rows of three features of two classes, and others that no run has seen.
const char* const kTraining =
    "a,b,c,class\n1,10,3,x\n2,11,3,x\n1.5,9,2,x\n2.5,10,2.5,x\n6,3,1,y\n7,2,0,y\n6.5,4,1,y\n7,3,2,y\n";
const char* const kFresh = "a,b,c,class\n1.2,10.5,2,x\n6.2,2.5,1,y\n4,6,9,x\n-3,20,1,y\n";
const Rows kFreshRows = {{1.2, 10.5, 2}, {6.2, 2.5, 1}, {4, 6, 9}, {-3, 20, 1}};
const Rows kTrainingRows = {{1, 10, 3}, {2, 11, 3}, {1.5, 9, 2}, {2.5, 10, 2.5},
                            {6, 3, 1},  {7, 2, 0},  {6.5, 4, 1}, {7, 3, 2}};

class Exports : public testing_support::ScratchFolder {
  protected:
    Exports() {
        write(scratch("train.csv"), kTraining);
        write(scratch("new.csv"), kFresh);
    }
    CliResult cli(const std::vector<std::string>& arguments) { return testing_support::runCli(scratch(""), arguments); }
    void run(const std::string& rest, std::vector<std::string> more = {}) {
        write(scratch("e.json"), R"({"data": {"source": "train.csv"}, )" + rest + "}");
        std::vector<std::string> arguments = {"run", "e.json", "--out", "run", "--library", "none", "--force"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const CliResult done = cli(arguments);
        ASSERT_EQ(done.status, 0) << done.err;
    }
    Json exported(std::vector<std::string> more = {}) {
        std::vector<std::string> arguments = {"export", "run", "--out", "model.json", "--force"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const CliResult done = cli(arguments);
        EXPECT_EQ(done.status, 0) << done.err;
        return Json::parse(contents(scratch("model.json")));
    }
    /// A file in another format, read by Python's standard library.
    Json readByPython(const std::string& format) {
        const std::string name = "model." + format;
        const CliResult done = cli({"export", "run", "--out", name, "--force"});
        EXPECT_EQ(done.status, 0) << done.err;
        const std::string command = "python3 " LAMBDASCOPE_TEST_SOURCE_DIR "/tests/integration/read_model.py " +
                                    scratch(name).string() + " > " + scratch("python.json").string();
        EXPECT_EQ(std::system(command.c_str()), 0);
        return Json::parse(contents(scratch("python.json")));
    }
    [[nodiscard]] std::vector<std::vector<std::string>> table(const std::string& file) const {
        std::istringstream lines(contents(scratch(file)));
        std::vector<std::vector<std::string>> rows;
        for (std::string line; std::getline(lines, line);) {
            auto& row = rows.emplace_back();
            std::istringstream cells(line);
            for (std::string cell; std::getline(cells, cell, ',');) {
                row.push_back(cell);
            }
        }
        return rows;
    }
    static std::vector<double> scaled(const std::vector<double>& x, const Json& model) {
        std::vector<double> z;
        for (std::size_t c = 0; c < x.size(); ++c) {
            const auto spread = model["spread"][c].get<double>();
            z.push_back(spread > 0 ? (x[c] - model["centre"][c].get<double>()) / spread : 0);
        }
        return z;
    }
    static double dot(const Json& row, const std::vector<double>& x) {
        double sum = 0;
        for (std::size_t c = 0; c < x.size(); ++c) {
            sum += row[c].get<double>() * x[c];
        }
        return sum;
    }
    static double distance(const Json& m, std::vector<double> x, const std::vector<double>& y) {
        double sum = 0;
        for (std::size_t c = 0; c < x.size(); ++c) {
            x[c] -= y[c];
        }
        for (std::size_t c = 0; c < x.size(); ++c) {
            sum += x[c] * dot(m[c], x);
        }
        return sum;
    }
};

const char* const kMetric = R"("family": "metric", "problem": {"k": 2, "knn": 3}, "path": {"max_points": 8},
    "lanes": [{"name": "naive", "bounds": []}, {"name": "PGB", "bounds": ["PGB"]}])";

TEST_F(Exports, NumbersAreThoseOfTheRunInEveryFormat) {
    run(kMetric, {"--save-solutions"});
    const auto records = readRunFolder(scratch("run"));
    ASSERT_TRUE(records);
    const Json model = exported({"--lane", "PGB", "--point", "3"});
    const MatrixValues& m = records->at(1).points().at(3).solution->at(0).values;
    for (std::int64_t i = 0; i < m.rows(); ++i) {
        for (std::int64_t j = 0; j < m.cols(); ++j) {
            EXPECT_EQ(model["M"][i][j].get<double>(), m(i, j));
        }
    }
    EXPECT_EQ(model["lane"], "PGB");
    EXPECT_EQ(model["point"].get<int>(), 3);
    EXPECT_EQ(model["lambda"].get<double>(), records->at(1).points().at(3).axisValue);
    EXPECT_EQ(model["classes"], Json::array({"x", "y"}));
    const Json last = exported();
    for (const char* format : {"npz", "mat"}) {
        EXPECT_TRUE(equalInAnyOrder(readByPython(format), last)) << format << ": " << readByPython(format).dump();
    }
    ASSERT_EQ(cli({"export", "run", "--out", "model.csv"}).status, 0);
    EXPECT_NE(contents(scratch("model.csv")).find("# M 3 3\n"), std::string::npos);
}

TEST_F(Exports, SolutionsThatWereNotKeptComeOutTheSame) {
    run(kMetric, {"--save-solutions"});
    const Json kept = exported({"--lane", "PGB", "--point", "5"});
    run(kMetric);
    EXPECT_FALSE(fs::exists(scratch("run") / "PGB" / "solution-5.csv"));
    EXPECT_EQ(exported({"--lane", "PGB", "--point", "5"}), kept) << "to the last bit";
}

TEST_F(Exports, TransformAndPredictFollowTheFormulasOfAMetric) {
    for (const char* structure : {"full", "diagonal"}) {
        SCOPED_TRACE(structure);
        run(kMetric, {"--set", std::string("problem.structure=") + structure});
        const Json model = exported();
        const bool isColumn = model.contains("m");
        EXPECT_EQ(isColumn, std::string(structure) == "diagonal");
        Json m = Json::array();
        for (std::size_t i = 0; i < 3; ++i) {
            Json row = Json::array();
            for (std::size_t j = 0; j < 3; ++j) {
                row.push_back(!isColumn ? model["M"][i][j] : i == j ? model["m"][i] : Json(0.0));
            }
            m.push_back(row);
        }
        const CliResult moved = cli({"transform", "run", "new.csv", "--out", "z.csv", "--force"});
        ASSERT_EQ(moved.status, 0) << moved.err;
        const auto z = table("z.csv");
        ASSERT_EQ(z.size(), 5U);
        ASSERT_EQ(z[0].size(), model["L"].size() + 2);
        for (std::size_t i = 0; i < 4; ++i) {
            for (std::size_t r = 0; r < model["L"].size(); ++r) {
                EXPECT_NEAR(std::stod(z[i + 1][r + 1]), dot(model["L"][r], scaled(kFreshRows[i], model)), 1e-12 * 1e3);
            }
        }
        write(scratch("pairs"), "0 1\n2,3\n\n3 3\n");
        ASSERT_EQ(cli({"transform", "run", "new.csv", "--pairs", "pairs", "--out", "d.csv", "--force"}).status, 0);
        const auto d = table("d.csv");
        ASSERT_EQ(d.size(), 4U);
        const double expected = distance(m, scaled(kFreshRows[2], model), scaled(kFreshRows[3], model));
        EXPECT_NEAR(std::stod(d[2][2]), expected, 1e-12 * expected);
        EXPECT_EQ(std::stod(d[3][2]), 0);
        double inPlane = 0; // |Lx − Ly|²
        for (std::size_t r = 1; r + 1 < z[0].size(); ++r) {
            inPlane += std::pow(std::stod(z[3][r]) - std::stod(z[4][r]), 2);
        }
        EXPECT_NEAR(inPlane, expected, 1e-10 * expected);
        const CliResult predicted = cli({"predict", "run", "new.csv", "--out", "p.csv", "--force"});
        ASSERT_EQ(predicted.status, 0) << predicted.err;
        EXPECT_NE(predicted.out.find("4 rows"), std::string::npos) << predicted.out;
        const auto p = table("p.csv");
        for (std::size_t i = 0; i < 4; ++i) { // three nearest of eight
            std::vector<std::pair<double, std::size_t>> order;
            for (std::size_t t = 0; t < 8; ++t) {
                order.emplace_back(distance(m, scaled(kFreshRows[i], model), scaled(kTrainingRows[t], model)), t);
            }
            std::sort(order.begin(), order.end());
            const auto ofX =
                std::count_if(order.begin(), order.begin() + 3, [](const auto& o) { return o.second < 4; });
            EXPECT_EQ(p[i + 1][1], ofX >= 2 ? "x" : "y") << i;
        }
    }
}

TEST_F(Exports, PredictFollowsTheFormulaOfAnSvm) {
    run(R"("family": "svm", "problem": {"positive": "x"}, "lanes": [{"name": "none", "bounds": []}])");
    const Json model = exported();
    ASSERT_TRUE(model.contains("w")) << model;
    const CliResult predicted = cli({"predict", "run", "new.csv", "--out", "p.csv"});
    ASSERT_EQ(predicted.status, 0) << predicted.err;
    const auto p = table("p.csv");
    for (std::size_t i = 0; i < 4; ++i) {
        const double f = dot(model["w"], scaled(kFreshRows[i], model));
        EXPECT_NEAR(std::stod(p[i + 1][1]), f, 1e-9 * (1 + std::abs(f)));
        EXPECT_EQ(p[i + 1][2], f > 0 ? "x" : "y");
    }
}

TEST_F(Exports, PredictFollowsTheFormulaOfPu) {
    run(R"("family": "pu", "problem": {"positive": "x", "labelled_count": 2, "kernel": "linear"},
           "lanes": [{"name": "none", "bounds": []}])");
    const Json model = exported();
    ASSERT_TRUE(model.contains("w") && model.contains("b")) << model;
    const CliResult predicted = cli({"predict", "run", "new.csv", "--out", "p.csv"});
    ASSERT_EQ(predicted.status, 0) << predicted.err;
    const auto p = table("p.csv");
    for (std::size_t i = 0; i < 4; ++i) {
        const double f = dot(model["w"], scaled(kFreshRows[i], model)) + model["b"].get<double>();
        EXPECT_NEAR(std::stod(p[i + 1][1]), f, 1e-9 * (1 + std::abs(f)));
        EXPECT_EQ(p[i + 1][2], f > 0 ? "positive" : "negative");
    }
}

TEST_F(Exports, SayWhatTheyCannotDo) {
    run(kMetric);
    write(scratch("pairs"), "0 1\n2 4\n");
    write(scratch("narrow.csv"), "a,class\n1,x\n2,y\n");
    for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
             {"export", "run", "--out", "model"},
             {"export", "run", "--out", "model.npz", "--lane", "none"},
             {"export", "run", "--out", "model.npz", "--point", "99"},
             {"export", "run", "--out", "model.npz", "--point", "first"},
             {"export", "run", "--out", "e.json"},
             {"export", "nothing", "--out", "model.npz"},
             {"export", "run", "--out", "nowhere/model.npz"},
             {"transform", "run", "new.csv", "--pairs", "pairs", "--out", "d.csv"},
             {"transform", "run", "narrow.csv", "--out", "d.csv"},
             {"predict", "run", "narrow.csv"},
             {"predict", "run", "new.csv", "--point", "99"},
         }) {
        const CliResult result = cli(arguments);
        EXPECT_EQ(result.status, 2) << arguments.back() << result.err;
        EXPECT_FALSE(result.err.empty());
    }
    ASSERT_EQ(cli({"run", "eurodist-dimensions", "--out", "run", "--force", "--library", "none", "--set",
                   "path.epochs=2", "--set", "path.kind=epochs"})
                  .status,
              0);
    const CliResult none = cli({"transform", "run", "--out", "d.csv"});
    EXPECT_EQ(none.status, 2);
    EXPECT_NE(none.err.find("learned no metric"), std::string::npos) << none.err;
}

TEST_F(Exports, RunsGoFromOneLibraryToAnother) {
    write(scratch("e.json"), R"({"data": {"source": "train.csv"}, )" + std::string(kMetric) + "}");
    ASSERT_EQ(cli({"run", "e.json", "--out", "run", "--save-solutions"}).status, 0);
    ASSERT_EQ(cli({"verify", "run"}).status, 0);
    const CliResult out = cli({"runs", "export", "1", "home/taken"});
    ASSERT_EQ(out.status, 0) << out.err;
    EXPECT_EQ(out.out, "1: home/taken\n");
    for (const char* file : {"naive/path.csv", "PGB/path.csv", "PGB/dynamic.csv"}) {
        EXPECT_EQ(contents(scratch("home/taken") / file), contents(scratch("run") / file)) << file;
    }
    EXPECT_EQ(cli({"compare", "home/taken", "--csv"}).out, cli({"compare", "run", "--csv"}).out);
    EXPECT_EQ(cli({"verify", "home/taken"}).status, 0) << "it is computed again from what run.json says";
    const CliResult in = cli({"runs", "import", "home", "--library", "other.sqlite"});
    EXPECT_EQ(in.status, 0) << in.err;
    EXPECT_NE(in.out.find("home: 1 taken into the library (the last is 1), 0 were there already"), std::string::npos)
        << in.out;
    // A study's cells.
    write(scratch("study.json"), R"({"name": "two k", "experiment": {"data": {"source": "train.csv"}, )" +
                                     std::string(kMetric) +
                                     R"(}, "axes": [{"field": "problem.k", "values": [1, 2]}]})");
    ASSERT_EQ(cli({"sweep", "study.json", "--out", "s"}).status, 0);
    const CliResult cells = cli({"runs", "import", "s"});
    EXPECT_NE(cells.out.find("s: 2 taken into the library"), std::string::npos) << cells.out << cells.err;
    EXPECT_EQ(Json::parse(cli({"runs", "list", "tag:two-k", "--json"}).out).size(), 2U);
    EXPECT_NE(cli({"runs", "import", "s"}).out.find("s: 0 taken into the library, 2 were there already"),
              std::string::npos);
    const CliResult several = cli({"runs", "export", "2", "3", "several"});
    EXPECT_NE(several.out.find("\n3: several/3-two-k-k-2\n"), std::string::npos) << several.out << several.err;
    EXPECT_EQ(cli({"compare", "several/3-two-k-k-2"}).status, 0);
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
             {"import"}, {"import", "nothing"}, {"export", "1"}, {"export", "99", "x"}, {"export", "1", "run"}}) {
        std::vector<std::string> arguments = {"runs"};
        arguments.insert(arguments.end(), words.begin(), words.end());
        const CliResult refused = cli(arguments);
        EXPECT_EQ(refused.status, 2) << words.back();
        EXPECT_FALSE(refused.err.empty());
    }
}

} // namespace
} // namespace lambdascope
