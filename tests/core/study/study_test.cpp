// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/families.h"
#include "core/study/study.h"
#include "core/study/study_cells.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

namespace lambdascope {
namespace {

const char* const kExperiment = R"({"family": "metric", "name": "base", "data": {"source": "iris", "seed": 9},
  "problem": {"k": 4}, "lanes": [{"name": "naive", "bounds": []}, {"name": "PGB", "bounds": ["PGB"]}],
  "published": [{"label": "triplets", "value": 1, "source": "[T]", "measure": "fact triplets"}]})";

Result<NamedExperiment> lookup(const std::string& name) {
    if (name != "base") {
        return Failure{singleFault(ErrorCode::FileNotFound, {{}, "no experiment " + name, "Name another.", {}})};
    }
    return NamedExperiment{*parseJsonDocument(kExperiment, "base.json"), "/presets"};
}

Result<Study> read(const std::string& text) {
    return readStudy(*parseJsonDocument(text, "study.json"), "/here", builtInCatalog(), lookup);
}

/// A study of axes in the order of the text.
Study studyOf(const std::string& axes) {
    auto study = read(R"({"name": "s", "experiment": "base", "axes": )" + axes + "}");
    EXPECT_TRUE(study) << study.error().describe();
    return study ? std::move(*study) : Study();
}

/// Faults of a study with these axes, as people read them.
std::string faultsOf(const std::string& axes) {
    const auto study = read(R"({"name": "s", "experiment": "base",
"axes": )" + axes + "}");
    return study ? "" : study.error().describe();
}

std::vector<double> numbersOf(const StudyAxis& axis) {
    std::vector<double> numbers;
    for (const std::vector<Json>& value : axis.values) {
        numbers.push_back(value.front().get<double>());
    }
    return numbers;
}

TEST(Study, HasACellForEveryCombinationTheLastAxisTurningFastest) {
    const Study study = studyOf(R"([{"field": "problem.k", "values": [3, 5]}, {"seeds": 3}])");
    EXPECT_EQ(study.cellCount(), 6U);
    const auto cells = studyCells(study, builtInCatalog());
    ASSERT_TRUE(cells) << cells.error().describe();
    ASSERT_EQ(cells->size(), 6U);
    EXPECT_EQ(cells->at(1).label, "k = 3, seed = 2");
    EXPECT_EQ(cells->at(4).choices, (std::vector<std::size_t>{1, 1}));
    EXPECT_EQ(cells->at(2).combination, cells->at(0).combination);
    EXPECT_NE(cells->at(3).combination, cells->at(0).combination);
    EXPECT_EQ(cells->at(0).laneNames, (std::vector<std::string>{"naive", "PGB"}));
}

TEST(Study, SetsEveryFieldOfACell) {
    const Study study = studyOf(R"([{"fields": ["data.source", "problem.k"], "values": [["iris", 3], ["wine", 7]]},
                                    {"field": "lanes[1].every", "values": [2]},
                                    {"field": "lanes[1].solver.tolerance", "values": [1e-3]}, {"seeds": [5]}])");
    const auto experiment = cellExperiment(study, {1, 0, 0, 0}, builtInCatalog());
    ASSERT_TRUE(experiment) << experiment.error().describe();
    const Json& document = (*experiment)->document;
    EXPECT_EQ(document["data"]["source"], "wine");
    EXPECT_EQ(document["problem"]["k"], 7);
    EXPECT_EQ(document["lanes"][1]["every"], 2);
    EXPECT_EQ(document["lanes"][1]["solver"]["tolerance"], 1e-3);
    EXPECT_EQ((*experiment)->data.seed, 5U) << "seeds set all that the experiment has";
    EXPECT_EQ((*experiment)->run.seed, 5U);
    EXPECT_EQ((*experiment)->name, "s: source = wine, k = 7, every = 2, tolerance = 0.001, seed = 5");
    EXPECT_FALSE(document.contains("published")) << "the paper's numbers are of one experiment";
}

TEST(Study, RangesGoFromEndToEnd) {
    EXPECT_EQ(numbersOf(studyOf(R"([{"field": "path.ratio", "from": 0.1, "to": 0.5, "count": 5}])").axes[0]),
              (std::vector<double>{0.1, 0.2, 0.3, 0.4, 0.5}));
    EXPECT_EQ(
        numbersOf(
            studyOf(R"([{"field": "problem.gamma", "from": 0.001, "to": 1, "count": 4, "scale": "log"}])").axes[0]),
        (std::vector<double>{0.001, 0.01, 0.1, 1}));
    EXPECT_EQ(
        numbersOf(studyOf(R"([{"field": "problem.k", "from": 2, "to": 20, "count": 4, "scale": "log"}])").axes[0]),
        (std::vector<double>{2, 4, 9, 20}))
        << "whole numbers where the field takes no others";
}

TEST(Study, LeavesOutDataThatAreNotThereWhereAnAxisSaysSo) {
    const auto folder = std::filesystem::path(LAMBDASCOPE_TEST_BINARY_DIR) / "absent-data";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "mine.csv") << "1,2,a\n";
    Study study = studyOf(R"([{"fields": ["problem.k", "data.source"], "optional": true, "values": [[3, "iris"],
        [4, "there/none.csv"], [5, "mine.csv"], [6, "toy:two-moons"], [7, "../none.libsvm.gz"]]}, {"seeds": 2}])");
    study.folders = {"/nowhere", folder};
    EXPECT_EQ(study.cellCount(), 10U);
    const auto absent = leaveOutAbsentData(study);
    ASSERT_TRUE(absent) << absent.error().describe();
    EXPECT_EQ(*absent, (std::vector<std::string>{"there/none.csv", "../none.libsvm.gz"}));
    EXPECT_EQ(numbersOf(study.axes[0]), (std::vector<double>{3, 5, 6}));
    EXPECT_EQ(study.cellCount(), 6U);

    Study strict = studyOf(R"([{"field": "data.source", "values": ["iris", "none.csv"]}])");
    EXPECT_TRUE(leaveOutAbsentData(strict)->empty());
    EXPECT_EQ(strict.cellCount(), 2U) << "elsewhere a file that is not there is a fault";
    Study empty = studyOf(R"([{"field": "data.source", "optional": true, "values": ["none.csv"]}])");
    const auto nothing = leaveOutAbsentData(empty);
    ASSERT_FALSE(nothing);
    EXPECT_NE(nothing.error().describe().find("none.csv"), std::string::npos) << nothing.error().describe();
    EXPECT_NE(nothing.error().describe().find("axes[0]"), std::string::npos) << nothing.error().describe();
    std::filesystem::remove_all(folder);
}

TEST(Study, ReadsWhatItWrites) {
    Study study = studyOf(R"([{"fields": ["data.source", "problem.k"], "values": [["iris", 3], ["wine", 7]]},
                                    {"field": "problem.gamma", "from": 0.1, "to": 0.3, "count": 3}, {"seeds": 2}])");
    EXPECT_FALSE(study.document("1.0").contains("measure"));
    study.measure = "recall";
    const Json document = study.document("1.0");
    const auto again = readStudy({document, {}}, "/elsewhere", builtInCatalog(), lookup);
    ASSERT_TRUE(again) << again.error().describe();
    EXPECT_EQ(again->measure, "recall");
    EXPECT_EQ(again->document("1.0"), document);
    EXPECT_EQ(again->folders, study.folders) << "data are looked for where they were";
    const auto cells = studyCells(study, builtInCatalog());
    const auto same = studyCells(*again, builtInCatalog());
    ASSERT_TRUE(cells && same);
    for (std::size_t i = 0; i < cells->size(); ++i) {
        EXPECT_EQ(cells->at(i).name, same->at(i).name);
    }
}

TEST(Study, CellsOfOneExperimentHaveOneNameWhateverTheStudy) {
    const auto nameOf = [](const std::string& axes, std::size_t number) {
        const Study study = studyOf(axes);
        return studyCells(study, builtInCatalog())->at(number).name;
    };
    const std::string name = nameOf(R"([{"field": "problem.k", "values": [3, 5]}])", 1);
    EXPECT_EQ(nameOf(R"([{"field": "problem.k", "values": [2, 3, 5]}])", 2), name) << "a longer axis";
    auto renamed = read(R"({"name": "other", "experiment": "base",
                            "axes": [{"field": "problem.k", "values": [5]}]})");
    EXPECT_EQ(studyCells(*renamed, builtInCatalog())->at(0).name, name) << "another name of the study";
    EXPECT_NE(nameOf(R"([{"field": "problem.k", "values": [4]}])", 0), name);
    renamed->experiment["problem"]["gamma"] = 0.25;
    EXPECT_NE(studyCells(*renamed, builtInCatalog())->at(0).name, name) << "what no axis sets counts as well";
}

TEST(Study, FolderNamesHaveNoCharacterThatTroubles) {
    const Study study =
        studyOf(R"([{"field": "data.source", "values": ["../a b/c?.csv", "toy:two-moons?n=50&noise=0.1"]}])");
    std::set<std::string> names;
    const auto cells = studyCells(study, builtInCatalog());
    ASSERT_TRUE(cells) << cells.error().describe();
    for (const StudyCell& cell : *cells) {
        EXPECT_EQ(cell.name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"),
                  std::string::npos)
            << cell.name;
        EXPECT_NE(cell.name.front(), '.');
        names.insert(cell.name);
    }
    EXPECT_EQ(names.size(), 2U);
}

TEST(StudyFaults, NameAxisPlaceAndRemedy) {
    EXPECT_NE(faultsOf(R"([{"field": "problem.k", "values": []}])").find("study.json:2:33: axes[0].values: is empty"),
              std::string::npos)
        << faultsOf(R"([{"field": "problem.k", "values": []}])");
    const std::string unknown = faultsOf(R"([{"field": "problem.gama", "values": [1]}])");
    EXPECT_NE(unknown.find("axes[0].field"), std::string::npos) << unknown;
    EXPECT_NE(unknown.find("Did you mean \"problem.gamma\"?"), std::string::npos) << unknown;
    EXPECT_NE(faultsOf(R"([{"field": "problem.k", "values": [1]}, {"fields": ["problem.k"], "values": [[2]]}])")
                  .find("axes[1]: the field problem.k stands already in axes[0]"),
              std::string::npos);
    EXPECT_NE(faultsOf(R"([{"field": "data.seed", "values": [1]}, {"seeds": 2}])").find("data.seed"),
              std::string::npos);
    EXPECT_NE(faultsOf(R"([{"field": "lanes[2].every", "values": [1]}])").find("lists 2 lanes"), std::string::npos);
    EXPECT_NE(faultsOf("[]").find("at least one axis"), std::string::npos);
}

TEST(StudyFaults, AreFoundInEveryKindOfAxis) {
    for (const char* bad : {R"([1])",
                            R"([{}])",
                            R"([{"seeds": 0}])",
                            R"([{"seeds": []}])",
                            R"([{"seeds": [1, 1]}])",
                            R"([{"seeds": 1.5}])",
                            R"([{"seeds": 2, "values": [1]}])",
                            R"([{"field": "problem.k"}])",
                            R"([{"field": 3, "values": [1]}])",
                            R"([{"field": "problem.k", "fields": ["problem.k"], "values": [1]}])",
                            R"([{"fields": [], "values": [[]]}])",
                            R"([{"fields": ["problem.k", "data.source"], "values": [[1]]}])",
                            R"([{"field": "problem", "values": [1]}])",
                            R"([{"field": "problem.k", "values": [3, 3]}])",
                            R"([{"field": "k", "values": [3]}])",
                            R"([{"field": "lanes[x].every", "values": [3]}])",
                            R"([{"field": "lanes[0]", "values": [3]}])",
                            R"([{"field": "problem.k", "from": 1, "to": 5}])",
                            R"([{"field": "problem.k", "from": 1, "count": 5}])",
                            R"([{"field": "problem.k", "from": 1, "to": 5, "count": 1}])",
                            R"([{"field": "problem.k", "from": 1, "to": 5, "count": 9}])", // whole numbers come twice
                            R"([{"field": "problem.k", "from": 0, "to": 5, "count": 2, "scale": "log"}])",
                            R"([{"field": "problem.k", "from": 1, "to": 5, "count": 2, "scale": "cubic"}])",
                            R"([{"field": "data.source", "from": 1, "to": 5, "count": 2}])",
                            R"([{"field": "problem.k", "values": [1], "from": 2}])",
                            R"([{"field": "problem.k", "value": [1]}])",
                            R"([{"field": "problem.gamma", "from": 0.01, "to": 1, "count": 300},
                 {"field": "path.ratio", "from": 0.1, "to": 0.9, "count": 300}])",
                            R"({"seeds": 2})"}) {
        EXPECT_NE(faultsOf(bad), "") << bad;
    }
}

TEST(StudyFaults, AllStandTogether) {
    const auto study =
        read(R"({"nam": "s", "experiment": "base", "axes": [{"seeds": 0}, {"field": "a.b", "values": []}]})");
    ASSERT_FALSE(study);
    EXPECT_EQ(study.error().faults.size(), 4U) << study.error().describe();
    EXPECT_FALSE(read(R"({"experiment": "other", "axes": [{"seeds": 2}]})"));
    EXPECT_FALSE(read(R"({"axes": [{"seeds": 2}]})"));
    EXPECT_FALSE(read(R"({"experiment": 3, "axes": [{"seeds": 2}]})"));
    EXPECT_FALSE(read("[]"));
}

TEST(StudyFaults, OfCellsAreToldOnceWithHowManyCellsHaveThem) {
    const Study study = studyOf(R"([{"field": "problem.k", "values": [0, 3, -1]},
                                    {"field": "problem.gamma", "values": [0.1, "x"]}, {"seeds": 2}])");
    const auto cells = studyCells(study, builtInCatalog());
    ASSERT_FALSE(cells);
    const std::string text = cells.error().describe();
    EXPECT_NE(text.find("10 of 12 cells have faults; nothing was run"), std::string::npos) << text;
    EXPECT_EQ(cells.error().faults.size(), 3U) << text;
    EXPECT_NE(text.find("4 cells, the first being k = 0, gamma = 0.1, seed = 1"), std::string::npos) << text;
    EXPECT_NE(text.find("6 cells, the first being k = 0, gamma = x, seed = 1"), std::string::npos) << text;
}

TEST(StudyFaults, OfTheExperimentAreThoseOfAllCells) {
    const auto study = read(R"({"experiment": {"family": "metric", "problem": {"q": 1},
                                               "lanes": [{"name": "naive", "bounds": []}]}, "axes": [{"seeds": 3}]})");
    ASSERT_TRUE(study) << study.error().describe();
    const auto cells = studyCells(*study, builtInCatalog());
    ASSERT_FALSE(cells);
    const std::string text = cells.error().describe();
    EXPECT_NE(text.find("study.json:1:"), std::string::npos) << text;
    EXPECT_NE(text.find("(in all 3 cells)"), std::string::npos) << text;
}

} // namespace
} // namespace lambdascope
