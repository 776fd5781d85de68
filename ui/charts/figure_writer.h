// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "ui/charts/figure.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

namespace lambdascope {

/// Size and type of an exported figure. Lengths in millimetres, fonts and lines in points, so that a figure printed in
/// a paper has the paper's text size.
struct FigureStyle {
    double widthMm = 88;
    double heightMm = 62;
    double fontPt = 8;
    double lineScale = 1; ///< multiplies all line widths and markers
    double dpi = 300;     ///< PNG only
    bool dark = false;
    bool grey = false; ///< greys in place of colours, for print without them; wins over dark
    bool showTitle = true;
    bool showLegend = true;
    bool isThinned = false; ///< small pictures on the screen: of points closer than a unit of width the extremes alone

    bool operator==(const FigureStyle&) const = default;

    [[nodiscard]] static FigureStyle singleColumn(); ///< 88 × 62 mm, 8 pt
    [[nodiscard]] static FigureStyle doubleColumn(); ///< 180 × 90 mm, 8 pt
    [[nodiscard]] static FigureStyle textWidth();    ///< 122 × 76 mm, 9 pt: pages of one column
    [[nodiscard]] static FigureStyle slide();        ///< 254 × 143 mm (16:9), 16 pt, thicker lines
};

enum class FigureFormat { Pdf, Svg, Png, Csv, Tex };

/// From the file name's ending.
[[nodiscard]] Result<FigureFormat> figureFormat(const QString& path);

/// "PDF figure (*.pdf)" …, for file dialogs.
[[nodiscard]] QStringList figureFileFilters();

/// Draws the figure into a file; the format follows the ending (.pdf, .svg, .png, .csv, .tex). All points are written,
/// never a thinned set. Text stays text in PDF (fonts embedded) and SVG. The recipe travels along: PDF attachment
/// "recipe.json", SVG <desc>, PNG text; CSV and LaTeX have none. The file appears complete or not at all. Needs a
/// QGuiApplication (any platform, offscreen too). Errors: UnsupportedFormat, FileUnwritable, each naming the file and a
/// remedy.
[[nodiscard]] Result<void> writeFigure(const Figure& figure, const QString& path, const FigureStyle& style = {});

/// The same into memory.
[[nodiscard]] Result<QByteArray> renderFigure(const Figure& figure, FigureFormat format, const FigureStyle& style = {});

/// All values as comma-separated text: C locale, numbers that read back exactly, a header line. Curves: "curve,x,y"
/// long form with the axis titles as names; heatmap: "x,y,value" for cells that have one; cloud: "x,y,class".
[[nodiscard]] QByteArray figureCsv(const Figure& figure);

/// A tikzpicture for LaTeX, in the fonts of the document: curves and plain clouds as axes of pgfplots with their
/// values, to be edited; other figures as lines, areas and words in their places.
[[nodiscard]] QByteArray figureTex(const Figure& figure, const FigureStyle& style);

/// The recipe inside a PDF, SVG or PNG that writeFigure made. Errors: FileNotFound, FileUnreadable, UnsupportedFormat,
/// InvalidData when the file carries no recipe.
[[nodiscard]] Result<QByteArray> readRecipe(const QString& path);

} // namespace lambdascope
