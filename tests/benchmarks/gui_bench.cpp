// SPDX-License-Identifier: GPL-3.0-or-later
// Figures of the window: time to the first paint, longest gap of the event loop on every view while four lanes compute
// and 100,000 points are shown, cost of the live view, how long stopping takes, and what hours of events do to memory.
// With --replay MINUTES the last alone, spread over that time as the window would see it. With --views the views alone;
// with --profile also what took the longest turns of the event loop. With --drag [FOLDER] rows dragged on the page that
// edits them, with pictures of the window into the folder.
#include "core/common/clocks.h"
#include "core/run/path_runner.h"
#include "tests/benchmarks/gui_drag.h"
#include "ui/panels/views/cursor_bar.h"
#include "ui/panels/views/view_stage.h"
#include "ui/windows/main_window.h"
#include "ui/windows/status_line.h"
#include "ui/windows/theme_switch.h"
#include "ui/windows/workbench.h"

#include <QApplication>
#include <QStandardPaths>
#include <QTimer>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iomanip>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace lambdascope;

const QString preset = QStringLiteral("wine-six-lanes");
constexpr int longLanes = 4;
constexpr int pointsOfALongLane = 25000;
constexpr double secondsPerView = 2;

/// What turns of the event loop were spent on: each event that took long, with what was handled within it.
class ProfiledApplication : public QApplication {
  public:
    using QApplication::QApplication;
    struct Part {
        const char* parent;
        const char* receiver;
        QEvent::Type event;
        double wall = 0; ///< seconds, without those of parts within
        double cpu = 0;
    };
    struct Turn {
        double wall = 0;
        double cpu = 0;
        std::vector<Part> parts;
    };

    bool notify(QObject* receiver, QEvent* event) override {
        if (!m_isOn) {
            return QApplication::notify(receiver, event);
        }
        const QObject* parent = receiver->parent();
        Part part{parent != nullptr ? parent->metaObject()->className() : "", receiver->metaObject()->className(),
                  event->type()};
        const double wallBefore = std::exchange(m_wallWithin, 0);
        const double cpuBefore = std::exchange(m_cpuWithin, 0);
        const double wall = wallSeconds();
        const double cpu = threadCpuSeconds();
        ++m_depth;
        const bool isTaken = QApplication::notify(receiver, event);
        --m_depth;
        const double wallTaken = wallSeconds() - wall;
        const double cpuTaken = threadCpuSeconds() - cpu;
        part.wall = wallTaken - m_wallWithin;
        part.cpu = cpuTaken - m_cpuWithin;
        m_wallWithin = wallBefore + wallTaken;
        m_cpuWithin = cpuBefore + cpuTaken;
        m_parts.push_back(part);
        if (m_depth == 0) {
            if (wallTaken > 0.01) {
                m_turns.push_back({wallTaken, cpuTaken, m_parts});
            }
            m_parts.clear();
        }
        return isTaken;
    }
    void setProfiled(bool isOn) { m_canProfile = isOn; }
    void begin() {
        m_isOn = m_canProfile;
        m_turns.clear();
    }
    /// Ends it and prints the longest turns.
    void report() {
        m_isOn = false;
        std::sort(m_turns.begin(), m_turns.end(), [](const Turn& a, const Turn& b) { return a.wall > b.wall; });
        for (std::size_t k = 0; k < std::min<std::size_t>(m_turns.size(), 4); ++k) {
            Turn& turn = m_turns[k];
            std::sort(turn.parts.begin(), turn.parts.end(),
                      [](const Part& a, const Part& b) { return a.wall > b.wall; });
            std::cout << std::fixed << std::setprecision(1) << "    turn of " << 1e3 * turn.wall << " ms, CPU "
                      << 1e3 * turn.cpu << " ms:";
            for (std::size_t i = 0; i < std::min<std::size_t>(turn.parts.size(), 4); ++i) {
                const Part& part = turn.parts[i];
                std::cout << "  " << part.parent << '/' << part.receiver << ' ' << int(part.event) << ' '
                          << 1e3 * part.wall << " (" << 1e3 * part.cpu << ')';
            }
            std::cout << std::endl;
        }
    }

  private:
    bool m_canProfile = false;
    bool m_isOn = false;
    int m_depth = 0;
    double m_wallWithin = 0;
    double m_cpuWithin = 0;
    std::vector<Part> m_parts;
    std::vector<Turn> m_turns;
};

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

RunStarted longStart(int lane) {
    RunStarted start;
    start.experimentName = "a long path";
    start.family = "metric";
    start.laneName = "long " + std::to_string(lane);
    start.isBaseline = lane == 0;
    start.axisKey = "lambda";
    start.axisLabel = "λ";
    start.itemNoun = "triplets";
    start.fixedLowName = "R";
    start.fixedHighName = "L";
    start.columns = {{"index", "Index", "", ColumnRole::Index, true},
                     {"lambda", "λ", "", ColumnRole::Axis, false},
                     {"iterations", "Iterations", "", ColumnRole::Iterations, true},
                     {"objective", "Objective", "", ColumnRole::Objective, false},
                     {"n_items", "Triplets", "", ColumnRole::ItemsTotal, true},
                     {"path_rate", "Screening rate (on arrival)", "", ColumnRole::PathRate, false},
                     {"final_rate", "Screening rate (before solved)", "", ColumnRole::FinalRate, false},
                     {"final_R", "R", "", ColumnRole::FinalFixed, true},
                     {"cpu_solve", "CPU time, solving", "s", ColumnRole::CpuSolve, false},
                     {"cpu_screen", "CPU time, screening", "s", ColumnRole::CpuScreen, false}};
    return start;
}

PointFinished longPoint(int lane, int point) {
    PointFinished finished;
    finished.index = point;
    finished.axisValue = 1e4 * std::pow(0.9995, point);
    finished.decidableItems = 16000;
    const double rate = 0.5 + 0.5 * std::sin(0.001 * point + lane) * std::sin(0.37 * point);
    finished.values = {double(point),
                       finished.axisValue,
                       30,
                       1.0 / (point + 1),
                       16000,
                       0.9 * rate,
                       rate,
                       std::floor(16000 * rate),
                       0.01 * (lane + 1),
                       0.001};
    return finished;
}

/// Lanes of an experiment that is long over, as they would be read from disk.
void showLongLanes(Workbench& workbench) {
    std::vector<RunRecord> records;
    for (int lane = 0; lane < longLanes; ++lane) {
        RunRecord record(RunIdSource::next());
        std::int64_t sequence = 0;
        record.apply({record.id(), sequence++, longStart(lane)});
        for (int point = 0; point < pointsOfALongLane; ++point) {
            record.apply(
                {record.id(), sequence++, PointStarted{point, 1e4 * std::pow(0.9995, point), pointsOfALongLane}});
            record.apply({record.id(), sequence++, Screened{.pointIndex = point, .total = 16000, .rate = 0.5}});
            record.apply({record.id(), sequence++, longPoint(lane, point)});
        }
        record.apply({record.id(), sequence++, RunFinished{}});
        records.push_back(std::move(record));
    }
    workbench.runs().add(std::move(records), RunOrigin::Folder);
}

/// Longest gap of each view while lanes compute beside 100,000 points.
bool measureViews(Workbench& workbench, MainWindow& window, ProfiledApplication& application) {
    workbench.setKeepsEarlierRuns(true);
    showLongLanes(workbench);
    window.showWelcome(false);
    const auto idle = [&] { return !workbench.controller().isBusy(); };
    workbench.loadPreset(preset);
    workbench.document().setValue(QStringLiteral("path.ratio"), 0.999); // long enough for all views
    bool isFirst = true;
    window.stage().refreshNow();
    const QStringList views = window.stage().offered();
    for (const QString& view : views) {
        if (idle()) {
            workbench.run();
            if (!waitFor([&] { return !workbench.controller().isBusy() || workbench.runs().ids().size() > longLanes; },
                         60)) {
                return false;
            }
        }
        if (!window.stage().offered().contains(view)) {
            continue;
        }
        GapMeter change;
        application.begin();
        change.start();
        window.stage().choose(view);
        const double begin = wallSeconds();
        (void)waitFor([&] { return wallSeconds() - begin > 0.5; }, 5);
        change.stop();
        application.report();
        application.begin();
        GapMeter gaps;
        gaps.start();
        const double started = wallSeconds();
        (void)waitFor([&] { return wallSeconds() - started > secondsPerView; }, 10);
        gaps.stop();
        application.report();
        const std::string name = "gui: 100,000 points, " + view.toStdString();
        print(name + ", when it opens", 1e3 * change.longest(), "ms");
        print(name + ", longest gap", 1e3 * gaps.longest(), "ms");
        print(name + ", 99 % of gaps below", 1e3 * gaps.share(0.99), "ms");
        isFirst = false;
    }
    workbench.controller().stop();
    (void)waitFor(idle, 20);
    std::vector<RunId> all = workbench.runs().ids();
    workbench.runs().remove(all);
    workbench.undoStack().clear();
    workbench.setKeepsEarlierRuns(false);
    return !isFirst;
}

/// What hours of iterations leave in memory: events of many points, as a worker publishes them; as fast as they are
/// taken, or spread over so many minutes.
void measureReplay(Workbench& workbench, MainWindow& window, double minutes) {
    constexpr int points = 400;
    constexpr int iterations = 5000; // per point and lane: 8 million events in all
    constexpr int lanes = 4;
    window.stage().choose(QStringLiteral("rates"));
    std::vector<RunId> ids;
    std::vector<std::int64_t> sequences(lanes, 0);
    const auto publish = [&](int lane, RunEventBody body) {
        workbench.bridge().publish(
            {ids[static_cast<std::size_t>(lane)], sequences[static_cast<std::size_t>(lane)]++, std::move(body)});
    };
    workbench.runs().beginBatch();
    for (int lane = 0; lane < lanes; ++lane) {
        ids.push_back(RunIdSource::next());
        publish(lane, longStart(lane));
    }
    double early = 0;
    const double begin = wallSeconds();
    for (int point = 0; point < points; ++point) {
        for (int lane = 0; lane < lanes; ++lane) {
            publish(lane, PointStarted{point, 1e4 * std::pow(0.9995, point), points});
            publish(lane, Screened{.pointIndex = point, .total = 16000, .rate = 0.5});
            for (int i = 0; i < iterations; ++i) {
                publish(lane,
                        Iterated{
                            point, i, 1.0 / (i + 1), {OptimalityKind::DualityGap, 1.0 / (i + 1)}, 1e-6, 100, 1e-4 * i});
            }
            publish(lane, longPoint(lane, point));
        }
        QCoreApplication::processEvents();
        const double due = begin + 60 * minutes * (point + 1) / points;
        (void)waitFor([due] { return wallSeconds() >= due; }, due - wallSeconds());
        if (point == points / 10) {
            early = residentBytes();
        }
    }
    workbench.bridge().drainNow();
    QCoreApplication::processEvents();
    const double late = residentBytes();
    print("gui: replay, events", 1.0 * points * lanes * (iterations + 3), "events");
    print("gui: replay, seconds", wallSeconds() - begin, "s");
    print("gui: replay, memory after a tenth", early / 1e6, "MB");
    print("gui: replay, memory at the end", late / 1e6, "MB");
    print("gui: replay, growth after a tenth", 100 * (late / early - 1), "%");
    workbench.runs().remove(ids);
    workbench.undoStack().clear();
}

} // namespace

int main(int argc, char* argv[]) {
    const double begin = wallSeconds();
    QStandardPaths::setTestModeEnabled(true);
    QApplication::setOrganizationName(QStringLiteral("lambdascope-bench"));
    QApplication::setApplicationName(QStringLiteral("lambdascope-bench"));
    ProfiledApplication application(argc, argv);
    Workbench workbench({});
    ThemeSwitch theme(workbench.settings());
    MainWindow window(workbench);
    window.setWindowState(Qt::WindowNoState);
    window.resize(1280, 800);
    window.show();
    window.repaint();
    QCoreApplication::processEvents();
    print("gui: start to first paint", 1e3 * (wallSeconds() - begin), "ms");

    QTimer wake; // lets waitFor look at its condition
    wake.start(5);
    const auto idle = [&] { return !workbench.controller().isBusy(); };
    const std::string mode = argc > 1 ? argv[1] : "";
    application.setProfiled(mode == "--profile");
    if (argc == 3 && mode == "--replay") { // spread over so many minutes, and nothing else
        window.showWelcome(false);
        measureReplay(workbench, window, std::stod(argv[2]));
        return 0;
    }
    if (mode == "--drag") {
        return measureDrags(workbench, window, argc > 2 ? QString::fromLocal8Bit(argv[2]) : QString()) ? 0 : 1;
    }
    if (!measureViews(workbench, window, application)) {
        std::cerr << "the experiment did not start\n";
        return 1;
    }
    if (mode == "--profile" || mode == "--views") {
        return 0;
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
    measureReplay(workbench, window, 0);
    return 0;
}
