// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/figure.h"

namespace lambdascope {

class FigureView;

/// What somebody has made of a chart: the scales and the zoom of curves, and which entries of the legend are hidden.
struct FigureLook {
    QStringList hidden; ///< by the names in the legend: ids are those of runs, which are others in another session
    bool isCurves = false;
    bool isLogX = false; ///< this and what follows: of curves
    bool isLogY = false;
    std::optional<ValueRange> x; ///< nothing: all of it
    std::optional<ValueRange> y;

    bool operator==(const FigureLook&) const = default;
};

[[nodiscard]] FigureLook lookOf(const FigureView& view);
/// Gives a chart that look: now, or when it has something to show, which may take a while to compute.
void restoreLook(FigureView& view, const FigureLook& look);

} // namespace lambdascope
