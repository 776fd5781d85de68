// SPDX-License-Identifier: GPL-3.0-or-later
// Figures of the window: time to the first paint, longest event-loop gap while the default experiment computes, cost of
// the live view, and how long stopping takes.
#include "core/common/clocks.h"
#include "ui/panels/views/cursor_bar.h"
#include "ui/panels/views/view_stage.h"
#include "ui/windows/main_window.h"
#include "ui/windows/theme_switch.h"
#include "ui/windows/workbench.h"

#include <QApplication>
#include <QStandardPaths>
#include <QTabWidget>
#include <QTimer>

#include <algorithm>
#include <functional>
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

namespace {

using namespace lambdascope;

const QString preset = QStringLiteral("wine-six-lanes");

/// Wall seconds between two turns of the event loop, taken by a timer that fires each millisecond.
class GapMeter {
  public:
    GapMeter() {
        m_timer.setTimerType(Qt::PreciseTimer);
        QObject::connect(&m_timer, &QTimer::timeout, [this] {
            const double now = wallSeconds();
            m_gaps.push_back(now - m_last);
            m_last = now;
        });
    }
    void start() {
        m_gaps.clear();
        m_last = wallSeconds();
        m_timer.start(1);
    }
    void stop() { m_timer.stop(); }
    [[nodiscard]] double longest() const {
        return m_gaps.empty() ? 0 : *std::max_element(m_gaps.begin(), m_gaps.end());
    }
    [[nodiscard]] double share(double quantile) const {
        std::vector<double> sorted = m_gaps;
        std::sort(sorted.begin(), sorted.end());
        return sorted.empty() ? 0 : sorted[static_cast<std::size_t>(quantile * static_cast<double>(sorted.size() - 1))];
    }

  private:
    QTimer m_timer;
    std::vector<double> m_gaps;
    double m_last = 0;
};

bool waitFor(const std::function<bool()>& condition, double seconds) {
    const double end = wallSeconds() + seconds;
    while (!condition() && wallSeconds() < end) {
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents); // with a limit it would spin
    }
    return condition();
}

void print(const std::string& name, double value, const std::string& unit) {
    std::cout << std::left << std::setw(46) << name << std::right << std::fixed << std::setprecision(1) << std::setw(10)
              << value << ' ' << unit << std::endl;
}

} // namespace

int main(int argc, char* argv[]) {
    const double begin = wallSeconds();
    QStandardPaths::setTestModeEnabled(true);
    QApplication::setOrganizationName(QStringLiteral("lambdascope-bench"));
    QApplication::setApplicationName(QStringLiteral("lambdascope-bench"));
    QApplication application(argc, argv);
    Workbench workbench({});
    ThemeSwitch theme(workbench.settings());
    MainWindow window(workbench);
    window.resize(1280, 800);
    window.show();
    window.repaint();
    QCoreApplication::processEvents();
    print("gui: start to first paint", 1e3 * (wallSeconds() - begin), "ms");

    QTimer wake; // lets waitFor look at its condition
    wake.start(5);
    const auto idle = [&] { return !workbench.controller().isBusy(); };
    const QStringList tabs{"rates", "heatmap", "map", "convergence"};
    for (int tab = 0; tab < tabs.size(); ++tab) {
        window.stage().choose(tabs[tab]);
        GapMeter gaps;
        workbench.runPreset(preset);
        gaps.start();
        if (!waitFor(idle, 300)) {
            std::cerr << "the experiment did not end\n";
            return 1;
        }
        gaps.stop();
        const std::string name = "gui: " + tabs[tab].toStdString() + " view, ";
        print(name + "longest event-loop gap", 1e3 * gaps.longest(), "ms");
        print(name + "99 % of gaps are below", 1e3 * gaps.share(0.99), "ms");
    }

    // Without the meter, whose own timer costs more than the view.
    wake.setInterval(100);
    window.stage().choose(QStringLiteral("rates"));
    workbench.runPreset(preset);
    (void)waitFor(idle, 300);
    print("gui: rates, live view", 100 * workbench.bridge().cost().share(), "% CPU");
    wake.setInterval(5);

    std::vector<double> latencies;
    for (int i = 0; i < 5; ++i) {
        workbench.runPreset(preset);
        (void)waitFor([&] { return workbench.cursor().count() > 5 + 20 * i; }, 60);
        const double asked = wallSeconds();
        workbench.controller().stop();
        (void)waitFor(idle, 20);
        latencies.push_back(wallSeconds() - asked);
    }
    std::sort(latencies.begin(), latencies.end());
    print("gui: stopping, median of 5", 1e3 * latencies[2], "ms");
    print("gui: stopping, longest of 5", 1e3 * latencies.back(), "ms");
    return 0;
}
