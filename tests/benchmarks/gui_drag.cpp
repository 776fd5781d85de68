// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmarks/gui_drag.h"

#include "core/common/clocks.h"
#include "ui/charts/shape_view.h"
#include "ui/panels/experiment/paint_page.h"
#include "ui/windows/main_window.h"
#include "ui/windows/workbench.h"

#include <QApplication>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <iostream>
#include <utility>
#include <vector>

namespace lambdascope {

bool waitFor(const std::function<bool()>& condition, double seconds) {
    const double end = wallSeconds() + seconds;
    while (!condition() && wallSeconds() < end) {
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents); // with a limit it would spin
    }
    return condition();
}

void print(const std::string& name, double value, const std::string& unit) {
    std::cout << std::left << std::setw(54) << name << std::right << std::fixed << std::setprecision(1) << std::setw(10)
              << value << ' ' << unit << std::endl;
}

namespace {

/// One row dragged in circles: pictures per second, and from each edit to the first path that has it.
bool measureDrag(Workbench& workbench, MainWindow& window, const QString& family, int rows, const QString& picture) {
    ExperimentDocument& document = workbench.document();
    document.newExperiment(family);
    document.setValue(QStringLiteral("data.source"), "toy:two-moons?n=" + std::to_string(rows));
    if (family == QLatin1String("pu")) { // 20 values of λ
        document.setValue(QStringLiteral("path.start"), 0.1);
        document.setValue(QStringLiteral("path.ratio"), 0.7);
        document.setValue(QStringLiteral("path.stop"), 1.1e-4);
    } else {
        document.setValue(QStringLiteral("path.max_points"), 20);
    }
    window.showPaint(true);
    PaintPage& page = *window.paintPage();
    const auto isShown = [&] {
        return page.editor().isOpen() && page.editor().rows() == rows && page.live().path() != nullptr &&
               page.live().path()->record.start().family == family.toStdString() && !page.live().isBusy();
    };
    if (!waitFor(isShown, 30)) {
        std::cerr << page.statusText().toStdString() << '\n';
        return false;
    }
    page.plane().resetZoom();
    const int drawn = page.frames();
    page.update();
    const double rest = wallSeconds() + 0.5; // what was asked for last is laid out
    (void)waitFor([&] { return wallSeconds() > rest && page.frames() >= drawn; }, 5);
    QWidget* canvas = page.plane().focusProxy();
    const auto send = [&](QEvent::Type type, const QPointF& at) {
        const auto button = type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton;
        QMouseEvent event(type, at, canvas->mapToGlobal(at), button, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(canvas, &event);
    };
    const QPointF home = page.plane().toPixel({page.editor().value(7, 0), page.editor().value(7, 1)});
    std::vector<std::pair<std::string, double>> open; // edits and when they were made
    std::vector<double> delays;
    const auto connection = QObject::connect(&page.live(), &LivePath::pathChanged, &page, [&] {
        const auto& path = page.live().path();
        const auto found = std::find_if(open.begin(), open.end(),
                                        [&](const auto& edit) { return path != nullptr && edit.first == path->edits; });
        if (found != open.end() && path->isWhole) {
            delays.push_back(wallSeconds() - found->second);
            open.erase(open.begin(), found + 1);
        }
    });
    std::vector<double> intervals;
    int frames = page.frames();
    double lastFrame = wallSeconds();
    send(QEvent::MouseButtonPress, home);
    const double begin = wallSeconds();
    while (wallSeconds() - begin < 4) {
        const double turn = 3 * (wallSeconds() - begin);
        send(QEvent::MouseMove, home + QPointF(60 * std::sin(turn), 60 * (std::cos(turn) - 1)));
        open.emplace_back(page.editor().text(), wallSeconds());
        const double next = wallSeconds() + 0.008; // a mouse of 125 Hz
        while (wallSeconds() < next) {
            QCoreApplication::processEvents(QEventLoop::AllEvents, 2);
            if (page.frames() != frames) {
                frames = page.frames();
                intervals.push_back(wallSeconds() - std::exchange(lastFrame, wallSeconds()));
            }
        }
    }
    if (!picture.isEmpty()) {
        window.grab().save(picture);
    }
    const QPointF end = home + QPointF(60 * std::sin(12.0), 60 * (std::cos(12.0) - 1));
    send(QEvent::MouseButtonRelease, end);
    (void)waitFor([&] { return !page.live().isBusy(); }, 20);
    QObject::disconnect(connection);
    std::sort(intervals.begin(), intervals.end());
    std::sort(delays.begin(), delays.end());
    if (intervals.empty() || delays.empty()) {
        std::cerr << "nothing moved: " << page.statusText().toStdString() << '\n';
        return false;
    }
    const std::string name = "gui: drag, " + family.toStdString() + " " + std::to_string(rows);
    print(name + ", points", double(page.live().path()->record.finishedPointCount()), "points");
    print(name + ", pictures per second, median", 1 / intervals[intervals.size() / 2], "/ s");
    print(name + ", longest interval", 1e3 * intervals.back(), "ms");
    print(name + ", paths", double(delays.size()), "paths");
    print(name + ", from edit to path, median", 1e3 * delays[delays.size() / 2], "ms");
    print(name + ", from edit to path, longest", 1e3 * delays.back(), "ms");
    return true;
}

} // namespace

bool measureDrags(Workbench& workbench, MainWindow& window, const QString& folder) {
    bool isDone = true;
    for (const auto& [family, rows] : {std::pair("svm", 500), std::pair("pu", 500), std::pair("metric", 200)}) {
        const QString name = QString::fromLatin1(family);
        const QString picture = folder.isEmpty() ? QString() : folder + '/' + name + QStringLiteral(".png");
        isDone = measureDrag(workbench, window, name, rows, picture) && isDone;
    }
    return isDone;
}

} // namespace lambdascope
