// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_theme.h"

#include <gtest/gtest.h>

#include <QPalette>

#include <algorithm>
#include <array>
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

using Triple = std::array<double, 3>;
using Matrix = std::array<Triple, 3>;

Triple times(const Matrix& matrix, const Triple& v) {
    Triple result{};
    for (std::size_t i = 0; i < 3; ++i) {
        result[i] = matrix[i][0] * v[0] + matrix[i][1] * v[1] + matrix[i][2] * v[2];
    }
    return result;
}

/// What eyes make of linear light, and how far apart two colours are to be for them, in Oklab.
struct Sight {
    const char* name;
    Matrix seen;
    double least;
};
/// All cones, and without those of long, middle and short waves: Machado, Oliveira, Fernandes, "A physiologically-based
/// model for simulation of color vision deficiency", 2009, severity 1.
constexpr std::array<Sight, 4> kSights{
    {{"all cones", {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, 0.12},
     {"protanopia",
      {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}},
      0.065},
     {"deuteranopia",
      {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}},
      0.065},
     {"tritanopia",
      {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}},
      0.065}}};

/// Ottosson, "A perceptual color space for image processing", 2020.
Triple oklab(const QColor& colour, const Sight& sight) {
    const auto linear = [](double part) {
        return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
    };
    Triple light = times(sight.seen, {linear(colour.redF()), linear(colour.greenF()), linear(colour.blueF())});
    for (double& part : light) {
        part = std::clamp(part, 0.0, 1.0);
    }
    Triple cones = times({{{0.4122214708, 0.5363325363, 0.0514459929},
                           {0.2119034982, 0.6806995451, 0.1073969566},
                           {0.0883024619, 0.2817188376, 0.6299787005}}},
                         light);
    for (double& cone : cones) {
        cone = std::cbrt(cone);
    }
    return times({{{0.2104542553, 0.7936177850, -0.0040720468},
                   {1.9779984951, -2.4285922050, 0.4505937099},
                   {0.0259040371, 0.7827717662, -0.8086757660}}},
                 cones);
}

double distance(const QColor& a, const QColor& b, const Sight& sight) {
    const Triple x = oklab(a, sight);
    const Triple y = oklab(b, sight);
    return std::hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]);
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
    }
}

/// Orange and vermilion on dark, and orange and yellow on light, were nearly one colour to eyes without one kind of
/// cones, and two oranges to all others.
TEST(ChartTheme, NoTwoPlacesLookAlikeToAnyEyes) {
    for (const ChartTheme& theme : {ChartTheme::light(), ChartTheme::dim()}) {
        for (const Sight& sight : kSights) {
            for (qsizetype place = 0; place < theme.series.size(); ++place) {
                for (qsizetype other = 0; other < place; ++other) {
                    EXPECT_GT(distance(theme.series[place], theme.series[other], sight), sight.least)
                        << sight.name << (theme.dark ? " on dark: " : " on light: ") << place << ' ' << other;
                }
            }
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
            EXPECT_GE(contrast(second.colour, theme.background),
                      std::min(7.0, contrast(first.colour, theme.background)));
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
