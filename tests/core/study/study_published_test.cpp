// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/families.h"
#include "core/study/study_published.h"
#include "core/study/study_tables.h"

#include <gtest/gtest.h>

namespace lambdascope {
namespace {

Result<Study> studyWith(const std::string& published) {
    const auto document = parseJsonDocument(R"({"name": "small", "experiment": {"family": "metric",
        "data": {"source": "iris"}, "problem": {"k": 3}, "lanes": [{"name": "naive", "bounds": []}, {"name": "PGB"}]},
        "axes": [{"field": "data.source", "values": ["iris", "wine"]}, {"field": "problem.gamma", "values": [0.05, 0.1]},
                 {"seeds": 2}], "published": )" +
                                                published + "}",
                                            "study.json");
    return readStudy(*document, {}, builtInCatalog(), {});
}

/// All cells finished: the error is 0.1 of the seed, more by 1 on wine, and by 10 with γ = 0.1; by 100 of PGB.
StudyResults resultsOf(Study study) {
    StudyResults results;
    auto cells = studyCells(study, builtInCatalog());
    EXPECT_TRUE(cells) << cells.error().describe();
    results.study = std::move(study);
    results.cells = std::move(*cells);
    for (const StudyCell& cell : results.cells) {
        CellStatus& status = results.states.emplace_back();
        status.state = CellState::Finished;
        const double error = static_cast<double>(cell.choices[0]) + 10 * static_cast<double>(cell.choices[1]) +
                             0.1 * static_cast<double>(cell.choices[2] + 1);
        for (const char* lane : {"naive", "PGB"}) {
            LaneResult result;
            result.lane = lane;
            result.measures = {{"knn_error", error + (std::string(lane) == "PGB" ? 100 : 0)}};
            status.result.lanes.push_back(std::move(result));
        }
    }
    return results;
}

const char* const kNumbers = R"([
    {"label": "both", "value": 0.5, "measure": "knn_error", "lane": "PGB", "source": "[T, table 9]", "note": "other rows",
     "where": {"data.source": "wine", "problem.gamma": 0.1}},
    {"label": "two are meant", "value": 1, "measure": "knn_error", "lane": "naive", "where": {"data.source": "iris"}},
    {"label": "no such measure", "value": 1, "measure": "beauty", "lane": "naive",
     "where": {"data.source": "iris", "problem.gamma": 0.05}},
    {"label": "no such value", "value": 1, "measure": "knn_error", "lane": "naive",
     "where": {"data.source": "digits", "problem.gamma": 0.05}}])";

TEST(StudyPublished, StandsBesideTheMeanOfTheCombinationThatItNames) {
    auto study = studyWith(kNumbers);
    ASSERT_TRUE(study) << study.error().describe();
    const auto comparisons = compareStudyPublished(resultsOf(std::move(*study)));
    ASSERT_EQ(comparisons.size(), 4U);
    ASSERT_TRUE(comparisons[0].ours);
    EXPECT_DOUBLE_EQ(comparisons[0].ours->mean, 111.15) << "over both seeds";
    EXPECT_EQ(comparisons[0].published.note, "other rows");
    EXPECT_EQ(comparisons[0].published.value, 0.5);
    for (std::size_t i = 1; i < comparisons.size(); ++i) {
        EXPECT_FALSE(comparisons[i].ours) << comparisons[i].published.label;
    }
}

TEST(StudyPublished, AStudysFolderKeepsThem) {
    auto study = studyWith(kNumbers);
    ASSERT_TRUE(study) << study.error().describe();
    const auto document = parseJsonDocument(study->document("1").dump(), "study.json");
    const auto again = readStudy(*document, {}, builtInCatalog(), {});
    ASSERT_TRUE(again) << again.error().describe();
    EXPECT_EQ(writeStudyPublished(again->published), writeStudyPublished(study->published));
    EXPECT_EQ(again->published.size(), 4U);
    EXPECT_FALSE(studyWith("[]")->document("1").contains("published"));
}

TEST(StudyPublished, FaultsAreToldTogether) {
    const auto study = studyWith(R"([{"label": 3, "value": "0.5", "measure": "knn_error", "where": {"problem.k": 3},
                                      "colour": "red"}, 7])");
    ASSERT_FALSE(study);
    const std::string text = study.error().describe();
    for (const char* part :
         {"published[0].label", "published[0].value", "published[0].lane", "missing", "published[0].where.problem.k",
          "no field of an axis", "published[0].colour", "published[1]"}) {
        EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
    }
    EXPECT_FALSE(studyWith("3"));
}

} // namespace
} // namespace lambdascope
