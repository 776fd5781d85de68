// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "ui/panels/views/figure_builders.h"

#include <QStringList>

namespace lambdascope {

/// Names of the figures that these runs can give, as `lambdascope --figure` takes them: path-rate, final-rate,
/// cpu-ratio, cpu, active, removed, iterations, test-error, convergence, cost:<lane>, heatmap:<lane>, matrix:<lane>,
/// embedding:<lane>. Figures that would be empty are left out.
[[nodiscard]] QStringList figureNames(const std::vector<ShownRun>& runs);

/// What a name shows, for lists: "Screening rate, on arrival at each point".
[[nodiscard]] QString figureDescription(const QString& name);

/// The figure called `name`. convergence, matrix and embedding show path point `index`, or the last one that they can
/// when it is negative; "convergence@12" and "matrix:PGB@12" name the point themselves. Errors: BadUsage with the names
/// there are; InvalidData when the runs do not hold what the figure needs.
[[nodiscard]] Result<Figure> figureByName(const std::vector<ShownRun>& runs, const QString& name, int index = -1);

/// A file name for a figure: "heatmap-RRPB+PGB".
[[nodiscard]] QString figureFileStem(const QString& name);

} // namespace lambdascope
