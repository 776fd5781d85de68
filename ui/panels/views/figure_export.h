// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/figure_writer.h"
#include "ui/panels/views/figure_catalogue.h"

namespace lambdascope {

/// Sizes one can choose from, with the words for lists.
struct StylePreset {
    QString key; ///< "single", "double", "slide"
    QString title;
    FigureStyle style;
};
[[nodiscard]] const std::vector<StylePreset>& stylePresets();

/// Writes the figure called `name` of `runs` to `path`; the ending gives the format. `index` as in figureByName.
[[nodiscard]] Result<void> exportFigure(const std::vector<ShownRun>& runs, const QString& name, const QString& path,
                                        const FigureStyle& style, int index = -1);

/// Writes every figure the runs give into `folder`, which is made when absent, one file per figure and ending ("pdf",
/// "png", …). Returns the files in the order of figureNames. Stops at the first error.
[[nodiscard]] Result<QStringList> exportAllFigures(const std::vector<ShownRun>& runs, const QString& folder,
                                                   const QStringList& endings, const FigureStyle& style,
                                                   int index = -1);

} // namespace lambdascope
