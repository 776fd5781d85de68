// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/json_document.h"
#include "core/families.h"
#include "ui/figures/study_figures.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lambdascope {
namespace {

/// Two lanes over k and source with three seeds, whose error is a known function of all of them.
class StudyFiguresTest : public testing::Test {
  protected:
    static double error(double k, bool isWine, int seed, bool isSecondLane) {
        return 0.1 * k + (isWine ? 1 : 0) + 0.01 * seed + (isSecondLane ? 10 : 0);
    }
    static StudyResults results(const char* axes = R"([{"field": "problem.k", "values": [300, 3, 5]},
            {"field": "data.source", "values": ["iris", "wine"]}, {"seeds": [0, 1, 2]}])") {
        const std::string text = std::string(R"({"name": "made up", "experiment": {"family": "metric",
            "data": {"source": "iris"}, "lanes": [{"name": "naive", "bounds": []},
            {"name": "PGB", "bounds": ["PGB"]}]}, "axes": )") +
                                 axes + "}";
        auto study = readStudy(*parseJsonDocument(text, "made-up.json"), {}, builtInCatalog(), {});
        EXPECT_TRUE(study) << study.error().describe();
        StudyResults made;
        made.cells = *studyCells(*study, builtInCatalog());
        made.study = std::move(*study);
        for (const StudyCell& cell : made.cells) {
            const Validated<Experiment> experiment = *cellExperiment(made.study, cell.choices, builtInCatalog());
            const Json& document = experiment->document;
            CellStatus status;
            status.state = CellState::Finished;
            for (int lane = 0; lane < 2; ++lane) {
                LaneResult result;
                result.lane = lane == 0 ? "naive" : "PGB";
                result.measures = {{"test_error", error(document["problem"]["k"].get<double>(),
                                                        document["data"]["source"].get<std::string>() == "wine",
                                                        static_cast<int>(cell.choices.back()), lane == 1)},
                                   {"cpu", 2.0}};
                status.result.lanes.push_back(std::move(result));
            }
            made.states.push_back(std::move(status));
        }
        return made;
    }
    static const Curve& curve(const CurveFigure& figure, const QString& name) {
        const auto found = std::find_if(figure.curves.begin(), figure.curves.end(),
                                        [&](const Curve& each) { return each.name == name; });
        EXPECT_NE(found, figure.curves.end()) << name.toStdString();
        return *found;
    }
};

TEST_F(StudyFiguresTest, ACurveIsTheMeanOfALaneWithItsIntervalInTheOrderOfValues) {
    const StudyResults made = results();
    EXPECT_EQ(studyAxisNames(made.study), (QStringList{"problem.k", "data.source"}));
    const QStringList titles = studyAxisTitles(made.study);
    ASSERT_EQ(titles.size(), 2);
    EXPECT_EQ(titles[1], "Source");
    EXPECT_FALSE(titles[0].contains("problem.")) << titles[0].toStdString();
    EXPECT_EQ(studyCurves(made, "test_error", 0).x.title, titles[0]) << "the words of the form";
    EXPECT_EQ(studyHeatmap(made, "test_error", 0, 1, "naive").y.title, titles[1]);
    const StudyResults lanes = results(R"([{"field": "lanes[1].every", "values": [5, 10]}])");
    EXPECT_TRUE(studyAxisTitles(lanes.study)[0].endsWith(" of PGB")) << studyAxisTitles(lanes.study)[0].toStdString();
    EXPECT_EQ(studyLaneNames(made), (QStringList{"naive", "PGB"}));
    EXPECT_EQ(studyMeasureKeys(made), (QStringList{"test_error", "cpu"}));
    const CurveFigure figure = studyCurves(made, "test_error", 0);
    ASSERT_EQ(figure.curves.size(), 4);
    const Curve& wine = curve(figure, QStringLiteral("PGB · source = wine"));
    ASSERT_EQ(wine.points.size(), 3);
    const std::vector<double> k = {3, 5, 300};
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(wine.points[i].x(), k[static_cast<std::size_t>(i)]);
        EXPECT_NEAR(wine.points[i].y(), error(k[static_cast<std::size_t>(i)], true, 1, true), 1e-12);
        EXPECT_LT(wine.band[i].low, wine.points[i].y());
        EXPECT_GT(wine.band[i].high, wine.points[i].y());
        EXPECT_GE(wine.band[i].low, error(k[static_cast<std::size_t>(i)], true, 0, true));
    }
    EXPECT_EQ(figure.x.scale, AxisScale::Log) << "values span a factor of 100";
    EXPECT_EQ(studyCurves(made, "test_error", 0, "PGB").curves.size(), 2);
    const Curve& naive = curve(figure, QStringLiteral("naive · source = iris"));
    EXPECT_NE(naive.style.colourIndex, wine.style.colourIndex) << "a colour per lane";
    EXPECT_NE(naive.style.dash, wine.style.dash) << "a dash per combination of the others";
}

TEST_F(StudyFiguresTest, WordsOfAnAxisStandSideBySide) {
    const CurveFigure figure = studyCurves(results(), "test_error", 1, "naive");
    EXPECT_EQ(figure.x.names, (QStringList{"iris", "wine"}));
    const StudyResults files =
        results(R"([{"field": "data.source", "values": ["../data/mine.libsvm.gz", "toy:two-moons?n=9", "iris"]}])");
    EXPECT_EQ(studyCurves(files, "cpu", 0).x.names, (QStringList{"mine", "toy:two-moons?n=9", "iris"}));
    ASSERT_EQ(figure.curves.size(), 3);
    const Curve& three = curve(figure, "k = 3");
    EXPECT_EQ(three.points[0].x(), 0.5);
    EXPECT_EQ(three.points[1].x(), 1.5);
    EXPECT_NEAR(three.points[1].y() - three.points[0].y(), 1, 1e-12);
    EXPECT_EQ(figure.y.unit, "");
    EXPECT_EQ(studyCurves(results(), "cpu", 1).y.unit, "s");
}

TEST_F(StudyFiguresTest, AnAxisOfSeveralFieldsIsToldByThemAllWhereTheFirstIsNotEnough) {
    const StudyResults made = results(R"([{"fields": ["data.source", "problem.k"],
        "values": [["iris", 3], ["wine", 3], ["wine", 5]]}, {"field": "problem.gamma", "values": [0.05, 0.1]}])");
    const CurveFigure along = studyCurves(made, "test_error", 0, "naive");
    EXPECT_EQ(along.x.names.size(), 3) << "values with the same source stand apart";
    ASSERT_EQ(along.curves.size(), 2);
    EXPECT_EQ(along.curves[0].points.size(), 3);
    EXPECT_NEAR(along.curves[0].points[2].y(), error(5, true, 0, false), 1e-12);
    const CurveFigure others = studyCurves(made, "test_error", 1, "naive");
    ASSERT_EQ(others.curves.size(), 3);
    EXPECT_EQ(curve(others, "source = wine, k = 5").points.size(), 2);
    EXPECT_EQ(studyHeatmap(made, "test_error", 0, 1, "naive").values.size(), 6);
    const StudyResults apart = results(R"([{"fields": ["data.source", "problem.k"],
        "values": [["iris", 3], ["wine", 5]]}, {"field": "problem.gamma", "values": [0.05, 0.1]}])");
    EXPECT_EQ(curve(studyCurves(apart, "test_error", 1, "naive"), "source = wine").points.size(), 2);
}

TEST_F(StudyFiguresTest, SeedsAloneShowLanesSideBySide) {
    const StudyResults made = results(R"([{"seeds": [0, 1, 2]}])");
    EXPECT_TRUE(studyAxisNames(made.study).isEmpty());
    const CurveFigure figure = studyCurves(made, "test_error", -1);
    EXPECT_EQ(figure.x.names, (QStringList{"naive", "PGB"}));
    ASSERT_EQ(figure.curves.size(), 1);
    EXPECT_EQ(figure.curves[0].points.size(), 2);
    EXPECT_TRUE(figure.curves[0].band.isEmpty()) << "nothing lies between two lanes";
    EXPECT_EQ(figure.curves[0].style.dash, DashStyle::NoLine);
}

TEST_F(StudyFiguresTest, MissingCellsLeaveGapsAndTheTitleSaysSo) {
    StudyResults made = results();
    for (std::size_t i = 0; i < made.cells.size(); ++i) {
        if (made.cells[i].choices[0] == 1 && made.cells[i].choices[1] == 1) { // k = 3 on wine
            made.states[i] = {};
        }
    }
    const CurveFigure figure = studyCurves(made, "test_error", 0);
    EXPECT_TRUE(figure.title.contains("15 of 18")) << figure.title.toStdString();
    const Curve& wine = curve(figure, QStringLiteral("naive · source = wine"));
    EXPECT_TRUE(std::isnan(wine.points[0].y()));
    EXPECT_FALSE(std::isnan(wine.points[1].y()));
    EXPECT_EQ(wine.band.size(), 2);
    const HeatmapFigure heatmap = studyHeatmap(made, "test_error", 0, 1, "naive");
    EXPECT_TRUE(std::isnan(heatmap.value(1, 1)));
    EXPECT_FALSE(std::isnan(heatmap.value(0, 1)));
}

TEST_F(StudyFiguresTest, AHeatmapHasTheMeanAtEachPairOfValues) {
    const HeatmapFigure figure = studyHeatmap(results(), "test_error", 0, 1, "PGB");
    EXPECT_EQ(figure.xNames, (QStringList{"300", "3", "5"})) << "in the order of the study";
    EXPECT_EQ(figure.yNames, (QStringList{"iris", "wine"}));
    EXPECT_NEAR(figure.value(0, 1), error(3, false, 1, true), 1e-12);
    EXPECT_NEAR(figure.value(1, 2), error(5, true, 1, true), 1e-12);
    EXPECT_TRUE(isEmpty(Figure(studyHeatmap(results(), "test_error", 0, 0, "PGB")))) << "two axes are needed";
}

TEST_F(StudyFiguresTest, AHeatmapAveragesOverFurtherAxes) {
    const StudyResults made = results(R"([{"field": "problem.k", "values": [3, 5]},
        {"field": "problem.gamma", "values": [0.05, 0.1]}, {"field": "data.source", "values": ["iris", "wine"]}])");
    const HeatmapFigure figure = studyHeatmap(made, "test_error", 0, 1, "naive");
    const double mean = (error(3, false, 0, false) + error(3, true, 1, false)) / 2;
    EXPECT_NEAR(figure.value(0, 0), mean, 1e-12);
}

TEST_F(StudyFiguresTest, SmallMultiplesShareTheirScalesAndHaveWhatTheWholeHas) {
    const StudyResults made = results();
    const QList<CurveFigure> panels = studyPanels(made, "test_error", 0, 1);
    ASSERT_EQ(panels.size(), 2);
    EXPECT_EQ(panels[0].title, "source = iris");
    EXPECT_EQ(panels[1].title, "source = wine");
    const CurveFigure whole = studyCurves(made, "test_error", 0);
    for (const CurveFigure& panel : panels) {
        ASSERT_EQ(panel.curves.size(), 2) << "a lane each: the source is said by the panel";
        EXPECT_EQ(panel.y, whole.y);
        EXPECT_EQ(panel.x, whole.x);
        EXPECT_EQ(panel.yRange, panels[0].yRange);
        for (const Curve& lane : panel.curves) {
            const Curve& same = curve(whole, lane.name + QStringLiteral(" · ") + panel.title);
            EXPECT_EQ(lane.points, same.points);
            EXPECT_EQ(lane.band, same.band);
            EXPECT_EQ(lane.style.colourIndex, same.style.colourIndex) << "lanes keep their colours";
            for (const BandPoint& point : lane.band) {
                EXPECT_LT(panel.yRange->low, point.low);
                EXPECT_GT(panel.yRange->high, point.high);
            }
        }
    }
    EXPECT_EQ(studyPanels(made, "test_error", 1, 0, "PGB").size(), 3) << "of one lane";
    EXPECT_EQ(studyPanels(made, "test_error", 1, 0, "PGB").front().curves.size(), 1);
    EXPECT_TRUE(studyPanels(made, "test_error", 0, 0).isEmpty());
    EXPECT_TRUE(studyPanels(made, "test_error", 0, 7).isEmpty());
}

TEST_F(StudyFiguresTest, AnAxisOfOneValueTellsNoCurvesApart) {
    const CurveFigure figure = studyCurves(
        results(
            R"([{"field": "problem.k", "values": [3, 5]}, {"field": "data.source", "values": ["iris"]}, {"seeds": 2}])"),
        "test_error", 0);
    ASSERT_EQ(figure.curves.size(), 2);
    EXPECT_EQ(figure.curves.front().name, "naive");
}

TEST_F(StudyFiguresTest, AFirstLookRunsAlongNumbersWithAChartPerWord) {
    const Study study = results().study;
    const StudyLayout layout = firstLayout(study, 12);
    EXPECT_EQ(studyAxisNames(study)[layout.along], "problem.k");
    EXPECT_EQ(studyAxisNames(study)[layout.by], "data.source");
    EXPECT_EQ(firstLayout(study, 1).by, -1) << "too many";
    Study words = study;
    std::erase_if(words.axes, [](const StudyAxis& axis) { return axis.fields.front() != "data.source"; });
    EXPECT_EQ(firstLayout(words, 12).along, 0);
    EXPECT_EQ(firstLayout(words, 12).by, -1);
    words.axes.clear();
    EXPECT_EQ(firstLayout(words, 12).along, -1);
}

TEST_F(StudyFiguresTest, ValuesOfTwoDecadesAreLogarithmicUnlessOneIsZero) {
    StudyResults made = results();
    EXPECT_EQ(studyCurves(made, "cpu", 0).y.scale, AxisScale::Linear);
    made.states.front().result.lanes.front().measures[1].value = 6000;
    EXPECT_EQ(studyCurves(made, "cpu", 0).y.scale, AxisScale::Log);
    for (CellStatus& status : made.states) {
        status.result.lanes.back().measures[1].value = 0;
    }
    EXPECT_EQ(studyCurves(made, "cpu", 0).y.scale, AxisScale::Linear);
}

} // namespace
} // namespace lambdascope
