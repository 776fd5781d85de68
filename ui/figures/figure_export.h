// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/figure_writer.h"
#include "ui/figures/figure_catalogue.h"

namespace lambdascope {

/// The recipe of a file that shows these figures, by name, as one page. Empty: figures keep their own.
using FigureRecipes = std::function<QByteArray(const QStringList& panels, int columns, const FigureStyle& style)>;

/// Writes the figure called `name` of `runs` to `path`; the ending gives the format. `index` as in figureByName.
[[nodiscard]] Result<void> exportFigure(const std::vector<ShownRun>& runs, const QString& name, const QString& path,
                                        const FigureStyle& style, int index = -1, const LensSource& lenses = {});

/// Writes the figures called `names` into `folder`, which is made when absent, one file per figure and ending ("pdf",
/// "png", …). Returns the files in the order of the names. Stops at the first error.
[[nodiscard]] Result<QStringList> exportFigures(const std::vector<ShownRun>& runs, const QStringList& names,
                                                const QString& folder, const QStringList& endings,
                                                const FigureStyle& style, int index = -1, const LensSource& lenses = {},
                                                const FigureRecipes& recipes = {});
/// The same for all figureNames of the runs, at least one.
[[nodiscard]] Result<QStringList> exportAllFigures(const std::vector<ShownRun>& runs, const QString& folder,
                                                   const QStringList& endings, const FigureStyle& style, int index = -1,
                                                   const FigureRecipes& recipes = {});

} // namespace lambdascope
