// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/figures/measured_runs.h"
#include "tests/ui/figures/solution_runs.h"
#include "ui/figures/cost_figures.h"
#include "ui/figures/figure_catalogue.h"
#include "ui/figures/lens_figures.h"
#include "ui/figures/measure_figures.h"
#include "ui/figures/quality_figures.h"
#include "ui/figures/solution_figures.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lambdascope {
namespace {

class LaneFigures : public testing::Test {
  protected:
    std::vector<RunRecord> records = recordsOf(learnedEvents());
    std::vector<ShownRun> runs = shownRuns(records);
};

TEST_F(LaneFigures, BarsOfTheLedgerAddUpToTheCpuOfThePoint) {
    const ShapeFigure figure = ledgerFigure(runs[1]);
    ASSERT_EQ(figure.groups.size(), 2);
    EXPECT_NE(figure.groups[0].hatch, figure.groups[1].hatch); // not colour alone
    ASSERT_EQ(figure.shapes.size(), 10);
    for (int point = 0; point < 5; ++point) {
        const Shape& rule = figure.shapes[2 * point];
        const Shape& other = figure.shapes[2 * point + 1];
        EXPECT_DOUBLE_EQ(rule.y.low, 0);
        EXPECT_DOUBLE_EQ(rule.y.high, other.y.low);
        EXPECT_DOUBLE_EQ(other.y.high, 1); // s per point
        EXPECT_LT(rule.x.low, records[1].points()[static_cast<std::size_t>(point)].axisValue);
        EXPECT_GT(rule.x.high, records[1].points()[static_cast<std::size_t>(point)].axisValue);
        if (point > 0) {
            EXPECT_LT(rule.x.high, figure.shapes[2 * point - 2].x.low) << "bars keep clear of each other";
        }
        EXPECT_TRUE(rule.text.contains("25.0 %")) << rule.text.toStdString();
    }
    EXPECT_EQ(figure.table.rows(), 5);
    EXPECT_EQ(figure.table.numberColumns.size(), 6);
}

TEST_F(LaneFigures, TheLedgerShowsTheBaselineAndWhereScreeningPays) {
    const ShapeFigure lane = ledgerFigure(runs[1]);
    ASSERT_EQ(lane.curves.size(), 1);
    EXPECT_DOUBLE_EQ(lane.curves[0].points[3].y(), 2);
    ASSERT_EQ(lane.marks.size(), 1);
    EXPECT_DOUBLE_EQ(lane.marks[0].value, 8); // half the time from the start
    EXPECT_EQ(breakEvenText(runs[1]), "pays from the start");
    const ShapeFigure baseline = ledgerFigure(runs[0]);
    EXPECT_TRUE(baseline.curves.isEmpty());
    EXPECT_TRUE(baseline.marks.isEmpty());
    EXPECT_EQ(breakEvenText(runs[0]), "baseline");
    // On one scale that shows all of them.
    const double highest = highestCpu(runs);
    EXPECT_GE(highest, 2);
    EXPECT_EQ(ledgerFigure(runs[0], highest).yRange, ledgerFigure(runs[1], highest).yRange);
}

TEST_F(LaneFigures, TheLedgerShowsWhatNoRuleCanDoBetterThan) {
    std::vector<RunEvent> events = tinyEvents({RunId{901}, "plain", true, 5, 6, 0.0, 2.0, true});
    for (const TinyRun& lane : {TinyRun{RunId{902}, "half", false, 5, 3, 0.6, 1.0, true},
                                TinyRun{RunId{903}, "limit of half", false, 5, 3, 0.6, 0.5, true}}) {
        const std::vector<RunEvent> more = tinyEvents(lane);
        events.insert(events.end(), more.begin(), more.end());
    }
    for (RunEvent& event : events) {
        if (auto* start = std::get_if<RunStarted>(&event.body); start != nullptr && event.run == RunId{903}) {
            start->facts["oracle"] = "half";
        }
    }
    const std::vector<RunRecord> lanes = recordsOf(events);
    const std::vector<ShownRun> shown = shownRuns(lanes);
    EXPECT_EQ(shown[0].limit, nullptr);
    EXPECT_EQ(shown[1].limit, &lanes[2]);
    EXPECT_EQ(shown[2].limit, nullptr);
    const ShapeFigure figure = ledgerFigure(shown[1]);
    ASSERT_EQ(figure.curves.size(), 2); // the baseline is the other
    EXPECT_EQ(figure.curves[1].name, "no rule can do better");
    EXPECT_EQ(figure.curves[1].style.dash, DashStyle::Dash);
    ASSERT_EQ(figure.curves[1].points.size(), 5);
    EXPECT_DOUBLE_EQ(figure.curves[1].points[3].y(), 0.5);
}

TEST_F(LaneFigures, ADearLaneIsNotSaidToPay) {
    std::vector<RunEvent> events = tinyEvents({RunId{901}, "plain", true, 5, 6, 0.0, 1.0, true});
    const std::vector<RunEvent> screened = tinyEvents({RunId{902}, "half", false, 5, 3, 0.6, 2.0, true});
    events.insert(events.end(), screened.begin(), screened.end());
    const std::vector<RunRecord> costly = recordsOf(events);
    const ShownRun dear = shownRuns(costly)[1];
    const ShapeFigure figure = ledgerFigure(dear);
    EXPECT_TRUE(figure.marks.isEmpty());
    EXPECT_TRUE(figure.title.contains("costs more than it saves"));
    // Another solver, say, that takes twice as long: there is nothing to be earned back.
    std::erase_if(events, [](const RunEvent& event) { return std::holds_alternative<Screened>(event.body); });
    const std::vector<RunRecord> solvers = recordsOf(events);
    const ShownRun unscreened = shownRuns(solvers)[1];
    EXPECT_EQ(breakEvenText(unscreened), "2 × the time of the baseline");
    EXPECT_TRUE(ledgerFigure(unscreened).marks.isEmpty());
    ShownRun alone = runs[1];
    alone.baseline = nullptr;
    EXPECT_TRUE(breakEvenText(alone).isEmpty());
    EXPECT_TRUE(ledgerFigure(alone).curves.isEmpty());
}

TEST_F(LaneFigures, TheMatrixHasASymmetricRangeAndTheNamesOfFeatures) {
    const HeatmapFigure figure = matrixFigure(runs[1], 2);
    EXPECT_EQ(figure.colours, ColourMap::Diverging);
    ASSERT_EQ(figure.columns(), 2);
    EXPECT_EQ(figure.range, (ValueRange{-6, 6}));
    EXPECT_EQ(figure.value(0, 1), -3);
    EXPECT_EQ(figure.value(1, 1), 3);
    EXPECT_EQ(figure.xNames, (QStringList{"a", "b"}));
    EXPECT_TRUE(figure.y.reversed); // first row on top, as matrices are written
    EXPECT_TRUE(figure.title.contains("λ = 2")) << figure.title.toStdString();
    EXPECT_TRUE(isEmpty(Figure(matrixFigure(runs[1], 99))));
}

TEST_F(LaneFigures, ADiagonalIsShownAsABarPerFeature) {
    const std::vector<RunRecord> diagonal = recordsOf(learnedEvents(3, true));
    const std::vector<ShownRun> shown = shownRuns(diagonal);
    const Figure figure = solutionFigure(shown[1], 1);
    ASSERT_TRUE(std::holds_alternative<ShapeFigure>(figure));
    const ShapeFigure& bars = std::get<ShapeFigure>(figure);
    ASSERT_EQ(bars.shapes.size(), 2);
    EXPECT_EQ(bars.shapes[0].y, (ValueRange{0, 4}));
    EXPECT_TRUE(bars.shapes[1].text.startsWith("Feature b\n2"));
    EXPECT_EQ(bars.table.texts, (QStringList{"a", "b"}));
    EXPECT_TRUE(std::holds_alternative<HeatmapFigure>(solutionFigure(runs[1], 1)));
}

TEST_F(LaneFigures, AxesSayWhatRowsAndColumnsStandFor) {
    EXPECT_EQ(matrixFigure(runs[1], 2).x.title, "Feature");
    std::vector<RunEvent> events = sampleEvents(3, true);
    const auto learn = [&events](const std::string& name, int columns) {
        for (RunEvent& event : events) {
            if (auto* finished = std::get_if<PointFinished>(&event.body)) {
                finished->solution = std::make_shared<const Solution>(Solution{{name, MatrixValues(4, columns, 1)}});
                if (finished->embedding) {
                    auto named = std::make_shared<Embedding>(*finished->embedding);
                    named->names = std::make_shared<const std::vector<std::string>>(
                        std::vector<std::string>{"Oslo", "Rome", "Bern", "Lyon"});
                    finished->embedding = named;
                }
            }
        }
        return recordsOf(events);
    };
    const std::vector<RunRecord> objects = learn("X", 2);
    const HeatmapFigure places = matrixFigure(shownRuns(objects)[1], 1);
    EXPECT_EQ(places.x.title, "Dimension");
    EXPECT_EQ(places.xNames, (QStringList{"1", "2"}));
    EXPECT_EQ(places.y.title, "Object");
    EXPECT_EQ(places.yNames, (QStringList{"Oslo", "Rome", "Bern", "Lyon"}));
    EXPECT_EQ(matrixFigure(shownRuns(objects)[0], 1).yNames.value(0), "1"); // its points have no names
    const std::vector<RunRecord> samples = learn("alpha", 1);
    const ShapeFigure weights = weightsFigure(shownRuns(samples)[1], 1);
    EXPECT_TRUE(weights.title.startsWith(QStringLiteral("α of half")));
    EXPECT_NE(weights.x.title, "Feature");
    EXPECT_EQ(weights.x.names.size(), 4);
}

TEST_F(LaneFigures, TheErrorOnHeldOutRowsHasAMarkWhereItIsLeast) {
    const CurveFigure figure = heldOutFigure(runs);
    ASSERT_EQ(figure.curves.size(), 2);
    EXPECT_TRUE(std::isnan(figure.curves[0].points[0].y())); // a gap, not a zero
    ASSERT_EQ(figure.marks.size(), 1);
    EXPECT_DOUBLE_EQ(figure.marks[0].value, 2);
    const std::vector<RunRecord> without = recordsOf(sampleEvents());
    EXPECT_TRUE(isEmpty(Figure(heldOutFigure(shownRuns(without)))));
}

// Beside the solution of a regression the window said that no rows were held out.
TEST_F(LaneFigures, ARegressionShowsWhatIsMeasuredOfItsHeldOutRows) {
    std::vector<RunEvent> events = judgedEvents();
    for (RunEvent& event : events) {
        if (auto* started = std::get_if<RunStarted>(&event.body)) {
            for (ColumnDescription& column : started->columns) {
                if (column.role == ColumnRole::HeldOutError) {
                    column = {"test_mse", "Mean squared error on held-out rows", "", ColumnRole::OtherMeasure, false};
                } else if (column.role == ColumnRole::HeldOutMeasure) {
                    column = {"r2", "R² on held-out rows", "", ColumnRole::HeldOutMeasure, false};
                }
            }
        }
    }
    const std::vector<RunRecord> fitted = recordsOf(events);
    const CurveFigure figure = heldOutFigure(shownRuns(fitted));
    EXPECT_EQ(figure.curves.size(), 2);
    EXPECT_EQ(figure.title, QStringLiteral("R², held-out"));
    EXPECT_EQ(figure.y.title, QStringLiteral("R²"));
}

TEST_F(LaneFigures, TheCatalogueKnowsThemByName) {
    const QStringList names = figureNames(runs);
    for (const char* name : {"cost:plain", "cost:half", "matrix:plain", "matrix:half", "test-error"}) {
        EXPECT_TRUE(names.contains(name)) << name;
        EXPECT_TRUE(figureByName(runs, name)) << name;
        EXPECT_NE(figureDescription(name), name);
    }
    const auto third = figureByName(runs, "matrix:half@2");
    ASSERT_TRUE(third);
    EXPECT_TRUE(figureTitle(*third).contains("λ = 2"));
    EXPECT_FALSE(figureByName(runs, "matrix:half@x"));
    EXPECT_FALSE(figureByName(runs, "cost:nobody"));
}

TEST_F(LaneFigures, ALaneMayBeCalledLikeAPoint) {
    std::vector<ShownRun> odd = runs;
    odd[1].name = "half@2";
    const auto figure = figureByName(odd, "matrix:half@2", 4);
    ASSERT_TRUE(figure);
    EXPECT_TRUE(figureTitle(*figure).contains("λ = 0.5"));
}

TEST_F(LaneFigures, RangesStandInTheOrderOfThePath) {
    RangeGrid grid;
    grid.references = {8, 4};
    grid.targets = {8, 4, 2};
    const std::vector<double> rates = {1, 0.5, 0.25, std::numeric_limits<double>::quiet_NaN(), 0.75, 0.5};
    grid.rates = MatrixValues(2, 3);
    for (int k = 0; k < 6; ++k) {
        grid.rates(k / 3, k % 3) = rates[static_cast<std::size_t>(k)];
    }
    const HeatmapFigure figure = rangeFigure(runs[1], grid);
    EXPECT_EQ(figure.columns(), 3);
    EXPECT_EQ(figure.rows(), 2);
    EXPECT_EQ(figure.y.title, "Reference λ₀");
    EXPECT_TRUE(figure.title.startsWith("Range-based screening")) << "a lane's name alone said nothing";
    EXPECT_TRUE(figure.title.contains(runs[1].name));
    EXPECT_EQ(figure.value(0, 1), 0.5);
    EXPECT_TRUE(std::isnan(figure.value(1, 0)));
    EXPECT_EQ(figure.range, (ValueRange{0, 1}));
    EXPECT_TRUE(isEmpty(Figure(rangeFigure(runs[1], {}))));
}

BallSlice sampleSlice() {
    BallSlice slice;
    slice.balls = {{"PGB", true, 0.1, 0, 2, 2.5, 0, 0},
                   {"GB", true, 5, 5, 0, 1, 0, 0},
                   {"PGB", true, 0.05, 0, 1, 1.2, 1, 10},
                   {"DGB", false, 0, 0.2, 3, 3, 1, 10}};
    slice.optimumX = 0.2;
    return slice;
}

TEST_F(LaneFigures, BallsShrinkWithTheChecksAndEarlierOnesArePale) {
    const BallSlice slice = sampleSlice();
    EXPECT_EQ(sliceChecks(slice), (std::vector<SliceCheck>{{0, 0}, {1, 10}}));
    const ShapeFigure first = sliceFigure(runs[1], 2, slice, 0, true);
    ASSERT_EQ(first.shapes.size(), 1); // the plane misses the ball of GB
    EXPECT_FALSE(first.shapes[0].isFaint);
    EXPECT_TRUE(first.equalAspect);
    const ShapeFigure all = sliceFigure(runs[1], 2, slice, -1, true);
    ASSERT_EQ(all.shapes.size(), 3);
    EXPECT_TRUE(all.shapes[0].isFaint);
    EXPECT_FALSE(all.shapes[1].isFaint);
    EXPECT_EQ(all.shapes[1].x, (ValueRange{-0.95, 1.05}));
    EXPECT_EQ(all.groups, first.groups); // looks stay while balls come
    EXPECT_EQ(all.table.rows(), 4);
    ASSERT_EQ(all.curves.size(), 1);
    EXPECT_DOUBLE_EQ(all.curves[0].points[0].x(), 0.2);
    const ShapeFigure own = sliceFigure(runs[1], 2, slice, -1, false);
    EXPECT_EQ(own.shapes.size(), 2);
    EXPECT_EQ(own.table.rows(), 3);
}

/// A ball times a bracket: rectangles, the newest with lines where the ball alone ends, and near enough to be seen.
TEST_F(LaneFigures, BracketsEndBallsAboveAndBelow) {
    const auto box = [](double half, double low, double high, int check) {
        return BallSlice::Part{
            "GAP", true, {{-half, low}, {half, low}, {half, high}, {-half, high}}, check, 10 * check, "in words", true};
    };
    BallSlice slice;
    slice.parts = {box(40, -50, 30, 0), box(2, -3, 1, 1), box(0.5, -1.5, -0.5, 2)};
    slice.optimumY = -1;
    EXPECT_EQ(sliceChecks(slice), (std::vector<SliceCheck>{{0, 0}, {1, 10}, {2, 20}}));
    const ShapeFigure all = sliceFigure(runs[1], 2, slice, -1, true);
    ASSERT_EQ(all.shapes.size(), 3);
    EXPECT_TRUE(all.shapes[0].isFaint && all.shapes[1].isFaint);
    EXPECT_FALSE(all.shapes[2].isFaint);
    EXPECT_TRUE(all.shapes[2].text.contains("in words\ncheck 2 at iteration 20")) << all.shapes[2].text.toStdString();
    ASSERT_EQ(all.marks.size(), 2);
    EXPECT_EQ(all.marks[0].value, -0.5);
    EXPECT_EQ(all.marks[1].value, 0.5);
    ASSERT_TRUE(all.xRange && all.yRange);
    EXPECT_LT(all.xRange->high, 5) << "the newest would be a speck";
    EXPECT_LT(all.yRange->low, -1.5);
    EXPECT_GT(all.yRange->high, -0.5);
    EXPECT_EQ(all.table.rows(), 3);
    const ShapeFigure first = sliceFigure(runs[1], 2, slice, 0, true);
    ASSERT_EQ(first.shapes.size(), 1);
    EXPECT_FALSE(first.shapes[0].isFaint);
    EXPECT_EQ(first.marks[1].value, 40);
}

TEST_F(LaneFigures, LifetimesAreSortedAndStayFinite) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    Lifetimes lifetimes;
    lifetimes.reference = 4;
    lifetimes.total = 12345;
    lifetimes.items = 20000;
    lifetimes.sampled = 20000;
    lifetimes.intervals = {{7, 2, 8, false}, {8, 1, kInfinity, true}, {9, 3, 5, false}};
    const ShapeFigure figure = lifetimesFigure(runs[1], lifetimes);
    ASSERT_EQ(figure.shapes.size(), 3);
    double former = kInfinity;
    for (const Shape& bar : figure.shapes) {
        ASSERT_TRUE(std::isfinite(bar.x.low) && std::isfinite(bar.x.high));
        EXPECT_GT(bar.x.low, 0);
        EXPECT_LE(bar.x.high / bar.x.low, former);
        former = bar.x.high / bar.x.low;
    }
    EXPECT_EQ(figure.shapes[0].group, 1);
    EXPECT_EQ(figure.table.numbers[2], kInfinity); // tables keep the true number
    EXPECT_TRUE(figure.title.contains("λ₀ = 4: 12,345 ")) << figure.title.toStdString();
    EXPECT_TRUE(figure.title.endsWith(", 3 of them shown")) << figure.title.toStdString();
    lifetimes.total = 3;
    lifetimes.items = 90000;
    const QString title = lifetimesFigure(runs[1], lifetimes).title;
    EXPECT_TRUE(title.contains("λ₀ = 4: 3 of 20,000") && title.endsWith(" looked at")) << title.toStdString();
    ASSERT_EQ(figure.marks.size(), 1);
    EXPECT_TRUE(isEmpty(Figure(lifetimesFigure(runs[1], {}))));
}

TEST(ProblemFigures, HaveARowPerProblemAndAColumnPerPoint) {
    const std::vector<RunRecord> records = recordsOf(problemEvents());
    const std::vector<ShownRun> runs = shownRuns(records);
    ASSERT_TRUE(hasProblems(records[1]));
    EXPECT_TRUE(screens(records[1]));
    EXPECT_FALSE(hasRegions(records[1])) << "there is no one optimum";
    const auto measures = problemMeasures(runs);
    ASSERT_EQ(measures.size(), 2U); // what nobody knows and what is no measure are not offered
    EXPECT_EQ(measures[0].key, "final_rate");
    EXPECT_EQ(measures[1].key, "test_error");
    EXPECT_EQ(problemMeasures({runs[0]}).front().key, "test_error") << "a lane that does not screen has no rates";
    const HeatmapFigure figure = problemsFigure(runs[1], measures[0]);
    ASSERT_EQ(figure.rows(), 3);
    ASSERT_EQ(figure.columns(), 5);
    EXPECT_EQ(figure.yText(2), "c against b");
    EXPECT_EQ(figure.range, (ValueRange{0, 1}));
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 5; ++column) {
            EXPECT_DOUBLE_EQ(figure.value(row, column), (row + column) / 10.0);
        }
    }
    const PointRecord& point = records[1].points().front();
    EXPECT_EQ(problemValue(records[1], point, 1, measures[0].key), 0.1);
    EXPECT_TRUE(std::isnan(problemValue(records[1], point, 1, "no such column")));
    EXPECT_TRUE(std::isnan(problemValue(records[1], point, 3, measures[0].key)));
    const std::vector<RunRecord> others = recordsOf(learnedEvents());
    EXPECT_FALSE(hasProblems(others[1]));
    EXPECT_TRUE(hasRegions(others[1]));
}

} // namespace
} // namespace lambdascope
