// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/windows/render_command.h"

#include "core/families.h"
#include "core/store/run_folder.h"
#include "ui/charts/figure_sheet.h"
#include "ui/charts/style_presets.h"
#include "ui/figures/figure_export.h"
#include "ui/figures/figure_origin.h"
#include "ui/session/runs/lane_colours.h"
#include "ui/windows/render_lenses.h"

#include <QFileInfo>

#include <algorithm>
#include <iostream>
#include <map>

namespace lambdascope {

namespace {

constexpr int kBadUse = 2;

/// By which the figures open their run folder again in the window.
FigureRecipes recipesOf(const std::vector<ShownRun>& runs, const QString& folder) {
    FigureOrigin origin;
    if (!runs.empty()) {
        FigureOrigin::Lanes& lanes = origin.runs.emplace_back();
        lanes.experiment = runs.front().record->start().experiment;
        lanes.folder = QFileInfo(folder).absoluteFilePath();
        for (const ShownRun& run : runs) {
            lanes.lanes << QString::fromStdString(run.record->start().laneName);
            lanes.names << run.name;
        }
    }
    return [origin](const QStringList& panels, int columns, const FigureStyle& style) {
        FigureOrigin page = origin;
        page.panels = panels;
        page.columns = columns;
        page.style = style;
        return recipeText(page);
    };
}

int complain(std::ostream& errors, const Error& error) {
    errors << "lambdascope: " << error.describe() << '\n';
    return kBadUse;
}

/// Writes the figures that need lenses, as far as they can be had, and says of each lane why the rest is missing.
QStringList renderLensFigures(const std::vector<ShownRun>& runs, const RenderRequest& request, const FigureStyle& style,
                              const QStringList& endings, RenderLenses& lenses, std::ostream& errors) {
    std::map<QString, QStringList> figuresOf;
    QStringList lanes; // in the order of the run
    for (const QString& name : lensFigureNames(runs, lenses.source())) {
        const QString lane = laneOfFigure(runs, name)->name;
        if (!lanes.contains(lane)) {
            lanes << lane;
        }
        figuresOf[lane] << name;
    }
    QStringList written;
    for (const QString& lane : lanes) {
        QStringList& names = figuresOf[lane];
        QString reason = RenderLenses::obstacle(*laneOfFigure(runs, names.front()));
        while (reason.isEmpty() && !names.isEmpty()) {
            const auto files = exportFigures(runs, {names.front()}, request.out, endings, style, -1, lenses.source(),
                                             recipesOf(runs, request.folder));
            reason = files ? QString() : QString::fromStdString(files.error().describe());
            if (files) {
                written += *files;
                names.removeFirst();
            }
        }
        if (!reason.isEmpty()) {
            errors << "left out " << names.join(QStringLiteral(", ")).toStdString() << ": " << reason.toStdString()
                   << "; --figure NAME tries one\n";
        }
    }
    return written;
}

int renderAll(const std::vector<ShownRun>& runs, const RenderRequest& request, const FigureStyle& style,
              RenderLenses& lenses, std::ostream& output, std::ostream& errors) {
    const QStringList endings{QStringLiteral("pdf"), QStringLiteral("png")};
    const auto written = exportAllFigures(runs, request.out, endings, style, -1, recipesOf(runs, request.folder));
    if (!written) {
        return complain(errors, written.error());
    }
    for (const QString& path : *written + renderLensFigures(runs, request, style, endings, lenses, errors)) {
        output << path.toStdString() << '\n';
    }
    return 0;
}

} // namespace

int renderFigures(const RenderRequest& request, std::ostream& output, std::ostream& errors) {
    const auto preset = std::find_if(stylePresets().begin(), stylePresets().end(),
                                     [&](const StylePreset& candidate) { return candidate.key == request.size; });
    if (preset == stylePresets().end()) {
        return complain(errors,
                        singleFault(ErrorCode::BadUsage, {"size",
                                                          "There is no size '" + request.size.toStdString() + "'.",
                                                          "Use single, double, text or slide.",
                                                          {}}));
    }
    if (isStudyRequest(request)) {
        FigureStyle ofStudy = preset->style;
        ofStudy.grey = request.isGrey;
        const auto drawn = renderStudy(request, ofStudy, builtInCatalog(), output);
        return drawn ? 0 : complain(errors, drawn.error());
    }
    const auto records = readRunFolder(request.folder.toStdString());
    if (!records) {
        return complain(errors, records.error());
    }
    std::vector<ShownRun> runs = shownRuns(*records);
    for (ShownRun& run : runs) { // the colours that lanes have in the window
        run.styleIndex = LaneColours().placesOf(laneNamesOf(*run.record)).at(run.name);
    }
    RenderLenses lenses({request.data, request.folder}, errors, request.isTerminal);
    if (request.figure == QLatin1String("list")) {
        for (const QString& name : figureNames(runs) + lensFigureNames(runs, lenses.source())) {
            output << name.toStdString() << '\n';
        }
        return 0;
    }
    if (request.out.isEmpty()) {
        return complain(errors, singleFault(ErrorCode::BadUsage, {"out",
                                                                  "It is not said where the figure goes.",
                                                                  "Add --out FILE.pdf, .svg, .png, .csv or .tex; with "
                                                                  "--figure all, a folder.",
                                                                  {}}));
    }
    FigureStyle style = preset->style;
    style.grey = request.isGrey;
    if (request.figure == QLatin1String("all")) {
        return renderAll(runs, request, style, lenses, output, errors);
    }
    FigureSheet sheet;
    sheet.columns = std::max(1, request.columns);
    const QStringList names = QStringList{request.figure} + request.morePanels;
    for (const QString& name : names) {
        auto figure = figureByName(runs, name, -1, lenses.source());
        if (!figure) {
            return complain(errors, figure.error());
        }
        sheet.panels.append(std::move(*figure));
    }
    style.heightMm = sheetHeightMm(sheet, style);
    setFigureRecipe(sheet.panels.first(), recipesOf(runs, request.folder)(names, sheet.columns, style));
    if (auto done = writeSheet(sheet, request.out, style); !done) {
        return complain(errors, done.error());
    }
    output << request.out.toStdString() << '\n';
    return 0;
}

} // namespace lambdascope
