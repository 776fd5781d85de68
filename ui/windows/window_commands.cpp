// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/windows/window_commands.h"

#include <QCoreApplication>
#include <QStringList>

namespace lambdascope {

namespace {

QString commandText(const char* source) {
    return QCoreApplication::translate("Commands", source);
}

QList<QKeySequence> keys(const char* first, const char* second = nullptr) {
    QList<QKeySequence> sequences{QKeySequence(QString::fromLatin1(first))};
    if (second != nullptr) {
        sequences << QKeySequence(QString::fromLatin1(second));
    }
    return sequences;
}

std::vector<ActionSpec> fileCommands() {
    return {
        {"file.new", commandText("&New experiment"), keys("Ctrl+N"), "experiment",
         commandText("Begin with default settings")},
        {"file.open", commandText("&Open…"), keys("Ctrl+O"), "open",
         commandText("Open data, an experiment or an exported figure")},
        {"file.open-run", commandText("Open &run folder…"), keys("Ctrl+Shift+O"), "run-folder",
         commandText("Open what 'lambdascope-cli run --out' or 'sweep --out' wrote")},
        {"file.import-runs",
         commandText("&Import runs…"),
         {},
         "",
         commandText("Take run folders, or the cells of a study, into the run library")},
        {"file.save", commandText("&Save experiment"), keys("Ctrl+S"), "save",
         commandText("Save the experiment as a file")},
        {"file.save-as", commandText("Save experiment &as…"), keys("Ctrl+Shift+S"), "save",
         commandText("Save the experiment under another name")},
        {"file.welcome", commandText("&Welcome page"), keys("Ctrl+Shift+W"), "examples",
         commandText("Show examples and recent files")},
        {"file.quit", commandText("&Quit"), keys("Ctrl+Q"), "",
         commandText("Close the workbench; finished points are kept")},
    };
}

std::vector<ActionSpec> editCommands() {
    return {
        {"edit.undo", commandText("&Undo"), keys("Ctrl+Z"), "undo", commandText("Take back the last change")},
        {"edit.redo", commandText("&Redo"), keys("Ctrl+Shift+Z", "Ctrl+Y"), "redo",
         commandText("Do again what was taken back")},
        {"edit.copy-details", commandText("&Copy details"), keys("Ctrl+Shift+D"), "copy",
         commandText("Copy what the Inspector shows as text")},
        {"edit.copy-headline",
         commandText("Copy &headline"),
         {},
         "copy",
         commandText("Copy the sentence above the charts")},
        {"edit.copy-caption",
         commandText("Copy headline as ca&ption"),
         {},
         "copy",
         commandText("Copy the sentence above the charts with the name of its experiment, for below a figure")},
    };
}

std::vector<ActionSpec> viewCommands() {
    return {
        {"view.screened", commandText("What is &screened"), keys("Ctrl+1"), "",
         commandText("Screening rates, items left, every check")},
        {"view.saved", commandText("&What it saves"), keys("Ctrl+2"), "",
         commandText("CPU time so far, what it goes to, a race of the lanes")},
        {"view.learned", commandText("What is l&earned"), keys("Ctrl+3"), "",
         commandText("The data as the solution sees them, its quality, a plane, the solution itself")},
        {"view.safe", commandText("Why it is sa&fe"), keys("Ctrl+4"), "",
         commandText("Balls round the optimum, and how long decisions last along the path")},
        {"view.converged", commandText("How it &converges"), keys("Ctrl+5"), "",
         commandText("Distance from the optimum by iteration")},
        {"view.previous-view", commandText("Previous view"), keys("Ctrl+PgUp"), "",
         commandText("The view before this")},
        {"view.next-view", commandText("Next view"), keys("Ctrl+PgDown"), "", commandText("The view after this")},
        {"view.enlarge", commandText("Enlar&ge the chart"), keys("F12"), "",
         commandText("Give the chart all the room; Enter or a double click on it does the same, Esc goes back"), true},
        {"view.split", commandText("S&plit: two views"), keys("Ctrl+\\"), "",
         commandText("Show another view beside the large one; each family keeps its arrangement"), true},
        {"view.next-region", commandText("Next part of the window"), keys("F6"), "",
         commandText("Go to the form, the lanes, the chart, the questions, the path and the details in turn")},
        {"view.previous-region", commandText("Previous part of the window"), keys("Shift+F6"), "",
         commandText("The part before this")},
        {"view.previous", commandText("Pre&vious point"), keys("Alt+Left"), "",
         commandText("Move all views one point back")},
        {"view.next", commandText("Ne&xt point"), keys("Alt+Right"), "", commandText("Move all views one point on")},
        {"view.play", commandText("P&lay through the path"), keys("Ctrl+Space"), "play",
         commandText("Move all views along the path"), true},
        {"view.follow", commandText("&Follow the run"), keys("Ctrl+L"), "follow",
         commandText("Go along with each newly solved point"), true},
        {"view.experiment", commandText("E&xperiment dock"), keys("F9"), "", commandText("Show or hide the form"),
         true},
        {"view.runs", commandText("&Runs dock"), keys("F10"), "", commandText("Show or hide runs, queue and log"),
         true},
        {"view.inspector", commandText("&Inspector dock"), keys("F11"), "", commandText("Show or hide the details"),
         true},
        {"view.theme-system", commandText("&System"), {}, "theme", commandText("Light or dark as the desktop"), true},
        {"view.theme-light", commandText("&Light"), {}, "", commandText("Dark on light"), true},
        {"view.theme-dark", commandText("&Dark"), {}, "", commandText("Light on dark"), true},
        {"view.keep-runs",
         commandText("&Keep earlier runs ticked"),
         {},
         "",
         commandText("Runs that are there stay in the charts when a new one starts"),
         true},
        {"view.full-screen", commandText("F&ull screen"), keys("Ctrl+Shift+F"), "", commandText("Use the whole screen"),
         true},
        {"view.reset-layout", commandText("Reset la&yout"), keys("Ctrl+Shift+R"), "reset-view",
         commandText("Put all docks where they were at first")},
    };
}

std::vector<ActionSpec> runCommands() {
    return {
        {"data.open", commandText("&Open data…"), keys("Ctrl+D"), "open-data",
         commandText("Open a data file: LIBSVM, CSV, ARFF, NPY, HDF5, MAT")},
        {"data.preview", commandText("&Look at the data"), keys("F4"), "",
         commandText("First rows, classes, ranges, and which families take the data of the experiment"), true},
        {"data.paint", commandText("&Edit and paint rows"), keys("Shift+F4"), "",
         commandText("Move, paint, erase and relabel rows by mouse while the path is computed anew"), true},
        {"data.source", commandText("&Choose the source"), keys("Ctrl+Shift+I"), "",
         commandText("Go to the data section of the form")},
        {"run.start", commandText("&Run"), keys("F5"), "run", commandText("Compute the experiment")},
        {"run.queue", commandText("&Add to queue"), keys("Shift+F5"), "",
         commandText("Compute the experiment after what is in work")},
        {"run.pause", commandText("&Pause"), keys("F7"), "pause", commandText("Hold the run, or go on"), true},
        {"run.stop", commandText("&Stop"), keys("Esc"), "stop", commandText("End the run; finished points are kept")},
        {"run.go-on", commandText("&Go on with the interrupted run"), keys("Ctrl+F5"), "",
         commandText("Compute the rest of the run chosen in Runs, or of the newest, that was interrupted")},
        {"run.study",
         commandText("Stud&y of several values…"),
         {},
         "",
         commandText("Give fields of the experiment several values, and compute all combinations")},
        {"run.verify-all", commandText("&Verify all lanes"), keys("Ctrl+Shift+V"), "",
         commandText("Check every decision of the lanes shown against solutions of much higher accuracy")},
        {"run.certificate",
         commandText("C&ertificate…"),
         {},
         "",
         commandText("Write what others need to prove every decision without this program")},
        {"run.copy-command", commandText("&Copy as command line"), keys("Ctrl+Shift+C"), "copy",
         commandText("Copy the command that computes the same without a window")},
        {"figure.export", commandText("&Export figure…"), keys("Ctrl+E"), "export",
         commandText("Write a chart as PDF, SVG, PNG or CSV")},
        {"figure.export-all", commandText("Export &all figures…"), keys("Ctrl+Shift+E"), "export-all",
         commandText("Write every chart into a folder")},
        {"figure.reset-zoom", commandText("&Reset all zooms"), keys("Ctrl+0"), "reset-view",
         commandText("Show all data in every chart of this tab")},
        {"help.palette", commandText("All &commands…"), keys("Ctrl+K"), "",
         commandText("Find any command, view or example by typing a few letters")},
        {"help.shortcuts", commandText("&Shortcuts"), keys("F1"), "keyboard", commandText("All keys on one page")},
        {"help.bounds", commandText("What do the &bounds mean"), keys("Shift+F1"), "help",
         commandText("Bounds and rules in a sentence each")},
        {"help.about", commandText("&About Lambdascope"), {}, "info", commandText("Version, licence, papers")},
    };
}

} // namespace

std::vector<ActionSpec> windowCommands() {
    std::vector<ActionSpec> commands = fileCommands();
    for (const auto& part : {editCommands(), viewCommands(), runCommands()}) {
        commands.insert(commands.end(), part.begin(), part.end());
    }
    return commands;
}

std::vector<MenuSpec> windowMenus() {
    return {
        {commandText("&File"),
         {"file.new", "file.open", "file.open-run", "@recent", "@examples", "@library", "file.import-runs", "-",
          "file.save", "file.save-as", "-", "file.welcome", "-", "file.quit"}},
        {commandText("&Edit"),
         {"edit.undo", "edit.redo", "-", "edit.copy-details", "edit.copy-headline", "edit.copy-caption"}},
        {commandText("&View"),
         {"view.screened",
          "view.saved",
          "view.learned",
          "view.safe",
          "view.converged",
          "@views",
          "view.previous-view",
          "view.next-view",
          "view.enlarge",
          "view.split",
          "-",
          "view.next-region",
          "view.previous-region",
          "-",
          "view.previous",
          "view.next",
          "view.play",
          "view.follow",
          "-",
          "view.experiment",
          "view.runs",
          "view.inspector",
          "@theme",
          "-",
          "view.keep-runs",
          "-",
          "view.full-screen",
          "view.reset-layout"}},
        {commandText("&Data"), {"data.open", "data.preview", "data.paint", "data.source"}},
        {commandText("&Run"),
         {"run.start", "run.queue", "run.pause", "run.stop", "run.go-on", "run.study", "-", "run.verify-all",
          "run.certificate", "-", "run.copy-command", "-", "@runs"}},
        {commandText("Fi&gure"), {"figure.export", "figure.export-all", "-", "figure.reset-zoom", "@charts"}},
        {commandText("&Help"), {"help.palette", "help.shortcuts", "help.bounds", "-", "help.about"}},
    };
}

} // namespace lambdascope
