// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/figure_export.h"

#include <QDir>

namespace lambdascope {

Result<void> exportFigure(const std::vector<ShownRun>& runs, const QString& name, const QString& path,
                          const FigureStyle& style, int index, const LensSource& lenses) {
    const Result<Figure> figure = figureByName(runs, name, index, lenses);
    if (!figure) {
        return Failure{figure.error()};
    }
    return writeFigure(*figure, path, style);
}

Result<QStringList> exportFigures(const std::vector<ShownRun>& runs, const QStringList& names, const QString& folder,
                                  const QStringList& endings, const FigureStyle& style, int index,
                                  const LensSource& lenses, const FigureRecipes& recipes) {
    const QDir target(folder);
    if (!target.mkpath(QStringLiteral("."))) {
        return Failure{
            singleFault(ErrorCode::FileUnwritable, {{},
                                                    "The folder " + folder.toStdString() + " cannot be made.",
                                                    "Choose a folder in which you may write.",
                                                    {}})};
    }
    QStringList written;
    for (const QString& name : names) {
        Result<Figure> figure = figureByName(runs, name, index, lenses);
        if (!figure) {
            return Failure{figure.error()};
        }
        if (recipes) {
            setFigureRecipe(*figure, recipes({name}, 1, style));
        }
        for (const QString& ending : endings) {
            const QString path = target.filePath(figureFileStem(name) + QLatin1Char('.') + ending);
            if (auto done = writeFigure(*figure, path, style); !done) {
                return Failure{done.error()};
            }
            written << path;
        }
    }
    return written;
}

Result<QStringList> exportAllFigures(const std::vector<ShownRun>& runs, const QString& folder,
                                     const QStringList& endings, const FigureStyle& style, int index,
                                     const FigureRecipes& recipes) {
    const QStringList names = figureNames(runs);
    if (names.isEmpty()) {
        return Failure{singleFault(
            ErrorCode::InvalidData,
            {{}, "There is no figure to export.", "Run an experiment, or tick a run that has points.", {}})};
    }
    return exportFigures(runs, names, folder, endings, style, index, {}, recipes);
}

} // namespace lambdascope
