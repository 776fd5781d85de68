// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/figure_writer.h"

#include <QSizeF>
#include <QVector>

namespace lambdascope {

class FigureCanvas;

/// Several figures on one page, lettered a, b, c …, row by row.
struct FigureSheet {
    QVector<Figure> panels;
    int columns = 2;

    [[nodiscard]] int rows() const { return columns > 0 ? int(panels.size() + columns - 1) / columns : 0; }
    bool operator==(const FigureSheet&) const = default;
};

/// Draws the panels side by side. Where no name stands for two looks, one legend below serves all; else each panel
/// keeps its own. One panel is drawn as the figure alone, without a letter.
void paintSheet(FigureCanvas& canvas, const QSizeF& size, const FigureSheet& sheet, const FigureStyle& style);

/// The height in millimetres at which panels of a sheet have the shape of single figures of `style`.
[[nodiscard]] double sheetHeightMm(const FigureSheet& sheet, const FigureStyle& style);

/// As renderFigure() and writeFigure(). The recipe that travels along is that of the first panel; CSV has the panels
/// one below the other, with an empty line between them.
[[nodiscard]] Result<QByteArray> renderSheet(const FigureSheet& sheet, FigureFormat format,
                                             const FigureStyle& style = {});
[[nodiscard]] Result<void> writeSheet(const FigureSheet& sheet, const QString& path, const FigureStyle& style = {});

} // namespace lambdascope
