// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/figure_sheet.h"
#include "ui/figures/figure_origin.h"
#include "ui/figures/study_figures.h"
#include "ui/session/study/study_session.h"
#include "ui/windows/render_command.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <optional>
#include <ostream>

namespace lambdascope {

namespace {

/// By which the window shows the study again with the choosers of its view as the figure has them.
FigureOrigin originOf(const RenderRequest& request, const QString& name) {
    FigureOrigin origin;
    origin.studyFolder = QFileInfo(request.folder).absoluteFilePath();
    const auto document = readJsonDocument((request.folder + '/' + layout::kStudyFile).toStdString());
    origin.study = document ? document->value : Json();
    origin.views.push_back(viewOfFigure(studyPanelName(name, 0)));
    return origin;
}

/// Figures with the names by which the window for exporting finds them again.
struct NamedFigures {
    QList<Figure> figures;
    QStringList names;
};

Result<void> write(const NamedFigures& page, int columns, const QString& file, FigureStyle style, FigureOrigin origin) {
    FigureSheet sheet;
    sheet.columns = std::max(1, columns);
    for (const Figure& figure : page.figures) {
        sheet.panels.append(figure);
    }
    origin.panels = page.names;
    style.heightMm = sheetHeightMm(sheet, style);
    origin.columns = sheet.columns;
    origin.style = style;
    if (!sheet.panels.isEmpty()) {
        setFigureRecipe(sheet.panels.first(), recipeText(origin));
    }
    return writeSheet(sheet, file, style);
}

} // namespace

bool isStudyRequest(const RenderRequest& request) {
    return QFile::exists(request.folder + '/' + layout::kStudyFile);
}

Result<void> renderStudy(const RenderRequest& request, const FigureStyle& style, const SchemaCatalog& catalog,
                         std::ostream& output) {
    const auto results = studyResultsIn(request.folder, catalog);
    if (!results) {
        return Failure{results.error()};
    }
    const bool isAll = request.figure == QLatin1String("all");
    if (request.figure == QLatin1String("list")) {
        output << studyFigureNames(**results).join('\n').toStdString() << '\n';
        return {};
    }
    if (request.out.isEmpty()) {
        return Failure{singleFault(ErrorCode::BadUsage, {"out",
                                                         "It is not said where the figure goes.",
                                                         "Add --out FILE.pdf, .svg, .png, .csv or .tex; with "
                                                         "--figure all, a folder.",
                                                         {}})};
    }
    NamedFigures page;
    for (const QString& name : isAll ? studyFigureNames(**results) : QStringList{request.figure} + request.morePanels) {
        const auto panels = studyFiguresCalled(**results, name);
        if (!panels) {
            return Failure{panels.error()};
        }
        page = isAll ? NamedFigures() : std::move(page);
        for (int panel = 0; panel < panels->size(); ++panel) {
            page.figures.append(panels->at(panel));
            page.names << studyPanelName(name, panel);
        }
        if (isAll) {
            const QString file = request.out + '/' + QString(name).replace(':', '-') + ".pdf";
            QDir().mkpath(request.out);
            if (auto written = write(page, request.columns, file, style, originOf(request, name)); !written) {
                return Failure{written.error()};
            }
            output << file.toStdString() << '\n';
        }
    }
    if (!isAll) {
        if (auto written = write(page, request.columns, request.out, style, originOf(request, request.figure));
            !written) {
            return Failure{written.error()};
        }
        output << request.out.toStdString() << '\n';
    }
    return {};
}

} // namespace lambdascope
