// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/figure_sheet.h"
#include "ui/figures/figure_origin.h"
#include "ui/figures/study_figures.h"
#include "ui/session/study/study_session.h"
#include "ui/windows/export_panel.h"
#include "ui/windows/render_command.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <optional>
#include <ostream>

namespace lambdascope {

namespace {

QStringList studyFigureNames(const StudyResults& results) {
    QStringList names;
    for (const QString& measure : studyMeasureKeys(results)) {
        const QStringList axes = studyAxisNames(results.study);
        for (const QString& axis : axes) {
            names << measure + ':' + axis;
            for (const QString& by : axes) {
                if (by != axis) {
                    names << measure + ':' + axis + ":by:" + by;
                }
            }
        }
        if (axes.isEmpty()) {
            names << measure;
        }
    }
    return names;
}

/// One figure, or the panels of small multiples.
Result<QList<Figure>> studyFigures(const StudyResults& results, const QString& name) {
    const QStringList parts = name.split(':');
    const QStringList axes = studyAxisNames(results.study);
    const auto place = [&](int part) { return static_cast<int>(axes.indexOf(parts.value(part))); };
    const bool isMeasure = studyMeasureKeys(results).contains(parts.value(0));
    const bool isAxis = parts.size() == 1 ? axes.isEmpty() : place(1) >= 0;
    if (isMeasure && isAxis && parts.size() <= 2) {
        return QList<Figure>{studyCurves(results, parts[0], place(1))};
    }
    if (isMeasure && isAxis && parts.size() == 4 && parts[2] == QLatin1String("by") && place(3) >= 0 &&
        place(1) != place(3)) {
        QList<Figure> panels;
        for (const CurveFigure& panel : studyPanels(results, parts[0], place(1), place(3))) {
            panels.append(Figure(panel));
        }
        return panels;
    }
    if (isMeasure && isAxis && parts.size() == 4 && place(2) >= 0 && place(1) != place(2) &&
        studyLaneNames(results).contains(parts[3])) {
        return QList<Figure>{studyHeatmap(results, parts[0], place(1), place(2), parts[3])};
    }
    return Failure{singleFault(ErrorCode::BadUsage, {"figure",
                                                     "The study has no figure '" + name.toStdString() + "'.",
                                                     "--figure list names them; MEASURE:AXIS:AXIS:LANE has colours, "
                                                     "MEASURE:AXIS:by:AXIS a panel for each value.",
                                                     {}})};
}

/// By which the window shows the study again with the choosers of its view as the figure has them.
FigureOrigin originOf(const RenderRequest& request, const QString& name) {
    FigureOrigin origin;
    origin.studyFolder = QFileInfo(request.folder).absoluteFilePath();
    const auto document = readJsonDocument((request.folder + '/' + layout::kStudyFile).toStdString());
    origin.study = document ? document->value : Json();
    const QStringList parts = name.split(':');
    const bool isBy = parts.value(2) == QLatin1String("by");
    Json chosen{{"Measure", parts[0].toStdString()}};
    chosen["Along"] = parts.value(1).toStdString();
    chosen["Over"] = (isBy ? "by:" + parts.value(3) : parts.value(2)).toStdString();
    chosen["Lane"] = (isBy ? QString() : parts.value(3)).toStdString();
    origin.views.push_back({QStringLiteral("study"), std::move(chosen), 0, {}});
    return origin;
}

Result<void> write(const QList<Figure>& figures, int columns, const QString& file, FigureStyle style,
                   FigureOrigin origin) {
    FigureSheet sheet;
    sheet.columns = std::max(1, columns);
    for (const Figure& figure : figures) {
        sheet.panels.append(figure);
        origin.panels << ExportPanel::drawnName(figureTitle(figure));
    }
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
    QList<Figure> figures;
    for (const QString& name : isAll ? studyFigureNames(**results) : QStringList{request.figure} + request.morePanels) {
        auto panels = studyFigures(**results, name);
        if (!panels) {
            return Failure{panels.error()};
        }
        figures += *panels;
        if (isAll) {
            const QString file = request.out + '/' + QString(name).replace(':', '-') + ".pdf";
            QDir().mkpath(request.out);
            if (auto written = write(*panels, request.columns, file, style, originOf(request, name)); !written) {
                return Failure{written.error()};
            }
            output << file.toStdString() << '\n';
        }
    }
    if (!isAll) {
        if (auto written = write(figures, request.columns, request.out, style, originOf(request, request.figure));
            !written) {
            return Failure{written.error()};
        }
        output << request.out.toStdString() << '\n';
    }
    return {};
}

} // namespace lambdascope
