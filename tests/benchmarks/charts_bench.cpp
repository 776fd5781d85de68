// SPDX-License-Identifier: GPL-3.0-or-later
// What one frame of each chart costs: new values in, picture out. Medians over repeats, offscreen.
#include "ui/charts/heatmap_view.h"
#include "ui/charts/plot_view.h"
#include "ui/charts/point_cloud_view.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QImage>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <vector>

namespace lambdascope {
namespace {

constexpr int kRepeats = 15;

void measure(const char* name, const std::function<void()>& frame) {
    std::vector<double> milliseconds;
    for (int repeat = 0; repeat <= kRepeats; ++repeat) {
        QElapsedTimer timer;
        timer.start();
        frame();
        if (repeat > 0) { // the first one fills caches
            milliseconds.push_back(double(timer.nsecsElapsed()) / 1e6);
        }
    }
    std::nth_element(milliseconds.begin(), milliseconds.begin() + kRepeats / 2, milliseconds.end());
    std::printf("%-58s %8.2f ms\n", name, milliseconds[kRepeats / 2]);
}

CurveFigure curves(int count, int points) {
    CurveFigure figure;
    figure.title = QStringLiteral("Benchmark");
    for (int curve = 0; curve < count; ++curve) {
        Curve next;
        next.id = next.name = QString::number(curve);
        for (int index = 0; index < points; ++index) {
            next.points << QPointF(index, curve + std::sin(0.01 * index) + 0.2 * ((index * 7919) % 13));
        }
        figure.curves << next;
    }
    return figure;
}

void run() {
    const QSize size(900, 500);
    PlotView plot;
    plot.resize(size);
    for (const auto& [count, points] : {std::pair(6, 60), std::pair(6, 5000), std::pair(1, 100000)}) {
        const CurveFigure figure = curves(count, points);
        plot.setFigure(figure);
        plot.show();
        const QByteArray name = QByteArray::number(count) + " curves of " + QByteArray::number(points) + " points: ";
        measure((name + "update").constData(), [&] {
            plot.updateCurves(figure.curves);
            static_cast<void>(plot.shownX());
        });
        measure((name + "paint").constData(), [&] { static_cast<void>(plot.drawnImage()); });
    }

    HeatmapFigure heat;
    for (int column = 0; column < 100; ++column) {
        heat.xValues << column;
    }
    for (int row = 0; row < 1000; ++row) {
        heat.yValues << row;
        for (int column = 0; column < 100; ++column) {
            heat.values << std::sin(0.1 * column) * std::cos(0.01 * row);
        }
    }
    HeatmapView heatmap;
    heatmap.resize(size);
    heatmap.show();
    measure("heatmap of 100 x 1000 cells: update and paint", [&] {
        heatmap.setFigure(heat);
        static_cast<void>(heatmap.drawnImage());
    });

    CloudFigure cloud;
    cloud.classNames = {QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")};
    for (int index = 0; index < 20000; ++index) {
        const double radius = std::sqrt(double(index));
        cloud.points << CloudPoint{float(radius * std::cos(2.4 * index)), float(radius * std::sin(2.4 * index))};
        cloud.classes << index % 3;
    }
    PointCloudView points;
    points.resize(size);
    points.setFigure(cloud);
    points.show();
    measure("cloud of 20000 points: update and paint", [&] {
        points.updatePoints(cloud.points);
        static_cast<void>(points.drawnImage());
    });
    measure("cloud of 20000 points: repaint while hovering", [&] { static_cast<void>(points.drawnImage()); });
}

} // namespace
} // namespace lambdascope

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    const QApplication application(argc, argv);
    lambdascope::run();
    return 0;
}
