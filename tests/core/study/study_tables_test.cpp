// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/random_stream.h"
#include "core/families.h"
#include "core/store/run_folder.h"
#include "core/study/cell_run.h"
#include "core/study/study_tables.h"
#include "tests/core/store/scratch_folder.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <sstream>

namespace lambdascope {
namespace {

namespace fs = std::filesystem;

TEST(SeedStatistics, QuantilesInterpolateBetweenSortedValues) {
    const SeedStatistics s = seedStatistics({4, 1, 3, 2});
    EXPECT_EQ(s.mean, 2.5);
    EXPECT_EQ(s.median, 2.5);
    EXPECT_EQ(s.lowerQuartile, 1.75);
    EXPECT_EQ(s.upperQuartile, 3.25);
    EXPECT_EQ(seedStatistics({7, 1, 5}).median, 5);
}

TEST(SeedStatistics, OneValueHasNoInterval) {
    const SeedStatistics s = seedStatistics({3});
    EXPECT_EQ(s.mean, 3);
    EXPECT_EQ(s.upperQuartile, 3);
    EXPECT_FALSE(s.low || s.high);
}

TEST(SeedStatistics, OrderDoesNotMatter) {
    const SeedStatistics a = seedStatistics({0.1, 0.7, 0.2, 0.4, 0.9});
    const SeedStatistics b = seedStatistics({0.9, 0.2, 0.1, 0.4, 0.7});
    EXPECT_EQ(a.mean, b.mean);
    EXPECT_EQ(a.low, b.low);
    EXPECT_EQ(a.high, b.high);
}

TEST(SeedStatistics, HugeTinyAndEqualValues) {
    for (const double scale : {1e308, 1e-310, 1.0}) {
        const SeedStatistics s = seedStatistics(std::vector<double>(7, scale));
        EXPECT_DOUBLE_EQ(s.mean, scale);
        EXPECT_EQ(s.low, scale);
        EXPECT_EQ(s.high, scale);
    }
}

/// Intervals of normal samples: their half width is 1.96 standard errors, and 95 % of them hold the mean (a little less
/// for few values: percentile intervals are narrow by √((n − 1)/n)).
TEST(SeedStatistics, IntervalsHoldTheMeanAsOftenAsTheySay) {
    RandomStream random(3);
    constexpr int kSamples = 300;
    constexpr std::size_t kValues = 30;
    int holds = 0;
    double width = 0;
    for (int sample = 0; sample < kSamples; ++sample) {
        std::vector<double> values(kValues);
        std::generate(values.begin(), values.end(), [&] { return 5 + random.normal(); });
        const SeedStatistics s = seedStatistics(values);
        holds += *s.low <= 5 && 5 <= *s.high ? 1 : 0;
        width += (*s.high - *s.low) / 2 / kSamples;
    }
    EXPECT_NEAR(width, 1.96 / std::sqrt(double{kValues}), 0.02);
    EXPECT_GE(holds, 0.89 * kSamples);
    EXPECT_LE(holds, 0.98 * kSamples);
}

Study smallStudy(const std::string& axes) {
    const auto document = parseJsonDocument(R"({"name": "small", "experiment": {"family": "metric",
        "data": {"source": "iris", "subset": 0.5}, "problem": {"k": 3}, "path": {"max_points": 4},
        "lanes": [{"name": "naive", "bounds": []}, {"name": "PGB", "bounds": ["PGB"]}]}, "axes": )" +
                                                axes + "}",
                                            "study.json");
    auto study = readStudy(*document, {}, builtInCatalog(), {});
    EXPECT_TRUE(study) << study.error().describe();
    return std::move(*study);
}

using Table = std::vector<std::map<std::string, std::string>>;

/// Rows by title; no cell of these tests has commas in it.
Table tableOf(const std::string& text) {
    std::istringstream lines(text);
    const auto cellsOf = [](const std::string& line) {
        std::vector<std::string> cells;
        std::istringstream stream(line + ",");
        for (std::string cell; std::getline(stream, cell, ',');) {
            cells.push_back(cell.ends_with('\r') ? cell.substr(0, cell.size() - 1) : cell);
        }
        return cells;
    };
    std::string line;
    std::getline(lines, line);
    const std::vector<std::string> titles = cellsOf(line);
    Table table;
    while (std::getline(lines, line)) {
        const std::vector<std::string> cells = cellsOf(line);
        EXPECT_EQ(cells.size(), titles.size()) << line;
        auto& row = table.emplace_back();
        for (std::size_t k = 0; k < std::min(titles.size(), cells.size()); ++k) {
            row[titles[k]] = cells[k];
        }
    }
    return table;
}

class StudyFolder : public testing_support::ScratchFolder {
  protected:
    StudyFolder() : m_study(smallStudy(R"([{"field": "problem.k", "values": [2, 3]}, {"seeds": 3}])")) {
        m_cells = *studyCells(m_study, builtInCatalog());
        EXPECT_TRUE(checkStudyFolder(scratch("s")));
        EXPECT_TRUE(openStudyFolder(scratch("s"), m_study, "1"));
    }
    Result<void> compute(std::size_t number) {
        return runCell(scratch("s"), scratch("s") / "work" / std::to_string(number), m_study, number, builtInCatalog(),
                       builtInFamilies(), {}, LAMBDASCOPE_TEST_SOURCE_DIR "/resources/datasets", "1");
    }
    void fail(std::size_t number, const std::string& why) {
        write(scratch("why.log"), why);
        EXPECT_TRUE(failCell(scratch("s"), scratch("s") / "work" / "x", scratch("why.log"), m_cells[number]));
    }
    [[nodiscard]] StudyResults results() const { return readStudyResults(scratch("s"), m_study, m_cells); }

    Study m_study;
    std::vector<StudyCell> m_cells;
};

TEST_F(StudyFolder, ACellIsARunFolderThatIsMovedWhenItIsWhole) {
    ASSERT_TRUE(compute(1));
    const fs::path place = scratch("s") / "cells" / m_cells[1].name;
    const auto summary = readRunSummary(place);
    ASSERT_TRUE(summary) << summary.error().describe();
    EXPECT_EQ((*summary)["state"], "finished");
    EXPECT_EQ((*summary)["experiment"]["data"]["seed"], 2);
    EXPECT_TRUE(fs::is_empty(scratch("s") / "work"));
    const CellStatus status = readCellStatus(scratch("s"), m_cells[1]);
    ASSERT_EQ(status.state, CellState::Finished);
    ASSERT_EQ(status.result.lanes.size(), 2U);
    EXPECT_EQ(status.result.lanes[1].lane, "PGB");
    EXPECT_EQ(status.result.lanes[1].points, 4);
    EXPECT_GT(status.result.bytes, 1e6);
    // What the tables keep is what the run folder says.
    const auto records = readRunFolder(place);
    ASSERT_TRUE(records);
    const std::vector<LaneResult> lanes = laneResults(*records);
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
        ASSERT_EQ(lanes[lane].measures.size(), status.result.lanes[lane].measures.size());
        for (std::size_t m = 0; m < lanes[lane].measures.size(); ++m) {
            const LaneMeasure& measure = lanes[lane].measures[m];
            EXPECT_EQ(status.result.lanes[lane].measures[m].key, measure.key);
            if (measure.key != "wall") { // the log rounds nothing, but the sum over points is not the run's end
                EXPECT_EQ(status.result.lanes[lane].measures[m].value, measure.value) << measure.key;
            }
        }
    }
}

TEST_F(StudyFolder, ADamagedCellIsComputedAgain) {
    ASSERT_TRUE(compute(0));
    const fs::path file = scratch("s") / "cells" / m_cells[0].name / "cell.json";
    for (const char* damage : {"", "{", "{}", R"({"seconds": 1, "cpu": 1, "bytes": 1, "lanes": [{"lane": 2}]})"}) {
        write(file, damage);
        EXPECT_EQ(readCellStatus(scratch("s"), m_cells[0]).state, CellState::Missing) << damage;
        ASSERT_TRUE(compute(0));
        EXPECT_EQ(readCellStatus(scratch("s"), m_cells[0]).state, CellState::Finished);
    }
}

TEST_F(StudyFolder, AFailedCellSaysWhyUntilItIsFinished) {
    fail(2, "first line\nno memory\n");
    CellStatus status = readCellStatus(scratch("s"), m_cells[2]);
    EXPECT_EQ(status.state, CellState::Failed);
    EXPECT_EQ(status.failure, "first line\nno memory");
    fail(2, "again\n");
    EXPECT_EQ(readCellStatus(scratch("s"), m_cells[2]).failure, "again");
    ASSERT_TRUE(compute(2));
    EXPECT_EQ(readCellStatus(scratch("s"), m_cells[2]).state, CellState::Finished);
    EXPECT_TRUE(fs::is_empty(scratch("s") / "failed"));
}

TEST_F(StudyFolder, DataThatAreNotThereFailTheCell) {
    m_study.experiment["data"]["source"] = "nothing.csv";
    const auto done = compute(0);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, ErrorCode::FileNotFound);
    EXPECT_FALSE(fs::exists(scratch("s") / "work" / "0"));
}

TEST_F(StudyFolder, FoldersOfOthersAreLeftAlone) {
    fs::create_directories(scratch("other"));
    write(scratch("other") / "letter.txt", "x");
    EXPECT_FALSE(checkStudyFolder(scratch("other")));
    write(scratch("file"), "x");
    EXPECT_FALSE(checkStudyFolder(scratch("file")));
    EXPECT_TRUE(checkStudyFolder(scratch("s")));
    const auto lock = lockStudyFolder(scratch("new"));
    EXPECT_TRUE(lock) << "as if killed right after";
    EXPECT_TRUE(checkStudyFolder(scratch("new")));
    EXPECT_FALSE(lockStudyFolder(scratch("new"))) << "one at a time";
    write(scratch("new") / "study.json.part", "{");
    EXPECT_TRUE(checkStudyFolder(scratch("new"))) << "as if killed while it wrote its first file";
    write(scratch("new") / "letter.txt", "x");
    EXPECT_FALSE(checkStudyFolder(scratch("new")));
}

TEST_F(StudyFolder, TablesHaveARowPerCellOrCombinationAndLane) {
    for (const std::size_t number : {0U, 1U, 2U, 4U}) {
        ASSERT_TRUE(compute(number));
    }
    fail(3, "out of luck\nmore\n");
    const StudyResults all = results();
    const Table cells = tableOf(cellsTable(all));
    ASSERT_EQ(cells.size(), 12U);
    EXPECT_EQ(cells[1].at("cell"), m_cells[0].name);
    EXPECT_EQ(cells[1].at("problem.k"), "2");
    EXPECT_EQ(cells[3].at("seed"), "2");
    EXPECT_EQ(cells[3].at("lane"), "PGB");
    EXPECT_EQ(cells[3].at("state"), "finished");
    EXPECT_EQ(cells[3].at("points"), "4");
    EXPECT_EQ(cells[6].at("state"), "failed");
    EXPECT_EQ(cells[6].at("ended"), "out of luck");
    EXPECT_EQ(cells[10].at("state"), "missing");
    EXPECT_EQ(cells[10].at("objective"), "");
    const Table rows = tableOf(studyTable(all));
    ASSERT_EQ(rows.size(), 4U);
    EXPECT_EQ(rows[1].at("problem.k"), "2");
    EXPECT_EQ(rows[1].at("lane"), "PGB");
    EXPECT_EQ(rows[1].at("cells"), "3");
    EXPECT_EQ(rows[2].at("cells"), "1");
    EXPECT_EQ(rows[2].at("failed"), "1");
    EXPECT_EQ(rows[2].at("missing"), "1");
    EXPECT_FALSE(rows[1].contains("seed"));
    // By hand, from the other table.
    std::vector<double> objectives;
    for (const std::size_t row : {1U, 3U, 5U}) {
        objectives.push_back(std::stod(cells[row].at("objective")));
    }
    std::sort(objectives.begin(), objectives.end());
    EXPECT_EQ(std::stod(rows[1].at("objective_median")), objectives[1]);
    EXPECT_DOUBLE_EQ(std::stod(rows[1].at("objective_mean")),
                     std::accumulate(objectives.begin(), objectives.end(), 0.0) / 3);
    EXPECT_LE(std::stod(rows[1].at("objective_low")), std::stod(rows[1].at("objective_mean")));
    EXPECT_GE(std::stod(rows[1].at("objective_high")), std::stod(rows[1].at("objective_mean")));
    EXPECT_GE(std::stod(rows[1].at("objective_low")), objectives.front());
    EXPECT_EQ(rows[2].at("objective_low"), "") << "one seed has no interval";
}

TEST(StudyTables, AMeasureThatOnlySomeSeedsHaveIsLeftOut) {
    StudyResults results{smallStudy(R"([{"seeds": 2}])"), {}, {}};
    results.cells = *studyCells(results.study, builtInCatalog());
    results.states.resize(2);
    for (std::size_t i = 0; i < 2; ++i) {
        results.states[i].state = CellState::Finished;
        results.states[i].result.lanes = {
            {"naive", "path ended", "", 3, {{"objective", 2.0 + static_cast<double>(i)}}}};
    }
    results.states[1].result.lanes[0].measures.insert(results.states[1].result.lanes[0].measures.begin(),
                                                      {"test_error", 0.5});
    const std::vector<StudyRow> rows = studyRows(results);
    const std::vector<StudyRow> some = studyRows(results, "objective");
    ASSERT_EQ(some.size(), rows.size());
    for (std::size_t r = 0; r < rows.size(); ++r) {
        EXPECT_EQ(some[r].values, rows[r].values);
        ASSERT_LE(some[r].measures.size(), 1U);
        if (rows[r].measures.contains("objective")) {
            EXPECT_EQ(some[r].measures.at("objective").low, rows[r].measures.at("objective").low);
        }
    }
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].measures.at("objective").mean, 2.5);
    EXPECT_FALSE(rows[0].measures.contains("test_error"));
    EXPECT_EQ(rows[1].finished, 0U) << "a lane that no cell has";
    EXPECT_EQ(measureKeys(results), (std::vector<std::string>{"test_error", "objective"}));
}

} // namespace
} // namespace lambdascope
