// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/windows/window_commands.h"

#include <QCoreApplication>
#include <QStringList>

namespace lambdascope {

namespace {

QString text(const char* source) {
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
        {"file.new", text("&New experiment"), keys("Ctrl+N"), "experiment", text("Begin with default settings")},
        {"file.open", text("&Open…"), keys("Ctrl+O"), "open", text("Open data, an experiment or an exported figure")},
        {"file.open-run", text("Open &run folder…"), keys("Ctrl+Shift+O"), "run-folder",
         text("Open what 'lambdascope-cli run --out' wrote")},
        {"file.save", text("&Save experiment"), keys("Ctrl+S"), "save", text("Save the experiment as a file")},
        {"file.save-as", text("Save experiment &as…"), keys("Ctrl+Shift+S"), "save",
         text("Save the experiment under another name")},
        {"file.welcome", text("&Welcome page"), keys("Ctrl+Shift+W"), "examples",
         text("Show examples and recent files")},
        {"file.quit", text("&Quit"), keys("Ctrl+Q"), "", text("Close the workbench; finished points are kept")},
    };
}

std::vector<ActionSpec> editCommands() {
    return {
        {"edit.undo", text("&Undo"), keys("Ctrl+Z"), "undo", text("Take back the last change")},
        {"edit.redo", text("&Redo"), keys("Ctrl+Shift+Z", "Ctrl+Y"), "redo", text("Do again what was taken back")},
        {"edit.copy-details", text("&Copy details"), keys("Ctrl+Shift+D"), "copy",
         text("Copy what the Inspector shows as text")},
    };
}

std::vector<ActionSpec> viewCommands() {
    return {
        {"view.path", text("&Path"), keys("Ctrl+1"), "", text("Screening rate, CPU time and items along the path")},
        {"view.heatmap", text("&Heatmap"), keys("Ctrl+2"), "", text("Dynamic screening, lane by lane")},
        {"view.embedding", text("&Embedding"), keys("Ctrl+3"), "", text("The data as the solution sees them")},
        {"view.convergence", text("&Convergence"), keys("Ctrl+4"), "", text("Distance from the optimum by iteration")},
        {"view.cost", text("C&ost"), keys("Ctrl+5"), "", text("What the CPU time goes to, and where screening pays")},
        {"view.solution", text("&Solution"), keys("Ctrl+6"), "",
         text("The learned matrix, and the error on held-out rows")},
        {"view.bounds", text("&Bounds"), keys("Ctrl+7"), "",
         text("Balls round the optimum, and how long decisions last along the path")},
        {"view.plane", text("Pl&ane"), keys("Ctrl+8"), "",
         text("The data in the plane of two features, and what is certain about every place")},
        {"view.race", text("&Race"), keys("Ctrl+9"), "",
         text("Lanes side by side: a measure along the path and by time")},
        {"view.previous", text("Pre&vious point"), keys("Alt+Left"), "", text("Move all views one point back")},
        {"view.next", text("Ne&xt point"), keys("Alt+Right"), "", text("Move all views one point on")},
        {"view.play", text("P&lay through the path"), keys("Ctrl+Space"), "play", text("Move all views along the path"),
         true},
        {"view.follow", text("&Follow the run"), keys("Ctrl+L"), "follow",
         text("Go along with each newly solved point"), true},
        {"view.experiment", text("E&xperiment dock"), keys("F9"), "", text("Show or hide the form"), true},
        {"view.runs", text("&Runs dock"), keys("F10"), "", text("Show or hide runs, queue and log"), true},
        {"view.inspector", text("&Inspector dock"), keys("F11"), "", text("Show or hide the details"), true},
        {"view.theme-system", text("&System"), {}, "theme", text("Light or dark as the desktop"), true},
        {"view.theme-light", text("&Light"), {}, "", text("Dark on light"), true},
        {"view.theme-dark", text("&Dark"), {}, "", text("Light on dark"), true},
        {"view.keep-runs",
         text("&Keep earlier runs ticked"),
         {},
         "",
         text("Runs that are there stay in the charts when a new one starts"),
         true},
        {"view.full-screen", text("F&ull screen"), keys("Ctrl+Shift+F"), "", text("Use the whole screen"), true},
        {"view.reset-layout", text("Reset la&yout"), keys("Ctrl+Shift+R"), "reset-view",
         text("Put all docks where they were at first")},
    };
}

std::vector<ActionSpec> runCommands() {
    return {
        {"data.open", text("&Open data…"), keys("Ctrl+D"), "open-data",
         text("Open a data file: LIBSVM, CSV, ARFF, NPY, HDF5, MAT")},
        {"data.source", text("&Choose the source"), keys("Ctrl+Shift+I"), "",
         text("Go to the data section of the form")},
        {"run.start", text("&Run"), keys("F5"), "run", text("Compute the experiment")},
        {"run.queue", text("&Add to queue"), keys("Shift+F5"), "",
         text("Compute the experiment after what is in work")},
        {"run.pause", text("&Pause"), keys("F6"), "pause", text("Hold the run, or go on"), true},
        {"run.stop", text("&Stop"), keys("Esc"), "stop", text("End the run; finished points are kept")},
        {"run.copy-command", text("&Copy as command line"), keys("Ctrl+Shift+C"), "copy",
         text("Copy the command that computes the same without a window")},
        {"figure.export", text("&Export figure…"), keys("Ctrl+E"), "export",
         text("Write a chart as PDF, SVG, PNG or CSV")},
        {"figure.export-all", text("Export &all figures…"), keys("Ctrl+Shift+E"), "export-all",
         text("Write every chart into a folder")},
        {"figure.reset-zoom", text("&Reset all zooms"), keys("Ctrl+0"), "reset-view",
         text("Show all data in every chart of this tab")},
        {"help.shortcuts", text("&Shortcuts"), keys("F1"), "keyboard", text("All keys on one page")},
        {"help.bounds", text("What do the &bounds mean"), keys("Shift+F1"), "help",
         text("Bounds and rules in a sentence each")},
        {"help.about", text("&About Lambdascope"), {}, "info", text("Version, licence, papers")},
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
        {text("&File"),
         {"file.new", "file.open", "file.open-run", "@recent", "@examples", "@library", "-", "file.save",
          "file.save-as", "-", "file.welcome", "-", "file.quit"}},
        {text("&Edit"), {"edit.undo", "edit.redo", "-", "edit.copy-details"}},
        {text("&View"),
         {"view.path",
          "view.heatmap",
          "view.embedding",
          "view.convergence",
          "view.cost",
          "view.solution",
          "view.bounds",
          "view.plane",
          "view.race",
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
        {text("&Data"), {"data.open", "data.source"}},
        {text("&Run"), {"run.start", "run.queue", "run.pause", "run.stop", "-", "run.copy-command", "-", "@runs"}},
        {text("Fi&gure"), {"figure.export", "figure.export-all", "-", "figure.reset-zoom", "@charts"}},
        {text("&Help"), {"help.shortcuts", "help.bounds", "-", "help.about"}},
    };
}

} // namespace lambdascope
