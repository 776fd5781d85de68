// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/random_stream.h"
#include "tests/core/store/scratch_folder.h"
#include "tests/integration/cli_process.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <sstream>

namespace lambdascope {
namespace {

using testing_support::CliResult;

/// Thirty points of the plane, answers about them, and a run that embeds them in two lanes.
class PlaceCommand : public testing_support::ScratchFolder {
  protected:
    static constexpr int kObjects = 30;

    void SetUp() override {
        ScratchFolder::SetUp();
        RandomStream random(4);
        for (auto& point : m_points) {
            point = {random.normal(), random.normal()};
        }
        std::string answers = "i,j,k\n";
        for (int count = 0; count < 2500; ++count) {
            const auto i = static_cast<int>(random.below(kObjects));
            answers += answerOf(i, i, random);
        }
        write(scratch("answers.csv"), answers);
        write(scratch("e.json"),
              R"({"family": "ordinal", "name": "plane", "data": {"source": "none"},
                  "problem": {"comparisons": "file", "file": "answers.csv", "dimensions": 2, "model": "STE"},
                  "solver": {"polish": 10, "trials": 2}, "path": {"epochs": 25},
                  "lanes": [{"name": "STE"}, {"name": "SOE", "model": "SOE"}]})");
    }

    /// A triplet of `object`, told under another id, with ids from 1.
    std::string answerOf(int object, int id, RandomStream& random) const {
        int j = object;
        int k = object;
        while (j == k || j == object || k == object) {
            j = static_cast<int>(random.below(kObjects));
            k = static_cast<int>(random.below(kObjects));
        }
        const bool isCloser = distance(object, j) < distance(object, k);
        return std::to_string(id + 1) + "," + std::to_string((isCloser ? j : k) + 1) + "," +
               std::to_string((isCloser ? k : j) + 1) + "\n";
    }
    /// Objects from the middle outwards: answers say little about how far off the outermost are.
    [[nodiscard]] std::vector<int> fromTheMiddle() const {
        std::vector<int> order(kObjects);
        std::iota(order.begin(), order.end(), 0);
        const auto size = [this](int a) {
            const auto& point = m_points[static_cast<std::size_t>(a)];
            return std::hypot(point[0], point[1]);
        };
        std::sort(order.begin(), order.end(), [&](int a, int b) { return size(a) < size(b); });
        return order;
    }
    [[nodiscard]] double distance(int a, int b) const {
        const auto& one = m_points[static_cast<std::size_t>(a)];
        const auto& two = m_points[static_cast<std::size_t>(b)];
        return std::hypot(one[0] - two[0], one[1] - two[1]);
    }

    CliResult cli(const std::vector<std::string>& arguments) { return testing_support::runCli(scratch(""), arguments); }
    void runExperiment() {
        const CliResult run = cli({"run", "e.json", "--out", "out", "--library", "none", "--save-solutions"});
        ASSERT_EQ(run.status, 0) << run.err;
    }

    /// Row `row` of X as the run stored it.
    std::array<double, 2> storedPoint(const std::string& file, int row) {
        std::istringstream lines(contents(scratch(file)));
        std::string line;
        std::getline(lines, line);
        EXPECT_EQ(line, "# X 30 2");
        for (int at = 0; at <= row; ++at) {
            std::getline(lines, line);
        }
        std::array<double, 2> point{};
        EXPECT_EQ(std::sscanf(line.c_str(), "%lf,%lf", &point[0], &point[1]), 2) << line;
        return point;
    }

  private:
    std::array<std::array<double, 2>, kObjects> m_points{};
};

TEST_F(PlaceCommand, PutsObjectsThatAnswerAlikeInOnePlace) {
    runExperiment();
    const std::vector<int> order = fromTheMiddle();
    RandomStream random(5);
    std::string answers = "i,j,k\n";
    for (int count = 0; count < 300; ++count) {
        answers += answerOf(order[0], kObjects + 4, random); // id 35
        answers += answerOf(order[1], kObjects, random);     // id 31
    }
    write(scratch("new.csv"), answers);
    const CliResult placed = cli({"place", "out", "new.csv"});
    ASSERT_EQ(placed.status, 0) << placed.err;
    EXPECT_NE(placed.err.find("lane STE after epoch 25"), std::string::npos) << placed.err;
    std::istringstream lines(placed.out);
    std::string line;
    std::getline(lines, line);
    EXPECT_EQ(line, "object,x1,x2,answers,loss,error");
    const std::pair<int, int> expected[] = {{31, order[1]}, {35, order[0]}};
    for (const auto& [id, model] : expected) {
        std::getline(lines, line);
        int object = 0;
        int count = 0;
        double x = 0;
        double y = 0;
        double loss = 0;
        double error = 0;
        ASSERT_EQ(std::sscanf(line.c_str(), "%d,%lf,%lf,%d,%lf,%lf", &object, &x, &y, &count, &loss, &error), 6)
            << line;
        EXPECT_EQ(object, id);
        EXPECT_EQ(count, 300);
        EXPECT_LE(error, 0.05);
        const auto at = storedPoint("out/STE/solution-25.csv", model);
        const auto other = storedPoint("out/STE/solution-25.csv", order.back());
        EXPECT_LE(std::hypot(x - at[0], y - at[1]), 0.2 * std::hypot(other[0] - at[0], other[1] - at[1]));
    }

    const CliResult again = cli({"place", "out", "new.csv", "--out", "placed.csv"});
    ASSERT_EQ(again.status, 0) << again.err;
    EXPECT_EQ(contents(scratch("placed.csv")), placed.out);
    EXPECT_EQ(cli({"place", "out", "new.csv", "--out", "placed.csv"}).status, 2); // there already
    const CliResult early = cli({"place", "out", "new.csv", "--point", "2", "--lane", "SOE"});
    ASSERT_EQ(early.status, 0) << early.err;
    EXPECT_NE(early.err.find("lane SOE after epoch 2"), std::string::npos) << early.err;
    EXPECT_NE(early.out, placed.out);
}

TEST_F(PlaceCommand, SaysWhatIsWrongWithTheAnswers) {
    runExperiment();
    const auto refusal = [&](const std::string& text, const std::string& part) {
        write(scratch("new.csv"), text);
        const CliResult result = cli({"place", "out", "new.csv"});
        EXPECT_EQ(result.status, 2) << text;
        EXPECT_NE(result.err.find(part), std::string::npos) << result.err;
        EXPECT_TRUE(result.out.empty());
    };
    refusal("i,j,k\n31,1,2\n4,5,6\n7,8,9\n", "(4; 5, 6) speaks of none, and 1 more");
    refusal("i,j,k\n31,1,32\n", "(31; 1, 32) speaks of more than one");
    refusal("i,j,k\n31,1,1\n", "new.csv:2");
    refusal("i,j,k\n31,0,2\n", "new.csv:2"); // the run counts from 1
    refusal("", "new.csv");
    const CliResult missing = cli({"place", "out", "none.csv"});
    EXPECT_EQ(missing.status, 2);
    EXPECT_NE(missing.err.find("none.csv"), std::string::npos) << missing.err;
    write(scratch("new.csv"), "31 1 2\n");
    EXPECT_EQ(cli({"place", "out", "new.csv", "--point", "99"}).status, 2);
    EXPECT_EQ(cli({"place", "out", "new.csv", "--lane", "none"}).status, 2);
    EXPECT_EQ(cli({"place", "nowhere", "new.csv"}).status, 2);
}

TEST_F(PlaceCommand, RefusesRunsThatEmbedNothing) {
    const CliResult run = cli({"run", "iris-six-lanes", "--set", "path.max_points=2", "--set", "data.subset=0.5",
                               "--lanes", "naive", "--out", "metric", "--library", "none"});
    ASSERT_EQ(run.status, 0) << run.err;
    write(scratch("new.csv"), "200 1 2\n");
    const CliResult placed = cli({"place", "metric", "new.csv"});
    EXPECT_EQ(placed.status, 2);
    EXPECT_NE(placed.err.find("embed no objects"), std::string::npos) << placed.err;
    const CliResult path =
        cli({"run", "e.json", "--set", "path.kind=dimensions", "--set", "path.max_dimensions=2", "--set",
             "path.epochs=3", "--lanes", "STE", "--out", "dimensions", "--library", "none"});
    ASSERT_EQ(path.status, 0) << path.err;
    const CliResult none = cli({"place", "dimensions", "new.csv"});
    EXPECT_EQ(none.status, 2);
    EXPECT_NE(none.err.find("path of dimensions"), std::string::npos) << none.err;
}

} // namespace
} // namespace lambdascope
