// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_theme.h"

#include <gtest/gtest.h>

#include <QPalette>

#include <cmath>
#include <set>
#include <tuple>

namespace lambdascope {
namespace {

/// Relative luminance after WCAG 2.
double luminance(const QColor& colour) {
    const auto linear = [](double part) {
        return part <= 0.03928 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

double contrast(const QColor& a, const QColor& b) {
    const double low = std::min(luminance(a), luminance(b));
    return (std::max(luminance(a), luminance(b)) + 0.05) / (low + 0.05);
}

TEST(ChartTheme, FollowsTheLightnessOfThePalette) {
    QPalette dark;
    dark.setColor(QPalette::Window, QColor(30, 30, 30));
    dark.setColor(QPalette::WindowText, Qt::white);
    dark.setColor(QPalette::Base, QColor(20, 20, 20));
    dark.setColor(QPalette::Text, Qt::white);
    EXPECT_TRUE(ChartTheme::fromPalette(dark).dark);
    EXPECT_EQ(ChartTheme::fromPalette(dark).background, QColor(20, 20, 20));
    EXPECT_FALSE(ChartTheme::fromPalette(QPalette(Qt::white)).dark);
}

TEST(ChartTheme, TextAndSeriesAreReadable) {
    for (const ChartTheme& theme : {ChartTheme::light(), ChartTheme::dim()}) {
        EXPECT_GE(contrast(theme.text, theme.background), 7);
        EXPECT_GE(contrast(theme.mutedText, theme.background), 4);
        for (const QColor& colour : theme.series) {
            EXPECT_GE(contrast(colour, theme.background), 2) << colour.name().toStdString();
        }
    }
}

TEST(ChartTheme, NoTwoOfTheFirstFortyCurvesLookAlike) {
    const ChartTheme theme = ChartTheme::light();
    std::set<std::tuple<QRgb, DashStyle, MarkerShape>> seen;
    for (int place = 0; place < 40; ++place) {
        const ResolvedStyle style = resolveStyle({}, place, theme);
        EXPECT_TRUE(seen.insert({style.colour.rgb(), style.dash, style.marker}).second) << place;
    }
}

TEST(ChartTheme, NeighboursDifferInMoreThanColour) {
    const ChartTheme theme = ChartTheme::light();
    for (int a = 0; a < 8; ++a) {
        for (int b = 0; b < a; ++b) {
            EXPECT_NE(resolveStyle({}, a, theme).marker, resolveStyle({}, b, theme).marker);
            EXPECT_NE(classMarker(a), classMarker(b));
        }
        EXPECT_NE(resolveStyle({}, a, theme).dash, resolveStyle({}, a + 1, theme).dash);
    }
}

/// A lane was blue on light and orange on dark, and another one the other way round.
TEST(ChartTheme, APlaceHasTheSameHueOnLightAndDark) {
    const ChartTheme light = ChartTheme::light(), dark = ChartTheme::dim();
    ASSERT_EQ(light.series.size(), dark.series.size());
    for (qsizetype place = 0; place < light.series.size(); ++place) {
        if (light.series[place].hslSaturation() < 20) {
            EXPECT_LT(dark.series[place].hslSaturation(), 20) << place;
            continue;
        }
        const int apart = std::abs(light.series[place].hslHue() - dark.series[place].hslHue());
        EXPECT_LT(std::min(apart, 360 - apart), 20) << place;
        for (qsizetype other = 0; other < place; ++other) {
            const QColor &a = dark.series[place], &b = dark.series[other];
            EXPECT_GT(std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.blue() - b.blue()), 90)
                << place << ' ' << other;
        }
    }
}

TEST(ChartTheme, TheNextRoundOfAColourHasAnotherDashAndTint) {
    for (const ChartTheme& theme : {ChartTheme::light(), ChartTheme::dim()}) {
        for (int place = 0; place < 8; ++place) {
            const ResolvedStyle first = resolveStyle({}, place, theme), second = resolveStyle({}, place + 8, theme);
            EXPECT_NE(first.dash, second.dash);
            EXPECT_NE(first.marker, second.marker);
            EXPECT_NE(first.colour, second.colour);
            EXPECT_GE(contrast(second.colour, theme.background), contrast(first.colour, theme.background));
        }
    }
}

TEST(ChartTheme, ExplicitStyleWins) {
    CurveStyle wanted;
    wanted.colour = Qt::red;
    wanted.dash = DashStyle::NoLine;
    wanted.marker = MarkerShape::Star;
    wanted.width = 3;
    const ResolvedStyle style = resolveStyle(wanted, 5, ChartTheme::light());
    EXPECT_EQ(style.colour, QColor(Qt::red));
    EXPECT_EQ(style.dash, DashStyle::NoLine);
    EXPECT_EQ(style.marker, MarkerShape::Star);
    EXPECT_EQ(style.width, 3);
}

TEST(ChartTheme, HeatmapColoursRiseInLightness) {
    double previous = -1;
    for (int index = 0; index <= 64; ++index) {
        const double here = luminance(mapColour(index / 64.0));
        EXPECT_GE(here, previous) << index;
        previous = here;
    }
    EXPECT_EQ(mapColour(-1), mapColour(0));
    EXPECT_EQ(mapColour(2), mapColour(1));
    EXPECT_EQ(colourTable().size(), 256);
}

TEST(ChartTheme, DivergingColoursAreMirroredInLightnessAndPalestInTheMiddle) {
    double former = -1;
    for (int step = 0; step <= 50; ++step) {
        const QColor below = divergingColour(step / 100.0);
        const QColor above = divergingColour(1 - step / 100.0);
        EXPECT_GT(below.lightnessF() + 1e-3, former); // the nearer to the middle, the paler
        EXPECT_NEAR(below.lightnessF(), above.lightnessF(), 0.2);
        if (step < 45) {
            EXPECT_GT(below.blue(), below.red());
            EXPECT_GT(above.red(), above.blue());
        }
        former = below.lightnessF();
    }
    EXPECT_EQ(colourTable(ColourMap::Diverging)[0], divergingColour(0).rgb());
    EXPECT_NE(colourTable(ColourMap::Diverging), colourTable());
}

} // namespace
} // namespace lambdascope
