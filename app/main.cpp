// SPDX-License-Identifier: GPL-3.0-or-later
// The workbench: parse the command line, build the window, connect, run.
#include "core/common/abandonable_call.h"
#include "core/common/clocks.h"
#include "core/numeric/blas_library.h"
#include "core/numeric/memory_pages.h"
#include "core/store/run_library.h"
#include "ui/windows/main_window.h"
#include "ui/windows/render_command.h"
#include "ui/windows/theme_switch.h"
#include "ui/windows/workbench.h"

#include <unistd.h>

#include <QApplication>
#include <QCommandLineParser>
#include <QTimer>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string_view>
#include <vector>

namespace {

using namespace lambdascope;

constexpr int kBadUse = 2;
const QString firstExample = QStringLiteral("wine-six-lanes");

bool isSet(const char* variable) {
    const char* value = std::getenv(variable);
    return value != nullptr && *value != '\0';
}

/// Whether the arguments ask for something that needs no screen. Looked at before Qt starts, which would end the
/// program where there is none.
bool needsNoScreen(const std::vector<std::string_view>& arguments) {
    constexpr std::string_view kQuiet[] = {"--render", "--help", "-h", "--help-all", "--version", "-v"};
    return std::any_of(arguments.begin(), arguments.end(), [&](std::string_view argument) {
        return argument.starts_with("--render=") ||
               std::find(std::begin(kQuiet), std::end(kQuiet), argument) != std::end(kQuiet);
    });
}

struct Options {
    QString preset;
    QStringList files;
    RenderRequest render;
    bool exitsAfterStart = false;
};

Options parse(const QApplication& application) {
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral(
        "Workbench for safe screening and fast solvers. Without arguments it opens its window; FILE may be data, an "
        "experiment (.json), a run folder, or a figure exported from here."));
    parser.addHelpOption();
    parser.addVersionOption();
    const QCommandLineOption run(QStringLiteral("run"),
                                 QStringLiteral("Open an example or experiment file and start it."),
                                 QStringLiteral("PRESET|FILE"));
    const QCommandLineOption render(QStringLiteral("render"),
                                    QStringLiteral("Draw figures of the run folder DIR, without a window or display."),
                                    QStringLiteral("DIR"));
    const QCommandLineOption figure(QStringLiteral("figure"),
                                    QStringLiteral("With --render: name of the figure, or list, or all; given several "
                                                   "times, panels a, b, c of one page."),
                                    QStringLiteral("NAME"), QStringLiteral("list"));
    const QCommandLineOption out(
        QStringLiteral("out"),
        QStringLiteral("With --render: file to write (.pdf, .svg, .png, .csv, .tex); a folder with "
                       "--figure all."),
        QStringLiteral("FILE"));
    const QCommandLineOption size(QStringLiteral("size"),
                                  QStringLiteral("With --render: single (88 mm wide), text (122 mm), double (180 mm) "
                                                 "or slide."),
                                  QStringLiteral("SIZE"), QStringLiteral("single"));
    const QCommandLineOption data(QStringLiteral("data"),
                                  QStringLiteral("With --render: folder of the data, when they are not where the run "
                                                 "found them; slice, lifetimes and ranges compute a lane again."),
                                  QStringLiteral("DIR"));
    const QCommandLineOption columns(QStringLiteral("columns"),
                                     QStringLiteral("With several --figure: panels beside each other."),
                                     QStringLiteral("N"), QStringLiteral("2"));
    const QCommandLineOption grey(QStringLiteral("grey"),
                                  QStringLiteral("With --render: greys in place of colours, for print."));
    QCommandLineOption exitAfterStart(QStringLiteral("exit-after-start"),
                                      QStringLiteral("Print the milliseconds until the window is painted, and end."));
    exitAfterStart.setFlags(QCommandLineOption::HiddenFromHelp);
    parser.addOptions({run, render, figure, out, size, data, columns, grey, exitAfterStart});
    parser.addPositionalArgument(QStringLiteral("FILE"), QStringLiteral("What to open."), QStringLiteral("[FILE…]"));
    parser.process(application);
    Options options;
    options.preset = parser.value(run);
    options.files = parser.positionalArguments();
    const QStringList figures = parser.values(figure);
    options.render = {parser.value(render), figures.first(),
                      parser.value(out),    parser.value(size),
                      parser.value(data),   isatty(STDERR_FILENO) == 1,
                      figures.mid(1),       parser.value(columns).toInt(),
                      parser.isSet(grey)};
    options.exitsAfterStart = parser.isSet(exitAfterStart);
    return options;
}

constexpr int kCaptionDelay = 1500; // ms: there is something to point at then

/// What the window begins with.
void begin(Workbench& workbench, const Options& options) {
    const bool isFirstLaunch = workbench.settings().isFirstLaunch();
    workbench.settings().noteLaunched();
    workbench.offerLeftRun();
    if (!options.preset.isEmpty()) {
        workbench.runNamed(options.preset);
    } else if (!options.files.isEmpty()) {
        workbench.openAll(options.files);
    } else if (isFirstLaunch) {
        workbench.runPreset(firstExample);
    }
}

int showWindow(QApplication& application, const Options& options, double startTime) {
    Workbench::Options workbenchOptions;
    auto library = RunLibrary::open(RunLibrary::defaultPath());
    if (library) {
        workbenchOptions.run.library = *library;
    }
    Workbench workbench(workbenchOptions);
    ThemeSwitch theme(workbench.settings());
    workbench.restoreSession();
    MainWindow window(workbench);
    window.show();
    if (!library) {
        workbench.report(library.error(), QStringLiteral("library"));
    }
    if (options.exitsAfterStart) {
        // The zero timer fires after the first paint events have been handled.
        QTimer::singleShot(0, &application, [&window, &application, startTime] {
            window.repaint();
            std::cout << "start " << 1000 * (wallSeconds() - startTime) << " ms" << std::endl;
            application.quit();
        });
    } else {
        const bool isFirst = workbench.settings().isFirstLaunch();
        QTimer::singleShot(0, &window, [&] { begin(workbench, options); });
        if (isFirst && options.files.isEmpty()) {
            QTimer::singleShot(kCaptionDelay, &window, &MainWindow::showCaptions);
        }
    }
    const int status = QApplication::exec();
    workbench.saveSession();
    return status;
}

int runProgram(int argc, char* argv[]) {
    const double startTime = wallSeconds();
    const std::vector<std::string_view> arguments(argv + 1, argv + argc);
    if (needsNoScreen(arguments)) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
    } else if (!isSet("DISPLAY") && !isSet("WAYLAND_DISPLAY") && !isSet("QT_QPA_PLATFORM")) {
        std::cerr << "lambdascope: there is no display to open a window on.\n"
                     "  Compute with 'lambdascope-cli run', and draw with 'lambdascope --render DIR --figure all --out "
                     "DIR'.\n";
        return kBadUse;
    }
    QApplication::setOrganizationName(QStringLiteral("lambdascope"));
    QApplication::setApplicationName(QStringLiteral("lambdascope"));
    QApplication::setApplicationDisplayName(QStringLiteral("Lambdascope"));
    QApplication::setApplicationVersion(QStringLiteral(LAMBDASCOPE_VERSION));
    QApplication application(argc, argv);
    const Options options = parse(application);
    if (!options.render.folder.isEmpty()) {
        return renderFigures(options.render, std::cout, std::cerr);
    }
    return showWindow(application, options, startTime);
}

} // namespace

int main(int argc, char* argv[]) {
    restartWithBetterBlasKernels(argv);
    keepFreedMemory();
    exitWithoutAbandonedCalls(runProgram(argc, argv));
}
