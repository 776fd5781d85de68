// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/figure.h"

#include <QColor>
#include <QPalette>
#include <QVector>

namespace lambdascope {

/// Colours of a chart, derived from a widget palette or fixed for print. Series use the eight hues of
/// [Okabe and Ito 2008], in shades that are readable on the background and that any two differ in clearly, also to eyes
/// without one kind of cones.
struct ChartTheme {
    bool dark = false;
    QColor background; ///< around the plot
    QColor plotArea;
    QColor text;
    QColor mutedText;
    QColor grid;
    QColor minorGrid;
    QColor axis;
    QColor cursor; ///< shared vertical cursor
    QColor absent; ///< heatmap cell without a value
    QColor accent; ///< selection, rubber band, focus ring
    QVector<QColor> series;

    [[nodiscard]] static ChartTheme light();
    [[nodiscard]] static ChartTheme dim();
    /// Black, white and greys that stay apart in print; dashes and markers tell the rest.
    [[nodiscard]] static ChartTheme grey();
    /// Light or dark after the lightness of window and text; backgrounds are those of the palette.
    [[nodiscard]] static ChartTheme fromPalette(const QPalette& palette);

    bool operator==(const ChartTheme&) const = default;
};

/// True when the window colour is darker than its text.
[[nodiscard]] bool isDarkPalette(const QPalette& palette);

/// A curve's style with nothing left automatic.
struct ResolvedStyle {
    QColor colour;
    DashStyle dash = DashStyle::Solid;
    MarkerShape marker = MarkerShape::None;
    double width = 1.6;
    bool isHollow = false; ///< only the outline of the marker

    bool operator==(const ResolvedStyle&) const = default;
};

/// Style of the curve at `place` of a figure: colour, dash and marker change together, so that no two of the first
/// eight curves differ in colour alone, and 8 × 5 combinations exist before one repeats.
[[nodiscard]] ResolvedStyle resolveStyle(const CurveStyle& style, int place, const ChartTheme& theme);

/// Dash pattern in units of the line width, for QPen::setDashPattern and stroke-dasharray; empty for a solid line.
[[nodiscard]] QVector<qreal> dashPattern(DashStyle dash);

/// Colour and marker of class number `index` of a point cloud.
[[nodiscard]] QColor classColour(int index, const ChartTheme& theme);
[[nodiscard]] MarkerShape classMarker(int index);

/// Perceptual colour map for heatmaps: cividis [Nuñez, Anderton, Renslow 2018], made for normal
/// and colour-deficient sight alike. `fraction` is clamped to [0, 1].
[[nodiscard]] QColor mapColour(double fraction);

/// Diverging map: blue below the middle, vermilion above it (hues of [Okabe and Ito 2008], told apart by any common
/// colour blindness), nearly white in the middle. `fraction` is clamped to [0, 1].
[[nodiscard]] QColor divergingColour(double fraction);

/// 256 entries of mapColour or divergingColour as ARGB32.
[[nodiscard]] const QVector<QRgb>& colourTable(ColourMap map = ColourMap::Sequential);

} // namespace lambdascope
