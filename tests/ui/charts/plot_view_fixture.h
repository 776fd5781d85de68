// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui/charts/figures_for_tests.h"
#include "tests/ui/ui_test_main.h"
#include "ui/charts/plot_canvas.h"
#include "ui/charts/plot_view.h"

#include <gtest/gtest.h>

namespace lambdascope {

/// Pixels of the drawing whose red, green and blue together differ from those of a colour by `off` at most.
inline int pixelsOf(FigureView& view, const QColor& colour, int off = 0) {
    const QImage image = view.drawnImage();
    int count = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            const QColor here = image.pixelColor(x, y);
            const int difference = std::abs(here.red() - colour.red()) + std::abs(here.green() - colour.green()) +
                                   std::abs(here.blue() - colour.blue());
            count += difference <= off ? 1 : 0;
        }
    }
    return count;
}

/// A shown view of a fixed size with three curves of 40 points.
class PlotViewTest : public testing::Test {
  protected:
    void SetUp() override {
        view.resize(700, 450);
        view.setFigure(curveFigureForTests(3, 40));
        view.show();
        settleEvents();
    }

    PlotCanvas* canvas() { return view.findChild<PlotCanvas*>(); }
    QWidget* surface() { return canvas()->viewport(); }
    Curve grown(int curve, int count) {
        Curve next = curveFigureForTests(3, count).curves[curve];
        next.points << QPointF(0.001, 50);
        return next;
    }
    int pixels(const QColor& colour) { return pixelsOf(view, colour, 29); }

    PlotView view;
};

} // namespace lambdascope
