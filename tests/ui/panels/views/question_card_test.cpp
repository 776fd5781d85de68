// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/ui_test_main.h"
#include "ui/charts/chart_theme.h"
#include "ui/panels/views/question_card.h"

#include <gtest/gtest.h>

namespace lambdascope {
namespace {

/// Rows of pixels in which a card with bars of these names shows the colour of bars.
int heightOfBars(const QStringList& names) {
    ShapeFigure bars;
    bars.x.names = names;
    bars.xRange = ValueRange{0, double(names.size())};
    ShapeGroup solving;
    solving.name = QStringLiteral("Solving");
    bars.groups = {solving};
    for (int bar = 0; bar < names.size(); ++bar) {
        Shape shape;
        shape.x = {bar + 0.2, bar + 0.8};
        shape.y = {0, 10.0 - bar};
        bars.shapes.append(shape);
    }
    QuestionCard card(QStringLiteral("What it saves"), nullptr);
    card.resize(187, 94);
    card.show();
    card.setPicture(bars);
    settleEvents();
    const QImage image = card.grab().toImage();
    const QColor wanted = classColour(0, ChartTheme::fromPalette(card.palette()));
    int rows = 0;
    for (int y = 0; y < image.height(); ++y) {
        bool isFound = false;
        for (int x = 0; x < image.width() && !isFound; ++x) {
            const QColor pixel = image.pixelColor(x, y);
            isFound = std::abs(pixel.red() - wanted.red()) + std::abs(pixel.green() - wanted.green()) +
                          std::abs(pixel.blue() - wanted.blue()) <
                      40;
        }
        rows += isFound ? 1 : 0;
    }
    return rows;
}

// Names of lanes took three rows below bars of five pixels.
TEST(QuestionCard, NamesLeaveRoomForTheBars) {
    const int plain = heightOfBars({"a", "b", "c"});
    EXPECT_GT(plain, 25);
    EXPECT_EQ(heightOfBars({"triplets", "pairs", "pairs, RRPB+PGB"}), plain);
    EXPECT_GE(heightOfBars(QStringList(9, "a lane of a long name")), plain);
}

// A window that nobody had touched had a dotted frame round a question that was not the one on the screen.
TEST(QuestionCard, HasAFrameOfFocusForWhoGoesThroughByKeysAlone) {
    QuestionCard card(QStringLiteral("What it saves"), nullptr);
    card.resize(187, 94);
    card.show();
    card.activateWindow();
    card.setFocus();
    settleEvents();
    ASSERT_TRUE(card.hasFocus());
    const auto picture = [&card](bool isByKeys) {
        card.setAttribute(Qt::WA_KeyboardFocusChange, isByKeys);
        return card.grab().toImage();
    };
    const QImage byMouse = picture(false);
    EXPECT_NE(picture(true), byMouse);
    card.clearFocus();
    EXPECT_EQ(picture(true), byMouse);
}

} // namespace
} // namespace lambdascope
