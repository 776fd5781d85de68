// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/windows/window_fixture.h"
#include "ui/charts/chart_theme.h"
#include "ui/charts/plot_view.h"
#include "ui/panels/views/run_tab.h"
#include "ui/windows/curve_swatch.h"
#include "ui/windows/theme_switch.h"

#include <QAction>
#include <QApplication>

#include <cmath>

namespace lambdascope {
namespace {

using ThemeSwitchTest = WindowTest;

TEST_F(ThemeSwitchTest, ThemesSwitchLiveAndReachTheCharts) {
    ThemeSwitch theme(workbench->settings());
    auto* plot = static_cast<PlotView*>(window->tabs()[0]->charts()[0]);
    window->actions()["view.theme-dark"]->trigger();
    settleEvents();
    EXPECT_TRUE(isDarkPalette(QApplication::palette()));
    EXPECT_TRUE(plot->theme().dark);
    window->actions()["view.theme-light"]->trigger();
    settleEvents();
    EXPECT_FALSE(isDarkPalette(QApplication::palette()));
    EXPECT_FALSE(plot->theme().dark);
}

TEST_F(ThemeSwitchTest, ThemeTextsHaveContrast) {
    const auto luminance = [](const QColor& colour) {
        const auto linear = [](double c) { return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
        return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
    };
    const auto contrast = [&](const QColor& a, const QColor& b) {
        const double x = luminance(a);
        const double y = luminance(b);
        return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
    };
    for (const bool dark : {false, true}) {
        const QPalette palette = themePalette(dark);
        EXPECT_EQ(isDarkPalette(palette), dark);
        EXPECT_GE(contrast(palette.color(QPalette::WindowText), palette.color(QPalette::Window)), 7);
        EXPECT_GE(contrast(palette.color(QPalette::Text), palette.color(QPalette::Base)), 7);
        EXPECT_GE(contrast(palette.color(QPalette::HighlightedText), palette.color(QPalette::Highlight)), 3.9);
        EXPECT_GE(contrast(palette.color(QPalette::PlaceholderText), palette.color(QPalette::Base)), 4.5);
        EXPECT_GE(contrast(palette.color(QPalette::Link), palette.color(QPalette::Window)), 4.5);
    }
}

TEST_F(ThemeSwitchTest, SwatchesOfSelectedRowsStandOnThePlateOfTheCharts) {
    for (const ChartTheme& theme : {ChartTheme::light(), ChartTheme::dim()}) {
        for (int style = 0; style < 8; ++style) {
            const QIcon icon = curveSwatch(style, theme);
            const QImage selected = icon.pixmap(icon.availableSizes().front(), QIcon::Selected).toImage();
            EXPECT_EQ(selected.pixelColor(selected.width() / 2, 4), theme.plotArea) << style;
            const QImage plain = icon.pixmap(icon.availableSizes().front()).toImage();
            EXPECT_EQ(plain.pixelColor(plain.width() / 2, 4).alpha(), 0) << style;
        }
    }
}

} // namespace
} // namespace lambdascope
