// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/charts/figures_for_tests.h"
#include "tests/ui/ui_test_main.h"
#include "ui/charts/plot_view.h"
#include "ui/charts/shared_legend.h"

#include <gtest/gtest.h>

#include <QVBoxLayout>

#include <array>

namespace lambdascope {
namespace {

/// Three charts below one legend.
class SharedLegendTest : public testing::Test {
  protected:
    void SetUp() override {
        auto* layout = new QVBoxLayout(&page);
        legend = new SharedLegend(&page);
        layout->addWidget(legend);
        for (PlotView*& chart : charts) {
            chart = new PlotView(&page);
            layout->addWidget(chart);
        }
        page.resize(600, 700);
        page.show();
        legend->serve({charts[0], charts[1], charts[2]});
    }

    /// Curves A, B, … in all charts but for the first, which lacks A as a ratio to A does.
    void showLanes(int count) {
        const CurveFigure lanes = curveFigureForTests(count, 20);
        CurveFigure ratio = lanes;
        ratio.curves.removeFirst();
        charts[0]->setFigure(ratio);
        charts[1]->setFigure(lanes);
        charts[2]->setFigure(lanes);
        settleEvents();
    }

    [[nodiscard]] QStringList names() const {
        QStringList names;
        for (const LegendChip* chip : legend->chips()) {
            names << chip->id();
        }
        return names;
    }

    QWidget page;
    SharedLegend* legend = nullptr;
    std::array<PlotView*, 3> charts{};
};

TEST_F(SharedLegendTest, ALongNameTakesNoMoreThanItsShare) {
    CurveFigure lanes = curveFigureForTests(3, 20);
    lanes.curves[1].name = QStringLiteral("RRPB and PGB, γ 0.05, k 10").repeated(6);
    for (PlotView* chart : charts) {
        chart->setFigure(lanes);
    }
    settleEvents();
    const LegendChip* chip = legend->chips()[1];
    EXPECT_LE(chip->sizeHint().width(), 300);
    EXPECT_GT(chip->sizeHint().width(), legend->chips()[0]->sizeHint().width());
    EXPECT_TRUE(chip->toolTip().startsWith(lanes.curves[1].name)) << "hovering says all of it";
}

TEST_F(SharedLegendTest, NamesOnceWhatAllChartsShow) {
    showLanes(3);
    EXPECT_EQ(names(), QStringList({"A", "B", "C"}));
    EXPECT_TRUE(legend->isVisible());
    for (const PlotView* chart : charts) {
        EXPECT_FALSE(chart->isLegendShown());
    }
}

TEST_F(SharedLegendTest, LeavesAChartItsOwnLegendWhenThatNamesAnythingElse) {
    showLanes(2);
    CurveFigure sets = curveFigureForTests(4, 20);
    for (Curve& curve : sets.curves) {
        curve.name += QStringLiteral(" of its own");
    }
    charts[2]->setFigure(sets);
    settleEvents();
    EXPECT_EQ(names(), QStringList({"A", "B"})) << "though the chart with other names has more of them";
    EXPECT_FALSE(charts[1]->isLegendShown());
    EXPECT_TRUE(charts[2]->isLegendShown());
    charts[2]->setFigure(charts[1]->curveFigure());
    settleEvents();
    EXPECT_FALSE(charts[2]->isLegendShown());
}

TEST_F(SharedLegendTest, HidesInAllChartsAlsoInThoseThatShowItLater) {
    showLanes(3);
    Q_EMIT legend->toggled("B", false);
    for (const PlotView* chart : charts) {
        EXPECT_FALSE(chart->isEntryVisible("B"));
        EXPECT_TRUE(chart->isEntryVisible("C"));
    }
    CurveFigure other = curveFigureForTests(3, 20);
    other.y.title = QStringLiteral("seconds"); // a chart forgets its own choice with its axes
    charts[0]->setFigure(other);
    settleEvents();
    EXPECT_FALSE(charts[0]->isEntryVisible("B"));
    Q_EMIT legend->toggled("B", true);
    for (const PlotView* chart : charts) {
        EXPECT_TRUE(chart->isEntryVisible("B"));
    }
}

TEST_F(SharedLegendTest, ShowsOneAloneInAllChartsAndAllAgain) {
    showLanes(3);
    Q_EMIT legend->soloRequested("C");
    for (const PlotView* chart : charts) {
        EXPECT_FALSE(chart->isEntryVisible("B"));
        EXPECT_TRUE(chart->isEntryVisible("C"));
    }
    EXPECT_FALSE(charts[1]->isEntryVisible("A"));
    Q_EMIT legend->soloRequested("C");
    EXPECT_TRUE(charts[0]->isEntryVisible("B"));
    EXPECT_TRUE(charts[1]->isEntryVisible("A"));
}

TEST_F(SharedLegendTest, OffersTheOnlyLaneWhileItIsHidden) {
    showLanes(2);
    Q_EMIT legend->toggled("A", false);
    showLanes(1); // another run
    EXPECT_FALSE(charts[1]->isEntryVisible("A"));
    ASSERT_EQ(names(), QStringList({"A"}));
    EXPECT_TRUE(legend->isVisible());
    legend->chips().front()->click();
    EXPECT_TRUE(charts[1]->isEntryVisible("A"));
    EXPECT_TRUE(charts[2]->isEntryVisible("A"));
    EXPECT_FALSE(legend->isVisible()) << "one lane that is seen needs no name";
}

TEST_F(SharedLegendTest, ServesNobodyWhenOnlyOneChartIsSeen) {
    showLanes(3);
    charts[0]->hide();
    charts[2]->hide();
    charts[1]->setFigure(curveFigureForTests(3, 30));
    settleEvents();
    EXPECT_TRUE(charts[1]->isLegendShown());
    EXPECT_TRUE(legend->chips().isEmpty());
}

} // namespace
} // namespace lambdascope
